//! The protocol with a shell script in place of the engine: late, silent, dead and hostile answers; the same protocol
//! with the real engine where it is installed.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};
use std::{fs, process};

use serde_json::json;
use tempfile::TempDir;

use super::super::scene;
use super::super::world::Settings;
use super::wire::engine_seed;
use super::*;
use mageyard_domain::{
    Action, Checkpoint, Environment, EnvironmentContext, EnvironmentError, Opening, Options, Status,
};

const SCENE: &str = "scene small\nball -0.5 0\nleft GK -0.98 0\nleft CM -0.515 0.004\nright GK -0.98 0";
/// Seconds in which an answer comes on any machine.
const PATIENT: u64 = 60;
const READY: &str = r#"{"ready":{"version":"2.10.2","python":"3.11.2"}}"#;

/// A state in which the carrier is at this x.
fn state(x: f64) -> String {
    let team = |places: &[[f64; 2]], roles: &[u8]| {
        let still = vec![[0.0; 2]; places.len()];
        json!({ "places": places, "movements": still, "roles": roles, "tired": vec![0.0; places.len()] })
    };
    let state = json!({
        "ball": [x, 0.0, 0.11], "ball_direction": vec![0.0; 3], "ball_rotation": vec![0.0; 3], "owner": [0, 1],
        "active": 1, "mode": 0, "score": [0, 0], "sticky": vec![0; 13], "left": team(&[[-0.99, 0.0], [x, 0.0]], &[0, 5]),
        "right": team(&[[0.99, 0.0]], &[0]), "steps_left": 400,
    });
    json!({ "state": state, "cpu": 0.5 }).to_string()
}

/// A program that answers the orders in turn with these commands of a shell.
struct Fake {
    folder: TempDir,
}

impl Fake {
    fn new(commands: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut script = "#!/bin/sh\n".to_owned();
        for command in commands {
            writeln!(
                script,
                "{command}\nread -r order || exit 0\necho \"$order\" >> {}/orders",
                folder.path().display()
            )
            .unwrap();
        }
        let path = folder.path().join("python");
        write_program(&path, &script);
        Self { folder }
    }

    fn path(&self) -> String {
        self.folder.path().join("python").to_str().unwrap().to_owned()
    }

