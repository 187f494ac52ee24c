//! What agents without a model write is read back, and the oracle's plan reaches the full score.

use mageyard_dialog::{ReaderRules, parse_reply};
use mageyard_domain::{Action, ActionSpec, Arg, Recovery, Returns, Setting, Status};
use mageyard_envs::environments;

use super::{GO, context, open_level, quickly_solved, reference, with_timeout};

/// The action without blank lines around its code: the reader of the benchmark's released code keeps those of the fences.
fn without_blank_lines(action: &Action) -> Action {
    let trimmed = |arg: &Arg| match arg {
        Arg::Code(code) => Arg::Code(code.trim_matches('\n').to_owned()),
        arg => arg.clone(),
    };
    let args = action.args.iter().map(|(name, arg)| (name.clone(), trimmed(arg)));
    Action { args: args.collect(), ..action.clone() }
}

/// Each reader parses what agents without a model write in its format.
#[tokio::test]
async fn every_reader_reads_replies_in_its_own_format() {
    for kind in environments().iter().copied() {
        let level = &kind.parse_levels(kind.level_sets()[0].text).unwrap()[0];
        let mut environment = open_level(kind, level);
        let space = match environment.recovery() {
            Recovery::Replay => with_timeout(environment.open(&context())).await.unwrap().space,
            _ if kind.name() == "desktop" => mageyard_envs::desktop::action_space(),
            _ => mageyard_envs::webui::action_space(),
        };
        let every: Vec<Action> = space.specs().iter().map(ActionSpec::example).collect();
        for setting in [Setting::Global, Setting::Online] {
            let Some(own) = kind.reply_format(setting) else { continue };
            for (name, _) in ReaderRules::shipped() {
                // Released programs know the blocks of their own environments only.
                if matches!((kind.name(), *name), ("desktop", "magebench") | ("webui", "cell-code")) {
                    continue;
                }
                let rules = ReaderRules::named(name).unwrap();
                let form = rules.reply_format(&own);
                let plans: Vec<&[Action]> = if own.list { vec![&every] } else { every.chunks(1).collect() };
                for actions in plans {
                    for reason in ["", "Why?", &form.write("a", actions, &space), "```\nx", "{\"a\": 1}"] {
                        let reply = form.write(reason, actions, &space);
                        let reading = parse_reply(&rules, &form, &reply, &space);
                        assert_eq!(
                            reading.result.map(|actions| actions.iter().map(without_blank_lines).collect()),
                            Ok(actions.to_vec()),
                            "{} {setting} {name}",
                            kind.name()
                        );
                    }
                }
            }
        }
    }
}

/// The environment confirms what policies and solvers claim.
#[tokio::test]
async fn the_oracle_reaches_the_full_score() {
    for (kind, set, level) in quickly_solved() {
        let Some(mut oracle) = kind.capabilities().policies.create_oracle() else { continue };
        let mut environment = open_level(kind, &level);
        let opening = with_timeout(environment.open(&context())).await.unwrap();
        let (actions, reason) = oracle.plan(&opening.observation, &opening.space, 200, &GO).unwrap();
        assert!(!reason.is_empty());
        let mut seen = opening.observation;
        let mut returns = Returns::default();
        let mut status = opening.status;
        for (step, planned) in (1..).zip(&actions) {
            let (action, reason) =
                oracle.next_action(step, &seen, &opening.space, &GO).unwrap().expect("an action");
            assert_eq!(&action, planned, "{set}/{} step {step}: online and global agree", level.label());
            assert!(reason.ends_with('.'), "{reason}");
            let outcome = with_timeout(environment.act(&action, &context())).await.unwrap();
            (seen, returns, status) = (outcome.observation, returns.plus(outcome.reward), outcome.status);
        }
        assert_eq!(status, Status::Won);
        let reference = reference(kind, &level);
        let score = |returns| kind.score(returns, reference.as_ref()).expect("a score");
        assert!((score(returns) - 100.0).abs() < 1e-9, "{set}/{}: {}", level.label(), score(returns));
        let best = reference.as_ref().map_or(0.0, |reference| reference.best);
        assert!((score(Returns::default()) - (100.0 - best)).abs() < 1e-9, "score without any action");
        let alone = kind.score(returns, None);
        assert!(
            alone.is_none_or(|alone| (alone - 100.0).abs() < 1e-9),
            "{alone:?}: it needs the optimum or not"
        );
    }
}
