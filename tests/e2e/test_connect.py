"""bots/connect.py, which connects a bot to nim-arena serve, and its branches for Windows."""
import ast
import hashlib
import importlib.util
import io
import unittest.mock

from serving import *

# Without what Windows lacks. Its flags for a new process are refused here.
AS_WINDOWS = f"""
import os, select, signal, sys
sys.path.insert(0, {str(ROOT / "bots")!r})
import connect
for module, names in ((os, "killpg setsid getpgid setpgid fork openpty mkfifo"), (signal, "SIGALRM alarm"),
                      (select, "poll epoll select")):
    for name in names.split():
        delattr(module, name)
connect.WINDOWS = True
connect.spawn_options = dict
os._exit(connect.main(sys.argv[1:]))
"""
ENDS = "import sys; sys.exit(7)"
STOPPED = (r"^connect.py: the server has stopped before the end of the contest: won \d+ of (\d+)"
           "(?:, drew .*)?; trying again$")


def module():
    spec = importlib.util.spec_from_file_location("connect", ROOT / "bots" / "connect.py")
    connect = importlib.util.module_from_spec(spec)
    with unittest.mock.patch.object(sys, "dont_write_bytecode", True):
        spec.loader.exec_module(connect)
    return connect


class ConnectTest(ServeTest):
    def secret_file(self, secret="f" * 32, name="secret"):
        path = self.folder / name
        path.write_bytes(secret if isinstance(secret, bytes) else (secret + "\n").encode())
        path.chmod(0o600)
        return path

    def connect(self, address, *words, secret="f" * 32, program=CONNECT, **options):
        return self.start(*program, "%s:%d" % address, "--token-file", self.secret_file(secret), *words,
                          **options)

    def ended(self, process, status):
        """What it said on stderr until it ended."""
        out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual((process.returncode, out), (status, b""), err)
        return err.decode()

    def door(self, port=0):
        door = socket.create_server(("127.0.0.1", port))
        door.settimeout(PATIENCE)
        self.addCleanup(door.close)
        return door, door.getsockname()

    def accept(self, door, context=None):
        peer, _ = door.accept()
        peer.settimeout(PATIENCE)
        if context:
            peer = context.wrap_socket(peer, server_side=True)
        file = peer.makefile("rb")
        self.addCleanup(peer.close)
        self.addCleanup(file.close)
        return peer, file

    def meet(self, *words, tls=None):
        """A bot that dials in to the test: its process, the connection, and a file of that."""
        door, (_, port) = self.door()
        bot = self.connect(("localhost", port), *words)
        return bot, *self.accept(door, tls)

    def pass_handshake(self, file):
        for line in iter(file.readline, b"ugiok\n"):
            self.assertTrue(line, "the end, during the handshake")

    def tls_context(self):
        cert, key = self.tls_certificate()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(cert, key)
        return context, cert


