"""nim-engine's certificates pass the independent checker, and falsified ones do not."""
import json, os, subprocess, sys, tempfile, unittest

from check_period import check, mex, options, read_rules

ENGINE = os.path.join(os.environ["NIMARENA_BIN"], "nim-engine")


def certificate(ruleset):
    with tempfile.NamedTemporaryFile() as file:
        subprocess.run([ENGINE, "period", ruleset, "--certificate", file.name], check=True,
                       stdout=subprocess.DEVNULL)
        return json.load(file)


class Certificates(unittest.TestCase):
    def test_subtraction_sets(self):
        for ruleset in ("take{1,3,4}", "take{2,4,7}", "take{1,9,10}", "take{1-3}", "take{2,9}",
                        "take{5}", "take{1-3,7-9}", "take{4,10,14}", "take{3,5,8,21}"):
            self.assertIsNone(check(certificate(ruleset)), ruleset)

    def test_all_but_sets(self):
        for ruleset in ("take{!2,3,5,7}", "take{!1,2,5,6,7}", "take{!4}", "take{3-}", "nim",
                        "take{!1,2}", "take{!1,4,9}"):
            self.assertIsNone(check(certificate(ruleset)), ruleset)

    def test_octal_codes(self):
        for ruleset in ("kayles", "dawson-kayles", "dawson-chess", "octal{0.35}", "octal{0.15}",
                        "octal{4.7}", "octal{0.26}", "octal{0.3}", "hex{0.77}"):
            self.assertIsNone(check(certificate(ruleset)), ruleset)

    def test_zeros_at_the_end_of_a_code(self):
        for ruleset in ("octal{4.0}", "hex{4.0}", "octal{0.770}"):
            true = certificate(ruleset)
            self.assertIsNone(check(true), ruleset)
            false = true | {"heaps": true["heaps"] - 1}
            self.assertEqual(check(false | {"hash": hash_of(false)}), "the bound is too small")

    def test_falsified(self):
        for ruleset, changes in (
                ("kayles", ({"preperiod": 70}, {"period": 11}, {"heaps": 167}, {"saltus": 1},
                            {"rules": "octal{0.07}"}, {"theorem": "window"})),
                ("take{2,4,7}", ({"preperiod": 7}, {"period": 4}, {"saltus": 1}, {"heaps": 17},
                                 {"heaps": 9}, {"hash": "fnv1a64:0123456789abcdef"},
                                 {"rules": "take{2,4,8}"}, {"theorem": "state"},
                                 {"theorem": "octal"}, {"period": 0}, {"preperiod": -1})),
                ("take{!2,3,5,7}", ({"preperiod": 1}, {"saltus": 2}, {"theorem": "window"}))):
            true = certificate(ruleset)
            for change in changes:
                false = true | change
                self.assertIsNotNone(check(false), change)
                if "heaps" in change:  # with the hash of these heaps: too few for the theorem
                    self.assertIsNotNone(check(false | {"hash": hash_of(false)}), change)

    def test_program(self):
        with tempfile.NamedTemporaryFile("w") as file:
            for change, status in (({}, 0), ({"period": 2}, 1)):
                file.seek(0)
                file.truncate()
                json.dump(certificate("take{1,3,4}") | change, file)
                file.flush()
                program = os.path.join(os.path.dirname(__file__), "check_period.py")
                run = subprocess.run([sys.executable, program, file.name], capture_output=True)
                self.assertEqual(run.returncode, status, run)

    def test_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "certificate")
            for ruleset in ("take{1-1000000000000}", "take{3,5,1000000000000}"):
                run = subprocess.run([ENGINE, "period", ruleset, "--limit", "1000",
                                      "--certificate", path], capture_output=True)
                self.assertEqual(run.returncode, 1, run)
                self.assertIn(b"no certificate: ", run.stderr)
                self.assertFalse(os.path.exists(path))


def hash_of(c):
    G, fnv = [], 14695981039346656037
    for n in range(c["heaps"]):
        G.append(mex(options(n, G, *read_rules(c["rules"]))))
        for byte in G[n].to_bytes(8, "little"):
            fnv = (fnv ^ byte) * 1099511628211 % 2**64
    return f"fnv1a64:{fnv:016x}"
