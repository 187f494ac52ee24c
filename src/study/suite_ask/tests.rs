use super::*;
use crate::{ActionVerdict, AskCall, Changes, Variant};
use mageyard_domain::{Digest, Prices, Reply, ReplyOrigin, TokenTotals};
use mageyard_statistics::MarginVerdict;

fn variant(prompt: &str) -> Variant {
    let digest = Digest::of(prompt.as_bytes());
    Variant {
        prompt: prompt.to_owned(),
        am: 1,
        om: 1,
        model: "m".to_owned().into(),
        of_profile: None,
        left_out: None,
        changes: Changes::default(),
        request: digest,
        settings: digest,
        seeded: true,
        same_as: None,
    }
}

/// A state in which `Up` is optimal, `Down` wasteful, `Left` losing and `Right` not possible.
fn state(number: usize) -> JudgedState {
    let verdicts = [
        ("Up", ActionVerdict::Optimal),
        ("Down", ActionVerdict::Wasteful),
        ("Left", ActionVerdict::Losing),
        ("Right", ActionVerdict::Illegal),
    ];
    JudgedState {
        number,
        address: format!("s#{number}"),
        journal: "/s/journal.jsonl".into(),
        step: 1,
        why: String::new(),
        category: None,
        accepted: Some(Accepted::Actions(vec!["Up".to_owned()], AcceptedBy::Solver)),
        mistake: vec!["Left".to_owned()],
        verdicts: Some(verdicts.map(|(action, verdict)| (action.to_owned(), verdict)).into()),
    }
}

fn call(variant: usize, sample: u32, answer: &str) -> AskCall {
    AskCall {
        odds: None,
        variant,
        sample,
        seed: None,
        request: None,
        reply: Some(Reply::default()),
        origin: ReplyOrigin::default(),
        actions: (answer != "?").then(|| answer.to_owned()).into_iter().collect(),
        rule: None,
        error: None,
        spent: TokenTotals::default(),
    }
}

/// The report of two variants with these answers to each state.
fn table(answers: &[(&[&str], &[&str])]) -> SuiteTable {
    let states: Vec<JudgedState> = (1..=answers.len()).map(state).collect();
    let of = |variant: usize, answers: &[&str]| -> Vec<AskCall> {
        (1..).zip(answers).map(|(sample, answer)| call(variant, sample, answer)).collect()
    };
    let calls: Vec<Vec<AskCall>> =
        answers.iter().map(|(one, other)| [of(0, one), of(1, other)].concat()).collect();
    SuiteTable::of(&states, &calls, &[variant("A"), variant("B")], &Prices::default())
}

#[test]
fn every_share_counts_what_its_name_says() {
    let found = table(&[(&["Up", "Down", "Left", "Right", "?"], &["Up"; 5])]);
    let counts = |row: usize| {
        let shares = found.rows[row].shares.iter();
        shares.map(|found| (found.measure.name(), found.share.count, found.share.of)).collect::<Vec<_>>()
    };
    let expected = [
        ("accepted", 1, 5),
        ("readable", 4, 5),
        ("legal", 3, 5),
        ("optimal", 1, 5),
        ("wasteful", 1, 5),
        ("losing", 1, 5),
        ("mistake", 1, 5),
    ];
    assert_eq!(counts(0), expected);
    assert_eq!(counts(1)[3], ("optimal", 5, 5));
}

#[test]
fn what_cannot_be_judged_is_left_out_of_the_share() {
    let unknown = JudgedState { verdicts: None, accepted: None, mistake: Vec::new(), ..state(2) };
    let mut legal_only = state(3);
    legal_only.verdicts = Some([("Up".to_owned(), ActionVerdict::Legal)].into());
    let is_met = |measure: Measure, state: &JudgedState| measure.is_met(state, Some("Up"));
    for measure in MEASURES {
        assert_eq!(is_met(measure, &unknown).is_some(), measure == Measure::Readable, "{measure}");
        let known = !matches!(measure, Measure::Optimal | Measure::Wasteful | Measure::Losing);
        assert_eq!(is_met(measure, &legal_only).is_some(), known, "{measure}");
    }
}

#[test]
fn a_difference_is_found_with_its_sign_and_states_that_differ_come_first() {
    let alike: (&[&str], &[&str]) = (&["Up", "Down"], &["Up", "Down"]);
    let other: (&[&str], &[&str]) = (&["Down", "Down"], &["Up", "Up"]);
    let slightly: (&[&str], &[&str]) = (&["Down", "Down"], &["Left", "Down"]);
    let answers: Vec<_> =
        (0..12).map(|number| if number % 3 == 0 { alike } else { other }).chain([slightly]).collect();
    let found = table(&answers);
    let order: Vec<usize> = found.states.iter().map(|state| state.state).collect();
    assert_eq!(order, [1, 2, 4, 5, 7, 8, 10, 11, 12, 0, 3, 6, 9]);
    let SuiteComparison { pair: comparison, interval, states, episode_pairs } = &found.comparisons[0];
    assert_eq!((comparison.variants, *states), ((0, 1), 13));
    assert!((comparison.difference - 16.0 / 26.0).abs() < 1e-12);
    // Of the 2^8 ways to flip the eight states that differ, two are as far from zero.
    assert!((comparison.test.p - 2.0 / 256.0).abs() < 1e-12, "{}", comparison.test.p);
    assert!(comparison.test.is_different());
    let interval = interval.unwrap();
    assert!(interval.low > 0.2 && interval.high < 1.0, "{interval:?}");
    // A pair varies by √1083 points, and a difference is of 61.5: a few pairs.
    assert!((4..=20).contains(&episode_pairs.unwrap()), "{comparison:?}");
}

