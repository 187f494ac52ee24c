//! The contract of environments for the live one: it is compared by what it shows, because it cannot be replayed.

use std::time::{Duration, Instant};

use mageyard_domain::{
    Action, Arg, EnvironmentContext, EnvironmentError, EnvironmentSpec, Observation, ObservationPart,
    Options, PartKind, Recovery,
};

use crate::pages::PagesSpec;

fn levels() -> Vec<mageyard_domain::Level> {
    PagesSpec.parse_levels(PagesSpec.level_sets()[0].text).unwrap()
}

fn kinds(seen: &Observation) -> Vec<PartKind> {
    seen.parts().iter().map(ObservationPart::kind).collect()
}

#[tokio::test]
async fn every_action_is_accepted_and_nonsense_changes_nothing() {
    let context = EnvironmentContext::default();
    for level in levels() {
        let mut pages = PagesSpec.open(&level, &Options::new(), 0).unwrap();
        assert_eq!(pages.recovery(), Recovery::Reopen);
        let opening = pages.open(&context).await.unwrap();
        assert_eq!(
            kinds(&opening.observation),
            [PartKind::Text, PartKind::Image, PartKind::Image, PartKind::Data]
        );
        let before = opening.observation.digest();
        for nonsense in [
            Action::plain(""),
            Action::plain("\u{1b}[2J"),
            Action::plain("click"),
            Action::plain("Click").with("at", Arg::Point { x: 1, y: 1 }),
            Action::plain("click").with("at", Arg::Point { x: 160, y: 1 }),
            Action::plain("click").with("at", Arg::Text("1,1".into())),
            Action::plain("type").with("text", Arg::Text("a".repeat(41))),
            Action::plain("type").with("text", Arg::Text("a".into())).with("more", Arg::Text("b".into())),
        ] {
            let error = pages.act(&nonsense, &context).await.unwrap_err();
            assert!(matches!(error, EnvironmentError::InvalidAction(_)), "{nonsense}: {error}");
            assert_eq!(pages.look(&context).await.unwrap().observation.digest(), before, "{nonsense}");
        }
        let mut states = std::collections::HashSet::from([before]);
        for spec in opening.space.specs() {
            let outcome = pages.act(&spec.example(), &context).await.unwrap();
            let looked = pages.look(&context).await.unwrap();
            assert_eq!(looked.observation.digest(), outcome.observation.digest(), "a look changes nothing");
            states.insert(outcome.observation.digest());
        }
        assert_eq!(states.len(), 1 + opening.space.specs().len());
        let unsupported = pages.checkpoint(&context).await.unwrap_err();
        assert_eq!(unsupported.to_string(), "this environment cannot save checkpoints");
        pages.close().await;
    }
}

#[tokio::test]
async fn cancelled_calls_end_within_the_grace_time() {
    for level in levels() {
        let context = EnvironmentContext::default();
        let mut pages = PagesSpec.open(&level, &Options::new(), 0).unwrap();
        let space = pages.open(&context).await.unwrap().space;
        context.cancel.cancel();
        let begun = Instant::now();
        let limit = pages.grace() + Duration::from_secs(1);
        let _ = pages.act(&space.specs()[0].example(), &context).await;
        let _ = pages.look(&context).await;
        let _ = pages.open(&context).await;
        pages.close().await;
        assert!(begun.elapsed() < limit);
    }
}
