//! Cells and orders beyond a limit: memory outside of processes, long answers, large files, deep folders, and ends that are hidden.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use mageyard_sandbox::{Change, Confinement, Limits, Lost, Trouble};
use rustix::process::{Pid, Signal, kill_process};

use crate::Test;
use crate::room::Room;

pub(super) const TESTS: &[Test] = &[
    ("memory_without_a_process_is_limited", memory_without_a_process_is_limited),
    ("shared_pages_count_once", shared_pages_count_once),
    ("folders_in_memory_have_a_size", folders_in_memory_have_a_size),
    ("an_answer_that_is_too_long_is_refused", a_long_answer_is_refused),
    ("a_long_exception_does_not_end_python", a_long_exception_does_not_end_python),
    ("a_stuck_supervisor_is_ended_with_its_programs", a_stuck_supervisor_is_ended),
    ("a_deep_folder_is_removed_with_the_sandbox", a_deep_folder_is_removed),
    ("the_end_of_python_is_seen_although_its_output_is_held", the_end_of_python_is_seen),
    ("a_program_of_an_earlier_kernel_forges_nothing", an_earlier_kernel_forges_nothing),
    ("the_pipe_of_the_kernel_cannot_be_opened", the_pipe_cannot_be_opened),
    ("the_output_of_a_command_is_kept_while_a_program_goes_on", output_is_kept),
    ("a_file_beyond_the_largest_size_ends_nothing", a_large_file_ends_nothing),
    ("a_copy_to_or_from_a_pipe_does_not_wait", a_copy_of_a_pipe_does_not_wait),
];

/// 300 MiB in files of `memfd_create`, and then in segments of System V, of which no process has a page.
fn memory_without_a_process_is_limited(form: Confinement) {
    let room = Room::with(form, Limits { memory_mib: 400, ..Limits::default() });
    let open = "import os, time\nfiles = []\nfor _ in range(45):\n    \
        files.append(os.memfd_create('x'))\n    os.write(files[-1], bytes(10 << 20))\ntime.sleep(1.5)";
    let _ = room.run(open);
    room.exceeds("400 are allowed");
    room.runtime.block_on(room.sandbox.start_kernel()).unwrap();
    let segments = "import ctypes, time\nc = ctypes.CDLL(None)\nc.shmat.restype = ctypes.c_void_p\n\
        ids = [c.shmget(0, 50 << 20, 0o1600) for _ in range(9)]\n\
        for n in [n for n in ids if n >= 0]:\n    at = c.shmat(n, None, 0)\n    ctypes.memset(at, 1, 50 << 20)\n    \
        c.shmdt(ctypes.c_void_p(at))\ntime.sleep(1.5)\nprint(ids)";
    let says = room.says(segments);
    if form == Confinement::Landlock {
        assert_eq!(says.trim(), format!("{:?}", [-1; 9]), "they would outlive the sandbox");
        return;
    }
    room.exceeds("shared memory was removed");
    room.runtime.block_on(room.sandbox.start_kernel()).unwrap();
    let _ = room.sandbox.exceeded();
    room.works();
    assert_eq!(room.sandbox.exceeded(), Vec::<String>::new());
}

/// Six processes share 250 MiB: they have less than 800 MiB together, and more than that resident.
fn shared_pages_count_once(form: Confinement) {
    let room = Room::with(form, Limits { memory_mib: 800, ..Limits::default() });
    let code = "import mmap, os, time\nx = mmap.mmap(-1, 250 << 20)\nfor _ in range(250): _ = x.write(bytes(1 << 20))\n\
        for _ in range(5):\n    if os.fork() == 0:\n        sum(x[n] for n in range(0, 250 << 20, 4096))\n        \
        time.sleep(1.5)\n        os._exit(0)\n\
        for _ in range(15):\n    time.sleep(0.1)\n    print(end='.', flush=True)\n\
        print('here', [os.wait()[1] for _ in range(5)])";
    let says = room.says(code);
    assert!(says.trim().ends_with("here [0, 0, 0, 0, 0]"), "{says}");
    assert_eq!(room.sandbox.exceeded(), Vec::<String>::new());
}

/// Bubblewrap has some of its own; others have none.
fn folders_in_memory_have_a_size(form: Confinement) {
    let room = Room::with(form, Limits { memory_mib: 400, ..Limits::default() });
    let code = "import os\nfor place in ['/dev/shm', '/run', '/dev', '/']:\n    \
        try:\n        with open(place + '/x', 'wb') as file:\n            for _ in range(120): file.write(bytes(1 << 20))\n    \
        except OSError as error: print(place, error.errno)\n    else: print(place, 'written')\n    \
        try: os.remove(place + '/x')\n    except OSError: pass";
    let says = room.says(code);
    assert!(says.lines().count() == 4 && !says.contains("written"), "{says}");
    room.works();
}

