//! Cells that want out, or too much: each ends within its limit, the next one works, and nothing is reached outside.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::process::Command;
use std::time::{Duration, Instant};

use mageyard_sandbox::{Change, Confinement, Limits, Lost, Trouble};

use crate::Test;
use crate::room::{Room, text};

pub(super) const TESTS: &[Test] = &[
    ("an_endless_cell_is_interrupted", an_endless_cell_is_interrupted),
    ("endless_output_is_cut_and_interrupted", endless_output_is_cut_and_interrupted),
    ("a_cell_that_ignores_the_interrupt_costs_its_variables", a_stubborn_cell_costs_its_variables),
    ("a_cell_that_ends_python_is_told", a_cell_that_ends_python_is_told),
    ("a_fork_bomb_is_ended", a_fork_bomb_is_ended),
    ("memory_of_one_and_of_many_is_limited", memory_is_limited),
    ("nobody_else_can_be_ended", nobody_else_can_be_ended),
    ("files_of_the_user_cannot_be_read", files_of_the_user_cannot_be_read),
    ("nothing_of_the_network_is_reached", nothing_of_the_network_is_reached),
    ("a_link_to_a_file_outside_is_not_followed", a_link_to_a_file_outside_is_not_followed),
    ("the_home_folder_can_be_removed", the_home_folder_can_be_removed),
    ("a_process_that_leaves_its_session_ends_with_the_sandbox", a_process_that_leaves_ends_too),
    ("forged_lines_change_nothing_else", forged_lines_change_nothing_else),
    ("a_pipe_in_place_of_a_file_stops_nothing", a_pipe_in_place_of_a_file_stops_nothing),
];

fn an_endless_cell_is_interrupted(form: Confinement) {
    let room = Room::new(form);
    let result = room.run("x = 1\nwhile True: pass");
    assert!(matches!(result.lost, Some(Lost::Silence(_))), "{result:?}");
    assert_eq!(room.says("x"), "1", "variables are kept");
}

fn endless_output_is_cut_and_interrupted(form: Confinement) {
    let room = Room::new(form);
    let begun = Instant::now();
    let result = room.run("while True: print('y' * 100)");
    assert!(matches!(result.lost, Some(Lost::Time(_))), "{:?}", result.lost);
    let kept = text(&result).len();
    assert!(
        begun.elapsed() < Duration::from_secs(15) && kept < 70_000 && result.left_out > 100_000,
        "{kept}"
    );
    room.works();
}

fn a_stubborn_cell_costs_its_variables(form: Confinement) {
    let room = Room::new(form);
    let result =
        room.run("x = 1\nimport signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass");
    assert!(matches!(result.lost, Some(Lost::Restarted(_))), "{result:?}");
    assert!(room.says("x").contains("NameError"));
}

fn a_cell_that_ends_python_is_told(form: Confinement) {
    let room = Room::new(form);
    let result = room.run("import os\nos._exit(1)");
    assert_eq!(result.lost, Some(Lost::Ended), "{result:?}");
    room.works();
}

fn a_fork_bomb_is_ended(form: Confinement) {
    let room = Room::with(form, Limits { processes: 64, ..Limits::default() });
    let _ =
        room.run("import os, time\nwhile True:\n    try: os.fork()\n    except OSError: time.sleep(0.01)");
    let few = || {
        let processes = room.runtime.block_on(room.sandbox.processes()).unwrap().unwrap();
        processes.len() < 64
    };
    Room::eventually("the processes are ended", few);
    room.runtime.block_on(room.sandbox.start_kernel()).unwrap();
    room.works();
}

fn memory_is_limited(form: Confinement) {
    let room = Room::with(form, Limits { memory_mib: 400, ..Limits::default() });
    assert!(room.says("x = bytearray(10 ** 11)").contains("MemoryError"));
    let many = "import subprocess, sys, time\n\
        eat = 'x = bytearray(90 << 20)\\nimport time\\ntime.sleep(30)'\n\
        started = [subprocess.Popen([sys.executable, '-c', eat]) for _ in range(8)]\n\
        time.sleep(1.5)\nprint('here')";
    let _ = room.run(many);
    room.exceeds("400 are allowed");
    room.runtime.block_on(room.sandbox.start_kernel()).unwrap();
    room.works();
}

/// Another process of the same user lives on.
fn nobody_else_can_be_ended(form: Confinement) {
    let mut other = Command::new("sleep").arg("60").spawn().unwrap();
    let room = Room::new(form);
    let code = format!(
        "import os\nfor pid in [{}] + [int(n) for n in os.listdir('/proc') if n.isdigit()]:\n    \
         if pid not in (1, os.getpid()):\n        try: os.kill(pid, 9)\n        except OSError: pass",
        other.id()
    );
    let _ = room.run(&code);
    assert!(other.try_wait().unwrap().is_none(), "it was ended");
    other.kill().unwrap();
    other.wait().unwrap();
    room.works();
}

