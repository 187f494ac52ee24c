//! What can be asked about a step or a suite: the arguments of the verb, which the screen reads too.

use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser, TypedValueParser};

use super::request::AskRequest;
use crate::continuations::ContinuationRequest;
use mageyard_dialog::{Keep, KeepError, PartSort};
use mageyard_lab::ModelAt;

/// The most episodes of one variant, or from one step, that are played on.
pub(crate) const MOST_TO_END: u32 = 10_000;

/// What is asked.
#[derive(Clone, Debug, clap::Args)]
pub struct AskArgs {
    /// Prompt variants, separated by commas [default: that of the step]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub prompts: Vec<String>,
    /// Values of AM, separated by commas [default: that of the step]
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',')]
    pub am: Vec<u16>,
    /// Values of OM, separated by commas [default: that of the step]
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',')]
    pub om: Vec<u16>,
    /// Views of the state, separated by commas, such as image,text [default: that of the step]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub views: Vec<String>,
    /// Keep rules of the memory window, separated by semicolons [default: those of the step]
    ///
    /// Each as the memory.keep setting has them, `none` for none: `none; first, every 4`.
    #[arg(long, value_name = "RULES", value_delimiter = ';', value_parser = keep_rules)]
    pub keep: Vec<Keep>,
    #[allow(clippy::doc_markdown, reason = "shown in the terminal beside the other names")]
    /// Models, separated by commas, each NAME or NAME@URL [default: that of the step, or else the model.name setting]
    ///
    /// A model with a URL is asked at that server, such as `qwen@http://localhost:8000/v1`, with the same key and the other
    /// settings of the model; one without at that of the model.base_url setting.
    #[arg(long, value_name = "MODELS", value_delimiter = ',')]
    pub models: Vec<ModelAt>,
    /// Compare the request with itself without each of these parts, separated by commas
    ///
    /// `rows` are the past steps that it remembers, each with its output and its frame; `frames` the frames that it shows, the
    /// present one too; `row-pairs` and `frame-pairs` are two neighbours at a time; `segments` those of the prompt. Nothing older takes the place of what is left out. With a target, each
    /// is compared with the complete request by Fisher's exact test, corrected by Holm; without one, the table is ordered by
    /// how far the answers are from those to the complete request.
    #[arg(long, value_name = "PARTS", value_delimiter = ',', value_parser = part_sorts())]
    pub leave_out: Vec<PartSort>,
    /// Begin each answer with this text, and let the models go on from there
    ///
    /// For example with a recorded reply up to the place that is doubted. The protocol has to have a way: `messages` continues
    /// the last turn, and `chat` asks for it by the fields of vLLM, `continue_final_message` and `add_generation_prompt`; `--extra`
    /// replaces them for other servers.
    #[arg(long, value_name = "TEXT", conflicts_with = "to_end", value_parser = NonEmptyStringValueParser::new())]
    pub from_text: Option<String>,
    /// Calls of each variant
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub samples: u32,
    /// Play on to the end, N times with each variant, in branches of the episode
    ///
    /// Each branch is an episode of its own: `mageyard fork SESSION` lists them, and every verb that reads recordings takes
    /// them. The share that reaches the goal is compared in pairs by Fisher's exact test, corrected by Holm. The agent of the
    /// step plays on unless --agent or --models names another one.
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "5", conflicts_with_all = ["leave_out", "target", "samples"], value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_TO_END)))]
    pub to_end: Option<u32>,
    /// With --to-end: open a live surface again, although what cannot be seen of its state may differ
    #[arg(long = "unsafe", requires = "to_end", conflicts_with_all = ["leave_out", "target", "samples", "from_text"])]
    pub allow_unsafe: bool,
    /// What counts: an action, optimal, legal or readable [default: none, the table is exploratory]
    ///
    /// `legal` are the actions that change the state, `optimal` those on a shortest way to the goal, `readable` all that the
    /// reader can read. With a target the variants are compared in pairs by Fisher's exact test, corrected by Holm for how
    /// many pairs there are.
    #[arg(long, value_name = "WHAT")]
    pub target: Option<String>,
    #[allow(clippy::doc_markdown, reason = "shown in the terminal beside the other names")]
    /// Calls at once, at most as many as the model.max_connections setting, which is the default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub concurrency: Option<u16>,
    /// Seed of the order and of the seeds that are sent with the calls
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

/// Keep rules, or `none`.
fn keep_rules(text: &str) -> Result<Keep, KeepError> {
    match text.trim() {
        "none" => Ok(Keep::default()),
        text => text.parse(),
    }
}

fn part_sorts() -> impl TypedValueParser<Value = PartSort> {
    let names = PossibleValuesParser::new(PartSort::ALL.map(PartSort::name));
    names.map(|name| PartSort::ALL.into_iter().find(|sort| sort.name() == name).unwrap_or(PartSort::Rows))
}

impl AskArgs {
    /// What is asked at this step, with these settings in place of those of the step.
    pub fn request(&self, step: u32, given: Vec<String>) -> AskRequest {
        AskRequest {
            step,
            prompts: self.prompts.clone(),
            drafts: Vec::new(),
            takes_replies: false,
            am: self.am.clone(),
            om: self.om.clone(),
            models: self.models.clone(),
            leave_out: self.leave_out.clone(),
            views: self.views.clone(),
            keep: self.keep.clone(),
            samples: self.samples,
            seed: self.seed,
            target: self.target.clone(),
            from_text: self.from_text.clone(),
            given,
            ..AskRequest::default()
        }
    }

