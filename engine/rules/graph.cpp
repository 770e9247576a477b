#include "engine/rules/graph.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "engine/base/mix.hpp"
#include "protocol/text.hpp"

namespace engine {

using protocol::Scanner;

namespace {

constexpr std::size_t kKeyBytes = 8;

// A name of up to 8 bytes itself; for a longer one a hash (FNV-1a). Names are ASCII, so that
// the top bit tells the two apart.
std::uint64_t key_of(std::string_view name) {
    std::uint64_t key = 0;
    if (name.size() <= kKeyBytes) {
        std::memcpy(&key, name.data(), name.size());
        return key;
    }
    key = 0xcbf29ce484222325;
    for (const char c : name) key = (key ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return key | std::uint64_t{1} << 63;
}

// Reads entries; between words it steps over what does not count in a file.
class GraphReader {
  public:
    enum class Source { Parameters, File };

    GraphReader(Scanner& scanner, Source source) : scanner_(scanner), source_(source) {}

    Result<WrittenGraph> read() {
        do {
            if (const auto entry = read_entry(); !entry) return entry.error();
        } while (accept(';'));
        if (!at_end()) return scanner_.refuse("';', '->' or the end of the graph");
        if (!add_read()) return scanner_.refuse(kFewer);
        graph_.set_edges(edges_);
        return WrittenGraph{std::move(graph_), std::move(edges_)};
    }

  private:
    static constexpr std::string_view kFewer = "at most 4294967294 vertices before";

    // Names are read some way ahead of being looked up, so that memory can be fetched
    // meanwhile.
    static constexpr std::size_t kReadAhead = 32;
    enum class Role { Source, Target };  // edges lead from the last source
    struct Read {
        Role role;
        std::string_view name;
    };

    // vertex [ "->" vertex *( "," vertex ) ]
    Result<void> read_entry() {
        const auto from = read_vertex(Role::Source, "a vertex: letters, digits and '_'");
        if (!from) return from.error();
        skip();
        if (!scanner_.accept('-')) return {};
        if (!scanner_.accept('>')) return scanner_.refuse("'>' after '-'");
        do {
            const auto to = read_vertex(Role::Target, "a vertex where the edge leads to");
            if (!to) return to.error();
        } while (accept(','));
        if (!at_end() && scanner_.peek() != ';')
            return scanner_.refuse("',', ';' or the end of the graph");
        return {};
    }

    Result<void> read_vertex(Role role, std::string_view expected) {
        skip();
        const std::string_view name = scanner_.take_while(protocol::is_vertex_char);
        if (name.empty()) return scanner_.refuse(expected);
        graph_.expect(name);
        read_.push_back({role, name});
        if (read_.size() == kReadAhead && !add_read()) return scanner_.refuse(kFewer);
        return {};
    }

    // Takes what has been read into the graph, in order. False: there are too many vertices.
    bool add_read() {
        for (const auto& [role, name] : read_) {
            const auto vertex = graph_.add_vertex(name);
            if (!vertex) return false;
            if (role == Role::Source) {
                from_ = *vertex;
            } else {
                edges_.push_back({from_, *vertex});
            }
        }
        read_.clear();
        return true;
    }

    bool accept(char wanted) {
        skip();
        return scanner_.accept(wanted);
    }

    bool at_end() {
        skip();
        return scanner_.at_end() || (source_ == Source::Parameters && scanner_.peek() == '}');
    }

    void skip() {
        if (source_ == Source::Parameters) return;
        for (;;) {
            scanner_.take_while(protocol::is_space);
            if (scanner_.peek() != '#') return;
            scanner_.take_while([](char c) { return c != '\n'; });
        }
    }

    Scanner& scanner_;
    Source source_;
    Digraph graph_;
    std::vector<Read> read_;
    Digraph::Index from_ = 0;
    std::vector<Digraph::Edge> edges_;
};

std::string vertices_text(const Digraph& graph) {
    constexpr Digraph::Index kMost = 8;
    std::string text;
    for (Digraph::Index i = 0; i < graph.vertex_count(); ++i) {
        if (i > 0) text += ", ";
        if (i == kMost) return text + "…";
        text += graph.name(i);
    }
    return text;
}

}  // namespace

// ---- the graph ----

std::string_view Digraph::name(Index vertex) const {
    const std::uint64_t begin = vertex == 0 ? 0 : name_ends_[vertex - 1];
    return std::string_view(names_).substr(begin, name_ends_[vertex] - begin);
}

std::size_t Digraph::slot_of(std::string_view name, std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = mix(key) & mask;; i = (i + 1) & mask) {
        const Slot& slot = slots_[i];
        if (slot.vertex == kFree) return i;
        if (slot.key != key) continue;
        if (name.size() <= kKeyBytes || this->name(slot.vertex) == name) return i;
    }
}

std::optional<Digraph::Index> Digraph::find(std::string_view name) const {
    if (slots_.empty()) return std::nullopt;
    const Index vertex = slots_[slot_of(name, key_of(name))].vertex;
    if (vertex == kFree) return std::nullopt;
    return vertex;
}

void Digraph::grow() {
    std::vector<Slot> old(std::max<std::size_t>(16, slots_.size() * 2));
    old.swap(slots_);
    for (const Slot& slot : old) {
        if (slot.vertex != kFree) slots_[slot_of(name(slot.vertex), slot.key)] = slot;
    }
}

void Digraph::expect(std::string_view name) const {
    if (slots_.empty()) return;
    __builtin_prefetch(&slots_[mix(key_of(name)) & (slots_.size() - 1)]);
}

std::optional<Digraph::Index> Digraph::add_vertex(std::string_view name) {
    if (vertex_count() * 2 >= slots_.size()) grow();
    const std::uint64_t key = key_of(name);
    Slot& slot = slots_[slot_of(name, key)];
    if (slot.vertex != kFree) return slot.vertex;
    if (vertex_count() == kFree - 1) return std::nullopt;
    slot = {key, static_cast<Index>(vertex_count())};
    names_ += name;
    name_ends_.push_back(names_.size());
    return slot.vertex;
}

void Digraph::set_edges(const std::vector<Edge>& edges) {
    // Counting sort by where an edge begins.
    std::vector<std::uint64_t> next(vertex_count() + 1);
    for (const Edge& edge : edges) ++next[edge.from + 1];
    for (std::size_t i = 0; i < vertex_count(); ++i) next[i + 1] += next[i];
    first_edge_ = next;
    targets_.resize(edges.size());
    for (const Edge& edge : edges) targets_[next[edge.from]++] = edge.to;

    // Each list sorted, and moved down over what repetitions left free.
    std::uint64_t kept = 0;
    std::uint64_t begin = 0;
    for (std::size_t i = 0; i < vertex_count(); ++i) {
        const auto at = [&](std::uint64_t edge) {
            return targets_.begin() + static_cast<std::ptrdiff_t>(edge);
        };
        const std::uint64_t end = first_edge_[i + 1];
        std::sort(at(begin), at(end));
        const auto kept_end = std::unique_copy(at(begin), at(end), at(kept));
        kept = static_cast<std::uint64_t>(kept_end - targets_.begin());
        begin = end;
        first_edge_[i + 1] = kept;
    }
    targets_.resize(kept);
    targets_.shrink_to_fit();
    names_.shrink_to_fit();
    name_ends_.shrink_to_fit();
}

// Takes away vertices to which no edge leads, again and again (Kahn): a cycle is what stays.
bool Digraph::has_cycle() const {
    std::vector<Index> edges_into(vertex_count());
    for (const Index target : targets_) ++edges_into[target];
    std::vector<Index> free;
    for (Index i = 0; i < vertex_count(); ++i) {
        if (edges_into[i] == 0) free.push_back(i);
    }
    std::size_t taken = 0;
    while (!free.empty()) {
        const Index vertex = free.back();
        free.pop_back();
        ++taken;
        for (const Index target : targets(vertex)) {
            if (--edges_into[target] == 0) free.push_back(target);
        }
    }
    return taken < vertex_count();
}

std::size_t Digraph::bytes() const {
    return sizeof *this + names_.capacity() + name_ends_.capacity() * sizeof(std::uint64_t) +
           slots_.capacity() * sizeof(Slot) + first_edge_.capacity() * sizeof(std::uint64_t) +
           targets_.capacity() * sizeof(Index);
}

// ---- its text ----

Result<WrittenGraph> load_graph(const std::string& path) {
    const auto refuse = [&](const std::string& why) {
        return Error{Fault::BadInput,
                     "cannot read the graph file " + protocol::quoted(path) + ": " + why};
    };
    std::error_code failed;
    const auto kind = std::filesystem::status(path, failed);
    if (failed && !std::filesystem::exists(kind)) return refuse(failed.message());
    // A device or a pipe might never end.
    if (!std::filesystem::is_regular_file(kind)) return refuse("it is not a regular file");
    const std::uintmax_t size = std::filesystem::file_size(path, failed);
    std::ifstream file(path, std::ios::binary);
    if (failed || !file.is_open()) return refuse(std::strerror(errno));
    std::string text(size, '\0');
    file.read(text.data(), static_cast<std::streamsize>(size));
    text.resize(static_cast<std::size_t>(file.gcount()));

    Scanner scanner(text);
    auto read = GraphReader(scanner, GraphReader::Source::File).read();
    if (read) return read;
    const auto before = std::string_view(text).substr(0, read.error().column - 1);
    const auto line = 1 + std::ranges::count(before, '\n');
    return Error{Fault::BadInput, "graph file " + protocol::quoted(path) + ", line " +
                                      std::to_string(line) + ": " + read.error().text};
}

namespace {

std::atomic<bool> graph_files_allowed = false;

// "@FILE", up to the '}'.
Result<WrittenGraph> read_graph_file(Scanner& scanner) {
    const std::size_t at = scanner.at();
    scanner.advance();
    const std::string path(scanner.take_while([](char c) { return c != '}'; }));
    if (!graph_files_allowed) {
        return Scanner::refuse_word(
            at, "@" + path,
            "a graph written out: only nim-engine reads one from a file, and not for a peer");
    }
    if (path.empty()) return scanner.refuse("the name of a file");
    auto graph = load_graph(path);
    if (!graph) return Error{graph.error().fault, graph.error().text, at + 1};
    return graph;
}

}  // namespace

void allow_graph_files() { graph_files_allowed = true; }

Result<WrittenGraph> read_written_graph(Scanner& scanner) {
    if (scanner.peek() == '@') return read_graph_file(scanner);
    return GraphReader(scanner, GraphReader::Source::Parameters).read();
}

Result<Digraph> read_graph(Scanner& scanner) {
    auto read = read_written_graph(scanner);
    if (!read) return read.error();
    return std::move(read->graph);
}

// ---- the ruleset ----

Result<void> Graph::check_heap(const Heap& heap) const {
    const auto* vertex = std::get_if<Vertex>(&heap);
    if (vertex != nullptr && graph_.find(vertex->name)) return {};
    return refuse_heap(heap, "a vertex of the graph: " + vertices_text(graph_));
}

bool Graph::has_move(const Heap& heap) const { return follower_count(heap) > 0; }

bool Graph::is_follower(const Heap& heap, std::span<const Heap> result) const {
    if (result.size() != 1) return false;
    const auto* to = std::get_if<Vertex>(&result.front());
    const auto target = to == nullptr ? std::nullopt : graph_.find(to->name);
    const auto from = graph_.find(std::get<Vertex>(heap).name);
    return target && std::ranges::binary_search(graph_.targets(*from), *target);
}

Count Graph::follower_count(const Heap& heap) const {
    return graph_.targets(*graph_.find(std::get<Vertex>(heap).name)).size();
}

std::vector<Heap> Graph::follower(const Heap& heap, Count index) const {
    const auto targets = graph_.targets(*graph_.find(std::get<Vertex>(heap).name));
    return {Heap(Vertex{std::string(graph_.name(targets[index]))})};
}

}  // namespace engine