class Play(ConnectTest):
    def test_both_sides_print_missing_players_and_results(self):
        other = "A: won (no-moves)"  # as a result is written
        secrets = {name: self.token(name) for name in ("Ann", other)}
        address = self.serve("--format", "round-robin", "--games", 2, position="nim:1")
        self.said.until("^waiting for 2 players$")
        bots = []
        for name, shown, more in (("Ann", "an opponent", ", waiting for 1 more"), (other, "a game", "")):
            bot = self.connect(address, RANDOM, secret=secrets[name])
            said = Lines(bot.stderr)
            said.until(f"^connect.py: connected as {re.escape(name)}, waiting for {shown}$")
            self.said.until(f"^{re.escape(name)} came from .*{more}$")
            bots.append((bot, said))
        for (bot, said), opponent in zip(bots, (other, "Ann")):
            said.until(rf"you (won|lost) against {re.escape(opponent)}: no moves were left \(game 1\.1\.\S+\); told so far: ")
            said.until("^connect.py: the contest is over: won 1 of 2$")
            self.assertEqual(bot.wait(PATIENCE), 0)
        self.assertEqual(self.server.wait(PATIENCE), 0)

    def test_wrong_token_is_refused_once(self):
        self.token("Ann")
        err = self.ended(self.connect(self.serve(), RANDOM), 3)
        self.assertEqual(err, "connect.py: the server refuses: token: no player here has this one; ask who "
                              "runs the server for another\n")
        # The server says so, without the secret.
        line = Lines(self.server.stderr).until(r"127\.0\.0\.1:\d+ was refused: .*").string
        self.assertRegex(line, r"was refused: token: no player here has this one; ask who runs the server for another$")
        self.stop()

    def test_bot_that_crashes_is_started_again(self):
        secret = self.token("Ann")
        address = self.serve("--player", "cmd=builtin:random name=House")
        code = ("import os, sys\n"
                "sys.stderr.write('born %d\\n' % os.getpid()); sys.stderr.flush()\n"
                f"os.execv({RANDOM!r}, [{RANDOM!r}])\n")
        bot = self.connect(address, sys.executable, "-c", code, secret=secret)
        errors = Lines(bot.stderr)
        first = int(errors.until(r"born (\d+)")[1])
        self.await_games(2)
        os.kill(first, signal.SIGKILL)
        errors.until("was ended by SIGKILL; trying again$")
        second = int(errors.until(r"born (\d+)")[1])
        self.assertNotEqual(first, second)
        self.await_games(len(self.games()) + 2)
        self.stop()
        games = errors.until(STOPPED)[1]
        self.assertEqual(self.wait_for_deaths([second]), [])
        self.assertEqual(int(games), len(self.games()), "also the one in which it crashed")

    def test_server_that_is_stopped_before_the_first_game_is_tried_again(self):
        secret = self.token("Ann")
        bot = self.connect(self.serve("--await", 2), RANDOM, secret=secret)
        errors = Lines(bot.stderr)
        errors.until("connected as Ann, waiting for an opponent")
        self.stop()
        errors.until("^connect.py: the server has stopped before the end of the contest; trying again$")
        self.assertFalse(self.record.exists(), "another format may be tried")

    def test_server_that_is_killed_and_returns_is_played_on(self):
        secret = self.token("Ann")
        house = ("--player", "cmd=builtin:random name=House")
        host, port = self.serve("--listen", "127.0.0.9:0", *house)  # where no other test takes the port
        bot = self.connect((host, port), RANDOM, secret=secret)
        errors = Lines(bot.stderr)
        self.await_games(2)
        self.server.kill()
        self.server.wait(PATIENCE)
        errors.until("the server closed the connection|the connection was lost")
        errors.until("cannot connect")  # it was away when the bot came back
        played = len(self.games())
        self.serve("--listen", f"{host}:{port}", *house)
        said = len(errors.all)
        errors.until("connected as Ann")
        self.assertNotIn("cannot connect", "".join(errors.all[said:]), "it is no news")
        self.await_games(played + 2)
        self.stop()
        errors.until(STOPPED)
        self.serve("--listen", f"{host}:{port}", *house)
        errors.until("connected as Ann")


