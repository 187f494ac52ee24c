//! The screen over a real `sshd` on this machine, which the test starts as the present user with a key and a configuration of
//! its own. Where there is none the tests are listed as ignored; with `MAGEYARD_REQUIRE_SSHD=1` its absence is a failure.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "these are tests")]
#![allow(dead_code, reason = "parts of the other tests are used")]

#[path = "../it/pty.rs"]
mod pty;
#[path = "../it/sandbox.rs"]
mod sandbox;

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use libtest_mimic::{Arguments, Trial};

use self::pty::{Far, Pty};
use self::sandbox::{Sandbox, complete, program};

/// The kind that the list shows where something is missing.
const MISSING: &str = "sshd, ssh or ssh-keygen is not installed";
/// Three steps to the right solve it.
const HALL_LEVEL: &str = "; the hall\n#######\n#@ $ .#\n#######\n";
/// The time limit of the start of the server.
const TIMEOUT: Duration = Duration::from_secs(20);
/// The last question of the start.
const LAST_QUESTION: &[u8] = b"\x1b[c";
/// The question at the end of a frame.
const READY_QUESTION: &[u8] = b"\x1b[5n";
/// A terminal without graphics that repeats characters.
const ANSWERS: &[u8] = b"\x1b[2;5R\x1b[?2026;2$y\x1b[?62;22c";

/// A server that accepts one key. It ends with this value.
struct Server {
    sandbox: Sandbox,
    child: Child,
    port: u16,
}

impl Server {
    fn start(program: &Path) -> Self {
        let path = std::env::var("PATH").unwrap_or_default();
        let sandbox =
            Sandbox::new().with("TERM", "xterm-256color").with("LC_ALL", "C.UTF-8").with("PATH", &path);
        sandbox.write("work/hall.xsb", HALL_LEVEL);
        for name in ["host", "person"] {
            let key = sandbox.path(name);
            let mut command = Command::new("ssh-keygen");
            command.args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(&key).stdin(Stdio::null());
            assert!(command.status().unwrap().success());
        }
        let port = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
        let shown = |path: &str| sandbox.path(path).display().to_string();
        let lines = [
            format!("ListenAddress 127.0.0.1:{port}"),
            format!("HostKey {}", shown("host")),
            format!("AuthorizedKeysFile {}", shown("person.pub")),
            "PidFile none".to_owned(),
            "StrictModes no".to_owned(),
            "UsePAM no".to_owned(),
            "PasswordAuthentication no".to_owned(),
            "PermitRootLogin yes".to_owned(),
            "PrintMotd no".to_owned(),
            "PrintLastLog no".to_owned(),
        ];
        let config = sandbox.write("sshd_config", lines.join("\n") + "\n");
        // A server of root needs this folder, which the system makes with its service.
        if is_root() {
            fs::create_dir_all("/run/sshd").unwrap();
        }
        let mut command = Command::new(program);
        command.args(["-D", "-e", "-f"]).arg(config).stdin(Stdio::null()).stdout(Stdio::null());
        let log = fs::File::create(sandbox.path("sshd.log")).unwrap();
        let child = command.stderr(log).spawn().unwrap();
        let this = Self { sandbox, child, port };
        this.wait();
        this
    }

