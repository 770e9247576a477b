"""Arrows between the rooms run one way, and no name means two things.

The drawing is what CMake says: each room `USES` rooms below it. CMake itself does not hold sources
to that, since all includes start at the root of the repository."""
import collections, os, re, unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
# The targets outside of rooms: two folders that are one room each, and sources next to the rooms.
WHOLE = {"protocol": {"protocol", "protocol_bot", "manual"}, "bots": {"bots", "nim-greedy", "nim-random"}}
MAINS = {"engine": {"nim-engine"}, "arena": {"nim-arena"}}


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def drawn_arrows():
    """Each room with the rooms right below it, as the CMakeLists.txt of the four folders say."""
    said = "\n".join(re.sub(r"#.*", "", read(f"{folder}/CMakeLists.txt"))
                     for folder in ("protocol", "engine", "arena", "bots"))
    arrows = {room: set() for room in (*WHOLE, *MAINS)}
    room_of_target = {target: room for rooms in (WHOLE, MAINS)
                      for room, targets in rooms.items() for target in targets}
    for room, rest in re.findall(r"\badd_room\(\s*(\S+)([^)]*)\)", said):
        uses = re.search(r"\bUSES\b(.*?)(?:\bLIBRARIES\b|\bFOLDERS\b|$)", rest, re.S)
        arrows[room] = set(uses[1].split()) if uses else set()
        room_of_target[room.replace("/", "_")] = room
    for target, rest in re.findall(r"\btarget_link_libraries\(\s*(\S+)([^)]*)\)", said):
        arrows[room_of_target[target]] |= {word for word in rest.split()
                                           if word in room_of_target or word in arrows}
    return {room: {room_of_target.get(name, name) for name in names} - {room}
            for room, names in arrows.items()}


def below(arrows, room):
    """All that `room` may include: what is below it, near and far."""
    found, todo = set(), [room]
    while todo:
        for next_room in arrows[todo.pop()]:
            if next_room not in found:
                found.add(next_room)
                todo.append(next_room)
    return found


def room_of(path):
    """engine/rules/formula/plan.hpp is in the room engine/rules, engine/main.cpp in engine."""
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] in MAINS and len(parts) > 2 else parts[0]


def sources():
    """Each source and header, with its text."""
    return {path: read(path)
            for top in (*WHOLE, *MAINS) for folder, _, names in os.walk(os.path.join(ROOT, top))
            for path in (os.path.relpath(os.path.join(folder, name), ROOT) for name in names)
            if path.endswith((".cpp", ".hpp"))}


def wrong_includes(arrows, text_of):
    allowed = {room: below(arrows, room) | {room} for room in arrows}
    for path in sorted(text_of):
        for header in re.findall(r'^#include "([^"]+)"', text_of[path], re.M):
            if room_of(header) not in allowed[room_of(path)]:
                yield f"{path} includes {header}"


NOT_CODE = re.compile(r"""
    //[^\n]* | /\*.*?\*/ | R"(?P<end>[^(]*)\(.*?\)(?P=end)" | "(?:\\.|[^"\\\n])*"
    | (?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'""", re.S | re.X)
STRUCTURE = re.compile(r"""
    \b(?:inline\s+)?namespace\b(?P<namespace>[\s\w:]*)\{
    | \b(?:class|struct|union|enum(?:\s+class|\s+struct)?)\s+(?P<type>\w+)(?:\s+final)?
      (?:\s*:(?!:)[^;{}()]*)?\s*\{
    | (?P<open>\{) | (?P<close>\})""", re.X)


def types_of(text):
    """The full names of the types that `text` defines in namespaces that have a name."""
    scopes, found = [], []
    for word in STRUCTURE.finditer(NOT_CODE.sub(" ", text)):
        if word["close"]:
            scopes.pop()
        elif word["namespace"] is not None:
            scopes.append(word["namespace"].strip())
        else:
            if word["type"] and all(scopes):
                found.append("::".join((*scopes, word["type"])))
            scopes.append("")  # not a named scope
    return found


def types_twice(text_of):
    where = collections.defaultdict(set)
    for path, text in text_of.items():
        for name in types_of(text):
            where[name].add(path)
    return sorted(f"{name}: {', '.join(sorted(paths))}"
                  for name, paths in where.items() if len(paths) > 1)


class House(unittest.TestCase):
    maxDiff = None

    def test_arrows_have_no_circle(self):
        arrows = drawn_arrows()
        self.assertGreater(len(arrows), 15)
        for room in arrows:
            self.assertNotIn(room, below(arrows, room))

    def test_each_folder_is_a_room(self):
        self.assertEqual({room_of(path) for path in sources()}, set(drawn_arrows()))

    def test_includes_follow_the_arrows(self):
        self.assertEqual([], list(wrong_includes(drawn_arrows(), sources())))

    def test_no_type_is_defined_twice(self):
        """Two types of one name in one namespace are undefined behaviour, which no linker reports."""
        self.assertEqual([], types_twice(sources()))

    def test_finds_what_is_wrong(self):
        arrows = {"protocol": set(), "engine/base": {"protocol"}, "engine": {"engine/base"}}
        text_of = {"engine/base/a.hpp": '#include "protocol/b.hpp"\n#include "engine/main.hpp"\n',
                   "protocol/c.cpp": '#include <vector>\n#include "engine/base/a.hpp"\n',
                   "engine/main.cpp": '#include "protocol/b.hpp"\n'}
        self.assertEqual(["engine/base/a.hpp includes engine/main.hpp",
                          "protocol/c.cpp includes engine/base/a.hpp"],
                         list(wrong_includes(arrows, text_of)))

    def test_finds_types(self):
        text = '''namespace a::b {
struct Forward;
class Key final : public Base<int> { struct Inner {}; };  // struct Comment {
struct Forward::Inner : Key {};
namespace { struct Hidden {}; }
enum class Kind : char { kOne = '{', kMany = 1'000 };
const char* text = "struct Text {";
void f() { struct Local {}; }
template <> struct hash<Key> {};
}
struct Outside {};'''
        self.assertEqual(["a::b::Key", "a::b::Kind", "Outside"], types_of(text))
        self.assertEqual(["a::b::Key: one.hpp, two.hpp"],
                         types_twice({"one.hpp": text.split("enum")[0] + "}",
                                      "two.hpp": "namespace a::b { class Key {}; }"}))