class Connection(ConnectTest):
    def test_certificate_must_be_trusted(self):
        cert, key = self.tls_certificate()
        self.token("Ann")
        _, port = self.serve("--tls", f"{cert},{key}")
        for host, trust, why, then in (
                ("localhost", ["--tls"], "is not trusted: self.signed certificate", "and say --ca FILE, or for"),
                ("127.0.0.1", ["--tls", "--ca", cert], "certificate is not valid for '127.0.0.1'",
                 "dial the name that the certificate is for, or ask"),
                ("localhost", ["--pin", "AB" * 32], "expected " + "ab" * 32, ": ask who runs it for the certificate's")):
            err = self.ended(self.connect((host, port), *trust, RANDOM), 3)
            self.assertRegex(err, why)
            self.assertIn(then, err)
            self.assertIn("SHA-256 and say --pin SHA256\n", err)
            self.assertEqual("--ca" in err, trust == ["--tls"])
        self.stop()

    def test_a_certificate_that_has_expired_is_no_matter_of_trust(self):
        cert, key = self.tls_certificate()
        request = self.folder / "request.pem"
        for words in (["req", "-new", "-key", key, "-subj", "/CN=localhost", "-out", request],
                      ["x509", "-req", "-in", request, "-signkey", key, "-days", "-1", "-out", cert]):
            subprocess.run(["openssl", *words], check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(cert, key)
        door, (_, port) = self.door()
        bot = self.connect(("localhost", port), "--tls", "--ca", cert, RANDOM)
        with self.assertRaises(ssl.SSLError):
            self.accept(door, context)
        err = self.ended(bot, 3)
        self.assertIn("is this computer's clock right? Else the server needs a new certificate", err)
        self.assertNotIn("--ca", err)

    def test_pin_trusts_one_certificate_by_any_name(self):
        cert, key = self.tls_certificate()
        printed = subprocess.run(["openssl", "x509", "-in", cert, "-noout", "-fingerprint", "-sha256"],
                                 capture_output=True, text=True, check=True).stdout
        secret = self.token("Ann")
        address = self.serve("--tls", f"{cert},{key}", "--player", "cmd=builtin:random name=House")
        self.connect(address, "--pin", printed.strip().partition("=")[2], RANDOM, secret=secret)
        self.await_games(2)
        self.stop()

    def test_an_invitation_holds_all_that_is_needed(self):
        cert, key = self.tls_certificate()
        self.token("Somebody else")
        host, port = self.serve("--tls", f"{cert},{key}", "--player", "cmd=builtin:random name=House")
        text = self.add_token("Ann", "--invite", f"{host}:{port}", "--pin", cert)
        self.assertIn("    " + hashlib.sha256((ROOT / "bots" / "connect.py").read_bytes()).hexdigest() + "\n", text)
        secret = re.search(r"^    ([0-9a-f]{32})$", text, re.MULTILINE)[1]
        words = shlex.split(re.search(r"^    python3 connect\.py (.*) python3 bot\.py$", text, re.MULTILINE)[1])
        (self.folder / "token.txt").write_text(secret + "\n")
        self.start(*CONNECT, *words, RANDOM, cwd=self.folder)
        self.await_games(2)
        self.stop()

    def test_nothing_is_sent_to_a_server_with_another_certificate(self):
        context, _ = self.tls_context()
        bot, _, file = self.meet("--pin", "0" * 64, RANDOM, tls=context)
        self.assertEqual(file.read(), b"")
        self.ended(bot, 3)

    def test_says_whether_a_port_speaks_tls(self):
        bot, peer, _ = self.meet(RANDOM)
        peer.shutdown(socket.SHUT_RDWR)
        Lines(bot.stderr).until("closed the connection without a word: .* say --tls; trying again$|the connection was lost")
        door, address = self.door()
        bot = self.connect(address, "--tls", RANDOM)
        self.accept(door)[0].sendall(b"ugi\nrefused handshake: no 'ugiok'\n")
        Lines(bot.stderr).until("the TLS handshake failed: it does not speak TLS; trying again$")

    def test_last_lines_of_a_bot_arrive(self):
        context, cert = self.tls_context()
        code = "print('ugiok'); print('info ' + 'x' * 1000, flush=True); " * 100 + "print('bye')"
        for tls, words in ((None, ()), (context, ("--tls", "--ca", cert))):
            heard = self.meet(*words, sys.executable, "-c", code, tls=tls)[2].read()
            self.assertEqual(heard.count(b"info "), 100)
            self.assertTrue(heard.endswith(b"bye\n"), heard[-100:])
            self.assertEqual(heard.count(b"id token " + b"f" * 32 + b"\nid notices on\nugiok\n"), 1)

    def test_slow_link_passes_lines_byte_by_byte(self):
        context, cert = self.tls_context()
        code = ("import sys\nprint('ugiok', flush=True)\n"
                "for line in sys.stdin:\n    print('heard', line.strip(), flush=True)\n")
        for tls, words in ((None, ()), (context, ("--tls", "--ca", cert))):
            bot, peer, file = self.meet(*words, sys.executable, "-c", code, tls=tls)
            for byte in b"ugi\r\nposition fen nim:1\nquit\n":
                peer.sendall(bytes([byte]))
            heard = file.read().splitlines()
            self.assertEqual(heard[-3:], [b"heard ugi", b"heard position fen nim:1", b"heard quit"])
            self.assertEqual(bot.wait(PATIENCE), 0)

    def test_long_lines_pass_and_longer_ones_are_dropped(self):
        code = ("import sys\nprint('ugiok')\nprint('x' * (1 << 20))\nprint('y' * (1 << 21))\n"
                "print('z' * ((1 << 20) - 2), flush=True)\nsys.stdin.read()")
        bot, peer, file = self.meet(sys.executable, "-c", code)
        self.assertEqual([file.readline() for _ in "123"][-1], b"ugiok\n")
        self.assertEqual(file.readline(), b"z" * ((1 << 20) - 2) + b"\n")
        peer.sendall(b"x" * (2 << 20) + b"\n")
        Lines(bot.stderr).until("the server sent a line of more than a mebibyte")

    def test_bot_that_quits_at_once_is_no_failure(self):
        code = "print('ugiok', flush=True)\nwhile input() != 'quit': pass\n"
        for _ in range(5):
            bot, peer, file = self.meet(sys.executable, "-c", code)
            peer.sendall(b"ugi\n")
            self.pass_handshake(file)
            peer.sendall(b"quit\n")
            peer.shutdown(socket.SHUT_WR)
            self.assertEqual(self.ended(bot, 0), "connect.py: the contest is over\n")

    def test_bot_that_closes_its_input_may_still_answer(self):
        fifo = self.fifo()
        code = ("import os\nos.close(0)\nprint('ugiok', flush=True)\n"
                f"with open({str(fifo)!r}) as file: print(file.read(), flush=True)\n")
        _, peer, file = self.meet(sys.executable, "-c", code)
        self.pass_handshake(file)
        peer.sendall(b"isready\n" * 10)
        fifo.write_text("bestmove 1=0")
        self.assertEqual(file.readline(), b"bestmove 1=0\n")

    def test_refusal_that_is_final_ends_it(self):
        bot, peer, _ = self.meet(RANDOM)
        peer.sendall(b"refused late: the contest\x1b[2J is over\n")
        peer.shutdown(socket.SHUT_WR)
        self.assertEqual(self.ended(bot, 3), "connect.py: the server refuses: late: the contest?[2J is over\n")


class Ends(ConnectTest):
    def refused(self, words):
        """What it says of them, in this process: to start another takes longer than the rest."""
        connect, said = module(), io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
        with contextlib.redirect_stderr(said), \
                unittest.mock.patch.object(connect, "Connector", side_effect=AssertionError(words)):
            self.assertEqual(connect.main([str(word) for word in words]), 2)
        return said.buffer.getvalue().decode()

    def test_bad_words_are_refused(self):
        secret, bot = self.secret_file(), ["python", "bot.py"]
        two = self.secret_file("two words", "two")
        self.secret_file(name="hidden.txt")
        given = ["--token-file", secret]
        for words, why in (
                ([], "Usage: python connect.py HOST:PORT"),
                (["arena", *given, *bot], "read 'arena', expected HOST:PORT, such as arena.example.org:7000"),
                (["arena:70000", *given, *bot], "read 'arena:70000', expected HOST:PORT"),
                (given, "expected HOST:PORT, the address of the server"),
                (["a:1", *bot], "expected --token-file FILE, the file with your token"),
                (["a:1", *bot, "--token-file", secret], "read --token-file after the bot's command, expected it before"),
                (["a:1", *given], "expected the bot's COMMAND at the end, such as: python nim_bot.py"),
                (["a:1", "--tlss", *given, *bot], "read '--tlss', expected --token-file FILE, --tls"),
                (["a:1", "--token-file"], "read --token-file without a value"),
                (["a:1", "--token-file", two, *bot], "expected one word, the token"),
                (["a:1", "--token-file", self.folder / "none", *bot], "No such file or directory; expected"),
                (["a:1", "--token-file", self.folder / "hidden", *bot], "hidden'.txt; expected the file with"),
                (["a:1", *given, "--ca", two, *bot], "--ca is for --tls alone: add --tls"),
                (["a:1", *given, "--tls", "--ca", two, *bot], "expected a PEM file"),
                (["a:1", *given, "--pin", "12", *bot], "--pin: read '12', expected 64 hexadecimal digits"),
                (["a:1", *given, "--pin", "0" * 64, "--ca", two, *bot], "read --pin and --ca, expected one")):
            with self.subTest(words=words):
                self.assertIn(why, self.refused(words))
        self.assertIn("HOST:PORT", self.ended(self.start(*CONNECT, "arena", *given, *bot), 2))
        err = self.ended(self.start(*CONNECT, "a:1", *given, "--", self.folder / "no bot"), 1)
        self.assertIn(f"cannot start '{self.folder}/no bot': found no program", err)
        self.assertIn("leave out the quotes around a command of several words", err)
        helped = subprocess.run([*CONNECT, "--help"], capture_output=True, timeout=PATIENCE, check=True,
                                env={**os.environ, "PYTHONIOENCODING": "ascii:strict"})
        self.assertIn(b"Exit status:", helped.stdout)

    def test_an_older_python_says_that_it_is_too_old(self):
        path = ROOT / "bots" / "connect.py"
        ast.parse(path.read_text(), feature_version=(3, 6))
        code = f"import runpy, sys; sys.version_info = (3, 8); runpy.run_path({str(path)!r}, run_name='__main__')"
        err = self.ended(self.start(sys.executable, "-c", code), 1)
        self.assertRegex(err, r"^connect.py: this is Python \S+, expected 3\.9 or later\n$")

    def test_gives_up_a_bot_that_never_shakes_hands(self):
        door, address = self.door()
        bot = self.connect(address, sys.executable, "-c", ENDS)
        for _ in range(3):
            self.accept(door)[0].close()
        err = self.ended(bot, 1)
        self.assertEqual(err.count("ended with exit status 7; trying again\n"), 1, err)
        self.assertIn("failed in its handshake 3 times in a row: start it by hand, and type ugi", err)

    def test_warns_about_a_file_that_others_may_read(self):
        path = self.secret_file()
        path.chmod(0o644)
        door, (host, port) = self.door()
        bot = self.start(*CONNECT, f"{host}:{port}", "--token-file", path, RANDOM)
        Lines(bot.stderr).until("others may read .*expected chmod 600")
        self.accept(door)
        bot.send_signal(signal.SIGTERM)
        self.assertEqual(bot.wait(PATIENCE), 143)

    def test_signals_end_it_and_the_bot(self):
        door, address = self.door()
        for numbers in ((signal.SIGINT,), (signal.SIGTERM,), (signal.SIGINT, signal.SIGTERM)):
            bot = self.connect(address, "sh", "-c", "echo $$ >&2; sleep 1000 & echo ugiok; wait")
            said = Lines(bot.stderr)
            pid = int(said.until(r"^(\d+)$")[1])
            _, file = self.accept(door)
            self.pass_handshake(file)
            for number in numbers:
                bot.send_signal(number)
            self.assertEqual(bot.wait(PATIENCE), 128 + numbers[0])
            self.assertEqual(self.wait_for_deaths([pid]), [])
            self.wait_until(lambda: not self.offspring())

    def test_signal_interrupts_dialling(self):
        door, address = self.door()
        bot = self.connect(address, "--tls", RANDOM)
        self.accept(door)
        bot.send_signal(signal.SIGTERM)
        self.assertEqual(self.ended(bot, 143), "", "the handshake had its time")


class Windows(ConnectTest):
    """Its branches for Windows, here: without what Windows lacks, and with what Windows does."""

    def setUp(self):
        super().setUp()
        self.home = self.folder / "Jürgen's Böts & more"
        self.home.mkdir()
        self.taskkill = self.home / "taskkill"  # as the system's: /F /T /PID N
        self.taskkill.write_text("#!/bin/sh\necho \"$@\" > \"$0.said\"\nkill -9 $4\n")
        self.taskkill.chmod(0o700)
        self.environment |= {"PYTHONIOENCODING": "cp1252:strict", "LANG": "C", "LC_ALL": "C",
                             "PATH": f"{self.home}:{os.environ['PATH']}"}

    def as_windows(self, address, *words, secret):
        token = self.home / "tökén.txt"
        token.write_bytes(secret)
        return self.start(sys.executable, "-B", "-c", AS_WINDOWS, "%s:%d" % address, "--token-file", token,
                          *words, cwd=self.home)

    def test_plays_a_match(self):
        secret = self.token("Ann")
        address = self.serve("--format", "round-robin", "--games", 2, "--player",
                             "cmd=builtin:random name=Łukasz", position="nim:1")
        bot = self.home / "my böt.py"  # no right to be run, and CR LF at the ends of its lines
        text = (ROOT / "bots" / "python" / "random_bot.py").read_text()
        head = "import sys\nsys.stdout.reconfigure(newline='\\r\\n')\n"
        bot.write_text(text.replace("\nimport ", "\n" + head + "import ", 1))
        # As `>` of a Windows shell writes it.
        process = self.as_windows(address, bot, secret=("\ufeff" + secret + "\r\n").encode("utf-16-le"))
        err = self.ended(process, 0)
        self.assertIn("connected as Ann", err)
        self.assertRegex(err, r"you (won|lost) against \\u0141ukasz: no moves were left", "cp1252 has no Ł")
        self.assertEqual(self.server.wait(PATIENCE), 0)
        self.assertEqual({reason for _, reason in self.games()}, {"no-moves"})

    def test_ends_a_bot_with_taskkill(self):
        door, address = self.door()
        code = "import time; print('ugiok', flush=True); time.sleep(1000)"
        process = self.as_windows(address, sys.executable, "-u", "-c", code, secret=b"\xef\xbb\xbfword\r\n")
        peer, file = self.accept(door)
        self.assertEqual([file.readline() for _ in "123"], [b"id token word\n", b"id notices on\n", b"ugiok\n"])
        peer.sendall(b"quit\n")
        self.ended(process, 0)
        self.assertRegex((self.home / "taskkill.said").read_text(), r"^/F /T /PID \d+\n$")

    def test_ctrl_c_ends_it_and_the_bot(self):
        door, address = self.door()
        code = "import os, time; print('ugiok', os.getpid(), flush=True); time.sleep(1000)"
        (self.home / "my böt.py").write_text(code)
        process = self.as_windows(address, "py", "my böt.py", secret=b"word")  # no `py` is installed
        _, file = self.accept(door)
        pid = int([file.readline() for _ in "123"][-1].split()[1])
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.ended(process, 130), "")
        self.assertEqual(self.wait_for_deaths([pid]), [])

    def test_a_token_may_be_as_its_programs_write_it(self):
        connect = module()
        for written in (b"word", b"word\r\n", b"\r\n word \r\n\r\n", "\ufeffword\r\n".encode(),
                        "\ufeffword\r\n".encode("utf-16-le"), "\ufeffword".encode("utf-16-be")):
            self.assertEqual(connect.read_token(str(self.secret_file(written))), "word", written)
        for wrong in (b"", b"\r\n", "wörd".encode("cp1252"), "word".encode("utf-16-le"), b"two words"):
            with self.assertRaisesRegex(connect.BadInput, "expected one word, the token"):
                connect.read_token(str(self.secret_file(wrong)))

    def test_python_is_the_one_that_runs_where_there_is_no_other(self):
        connect = module()
        for found in (None, "C:\\Users\\Ann\\AppData\\Local\\Microsoft\\WindowsApps\\python3.exe"):
            with unittest.mock.patch.object(connect.shutil, "which", lambda name: found):
                self.assertEqual(connect.runnable(["python3", "bot.py"]), [sys.executable, "bot.py"])
        with unittest.mock.patch.object(connect.shutil, "which", lambda name: "C:\\Python\\py.exe"):
            self.assertEqual(connect.runnable(["py", "bot.py"]), ["C:\\Python\\py.exe", "bot.py"])

    def test_a_program_is_found_without_its_ending(self):
        connect = module()
        program = self.home / "nim_bot.exe"
        program.touch()
        with unittest.mock.patch.object(connect, "WINDOWS", True):
            self.assertEqual(connect.runnable([str(self.home / "nim_bot"), "x"]), [str(program), "x"])

    def test_words_are_quoted_as_its_shell_does(self):
        connect = module()
        command = ["C:\\Program Files\\py\\python.exe", "my böt.py", "a\"b"]
        with unittest.mock.patch.object(connect, "WINDOWS", True):
            self.assertEqual(connect.shown(command), '"C:\\Program Files\\py\\python.exe" "my böt.py" a\\"b')
            self.assertEqual(connect.runnable([str(ROOT / "bots" / "connect.py"), "x"])[0], sys.executable)
            self.assertEqual(connect.bot_environment()["PYTHONUNBUFFERED"], "1")
            self.assertEqual(connect.ending(0xC0000005), "ended with exit status 0xc0000005")
            with unittest.mock.patch.object(connect.subprocess, "CREATE_NEW_PROCESS_GROUP", 512, create=True):
                self.assertEqual(connect.spawn_options(), {"creationflags": 512})

    def test_a_console_that_is_gone_or_narrow_is_no_failure(self):
        connect = module()
        for stream in (None, io.TextIOWrapper(io.BytesIO(), "cp1252", "strict"),
                       io.TextIOWrapper(io.BytesIO(), "ascii", "strict")):
            with contextlib.redirect_stderr(stream):
                connect.say("Łukasz ü")
        self.assertEqual(stream.buffer.getvalue(), b"connect.py: \\u0141ukasz \\xfc\n")