#[test]
fn samples_of_one_state_are_not_taken_for_independent() {
    let many = ["Up"; 20];
    let none = ["Down"; 20];
    let alternating: Vec<(&[&str], &[&str])> = (0..10)
        .map(|number| if number % 2 == 0 { (&many[..], &many[..]) } else { (&none[..], &none[..]) })
        .collect();
    let found = table(&alternating).rows[0].share(Measure::Optimal).unwrap();
    let interval = found.share.interval.unwrap();
    assert_eq!((found.share.count, found.share.of, found.states), (100, 200, 10));
    assert!(interval.high - interval.low > 0.4, "as wide as ten answers: {interval:?}");
}

#[test]
fn a_threshold_is_read_and_held_against_its_variants() {
    let found = table(&[(&["Up", "Down"], &["Up", "Up"])]);
    let variants = [variant("A"), variant("B")];
    let met = |text: &str| -> Vec<bool> {
        let results = Threshold::parse(text).unwrap().results(&variants, &found).unwrap();
        results.into_iter().map(|result| result.is_met).collect()
    };
    assert_eq!(met("optimal>=0.5"), [true, true]);
    assert_eq!(met("optimal >= 0.6"), [false, true]);
    assert_eq!(met("B:optimal>=1"), [true]);
    assert_eq!(met("1:wasteful<=0.4"), [false]);
    // All of two answers are right, but with 95 % that says only that 15.8 % are.
    assert_eq!(met("B:optimal>=1!"), [false]);
    assert_eq!(met("B:optimal>=0.1 !"), [true]);
    assert_eq!(met("B:wasteful<=0.1"), [true]);
    assert_eq!(met("B:wasteful<=0.1!"), [false], "the high end of 0 of 2 is 84.2 %");
    assert_eq!(Threshold::parse("optimal>=0.6!").unwrap().to_string(), "optimal>=0.6!");
    for (text, says) in [
        ("optimal=1", "neither >= nor <="),
        ("optimle>=1", "did you mean optimal?"),
        ("optimal>=60", "no number from 0 to 1"),
        ("optimal>=NaN", "no number from 0 to 1"),
    ] {
        let error = Threshold::parse(text).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
    let unknown = Threshold::parse("C:legal>=1").unwrap();
    assert!(unknown.variants(&variants).unwrap_err().to_string().contains("no variant is \"C\""));
    assert_eq!(unknown.to_string(), "C:legal>=1");
}

#[test]
fn a_margin_compares_all_variants_with_the_base() {
    let alike: (&[&str], &[&str]) = (&["Up"; 4], &["Up"; 4]);
    let better: (&[&str], &[&str]) = (&["Down"; 4], &["Up"; 4]);
    let variants = [variant("A"), variant("B")];
    let judged = |text: &str, answers: &[(&[&str], &[&str])]| {
        let results = Margin::parse(text).unwrap().results(&variants, &table(answers)).unwrap();
        let [found] = results.as_slice() else { panic!("{results:?}") };
        (found.base, found.variant, found.verdict)
    };
    let improved: Vec<_> = (0..12).map(|number| if number < 4 { alike } else { better }).collect();
    assert_eq!(judged("0.05", &improved), (0, 1, MarginVerdict::Better));
    assert_eq!(judged("1:0.05", &improved), (0, 1, MarginVerdict::Better));
    assert_eq!(judged("B:0.05", &improved), (1, 0, MarginVerdict::Worse), "with the other one as the base");
    let same = vec![alike; 50];
    assert_eq!(judged("0.2", &same), (0, 1, MarginVerdict::NotWorse));
    assert_eq!(
        judged("0.01", &same),
        (0, 1, MarginVerdict::Undecided),
        "fifty states do not exclude a point"
    );
    assert_eq!(judged("0", &same), (0, 1, MarginVerdict::Undecided));
    let line = |text: &str, answers: &[(&[&str], &[&str])]| {
        let margin = Margin::parse(text).unwrap();
        margin_line(&variants, &margin, &margin.results(&variants, &table(answers)).unwrap()[0])
    };
    let said = line("0.2", &same);
    assert!(said.starts_with("margin 0.2: variant 2 (B) with variant 1 (A): +0.0 points ("), "{said}");
    assert!(said.ends_with(" in 50 states: not worse by more than 20 points"), "{said}");
    assert!(line("B:0.05", &improved).contains(": WORSE, "), "{}", line("B:0.05", &improved));
}

#[test]
fn a_margin_that_is_not_possible_is_refused() {
    for text in ["5", "-0.1", "NaN", "A:", "x", ""] {
        let error = Margin::parse(text).unwrap_err().to_string();
        assert!(error.contains("has no number from 0 to 1"), "{text}: {error}");
    }
    let base = |text: &str, variants: &[Variant]| Margin::parse(text).unwrap().base(variants).unwrap_err();
    let two = [variant("A"), variant("A")];
    assert!(base("0.1", &two[..1]).to_string().contains("there is one"));
    assert!(base("C:0.1", &two).to_string().contains("no variant is \"C\""));
    assert!(base("A:0.1", &two).to_string().contains("several variants are \"A\""));
    assert_eq!(Margin::parse("2:0.1").unwrap().base(&two).unwrap(), 1);
}
