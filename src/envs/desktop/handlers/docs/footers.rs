//! Numbers of pages in footers.

use super::open::document;
use super::{Case, Finding, Params, Role, Rules};

/// The footer of every section shows the number of the page by a field; a digit that was typed does not number pages. The
/// released code wants any digit in the first paragraph of the footer.
pub(super) fn has_page_numbers_in_footers(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let made = document(case, params.text("docx_file")?, Role::Made)?;
    if case.rules == Rules::Standard && made.sections.is_empty() {
        return Err(Finding::fail("the document has no footer, expected is one with the number of the page"));
    }
    for (index, section) in made.sections.iter().enumerate() {
        let is_numbered = match case.rules {
            Rules::Standard => section.footer.iter().any(|paragraph| paragraph.page_number),
            Rules::Code => {
                let first = section.footer.first();
                first.is_some_and(|paragraph| paragraph.text.chars().any(char::is_numeric))
            }
        };
        if !is_numbered {
            let place = index + 1;
            return Err(Finding::Fail(format!(
                "the footer of section {place} does not show the number of the page"
            )));
        }
    }
    Ok(())
}