class Words(unittest.TestCase):
    """What a student reads: a line where something has changed."""

    def test_results_are_told_in_plain_words(self):
        for name in ("Ann", "Ann, Bob"):
            for awaited, whom in ((0, "a game"), (1, "an opponent"), (3, "3 more")):
                notice = {"event": "connected", "name": name, "awaited": awaited}
                self.assertEqual(module().Told().words(notice, 0), f"connected as {name}, waiting for {whom}")
        for opponent, result, reason, detail, words in (
                ("Bob", "won", "no-moves", {},
                 "you won against Bob: no moves were left (game 1.2); told so far: won 1, lost 0"),
                ("A: won (no-moves)", "lost", "illegal-move", {"detail": "p1 played 1=9"},
                 "you lost against A: won (no-moves): an illegal move: p1 played 1=9 (game 1.2); "
                 "told so far: won 0, lost 1"),
                ("Bob", "drawn", "repetition", {},
                 "you drew against Bob: repetition (game 1.2); told so far: won 0, lost 0, drew 1")):
            notice = {"event": "game", "game": "1.2", "opponent": opponent, "result": result, "reason": reason}
            self.assertEqual(module().Told().words({**notice, **detail}, 0), words)

    def test_the_score_at_the_end_is_that_of_the_server(self):
        for notices, words in (
                ([], "the contest is over"),
                ([{"event": "contest-over", "won": 0, "drawn": 0, "games": 0}], "the contest is over"),
                ([{"event": "contest-over", "won": 1, "drawn": 2, "games": 4}], "the contest is over: won 1 of 4, drew 2"),
                ([{"event": "contest-over", "won": 1, "drawn": 0, "games": 4, "interrupted": True}],
                 "the server has stopped before the end of the contest: won 1 of 4"),
                ([{"event": "game", "game": "1", "opponent": "Bob", "result": "lost", "reason": "timeout"},
                  {"event": "visit-over", "won": 0, "games": 2, "report": "http://arena/"}],
                 "the visit is over: won 0 of 2; its report is on http://arena/")):
            told = module().Told()
            for notice in notices:
                told.words(notice, 0)
            self.assertEqual(told.last_words(), words)

    def test_of_many_results_four_and_one_a_second_are_told_and_each_fault(self):
        told = module().Told()
        def words(now, result="won", reason="no-moves"):
            notice = {"event": "game", "game": "1", "opponent": "Bob", "result": result, "reason": reason}
            return told.words(notice, now) is not None
        self.assertEqual([words(now / 10) for now in range(40)],
                         4 * [True] + 6 * [False] + 3 * ([True] + 9 * [False]))
        self.assertTrue(words(3.9, "lost", "timeout"))
        self.assertEqual(told.so_far(), "won 40, lost 1")

    def test_a_server_that_is_away_for_an_hour_is_told_once(self):
        connect = module()
        options = unittest.mock.Mock(host="arena", port=1, context=None)
        away = [ConnectionRefusedError("refused"), OSError("no route")] * 80
        with unittest.mock.patch.multiple(connect, Wire=unittest.mock.Mock(side_effect=[
                *away, connect.Untrusted("another certificate")]), FIRST_PAUSE=0, LONGEST_PAUSE=0), \
                contextlib.redirect_stderr(io.StringIO()) as said:
            connector = connect.Connector(options)
            connector.run()
        self.assertEqual(connector.status, 3)
        self.assertEqual(said.getvalue().splitlines()[:3], [
            "connect.py: cannot connect to arena:1: refused; trying again",
            "connect.py: cannot connect to arena:1: no route; trying again",
            "connect.py: the TLS handshake failed: another certificate"])

    def test_a_connection_that_is_reset_at_once_is_dialled_again(self):
        connect, dial = module(), socket.create_connection
        door = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(door.close)
        address = door.getsockname()
        def dial_before_the_server_ends(*words):
            peer = dial(*words)
            door.close()
            select.select([peer], [], [], PATIENCE)  # until it is reset
            return peer
        options = unittest.mock.Mock(host=address[0], port=address[1], context=None)
        with unittest.mock.patch.object(socket, "create_connection", dial_before_the_server_ends), \
                contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertIsNone(connect.Connector(options).dial())
        self.assertRegex(said.getvalue(), "^connect.py: cannot connect to %s:%d: .*; trying again\n$" % address)

    def test_a_bot_may_end_its_reading_while_it_is_looked_at(self):
        connect = module()
        class ReadMeanwhile(connect.Session):
            looks = iter([time.monotonic() + PATIENCE])  # then None: the line has been read
            writing_since = property(lambda self: next(self.looks, None), lambda self, since: None)
        wire, bot = unittest.mock.Mock(), unittest.mock.Mock()
        with unittest.mock.patch.multiple(connect, STALLED=0, end_tree=lambda bot: None), \
                unittest.mock.patch.object(connect.subprocess, "Popen", lambda *words, **options: bot):
            session = ReadMeanwhile(wire, unittest.mock.Mock(command=[sys.executable]), connect.Told())
            wire.receive.side_effect = bot.stdout.readline.side_effect = \
                lambda *size: session.ended.wait(PATIENCE) and b""
            self.assertEqual(session.run(lambda: session.end("interrupted")), "interrupted")

    def refused(self, why):
        """By a server that refuses nine connections of a bot: the status, the pauses, and what is said."""
        connect = module()
        session = unittest.mock.Mock(why=why, was_admitted=True, bot_shook_hands=True)
        session.run.return_value = "refused"
        connector = connect.Connector(unittest.mock.Mock(command=["bot"]))
        connector.done = unittest.mock.Mock()
        with unittest.mock.patch.object(connector, "dial", side_effect=[session] * 9 + [3]), \
                unittest.mock.patch.object(connect.random, "uniform", max), \
                contextlib.redirect_stderr(io.StringIO()) as said:
            connector.run()
        return connector.status, [call.args[0] for call in connector.done.wait.call_args_list], said.getvalue()

    def test_pauses_grow_while_the_server_refuses(self):
        self.assertEqual(self.refused("full: come later"), (
            3, [0.5, 1, 2, 4, 8, 16, 30, 30, 30], "connect.py: the server refuses: full: come later; trying again\n"))

    def test_a_bot_without_an_end_of_its_handshake_is_given_up(self):
        self.assertEqual(self.refused("handshake: no 'readyok' came"), (
            1, [0.5, 1], "connect.py: the server refuses: handshake: no 'readyok' came; trying again\n"
                         "connect.py: bot failed in its handshake 3 times in a row: start it by hand, and type ugi\n"))

    def test_a_server_that_says_nothing_may_have_another_port(self):
        question = "is it the port of nim-arena serve, not of its pages?"
        for tls, more in ((False, " Or does it speak TLS? Then say --tls"), (True, "")):
            connect, said, has_told, is_closed = module(), [], threading.Event(), threading.Event()
            def say(text):
                said.append(text)
                has_told.set()
            wire, bot = unittest.mock.Mock(), unittest.mock.Mock()
            wire.receive.side_effect = lambda: has_told.wait(PATIENCE) and b""  # it ends once that is told
            bot.stdin.close.side_effect = is_closed.set
            bot.stdout.readline.side_effect = lambda size: is_closed.wait(PATIENCE) and b""
            options = unittest.mock.Mock(tls=tls, token="word", command=[sys.executable])
            with unittest.mock.patch.multiple(
                    connect, say=say, STALLED=0, FIRST_PAUSE=0, end_tree=lambda bot: None,
                    Wire=unittest.mock.Mock(side_effect=[wire, connect.Untrusted("")])), \
                    unittest.mock.patch.object(connect.subprocess, "Popen", lambda *words, **options: bot):
                connect.Connector(options).run()
            self.assertEqual(said[:2], [f"the server says nothing: {question}; waiting",
                                        f"the server closed the connection without a word: {question}{more}; trying again"])