fn files_of_the_user_cannot_be_read(form: Confinement) {
    let folder = tempfile::tempdir().unwrap();
    // Only the sandbox stands between: everybody may read it.
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let key = folder.path().join("key");
    fs::write(&key, "secret words").unwrap();
    fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).unwrap();
    let room = Room::new(form);
    let says = room.says(&format!("print(open({:?}).read())", key.display().to_string()));
    assert!(!says.contains("secret words") && says.contains("Error"), "{says}");
    let says = room.says(&format!("open({:?}, 'w').write('x')", key.display().to_string()));
    assert!(says.contains("Error"), "{says}");
    assert_eq!(fs::read_to_string(&key).unwrap(), "secret words");
    assert!(room.says("print(open('/etc/shadow').read())").contains("Error"));
    let environ = format!("print(open('/proc/{}/environ').read())", std::process::id());
    assert!(room.says(&environ).contains("Error"));
}

fn nothing_of_the_network_is_reached(form: Confinement) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let socket = folder.path().join("bus");
    let _bus = UnixListener::bind(&socket).unwrap();
    fs::set_permissions(&socket, fs::Permissions::from_mode(0o777)).unwrap();
    let room = Room::new(form);
    let connect = |family: &str, to: &str| {
        room.says(&format!(
            "import socket\ns = socket.socket(socket.{family})\ns.settimeout(1)\ns.connect({to})\nprint('reached')"
        ))
    };
    let says = [
        connect("AF_INET", &format!("('127.0.0.1', {port})")),
        connect("AF_UNIX", &format!("{:?}", socket.display().to_string())),
        connect("AF_UNIX", "'\\0mageyard-test'"),
    ];
    assert!(says.iter().all(|says| !says.contains("reached")), "{says:?}");
    assert!(says[0].contains("Error"), "{says:?}");
}

fn a_link_to_a_file_outside_is_not_followed(form: Confinement) {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let secret = folder.path().join("secret");
    fs::write(&secret, "secret words").unwrap();
    symlink(&secret, folder.path().join("link")).unwrap();
    let room = Room::new(form);
    let path = format!("{}/link", room.sandbox.folders().root);
    let code = format!("import os\nos.symlink({:?}, {path:?})", secret.display().to_string());
    assert_eq!(room.says(&code), "");
    let read = room.runtime.block_on(room.sandbox.read(&path)).unwrap();
    assert!(matches!(read, Err(Trouble::Missing | Trouble::Denied)), "{read:?}");
    let change = Change::Write { path, content: b"x".to_vec() };
    let _ = room.runtime.block_on(room.sandbox.change(change)).unwrap();
    assert_eq!(fs::read_to_string(&secret).unwrap(), "secret words");
}

fn the_home_folder_can_be_removed(form: Confinement) {
    let room = Room::new(form);
    let _ = room.run("import os, shutil\nshutil.rmtree(os.path.expanduser('~'), ignore_errors=True)");
    room.works();
    room.close();
}

/// It has no parent, session or terminal of the kernel any more.
fn a_process_that_leaves_ends_too(form: Confinement) {
    let mark = format!("left-{}-{form:?}", std::process::id());
    let room = Room::new(form);
    let code = format!(
        "import subprocess\n\
         _ = subprocess.run(['sh', '-c', 'MARK={mark} setsid sleep 77 >/dev/null 2>&1 &'])"
    );
    assert_eq!(room.says(&code), "");
    let runs = || {
        fs::read_dir("/proc").unwrap().flatten().any(|entry| {
            fs::read(entry.path().join("environ"))
                .is_ok_and(|environ| environ.windows(mark.len()).any(|part| part == mark.as_bytes()))
        })
    };
    Room::eventually("it has started", runs);
    room.close();
    Room::eventually("it has ended", || !runs());
}

/// What a cell writes to the pipe of its kernel is at most about itself.
fn forged_lines_change_nothing_else(form: Confinement) {
    let room = Room::new(form);
    let code = "import os\nfor fd in range(3, 64):\n    \
        try: os.write(fd, b'{\"cell\": 1, \"done\": true}\\n{\"ready\": 7}\\nnothing\\n')\n    \
        except OSError: pass";
    let _ = room.run(code);
    room.runtime.block_on(room.sandbox.start_kernel()).unwrap();
    room.works();
}

fn a_pipe_in_place_of_a_file_stops_nothing(form: Confinement) {
    let room = Room::new(form);
    let path = format!("{}/pipe", room.sandbox.folders().root);
    assert_eq!(room.says(&format!("import os\nos.mkfifo({path:?})")), "");
    let read = room.runtime.block_on(room.sandbox.read(&path)).unwrap();
    assert_eq!(read, Err(Trouble::NotAFile));
    let change = Change::Write { path, content: b"x".to_vec() };
    assert!(room.runtime.block_on(room.sandbox.change(change)).unwrap().is_err());
    room.works();
}