    fn wait(&self) {
        let deadline = Instant::now() + TIMEOUT;
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(Instant::now() < deadline, "the server did not start: {}", self.log());
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn log(&self) -> String {
        fs::read_to_string(self.sandbox.path("sshd.log")).unwrap_or_default()
    }

    /// The screen at the other end of a connection, in a terminal that gives these answers.
    fn play(&self, args: &str) -> Pty {
        let shown = |path: &str| self.sandbox.path(path).display().to_string();
        let program = program("mageyard");
        let program = program.display();
        let home = shown("home");
        let work = shown("work");
        // Nothing of the tests' environment but what a login has.
        let remote = format!(
            "cd {work} && exec env -i HOME={home} PATH=\"$PATH\" TERM=\"$TERM\" LC_ALL=C.UTF-8 \
             SSH_CONNECTION=\"$SSH_CONNECTION\" SSH_TTY=\"$SSH_TTY\" {program} play hall.xsb {args}"
        );
        let key = shown("person");
        let known = shown("known_hosts");
        let port = self.port.to_string();
        let known = format!("UserKnownHostsFile={known}");
        let user = String::from_utf8(Command::new("id").arg("-un").output().unwrap().stdout).unwrap();
        let person = format!("{}@127.0.0.1", user.trim());
        let args = [
            "-q",
            "-tt",
            "-F",
            "none",
            "-p",
            &port,
            "-i",
            &key,
            "-o",
            &known,
            "-o",
            "StrictHostKeyChecking=no",
            "-o",
            "IdentitiesOnly=yes",
            &person,
            &remote,
        ];
        // The rate is more than any test needs: the connection itself decides.
        let far = Far { rate: 10_000_000, round_trip: Duration::ZERO };
        let mut screen = Pty::start_far(&self.sandbox.command_of("ssh".as_ref(), &args), 120, 40, far);
        screen.wrote(LAST_QUESTION).send(ANSWERS);
        screen
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

fn keys_work_the_link_is_measured_and_the_terminal_is_restored(sshd: &Path) {
    let server = Server::start(sshd);
    let mut screen = server.play("");
    screen.sees("step 1 of").wrote(READY_QUESTION).settle();
    let first = screen.byte_count();
    assert!(first < 60_000, "the first screen: {first} bytes");
    screen.press("enter").sees("parsed by").press("enter").sees("step 2 of").settle();
    let bytes = screen.byte_count() - first;
    assert!((200..20_000).contains(&bytes), "a step: {bytes} bytes");
    screen.command("link").sees("link: fast: measured").settle();
    assert!(!screen.bytes_from(0).windows(8).any(|part| part == b"\x1b[?1000h"), "the mouse is on");
    // What the program counts is what arrives here.
    screen.command("bandwidth").sees("KB in all").settle();
    let counted = total(&screen.text());
    let arrived = f64::from(u32::try_from(screen.byte_count()).unwrap()) / 1e3;
    assert!((counted / arrived - 1.0).abs() < 0.2, "{counted} KB are shown, {arrived} KB arrived");
    screen.press("q");
    screen.wait_for_exit().assert_restored(0);
}

/// The kilobytes in all that the status line shows.
fn total(screen: &str) -> f64 {
    let (before, _) = screen.split_once(" KB in all").unwrap();
    before.rsplit(' ').next().unwrap().parse().unwrap()
}

fn a_slow_link_gets_few_bytes_over_ssh_too(sshd: &Path) {
    let server = Server::start(sshd);
    let mut screen = server.play("--link slow");
    screen.sees("step 1 of").wrote(READY_QUESTION).settle();
    assert!(screen.byte_count() < 6_000, "the first screen: {} bytes", screen.byte_count());
    screen.press("q");
    screen.wait_for_exit().assert_restored(0);
}

fn a_closed_connection_ends_the_program_and_the_session_can_be_resumed(sshd: &Path) {
    let server = Server::start(sshd);
    let mut screen = server.play("");
    screen.sees("step 1 of").press("enter").sees("parsed by");
    let store = ".local/share/mageyard/sessions";
    let journal = || server.sandbox.sessions(format!("home/{store}"))[0].clone();
    let folder = journal();
    screen.hang_up();
    // Its session is free again when the program has ended.
    let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
    let deadline = Instant::now() + TIMEOUT;
    loop {
        let mut command = server.sandbox.command(&["replay", &name]);
        command.env_remove("XDG_DATA_HOME").env_remove("XDG_STATE_HOME").env_remove("XDG_CONFIG_HOME");
        let done = complete(&mut command);
        if done.code == Some(0) {
            break;
        }
        assert!(Instant::now() < deadline, "{}", done.err);
        thread::sleep(Duration::from_millis(100));
    }
}

/// The server, if everything that the tests need is installed.
fn sshd() -> Option<PathBuf> {
    let folders = std::env::var("PATH").unwrap_or_default();
    let folders = || folders.split(':').chain(["/usr/sbin", "/usr/local/sbin"]);
    let find = |name: &str| folders().map(|folder| Path::new(folder).join(name)).find(|path| path.is_file());
    find("ssh").and(find("ssh-keygen")).and(find("sshd"))
}

/// A test that gets the server.
type Test = fn(&Path);

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let found = sshd();
    let required = std::env::var_os("MAGEYARD_REQUIRE_SSHD").is_some_and(|value| value == "1");
    let tests: [(&str, Test); 3] = [
        (
            "keys_work_the_link_is_measured_and_the_terminal_is_restored",
            keys_work_the_link_is_measured_and_the_terminal_is_restored,
        ),
        ("a_slow_link_gets_few_bytes_over_ssh_too", a_slow_link_gets_few_bytes_over_ssh_too),
        (
            "a_closed_connection_ends_the_program_and_the_session_can_be_resumed",
            a_closed_connection_ends_the_program_and_the_session_can_be_resumed,
        ),
    ];
    let trials = tests.into_iter().map(|(name, test)| {
        let program = found.clone();
        let trial = Trial::test(name, move || match &program {
            Some(program) => {
                test(program);
                Ok(())
            }
            None => Err(MISSING.into()),
        });
        let trial = trial.with_ignored_flag(found.is_none() && !required);
        if found.is_some() { trial } else { trial.with_kind(MISSING) }
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}
