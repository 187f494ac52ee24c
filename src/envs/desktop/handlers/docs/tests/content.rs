use super::{CODE, RULES, STANDARD, compare};
use crate::handlers::scripted::{error, fail};
use crate::office::tests::write::{Docx, p, run, table};

const EQUATION: &str = "compare_insert_equation";
const TABLES: &str = "compare_docx_tables";
const MATH: &str = "<w:p><m:oMathPara><m:oMath><m:r/></m:oMath></m:oMathPara></w:p>";

#[test]
fn equations_are_counted() {
    let with = |count: usize| Docx::new(p("text") + &MATH.repeat(count)).bytes();
    for rules in RULES {
        assert_eq!(compare(EQUATION, &with(1), &with(1), rules), Ok(()));
        let sentence = fail(compare(EQUATION, &with(1), &with(0), rules));
        assert_eq!(sentence, "0 paragraphs have an equation, expected are 1");
        fail(compare(EQUATION, &with(1), &with(2), rules));
        fail(compare(EQUATION, &with(1), &Docx::new(p("other") + MATH).bytes(), rules));
    }
    error(compare(EQUATION, &with(0), &with(0), STANDARD));
    fail(compare(EQUATION, &with(0), &with(0), CODE));
}

#[test]
fn equations_in_tables_count_except_in_the_released_code() {
    let outside = Docx::new(p("text") + MATH).bytes();
    let inside = Docx::new(p("text") + &table(1, &[&[MATH.to_owned()]])).bytes();
    assert_eq!(compare(EQUATION, &outside, &inside, STANDARD), Ok(()));
    fail(compare(EQUATION, &outside, &inside, CODE));
}

fn cells(rows: &[[&str; 2]]) -> Vec<u8> {
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(|text| p(text)).collect()).collect();
    Docx::new(table(2, &rows.iter().map(Vec::as_slice).collect::<Vec<_>>())).bytes()
}

#[test]
fn tables_are_compared_cell_by_cell() {
    for rules in RULES {
        let reference = cells(&[["a", "b"], ["c", "d"]]);
        assert_eq!(compare(TABLES, &reference, &cells(&[["a ", "b"], ["c", " d"]]), rules), Ok(()));
        let sentence = fail(compare(TABLES, &reference, &cells(&[["a", "b"], ["c", "x"]]), rules));
        assert_eq!(sentence, "row 2, column 2 of table 1 is \"x\", expected is \"d\"");
        let sentence = fail(compare(TABLES, &reference, &cells(&[["a", "b"]]), rules));
        assert_eq!(sentence, "table 1 has 1 rows and 2 columns, expected are 2 and 2");
        let sentence = fail(compare(TABLES, &reference, &Docx::new(p("a")).bytes(), rules));
        assert_eq!(sentence, "there are 0 tables, expected are 1");
        let none = Docx::new(p("a")).bytes();
        assert_eq!(compare(TABLES, &none, &none, rules), Ok(()));
    }
}

fn cell(properties: &str, text: &str) -> String {
    format!("<w:tcPr>{properties}</w:tcPr>{}", p(text))
}

#[test]
fn merged_cells_are_at_all_of_their_places() {
    let merged = |first: &str, span: &str| {
        let wide = cell(&format!("<w:gridSpan w:val='{span}'/>"), first);
        let above = cell("<w:vMerge w:val='restart'/>", "tall");
        let below = cell("<w:vMerge/>", "");
        let rows: [&[String]; 3] = [&[wide], &[above, cell("", "b")], &[below, cell("", "c")]];
        Docx::new(table(2, &rows)).bytes()
    };
    let plain = cells(&[["wide", "wide"], ["tall", "b"], ["tall", "c"]]);
    for rules in RULES {
        assert_eq!(compare(TABLES, &plain, &merged("wide", "2"), rules), Ok(()));
        fail(compare(TABLES, &plain, &merged("other", "2"), rules));
        // A cell is never wider than the grid.
        assert_eq!(compare(TABLES, &plain, &merged("wide", "4000000000"), rules), Ok(()));
    }
}

#[test]
fn text_in_a_content_control_of_a_cell_counts_except_in_the_released_code() {
    let control =
        |text: &str| format!("<w:p><w:sdt><w:sdtContent>{}</w:sdtContent></w:sdt></w:p>", run("", text));
    let with = |text: &str| Docx::new(table(1, &[&[control(text)]])).bytes();
    fail(compare(TABLES, &with("a"), &with("b"), STANDARD));
    assert_eq!(compare(TABLES, &with("a"), &with("b"), CODE), Ok(()));
}
