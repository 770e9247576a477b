"""Bots that would harm the machine, each in the sandbox, which is tested first."""
import pwd
import shutil
import socket

from hostile import *

ZOO_INSIDE = pathlib.Path(__file__).resolve().parent / "sandbox"
PYTHON = "/usr/bin/python3"  # the one visible in the sandbox
MOVETIME = 30000  # no bot here loses by it
SIZES = ["--sandbox-memory", "128M", "--sandbox-processes", 32, "--sandbox-disk", "16M"]
SECRET = "NIMARENA-SECRET"  # see reads_others.py


class Inside(Bot):
    """A bot of the folder sandbox/, copied to a directory of its own."""

    def __init__(self, kind, *arguments, folder, exit=None, **keys):
        self.kind, self.name, self.exit, self.keys = kind, kind, exit, keys
        self.outcome = outcome_of(ZOO_INSIDE / (kind + ".py"))
        self.home = folder / kind
        self.home.mkdir(parents=True)
        for file in (ZOO_INSIDE / (kind + ".py"), ZOO_INSIDE / "inside.py", ZOO / "bot.py"):
            shutil.copy(file, self.home)
        self.command = shlex.join([PYTHON, "-SB", kind + ".py", *map(str, arguments)])

    def player(self):
        return player(self.command, name=self.name, dir=self.home,
                      env_NIMARENA_HOSTILE="sandbox", **self.keys)


class SandboxTest(HostileTest):
    def setUp(self):
        super().setUp()
        self.need_sandbox()

    def bot(self, kind, *arguments, **keys):
        return Inside(kind, *arguments, **{"folder": self.folder / "bots"} | keys)

    def said(self, name):
        """Its lines on stderr, split into words."""
        return [line.split() for _, who, direction, line in Log(self.log).lines
                if who == name and direction == "!"]

    def sandboxed(self, *bots):
        """A gauntlet of builtin:perfect against the bots and an honest one. Nothing is left behind,
        and the honest one plays as always."""
        honest = self.bot("honest")
        players = player("builtin:perfect", name="Hero")
        for bot in (honest, *bots):
            players += bot.player()
        run = self.nim_arena("tournament", "--format", "gauntlet", "--games", 2, "--seed", 5,
                             "--position", "nim:3,4,5", "--movetime", MOVETIME, "--analysis", 0,
                             "--concurrency", 4, "--sandbox", "bwrap", *SIZES, "--events", "jsonl",
                             "--record", self.record, "--log", self.log, *players)
        self.assertRegex(run.report(), r"sandbox: memory 128M, 32 processes and 16M of files for "
                                       r"each player, bounded by (cgroup v[12]|limits inside, "
                                       r"memory for each process, not the kernel's)")
        self.wait_until(lambda: self.groups_left() == [])
        events = [json.loads(line) for line in run.out.decode().splitlines()]
        games = [event for event in events if event["event"] == "game"]
        self.assertEqual(len(games), 2 * (1 + len(bots)))
        for bot in (honest, *bots):
            own = [game for game in games if bot.name in (game["p1"], game["p2"])]
            self.assertEqual(len(own), 2)
            for game in own:
                self.assertIn(game["reason"], bot.outcome, (game, self.said(bot.name)))
                if game["reason"] in FAULTS:
                    self.assertEqual(game[game["winner"]], "Hero")
                    self.assertEqual(game.get("exit"), bot.exit, game)
        return {bot.name: [game for game in games if bot.name in (game["p1"], game["p2"])]
                for bot in bots}

    def bubblewrap_is(self, script):
        program = self.work / "bwrap"
        program.write_text(script)
        program.chmod(0o755)
        self.environment["PATH"] = f"{self.work}:{os.environ['PATH']}"

    def refused(self, *words, status=3):
        run = self.arena("match", *words, "builtin:perfect", "--games", 2, status=status)
        return (run.out + run.err).decode()


