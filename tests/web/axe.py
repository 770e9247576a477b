"""axe-core, which finds barriers for people with disabilities. It comes from npm, at the version that
package-lock.json names, into the build folder; nothing of it is part of Nimarena."""
import fcntl
import functools
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent

# Calls back with a line for each violated rule and the first nodes that violate it. Given the names of
# rules, or null for all.
AXE_RUN = """
const [rules, done] = arguments;
const options = {resultTypes: ["violations"], preload: false, ...(rules ? {runOnly: rules} : {})};
const told = (rule) => `${rule.id} (${rule.nodes.length}): ` + rule.nodes.slice(0, 3).map((node) =>
  `${node.target.join(" ")}: ${node.failureSummary.replace(/\\s+/g, " ")}`).join("; ");
axe.run(options).then((found) => found.violations.map(told), (error) => [`axe-core fails: ${error}`])
  .then(done);
"""


def fetch(folder):
    """Installs axe-core in `folder`, once for all concurrent tests. Returns the error, if any."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        ours = (HERE / "package-lock.json").read_bytes()
        there = folder / "package-lock.json"
        if (folder / "node_modules" / "axe-core" / "axe.min.js").exists() and \
                there.exists() and there.read_bytes() == ours:
            return None
        npm = shutil.which("npm")
        if npm is None:
            return "npm is not installed"
        for name in ("package.json", "package-lock.json"):
            shutil.copy(HERE / name, folder / name)
        done = subprocess.run([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
                              cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=300)
        return None if done.returncode == 0 else done.stdout.decode(errors="replace").strip()


@functools.lru_cache
def axe_source():
    """The script; None if npm cannot fetch it, which is an error in CI."""
    from browser import FOLDER
    folder = FOLDER / "axe"
    trouble = fetch(folder)
    if trouble is None:
        return (folder / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    if os.environ.get("CI"):
        raise AssertionError(f"axe-core cannot be fetched from npm: {trouble}")
    print(f"axe-core cannot be fetched from npm, so accessibility is not checked: {trouble}",
          file=sys.stderr)
    return None