/// 40 programs with 1.7 MiB of arguments each are listed, and a file of 60 MiB is sent.
fn a_long_answer_is_refused(form: Confinement) {
    let room = Room::new(form);
    let code = "import subprocess\nmany = ['x' * 120_000] * 15\n\
        started = [subprocess.Popen(['/bin/sh', '-c', 'sleep 60; :'] + many) for _ in range(40)]";
    assert_eq!(room.says(code), "");
    let listed = room.runtime.block_on(room.sandbox.processes()).unwrap();
    assert!(matches!(&listed, Err(Trouble::Other(why)) if why.contains("at most")), "{:?}", listed.is_ok());
    let path = format!("{}/large", room.sandbox.folders().root);
    let written = room.change(Change::Write { path, content: vec![0; 60 << 20] });
    assert!(matches!(&written, Err(Trouble::Other(why)) if why.contains("at most")), "{written:?}");
    room.works();
}

fn a_long_exception_does_not_end_python(form: Confinement) {
    let room = Room::new(form);
    let result = room.run("x = 1\nraise ValueError('x' * 10_000_000)");
    let (name, value) = result.error.unwrap();
    assert_eq!((name.as_str(), value.len(), result.lost), ("ValueError", 65_536, None));
    let shown = "from base64 import b64encode\nclass Many:\n    \
        def _repr_mimebundle_(self, **_): return {f'text/{n}': '\\u5b57' * 900_000 for n in range(5)}\nMany()";
    assert_eq!(room.run(shown).lost, None);
    assert_eq!(room.says("x"), "1", "variables are kept");
}

/// The processes with this mark in their environment.
fn marked(mark: &str) -> Vec<u32> {
    let has_mark = |id: &u32| {
        let environ = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
        environ.windows(mark.len()).any(|part| part == mark.as_bytes())
    };
    let names = fs::read_dir("/proc").unwrap().flatten();
    names.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(has_mark).collect()
}

/// The supervisor above a process.
fn supervisor_of(id: u32) -> u32 {
    let line = fs::read_to_string(format!("/proc/{id}/cmdline")).unwrap();
    if line.split('\0').any(|argument| argument == "supervise") && !line.contains("bwrap") {
        return id;
    }
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let parent = status.lines().find_map(|line| line.strip_prefix("PPid:")).unwrap();
    supervisor_of(parent.trim().parse().unwrap())
}

fn a_stuck_supervisor_is_ended(form: Confinement) {
    let room = Room::new(form);
    let mark = format!("MARK=stuck-{}-{form:?}", std::process::id());
    let code = format!(
        "import os, subprocess\n_ = subprocess.Popen(['env', '{mark}', 'setsid', 'sleep', '77'])\nprint(os.getpid())"
    );
    let _ = room.run(&code);
    Room::eventually("it has started", || !marked(&mark).is_empty());
    let supervisor = supervisor_of(marked(&mark)[0]);
    kill_process(Pid::from_raw(i32::try_from(supervisor).unwrap()).unwrap(), Signal::STOP).unwrap();
    let begun = Instant::now();
    room.close();
    Room::eventually("its programs are gone", || marked(&mark).is_empty());
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
    assert!(!PathBuf::from(format!("/proc/{supervisor}")).exists());
}

/// The folder of the sandbox that has this file in its home.
fn scratch_with(name: &str) -> Option<PathBuf> {
    let folders = fs::read_dir(std::env::temp_dir()).unwrap().flatten().map(|entry| entry.path());
    let mut with_file = folders.filter(|folder| folder.join("home").join(name).exists());
    with_file.next()
}

fn a_deep_folder_is_removed(form: Confinement) {
    let room = Room::new(form);
    let name = format!("deep-{}-{form:?}", std::process::id());
    let code = format!(
        "import os\nos.chdir(os.environ['HOME'])\nopen('{name}', 'w').close()\nos.mkdir('in')\nos.chmod('in', 0)\n\
         for _ in range(2000):\n    os.mkdir('a' * 100)\n    os.chdir('a' * 100)\nos.chmod('.', 0)"
    );
    assert_eq!(room.says(&code), "");
    let scratch = scratch_with(&name).unwrap();
    let path = format!("{}/more", room.sandbox.folders().root);
    let more = format!(
        "os.makedirs({path:?})\nos.chdir({path:?})\nfor _ in range(2000):\n    os.mkdir('b' * 100)\n    os.chdir('b' * 100)"
    );
    assert_eq!(room.says(&more), "");
    room.change(Change::RemoveFolder { path }).unwrap();
    room.close();
    assert!(!scratch.exists());
}