class Sandbox(SandboxTest):
    """The zoo."""

    def test_fork_bomb(self):
        self.sandboxed(self.bot("fork_bomb"))
        forked = [int(words[1]) for words in self.said("fork_bomb") if words[0] == "forked"]
        self.assertTrue(forked)
        self.assertLess(sum(forked), 32)

    def test_memory(self):
        games = self.sandboxed(self.bot("memory_hog", exit={"signal": "SIGKILL"}),
                               self.bot("memory_hogs"))
        taken = [int(words[1]) for words in self.said("memory_hog") if words[0] == "took"]
        self.assertLess(max(taken), 128)
        killed = [words[1] for words in self.said("memory_hogs") if words[0] == "killed"]
        self.assertEqual(set(killed), {str(int(signal.SIGKILL))})
        for game in games["memory_hog"]:
            self.assertIn("used up the memory that the sandbox has for it", game["detail"])

    def test_disk(self):
        self.sandboxed(self.bot("fills_disk"))
        filled = {words[1]: int(words[2]) for words in self.said("fills_disk")
                  if words[0] == "filled"}
        self.assertGreater(filled.pop("/tmp"), 8 << 20)
        self.assertLessEqual(filled.pop("/dev/shm"), 16 << 20)
        self.assertLessEqual(filled.pop("/tmp/home"), 16 << 20)
        self.assertEqual(set(filled.values()), {0}, filled)

    def test_other_files_and_environments(self):
        other = self.bot("honest", folder=self.folder / "others")
        (other.home / "notes").write_text(SECRET)
        (self.folder / "notes").write_text(SECRET)
        self.environment["SECRET_OF_THE_ARENA"] = SECRET
        bot = self.bot("reads_others")
        targets = [self.folder / "others", self.folder / "notes", self.record,
                   str(self.record) + "-wal", self.log, ENGINE, ARENA, "/etc/shadow", "/home",
                   pathlib.Path.home()]
        (bot.home / "targets").write_text("\n".join(map(str, targets)))
        self.sandboxed(bot)
        said = self.said("reads_others")
        self.assertEqual([words for words in said if words[0] in ("saw", "read")], [])
        self.assertEqual([words[1:] for words in said if words[0] == "processes"],
                         [["1", "2"]] * (len(said) // 2))
        self.assertGreater(min(int(words[1]) for words in said if words[0] == "tried"), 5)

    def test_engines_in_every_folder_of_path(self):
        bot = self.bot("reads_others")
        folders = [bot.home / "first", bot.home / "second"]
        for folder in folders:
            folder.mkdir()
            (folder / "nim-engine").write_text(SECRET)
            (folder / "nim-engine").chmod(0o755)
        self.environment["PATH"] = ":".join([*map(str, folders), os.environ["PATH"]])
        (bot.home / "targets").write_text("\n".join(map(str, folders)))
        self.sandboxed(bot)
        self.assertEqual([words for words in self.said("reads_others") if words[0] == "read"], [])

    def test_links_out_of_its_folder(self):
        """Named like words of its command, and like its own files: none is followed."""
        other = self.bot("honest", folder=self.folder / "others")
        (other.home / "notes").write_text(SECRET)
        bot = self.bot("reads_others")
        bot.command = shlex.join(["/bin/sh", "-c", f"exec {PYTHON} -B reads_others.py"])
        for name in ("-c", "-B", "exec", "reads_others.pyc", "notes"):
            (bot.home / name).symlink_to(other.home / "notes")
        (bot.home / "folder").symlink_to(other.home)
        targets = [self.folder / "others", bot.home / "-c", bot.home / "notes", bot.home / "folder"]
        (bot.home / "targets").write_text("\n".join(map(str, targets)))
        self.sandboxed(bot)
        self.assertEqual([words for words in self.said("reads_others") if words[0] in ("saw", "read")], [])

    def test_a_program_that_is_a_link_out_of_its_folder(self):
        other = self.bot("honest", folder=self.folder / "others")
        for name, command in (("honest.py", f"{PYTHON} -B honest.py"), ("bot", "./bot")):
            home = self.folder / "bots" / name
            home.mkdir(parents=True)
            (home / name).symlink_to(other.home / "honest.py")
            report = self.refused(*player(command, dir=home), "--sandbox", "bwrap")
            self.assertIn("No such file or directory", report)

    def test_sockets(self):
        name = f"nimarena-{os.getpid()}"
        with socket.create_server(("127.0.0.1", 0)) as port, socket.socket(socket.AF_UNIX) as unix:
            unix.bind("\0" + name)
            unix.listen()
            self.sandboxed(self.bot("opens_sockets", port.getsockname()[1], name))
            self.assertEqual(select.select([port, unix], [], [], 0)[0], [])
        said = {" ".join(words) for words in self.said("opens_sockets")}
        self.assertEqual(said, {"may open AF_UNIX"})

    def test_signals(self):
        self.sandboxed(self.bot("signals_everything"),
                       self.bot("signals_its_group", exit={"signal": "SIGKILL"}))
        sent = [words for words in self.said("signals_everything") if words[0] == "sent"]
        self.assertEqual(sent, [])

    def test_system_calls(self):
        self.sandboxed(self.bot("calls_the_kernel"))
        calls = {" ".join(words[1:-1]): words[-1] for words in self.said("calls_the_kernel")}
        for name, answer in calls.items():
            self.assertIn(answer, ("ENOSYS" if name in ("clone3", "io_uring_setup") else "EPERM",),
                          name)

    def test_every_bot_acts_only_inside(self):
        for file in sorted(ZOO_INSIDE.glob("*.py")):
            if file.name in ("inside.py", "honest.py"):
                continue
            with self.subTest(bot=file.name):
                environment = dict(os.environ, NIMARENA_HOSTILE="sandbox",
                                   PYTHONPATH=str(ZOO), PYTHONDONTWRITEBYTECODE="1")
                run = subprocess.run([PYTHON, str(file), "0", "0"], env=environment, timeout=PATIENCE,
                                     input=b"", capture_output=True)
                self.assertIn(b"it acts in the sandbox alone", run.stderr)
                self.assertEqual(run.returncode, 1)


class Refused(SandboxTest):
    """What is not played, and what a kill leaves."""

    def test_no_record_that_a_bot_could_see(self):
        bot = self.bot("honest")
        report = self.refused(*bot.player(), "--sandbox", "bwrap", "--jsonl", bot.home / "games")
        self.assertIn("in the sandbox it sees", report)
        self.assertFalse((bot.home / "games").exists())

    def test_no_bot_without_the_folder_of_its_files(self):
        bot = self.bot("honest")
        report = self.refused(f"{PYTHON} -B {bot.home}/honest.py", "--sandbox", "bwrap")
        self.assertIn(f"in the sandbox it sees its program and dir= alone, and so not {bot.home}/honest.py: "
                      "give the folder of its files, as in --player 'cmd=\"python3 bot.py\" dir=FOLDER'", report)

    def test_no_way_out_by_pipes_and_sockets(self):
        bot = self.bot("honest")
        place = bot.home / "data" / "way-out"
        place.parent.mkdir()
        for make in (os.mkfifo, lambda path: socket.socket(socket.AF_UNIX).bind(str(path))):
            make(place)
            report = self.refused(*bot.player(), "--sandbox", "bwrap")
            self.assertIn(f"{place} is a pipe, a socket or a device, by which it could talk to programs "
                          "outside the sandbox: remove it", report)
            place.unlink()

    def test_no_home_as_directory_of_a_bot(self):
        bot = self.bot("honest")
        link = self.folder / "link"
        link.symlink_to(bot.home)
        for home, directory in ((bot.home, bot.home), (link, bot.home), (bot.home, link)):
            self.environment["HOME"] = str(home)
            self.assertIn(f"it would see all of {directory}: put it into a directory of its own",
                          self.refused(*player(bot.command, dir=directory), "--sandbox", "bwrap"))

    def test_no_bot_in_the_directory_of_another(self):
        one = self.bot("honest")
        other = player(shlex.join([PYTHON, "-B", "honest.py", "--other"]), name="other", dir=one.home)
        words = (*one.player(), *other, "--games", 2, "--sandbox", "bwrap", *SIZES)
        run = self.arena("match", *words, status=3)
        self.assertIn("players honest and other: in the sandbox one would see the files of the other in "
                      f"{os.path.realpath(one.home)}/: put each bot into a directory of its own, or say "
                      "--sandbox-shared", run.report())
        self.arena("match", *words, "--sandbox-shared", "--position", "nim:3,4,5", status=0)
        run = self.arena("match", *one.player(), *one.player(), *words[-len(SIZES) - 4:], "--position",
                         "nim:3,4,5")
        self.assertEqual(run.status, 0, "one bot against itself: " + run.report())

    def test_nothing_is_played_without_bubblewrap(self):
        self.environment["PATH"] = str(self.work)
        report = self.refused(*self.bot("honest").player(), "--sandbox", "bwrap")
        self.assertIn("bubblewrap is not installed; apt-get install bubblewrap", report)

    def test_nothing_is_played_if_bubblewrap_fails(self):
        self.bubblewrap_is("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
        report = self.refused(*self.bot("honest").player(), "--sandbox", "bwrap")
        self.assertIn("--sandbox bwrap does not work here: bwrap: No permissions to create new "
                      "namespace; ", report)

    def test_a_killed_trial_is_repeated(self):
        first = self.work / "first"
        self.bubblewrap_is(f"#!/bin/sh\nif mkdir '{first}' 2>/dev/null; then kill -9 $$; fi\n"
                            f"exec {shutil.which('bwrap')} \"$@\"\n")
        self.arena("match", *self.bot("honest").player(), "builtin:perfect", "--games", 2,
                   "--sandbox", "bwrap", *SIZES, status=0)
        self.assertTrue(first.exists())

    def test_a_sandbox_that_leaks_is_detected(self):
        self.bubblewrap_is("#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done\nshift\n"
                           f"export HOME={self.work}\nexec \"$@\"\n")
        report = self.refused(*self.bot("honest").player(), "--sandbox", "bwrap")
        self.assertIn("--sandbox bwrap does not work here: ", report)
        self.assertIn("it has a network", report)
        self.assertIn("its system calls are not filtered", report)
        self.assertIn("set-user-ID files count in /", report)
        if os.access("/proc/sys/kernel/core_pattern", os.W_OK):
            self.assertIn("it may write to /proc/sys/kernel/core_pattern", report)

    def test_a_killed_arena_leaves_nothing(self):
        bot = self.bot("honest")
        ready = self.folder / "log"
        arena = self.start(ARENA, "match", *bot.player(), "builtin:perfect", "--games", 100000,
                           "--sandbox", "bwrap", *SIZES, "--log", ready)
        self.wait_until(lambda: ready.exists() and b"bestmove" in ready.read_bytes())
        inside = [pid for pid in self.offspring() if pid != arena.pid]
        arena.kill()
        arena.wait()
        self.assertEqual(self.wait_for_deaths(inside), [])
        self.wait_until(lambda: self.groups_left() == [])


class OtherUser(SandboxTest):
    """Players of another user, and an arena that can make no cgroup."""

    def arena_of_nobody(self):
        """The command that starts the arena as a user without cgroups, in the folder work/."""
        if os.geteuid() != 0 or not shutil.which("setpriv"):
            self.skipTest("for root, with setpriv")
        nobody = pwd.getpwnam("nobody")
        for folder in (self.folder, self.temporary, self.work):
            os.chown(folder, nobody.pw_uid, nobody.pw_gid)
        self.environment["HOME"] = str(self.temporary)
        arena = ["setpriv", "--reuid", nobody.pw_uid, "--regid", nobody.pw_gid, "--clear-groups",
                 ARENA]
        doctor, _ = self.start(*arena, "doctor").communicate(timeout=PATIENCE)
        if not re.search(b"--sandbox bwrap +works.*limits inside", doctor):
            self.skipTest("NOTHING IS TRIED: limits inside are not what bounds memory here")
        return arena

    def test_shared_memory_without_a_control_group(self):
        arena = self.arena_of_nobody()
        bot = self.bot("shares_memory")
        log = self.work / "log"
        match = self.start(*arena, "match", *bot.player(), "builtin:perfect", "--games", 2,
                           "--movetime", MOVETIME, "--sandbox", "bwrap", *SIZES, "--log", log,
                           "--jsonl", self.work / "games")
        self.end_of(match, 0)
        self.assertIn(b'"reason":"no-moves"', (self.work / "games").read_bytes())
        said = [line.split() for _, who, direction, line in Log(log).lines if direction == "!"]
        taken = {words[1]: int(words[2]) for words in said if words[0] == "took"}
        self.assertLessEqual(taken.pop("file"), 16)
        self.assertEqual(set(taken.values()), {0}, taken)
        self.assertEqual(len(taken), 6)

    def test_unbounded_shared_memory_is_detected(self):
        arena = self.arena_of_nobody()
        self.bubblewrap_is(f"#!{PYTHON}\nimport os, sys\nwords = sys.argv[1:]\n"
                           "at = words.index('--seccomp')\ndel words[at:at + 2]\n"
                           f"os.execv({shutil.which('bwrap')!r}, ['bwrap', *words])\n")
        match = self.start(*arena, "match", *self.bot("honest").player(), "builtin:perfect",
                           "--games", 2, "--sandbox", "bwrap")
        run = self.end_of(match, 3)
        for way in ("memfd_create", "shmget", "MAP_SHARED", "MAP_GROWSDOWN"):
            self.assertIn(f"it has memory by {way}", (run.out + run.err).decode())

    @unittest.skipUnless(os.geteuid() == 0, "for root")
    def test_what_a_control_group_does_not_bound_is_detected(self):
        words = [*self.bot("honest").player(), "--sandbox", "bwrap"]
        for controller, what in (("memory", "memory is"), ("pids", "processes are")):
            with self.subTest(controller=controller):
                self.leave_group_of(controller)
                self.assertIn(f"its {what} not bounded", self.refused(*words))

    def leave_group_of(self, controller):
        """The sandbox leaves the control group that bounds this."""
        self.bubblewrap_is(f"""#!{PYTHON}
import os, pathlib, sys
for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines():
    number, controllers, path = line.split(":", 2)
    if {controller!r} in controllers or number == "0":
        top = "/sys/fs/cgroup/{controller}" if controllers else "/sys/fs/cgroup"
        try:
            pathlib.Path(top, "cgroup.procs").write_text("0")
        except OSError:
            pass  # in another one
os.execv({shutil.which("bwrap")!r}, ["bwrap", *sys.argv[1:]])
""")

    @unittest.skipUnless(os.geteuid() == 0, "for root")
    def test_players_run_as_another_user(self):
        script = ("import os, sys\n"
                  "print(os.getresuid(), os.getresgid(), os.stat(os.environ['HOME']).st_uid,\n"
                  "      os.access(os.environ['HOME'], os.W_OK), file=sys.stderr)\n"
                  "sys.exit(1)\n")
        for sandbox in ([], ["--sandbox", "bwrap"]):
            os.chmod(self.homes, 0o711)
            os.chmod(self.folder, 0o711)
            self.environment["TMPDIR"] = str(self.homes)
            report = self.refused(*player(shlex.join([PYTHON, "-c", script])), "--untrusted",
                                  "--run-as", "nobody", *sandbox)
            user = pwd.getpwnam("nobody")
            self.assertIn(f"({user.pw_uid}, {user.pw_uid}, {user.pw_uid}) ({user.pw_gid}, "
                          f"{user.pw_gid}, {user.pw_gid}) {user.pw_uid} True", report)