    fn orders(&self) -> Vec<String> {
        let text = fs::read_to_string(self.folder.path().join("orders")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    fn environment(&self, seconds: u64) -> RealFootball {
        environment(&self.path(), seconds)
    }

    /// An environment whose frames the program draws.
    fn drawing(&self, seconds: u64) -> RealFootball {
        environment_with(&self.path(), seconds, "engine")
    }
}

/// Another process writes the program: one that a test beside this one starts at that moment would inherit the open
/// file, and a file that is open for writing cannot be started.
fn write_program(path: &Path, script: &str) {
    let mut writer = process::Command::new("sh")
        .args(["-c", "cat > \"$0\" && chmod 755 \"$0\""])
        .arg(path)
        .stdin(process::Stdio::piped())
        .spawn()
        .unwrap();
    writer.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    assert!(writer.wait().unwrap().success());
}

fn environment(python: &str, seconds: u64) -> RealFootball {
    environment_with(python, seconds, "board")
}

fn environment_with(python: &str, seconds: u64, picture: &str) -> RealFootball {
    let options = Options::from([
        ("engine".to_owned(), "grf".into()),
        ("python".to_owned(), python.into()),
        ("engine_time".to_owned(), seconds.into()),
        ("view".to_owned(), picture.into()),
    ]);
    RealFootball::new(scene::read_one(SCENE).unwrap(), Settings::read(&options).unwrap(), 4)
}

fn say(text: &str) -> String {
    format!("echo '{text}'")
}

fn right() -> Action {
    Action::plain("action_right")
}

fn context() -> EnvironmentContext {
    EnvironmentContext::default()
}

async fn open(environment: &mut RealFootball) -> Result<Opening, EnvironmentError> {
    environment.open(&context()).await
}

/// The error of an environment whose process answers so after a good start.
async fn error_of_act(command: &str, seconds: u64) -> String {
    let fake = Fake::new(&[&say(READY), &say(&state(-0.5)), command]);
    let mut environment = fake.environment(seconds);
    open(&mut environment).await.unwrap();
    let error = environment.act(&right(), &context()).await.unwrap_err().to_string();
    environment.close().await;
    error
}

#[tokio::test]
async fn a_decision_is_played_and_judged_frame_by_frame() {
    let answers = [READY.to_owned(), state(-0.5), state(-0.4), state(-0.3)].map(|text| say(&text));
    let fake = Fake::new(&answers.each_ref().map(String::as_str));
    let mut environment = fake.environment(PATIENT);
    let opening = open(&mut environment).await.unwrap();
    let facts = opening.observation.facts();
    assert_eq!((&facts["engine"], &facts["engine_version"]), (&"football/grf".into(), &"2.10.2".into()));
    let first = environment.act(&right(), &context()).await.unwrap();
    assert_eq!((first.reward, first.status, first.note.as_deref()), (0.0, Status::Running, Some("1 frame")));
    let second = environment.act(&right(), &context()).await.unwrap();
    assert!((second.reward - 1.6).abs() < 1e-9, "sixteen times the gain of 0.1: {}", second.reward);
    assert_eq!(second.observation.facts()["frames"], 2);
    assert!(environment.act(&Action::plain("action_idle"), &context()).await.is_err(), "not allowed");
    let orders = fake.orders();
    assert!(
        orders[0].starts_with(r#"{"order":"load","scenario":{"ball":[-0.5,0.0],"left":[["GK",-0.98,0.0]"#)
    );
    assert_eq!(orders[1..], [r#"{"order":"step","action":5}"#; 2]);
}

#[tokio::test]
async fn what_a_process_does_wrong_is_a_failure_with_a_sentence() {
    for (command, says) in [
        ("exit 3", "the process of the real engine has ended"),
        ("echo 'no \u{1b}[31mmemory' >&2; exit 3", "has ended: no ␛[31mmemory"),
        ("echo 'pygame 2.5'", "cannot be read: expected value at line 1 column 1: pygame 2.5"),
        ("echo '{}'", "cannot be read: it has no state"),
        ("head -c 70000 /dev/zero | tr '\\0' x", "cannot be read: it has more than 65536 bytes"),
        ("echo '{\"error\":\"AssertionError: \u{1b}\"}'", "the answer of the real engine cannot be read"),
        (r#"echo '{"error":"AssertionError: over"}'"#, "the real engine refused: AssertionError: over"),
    ] {
        let error = error_of_act(command, PATIENT).await;
        assert!(error.contains(says), "{command}: {error}");
        assert!(!error.contains('\u{1b}'), "{command}: {error:?}");
    }
}

#[tokio::test]
async fn a_silent_process_is_given_up_after_its_time() {
    let error = error_of_act("sleep 600", 3).await;
    assert!(error.contains("gave no answer within 3 s (setting football.engine_time)"), "{error}");
}

#[tokio::test]
async fn a_state_that_cannot_be_is_refused_by_field() {
    for (from, to, says) in [
        (r#""active":1"#, r#""active":2"#, "active names no player"),
        (r#""owner":[0,1]"#, r#""owner":[1,1]"#, "owner names no player"),
        (r#""mode":0"#, r#""mode":9"#, "mode is not 0 to 6"),
        (r#""tired":[0.0,0.0]"#, r#""tired":[0.0]"#, "left needs 1 to 11 players"),
        (r#""roles":[0,5]"#, r#""roles":[0,11]"#, "left needs 1 to 11 players"),
        (r#""steps_left":400"#, r#""steps_left":-1"#, "invalid value"),
        (r#""ball":[-0.4"#, r#""ball":[1e999"#, "number out of range"),
    ] {
        let good = state(-0.4);
        assert!(good.contains(from), "{good}");
        let error = error_of_act(&say(&good.replacen(from, to, 1)), PATIENT).await;
        assert!(error.contains(says), "{to}: {error}");
    }
}

#[tokio::test]
async fn what_is_not_installed_is_said_with_what_to_do() {
    let missing = open(&mut environment("/no/such/python", PATIENT)).await.unwrap_err().to_string();
    assert!(missing.contains("/no/such/python cannot be started (No such file"), "{missing}");
    let fake =
        Fake::new(&[&say(r#"{"absent":"ModuleNotFoundError: No module named gfootball","python":"3"}"#)]);
    let absent = open(&mut fake.environment(PATIENT)).await.unwrap_err().to_string();
    for error in [missing, absent] {
        assert!(error.contains("gfootball==2.10.2") && error.contains("football.engine=lite"), "{error}");
        assert_eq!(error.lines().count(), 1);
    }
}

/// A late answer is waited for; a cancelled decision ends at once, kills the process and has not happened.
#[tokio::test]
async fn a_cancelled_decision_has_not_happened_and_the_game_comes_back() {
    let late = format!("sleep 0.3; {}", say(&state(-0.4)));
    let orders =
        [&say(READY), &say(&state(-0.5)), &late, "echo $$ > $0.id; sleep 600 & wait"].map(str::to_owned);
    let fake = Fake::new(&orders.each_ref().map(String::as_str));
    let mut environment = fake.environment(PATIENT);
    open(&mut environment).await.unwrap();
    environment.act(&right(), &context()).await.unwrap();
    let stopped = context();
    let cancel = stopped.cancel.clone();
    let id = fake.path() + ".id";
    let canceller = async {
        while !Path::new(&id).exists() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        cancel.cancel();
    };
    let began = Instant::now();
    let action = right();
    let (acted, ()) = tokio::join!(environment.act(&action, &stopped), canceller);
    assert!(matches!(acted, Err(EnvironmentError::Cancelled)) && began.elapsed() < Duration::from_secs(10));
    let process = Path::new("/proc").join(fs::read_to_string(&id).unwrap().trim());
    assert!(!process.exists() || !cfg!(target_os = "linux"), "the process is gone");
    let looked = environment.look(&context()).await.unwrap();
    assert_eq!(looked.observation.facts()["frames"], 1, "the first decision was played again");
}

#[tokio::test]
async fn a_stored_state_is_played_again_and_a_difference_is_said() {
    let at = |x| say(&state(x));
    let commands = [say(READY), at(-0.5), at(-0.4), say(r#"{"saved":0}"#), at(-0.3), at(-0.4)];
    let fake = Fake::new(&commands.each_ref().map(String::as_str));
    let mut played = fake.environment(PATIENT);
    open(&mut played).await.unwrap();
    played.act(&right(), &context()).await.unwrap();
    let shared = context();
    let checkpoint = played.checkpoint(&shared).await.unwrap();
    let before = played.look(&shared).await.unwrap().observation.digest();
    played.act(&right(), &shared).await.unwrap();
    played.restore(&checkpoint, &shared).await.unwrap();
    assert_eq!(played.look(&shared).await.unwrap().observation.digest(), before);
    assert_eq!(fake.orders().last().unwrap(), r#"{"order":"restore","saved":0}"#);

    let other = Fake::new(&[&commands[0], &commands[1], &at(-0.41)].map(String::as_str));
    let mut again = other.environment(PATIENT);
    again.restore(&checkpoint, &shared).await.unwrap();
    let seen = again.look(&shared).await.unwrap().observation;
    let said = seen.facts()["reopened"].as_str().unwrap_or_default().to_owned();
    assert!(said.starts_with("after 1 decisions the state differs"), "{said}");
    let foreign = Checkpoint::of_value("not a state");
    assert!(again.restore(&foreign, &shared).await.is_err());
}

/// A frame whose bytes all have this value, in octal.
fn frame(octal: &str) -> String {
    let line = say(r#"{"frame":{"width":1280,"height":720,"bytes":2764800}}"#);
    format!("{line}; head -c 2764800 /dev/zero | tr '\\0' '\\{octal}'")
}

#[tokio::test]
async fn a_frame_of_the_engine_is_the_picture_of_the_observation() {
    let at = |x| say(&state(x));
    let commands =
        [say(READY), at(-0.5), frame("101"), at(-0.4), frame("102"), say(r#"{"saved":0}"#), at(-0.4)];
    let fake = Fake::new(&commands.each_ref().map(String::as_str));
    let mut environment = fake.drawing(PATIENT);
    let first = open(&mut environment).await.unwrap().observation;
    let picture = first.picture().unwrap().clone();
    assert_eq!((picture.width(), picture.height()), (1280, 720));
    assert!(picture.pixels().unwrap().iter().all(|value| *value == b'A'));
    assert_eq!(first.facts()["drawing"], "engine");
    let shared = context();
    let second = environment.act(&right(), &shared).await.unwrap().observation;
    assert!(second.picture().unwrap().pixels().unwrap().iter().all(|value| *value == b'B'));
    let checkpoint = environment.checkpoint(&shared).await.unwrap();
    environment.restore(&checkpoint, &shared).await.unwrap();
    let looked = environment.look(&shared).await.unwrap().observation;
    assert_eq!(looked.picture(), second.picture(), "drawn once");
    let orders = fake.orders();
    assert_eq!((&*orders[1], &*orders[3]), (r#"{"order":"draw"}"#, r#"{"order":"draw"}"#));

    let undrawn = Fake::new(&commands.each_ref().map(String::as_str)[..2]);
    let seen = open(&mut undrawn.environment(PATIENT)).await.unwrap().observation;
    assert!(seen.facts().get("drawing").is_none());
}

#[tokio::test]
async fn a_frame_that_is_none_is_refused() {
    let small = say(r#"{"frame":{"width":640,"height":360,"bytes":691200}}"#);
    let short = format!("{}; head -c 999 /dev/zero; exit 0", frame("101").split(';').next().unwrap());
    let fatal = "echo 'Sun Nov 22 [FATAL ERROR !!! N00000 !!!] in [Renderer]: no \u{1b} EGL' >&2; exit 1";
    for (command, says) in [
        (small.as_str(), "the frame has 640 x 360 pixels in 691200 bytes instead of 1280 x 720 in 2764800"),
        (&say(&state(-0.5)), "cannot be read: it has no frame"),
        (&short, "the process of the real engine has ended"),
        (fatal, "cannot draw its frames ([Renderer]: no ␛ EGL): install a renderer for EGL (Debian: "),
        (&say(r#"{"error":"KeyError: frame"}"#), "the real engine refused: KeyError: frame"),
    ] {
        let fake = Fake::new(&[&say(READY), &say(&state(-0.5)), command]);
        let error = open(&mut fake.drawing(PATIENT)).await.unwrap_err().to_string();
        assert!(error.contains(says) && !error.contains('\u{1b}'), "{command}: {error}");
    }
    let late = format!("{}; head -c 999 /dev/zero; sleep 600", frame("101").split(';').next().unwrap());
    let fake = Fake::new(&[&say(READY), &say(&state(-0.5)), &late]);
    let error = open(&mut fake.drawing(3)).await.unwrap_err().to_string();
    assert!(error.contains("gave no answer within 3 s"), "{error}");
}

#[test]
fn small_seeds_are_those_of_the_engine() {
    assert_eq!([0, 7, 2_147_483_647].map(engine_seed), [0, 7, 2_147_483_647]);
    assert!(engine_seed(u64::MAX) < 1 << 31 && engine_seed(1 << 40) != engine_seed(0));
}
