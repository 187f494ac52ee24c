//! Playing on from a step (`ask --to-end`): its JSON objects.

pub(super) mod records;

use std::io;

pub(super) use self::records::RowFields;
use self::records::{ComparisonRecord, EndedRecord, PlanRecord, VariantRecord};
use super::output::Output;
use super::records::ComparisonFields;
use super::studies::StudyRecords;
use mageyard_study::{ContinuationPlan, ContinuationStudy, StudyEvent};

impl StudyRecords for ContinuationStudy {
    fn print_plan(&self, out: &mut Output) -> io::Result<()> {
        out.record(&PlanRecord::new(&self.run, &self.plan, &self.stored()))
    }

    fn print_event(&self, event: StudyEvent<'_>, out: &mut Output) -> io::Result<()> {
        match event {
            StudyEvent::Branch(one) => out.record(&EndedRecord::new(&self.store, &self.plan, one)),
            StudyEvent::Began | StudyEvent::Call(..) => Ok(()),
        }
    }

    fn print_table(&self, out: &mut Output) -> io::Result<()> {
        let rows = self.plan.rows(&self.stored());
        for (index, (variant, row)) in self.plan.variants.iter().zip(&rows).enumerate() {
            out.record(&VariantRecord::new(&self.run, index, variant, row))?;
        }
        for comparison in &ContinuationPlan::comparisons(&rows) {
            out.record(&ComparisonRecord { fields: ComparisonFields::new(&self.run, comparison) })?;
        }
        Ok(())
    }
}