/// Another process has inherited its output.
fn the_end_of_python_is_seen(form: Confinement) {
    let room = Room::new(form);
    let begun = Instant::now();
    let result =
        room.run("import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(60)\nos._exit(1)");
    assert_eq!(result.lost, Some(Lost::Ended), "{result:?}");
    assert!(begun.elapsed() < Duration::from_secs(20));
    room.works();
}

/// A process that has inherited the output of a kernel writes lines of the next one.
fn an_earlier_kernel_forges_nothing(form: Confinement) {
    let room = Room::new(form);
    let code = "import os, time\nif os.fork() == 0:\n    os.setsid()\n    \
        main = __import__('sys').modules['__main__']\n    secret = getattr(main, '_secret', '')\n    \
        lines = ''.join(secret + '{\"cell\": %d, \"text\": \"forged\", \"done\": true}\\n' % n for n in range(9))\n    \
        lines += secret + '{\"ready\": {\"kernel\": \"forged\", \"version\": \"\", \"python\": \"\"}}\\n'\n    \
        while True:\n        for fd in range(3, 64):\n            \
        try: os.write(fd, lines.encode())\n            except OSError: pass\n        time.sleep(0.01)\nos._exit(1)";
    let _ = room.run(code);
    let report = room.runtime.block_on(room.sandbox.start_kernel()).unwrap();
    assert_ne!(report.kernel, "forged");
    for _ in 0..3 {
        room.works();
    }
}

/// Neither that of the bridge to a Jupyter kernel nor that of the supervisor.
fn the_pipe_cannot_be_opened(form: Confinement) {
    let room = Room::new(form);
    let code = "import os\nabove, seen = os.getppid(), []\nwhile above > 1:\n    \
        for fd in range(64):\n        try: seen.append(os.open(f'/proc/{above}/fd/{fd}', os.O_WRONLY))\n        \
        except OSError: pass\n    \
        try: above = int(open(f'/proc/{above}/stat').read().rsplit(') ', 1)[1].split()[1])\n    \
        except OSError: break\nprint(seen)";
    assert_eq!(room.says(code).trim(), "[]");
}

fn output_is_kept(form: Confinement) {
    let room = Room::new(form);
    let limit = Duration::from_secs(5);
    let ran = room.runtime.block_on(room.sandbox.run("sleep 60 & echo here", limit)).unwrap().unwrap();
    assert_eq!((ran.code, ran.output.trim()), (Some(0), "here"));
}

fn a_large_file_ends_nothing(form: Confinement) {
    let room = Room::with(form, Limits { file_mib: 1, ..Limits::default() });
    let path = format!("{}/large", room.sandbox.folders().root);
    let written = room.change(Change::Write { path, content: vec![0; 3 << 20] });
    assert!(matches!(&written, Err(Trouble::Other(why)) if why.contains("too large")), "{written:?}");
    room.works();
    let limit = Duration::from_secs(5);
    let command = "head -c 3000000 /dev/zero > own";
    let ran = room.runtime.block_on(room.sandbox.run(command, limit)).unwrap().unwrap();
    assert_ne!(ran.code, Some(0), "programs have the limit too");
}

fn a_copy_of_a_pipe_does_not_wait(form: Confinement) {
    let room = Room::new(form);
    let folder = &room.sandbox.folders().root;
    let (file, pipe) = (format!("{folder}/file"), format!("{folder}/pipe"));
    assert_eq!(room.says(&format!("import os\nos.mkfifo({pipe:?})\nopen({file:?}, 'w').close()")), "");
    let copy = |from: &str, to: &str| room.change(Change::Copy { from: from.into(), to: to.into() });
    assert_eq!(copy(&pipe, &file), Err(Trouble::NotAFile));
    assert_eq!(copy(&file, &pipe), Err(Trouble::NotAFile));
    assert_eq!(room.says(&format!("os.chmod({file:?}, 0o751)")), "");
    copy(&file, &format!("{folder}/copy")).unwrap();
    assert_eq!(room.says(&format!("oct(os.stat('{folder}/copy').st_mode)")), "'0o100751'");
}
