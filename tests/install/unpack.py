"""Builds the packages of a build tree and unpacks them into an empty root.

unpack.py CPACK BUILD FOLDER: FOLDER gets the packages, and FOLDER/root what is in them.
"""
import pathlib
import shutil
import subprocess
import sys

cpack, build, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
shutil.rmtree(folder, ignore_errors=True)
(folder / "root").mkdir(parents=True)
subprocess.run([cpack, "-G", "DEB", "-B", folder], cwd=build, check=True)
packages = sorted(folder.glob("*.deb"))
assert len(packages) == 2, packages
for package in packages:
    subprocess.run(["dpkg-deb", "-x", package, folder / "root"], check=True)
