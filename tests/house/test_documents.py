"""The documents: links lead somewhere, sources that they name exist, a README is one page."""
import os, re, unittest

from test_house import ROOT, read


def documents():
    """Every Markdown file of the project, by its path from the root."""
    for top in (".", "protocol", "engine", "arena", "bots", "tests"):
        for folder, folders, names in os.walk(os.path.join(ROOT, top)):
            folders[:] = [] if top == "." else [name for name in folders if name != "node_modules"]
            yield from (os.path.relpath(os.path.join(folder, name), ROOT)
                        for name in names if name.endswith(".md"))


def prose(text):
    """`text` without code, in which nothing is a link."""
    return re.sub(r"`[^`\n]*`", "code", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))


def anchors(text):
    """What GitHub makes of the headings."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-")
            for heading in re.findall(r"^#+ (.*)$", text, re.M)}


def broken_links(document, text, read_file):
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(text)):
        if link.startswith(("http://", "https://")):
            continue
        path, _, anchor = link.partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(document), path)) if path else document
        found = read_file(target)
        if found is None or anchor and anchor not in anchors(found):
            yield f"{document}: {link}"


def missing_files(document, text, exists):
    """Sources that `text` names with their folder, from the document's folder or the root, and that
    are not there. NAME stands for any."""
    folder = os.path.dirname(document)
    for path in re.findall(r"`([\w.-]+/[\w./-]+\.(?:cpp|hpp|py|sh|md))`", text):
        places = (path, os.path.join(folder, path), os.path.join(folder, "..", path))
        if "NAME" not in path and not any(map(exists, places)):
            yield f"{document}: {path}"


def read_if_there(path):
    if not os.path.exists(os.path.join(ROOT, path)):
        return None
    return read(path) if path.endswith(".md") else ""


class Documents(unittest.TestCase):
    maxDiff = None

    def test_links_lead_somewhere(self):
        found = sorted(documents())
        self.assertGreater(len(found), 15)
        self.assertEqual([], [link for document in found
                              for link in broken_links(document, read(document), read_if_there)])

    def test_files_are_there(self):
        self.assertEqual([], [path for document in documents()
                              for path in missing_files(document, read(document), lambda path:
                                                        os.path.exists(os.path.join(ROOT, path)))])

    def test_a_readme_is_one_page(self):
        for document in documents():
            if os.path.basename(document) != "README.md":
                continue
            lines = read(document).splitlines()
            self.assertLessEqual(len(lines), 120, document)
            wide = [line for line in prose("\n".join(lines)).splitlines() if len(line) > 100]
            self.assertEqual([], [line for line in wide if not line.startswith("|")], document)

    def test_finds_broken_links(self):
        text = "## One thing: `x`\n[a](#one-thing-x) [b](#two) [c](b.md#two) [d](b.md) `[e](f)`\n"
        files = {"doc/a.md": text, "doc/b.md": "```\n## two\n```\n# Three\n"}
        self.assertEqual(["doc/a.md: #two", "doc/a.md: b.md#two"],
                         list(broken_links("doc/a.md", text, files.get)))
        self.assertEqual(["doc/a.md: c.md"],
                         list(broken_links("doc/a.md", "[a](c.md)", files.get)))

    def test_finds_missing_files(self):
        text = "`a.cpp` `rules/b.cpp` `engine/rules/b.cpp` `engine/c.hpp` `rules/…_d.cpp`"
        self.assertEqual(["engine/README.md: engine/c.hpp"],
                         list(missing_files("engine/README.md", text,
                                            {"engine/rules/b.cpp"}.__contains__)))