    /// What is played on from this step, so many times for each variant; `None` without `--to-end`.
    pub fn continuation(&self, step: u32, given: Vec<String>) -> Option<ContinuationRequest> {
        Some(ContinuationRequest {
            step,
            prompts: self.prompts.clone(),
            am: self.am.clone(),
            om: self.om.clone(),
            models: self.models.clone(),
            samples: self.to_end?,
            seed: self.seed,
            given,
            allow_unsafe: self.allow_unsafe,
        })
    }
}

#[cfg(test)]
mod tests {
    use mageyard_agents::AGENTS;
    use mageyard_config::Problem;
    use mageyard_lab::{Lab, WrittenArgs, read_written_args};

    use super::*;

    fn read(words: &str) -> Result<WrittenArgs<AskArgs>, Problem> {
        let lab = Lab::new(mageyard_envs::environments(), AGENTS, std::sync::Arc::new(|_| None));
        let names = |name: &str| (name == "temperature").then_some("model.temperature");
        read_written_args(&lab.with_setting_names(names), words)
    }

    #[test]
    fn words_are_those_of_the_flags() {
        for words in [
            "prompts=A,B am=1,5 om=1 models=m leave-out=rows,frames samples=20 seed=3 concurrency=2 temperature=0 target=Left",
            "--prompts A,B --am 1,5 --om=1 --models m --leave-out rows,frames --samples 20 --seed 3 --concurrency 2 --temperature 0 --target Left",
        ] {
            let written = read(words).unwrap();
            assert_eq!(written.given_names(), ["model.temperature"]);
            let WrittenArgs { args, given } = written;
            assert_eq!((args.prompts.join(" ").as_str(), args.am, args.om), ("A B", vec![1, 5], vec![1]));
            assert_eq!(args.models, [ModelAt::from("m".to_owned())]);
            assert_eq!(args.leave_out, [PartSort::Rows, PartSort::Frames]);
            assert_eq!((args.samples, args.seed, args.concurrency), (20, 3, Some(2)));
            assert_eq!((args.target.as_deref(), given[0].text.as_str()), (Some("Left"), "0"));
        }
        assert_eq!(read("").unwrap().args.samples, 5);
    }

    #[test]
    fn a_value_of_several_words_ends_before_the_next_name() {
        let args = read("target=click x=3 y=4 samples=2").unwrap().args;
        assert_eq!((args.target.as_deref(), args.samples), (Some("click x=3 y=4"), 2));
        let args = read("--target move box 1 --samples 2").unwrap().args;
        assert_eq!((args.target.as_deref(), args.samples), (Some("move box 1"), 2));
        let args = read("from-text=# analyze a=1 now samples=2").unwrap().args;
        assert_eq!((args.from_text.as_deref(), args.samples), (Some("# analyze a=1 now"), 2));
        let args = read(r##"from-text="# analyze\nThe  \"box\" samples=9" samples=2"##).unwrap().args;
        assert_eq!(args.from_text.as_deref(), Some("# analyze\nThe  \"box\" samples=9"));
        assert_eq!(args.samples, 2);
    }

    #[test]
    fn playing_on_to_the_end_is_a_word_with_or_without_a_number() {
        for (words, samples, allowed) in [
            ("to-end=7 prompts=A", Some(7), false),
            ("--to-end 7 --unsafe --prompts A", Some(7), true),
            ("to-end unsafe prompts=A", Some(5), true),
            ("prompts=A unsafe --to-end", Some(5), true),
            ("prompts=A", None, false),
        ] {
            let args = read(words).unwrap().args;
            let played = args.continuation(7, Vec::new()).map(|request| (request.step, request.samples));
            assert_eq!(
                (played, args.allow_unsafe),
                (samples.map(|samples| (7, samples)), allowed),
                "{words}"
            );
            assert_eq!(args.prompts, ["A"]);
        }
        let args = read("models= unsafe").unwrap().args;
        assert_eq!(args.models, [ModelAt::from("unsafe".to_owned())], "the value that was begun");
    }

    #[test]
    fn a_mistake_is_named_as_the_verb_names_it() {
        for (words, said) in [
            ("A,B", "\"A,B\" has no name"),
            ("am=1 5", "\"5\" has no name"),
            ("samples=0", "0 is not in 1..=100000"),
            ("samples=many", "invalid value 'many' for '--samples <N>'"),
            ("am=-1", "invalid value '-1' for '--am <NUMBERS>'"),
            ("leave-out=row", "possible values: rows, frames, row-pairs, frame-pairs, segments"),
            ("prompt_s=A", "prompt_s is neither an argument of this command nor a setting"),
            ("target=", "target has no value"),
            (r#"from-text="""#, "from-text has no value"),
            ("to-end=0", "0 is not in 1..=10000"),
            ("to-end=5 unsafe=no", "unexpected value 'no' for '--unsafe'"),
            ("to-end=5 samples=5", "'--to-end [<N>]' cannot be used with '--samples <N>'"),
            ("target=Up to-end=5", "'--target <WHAT>' cannot be used with '--to-end [<N>]'"),
            ("to-end=5 leave-out=rows", "cannot be used with '--leave-out <PARTS>'"),
            ("to-end=5 from-text=# analyze", "'--from-text <TEXT>'"),
            ("unsafe", "--to-end"),
            ("unsafe samples=2", "'--unsafe' cannot be used with '--samples <N>'"),
            ("samples=2 samples=3", "cannot be used multiple times"),
        ] {
            let problem = read(words).unwrap_err();
            assert!(problem.message.contains(said), "{words}: {}", problem.message);
            assert!(!problem.message.contains("Usage"), "{}", problem.message);
        }
    }
}
