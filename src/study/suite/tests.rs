use super::*;
use mageyard_config::SourceFile;

const FILE: &str = "schema = 1\nname = \"two\"\nabout = \"\"\nenvironment = \"rooms\"\n\n[settings]\n\
memory.am = 5\nplay.setting = \"online\"\n\n[[level]]\nreference = \"a/1\"\nnumber = 3\ntitle = \"T\"\ntext = '''\n\
#####\n#@$.#\n#####\n'''\n\n[[level]]\nreference = \"b\"\nnumber = 1\ndigest = \"91ab52ac9e55a5f5\"\n\n[[state]]\n\
category = \"c\"\nwhy = 'a \"quoted\" reason'\ndigest = \"91ab52ac9e55a5f5\"\naccept = [\"Right\"]\n\
level = \"a/1\"\nseed = 7\nactions = []\nsettings.memory.om = 2\n\n[[state]]\nwhy = \"w\"\naddress = \"s/0001#2\"\n\
digest = \"91ab52ac9e55a5f5\"\ntaken = \"Up\"\nlevel = \"b\"\nseed = 0\n";

fn parse(text: &str) -> Result<Suite, String> {
    parse_suite(&SourceFile::shipped("two.toml", text)).map_err(|problem| problem.to_string())
}

#[test]
fn a_file_is_read_and_written_as_it_was() {
    let suite = parse(FILE).unwrap();
    let text = suite.to_text();
    let (comment, rest) = text.split_once('\n').unwrap();
    assert!(comment.starts_with("# States for `mageyard ask two`"));
    assert_eq!(rest, FILE);
    let again = parse(&text).unwrap();
    assert_eq!(again.states[0].actions.as_deref(), Some(&[][..]));
    assert_eq!(again.levels[0].text.as_deref(), Some("#####\n#@$.#\n#####\n"));
    let names = |settings: &[mageyard_config::AssignedSetting]| {
        settings.iter().map(|setting| setting.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&again.settings), ["memory.am", "play.setting"]);
    assert_eq!(names(&again.states[0].settings), ["memory.om"]);
}

#[test]
fn a_margin_is_read_and_written() {
    let suite = parse(&FILE.replacen("[settings]", "margin = 0.05\n\n[settings]", 1)).unwrap();
    assert_eq!(suite.margin.as_ref().map(ToString::to_string).as_deref(), Some("0.05"));
    assert_eq!(parse(&suite.to_text()).unwrap().margin, suite.margin);
    assert_eq!(parse(FILE).unwrap().margin, None);
}

#[test]
fn long_lists_and_texts_with_quotes_survive() {
    let mut suite = parse(FILE).unwrap();
    let actions: Vec<String> = (0..60).map(|number| format!("write(text=\"a'b\n{number}\")")).collect();
    suite.states[0].actions = Some(actions.clone());
    suite.levels[0].text = Some("a '''b'''\r\n\u{7}".to_owned());
    let again = parse(&suite.to_text()).unwrap();
    assert_eq!(again.states[0].actions, Some(actions));
    assert_eq!(again.levels[0].text, suite.levels[0].text);
    assert!(suite.to_text().lines().all(|line| line.chars().count() <= 140));
}

#[test]
fn a_mistake_is_reported_with_line_and_field() {
    for (from, to, says) in [
        ("schema = 1", "schema = 2", "shipped/two.toml:1: schema: 2 is not 1; use the program"),
        ("name = \"two\"", "name = \"../two\"", "two.toml:2: name: \"../two\" cannot be the name of a suite"),
        ("[settings]", "margin = 5\n\n[settings]", "two.toml:6: margin: 5 is not from 0 to 1"),
        ("memory.am = 5", "memory.am = \"5\"", "two.toml:7: memory.am must be a whole number"),
        ("number = 3", "size = 3", "unknown field `size`"),
        ("reference = \"b\"", "reference = \"a/1\"", "two.toml:21: reference: two levels are named a/1"),
        ("level = \"b\"", "level = \"c\"", "there is no [[level]] c"),
        ("address = \"s/0001#2\"\n", "", "neither address nor actions"),
        (
            "address = \"s/0001#2\"",
            "address = \"s\"",
            "address: \"s\" names no step; write SESSION/EPISODE#STEP",
        ),
        ("why = \"w\"", "", "missing field `why`"),
        ("title = \"T\"", "digest = \"0000000000000000\"", "text: its digest is"),
    ] {
        assert!(FILE.contains(from), "{from}");
        let error = parse(&FILE.replacen(from, to, 1)).unwrap_err();
        assert!(error.contains(says), "{from}: {error}");
    }
    let (head, _) = FILE.split_once("\n[[state]]").unwrap();
    assert!(parse(&format!("{head}\n")).unwrap_err().contains("missing field `state`"));
}
