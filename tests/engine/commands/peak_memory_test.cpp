// The memory of nim-engine, as the system counts it, stays within the option Hash plus the
// allowance of engine/doc/limits.md (Memory).
#include "tests/harness/child_process.hpp"

namespace engine::test::peak_memory_test {

constexpr std::size_t kHash = 16;         // MB
constexpr std::size_t kBeside = 64;       // MB, as engine/doc/limits.md says
constexpr std::size_t kBytesAHeap = 400;  // the same
constexpr std::size_t kRulesets = 64 << 20;
constexpr std::size_t kBytesAByte = 250;  // of a ruleset's text
constexpr std::size_t kBytesAByteOfOctal = 160;
constexpr std::size_t kMaxLine = 1 << 20;  // of the protocol

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kSanitized = false;
#endif

// The engine in a process of its own, with a small Hash.
class Engine {
  public:
    Engine() : process_({NIM_ENGINE}) {
        write("setoption name Hash value " + std::to_string(kHash));
        write("setoption name QueryTime value 200");
    }

    void write(const std::string& line) const { process_.write(line + '\n'); }

    // The next line that answers; empty at the end.
    std::string answer() {
        while (auto line = process_.read_line()) {
            if (line->starts_with("response") || line->starts_with("bestmove") ||
                line->find("error") != line->npos) {
                return *std::move(line);
            }
        }
        return {};
    }

    // Its peak memory in bytes.
    std::size_t peak() const {
        std::ifstream status("/proc/" + std::to_string(process_.pid()) + "/status");
        for (std::string word; status >> word;) {
            std::size_t kilobytes = 0;
            if (word == "VmHWM:" && status >> kilobytes) return kilobytes * 1024;
        }
        return 0;
    }

  private:
    protocol::test::ChildProcess process_;
};

// The allowance of engine/doc/limits.md.
std::size_t allowed(std::size_t heaps) {
    return ((kHash + kBeside) << 20) + heaps * kBytesAHeap;
}

// Lets tables grow for some time, and expects the peak to be in bounds.
void expect_bounded(const std::string& position, std::size_t heaps) {
    SCOPED_TRACE(position.substr(0, 80));
    Engine engine;
    engine.write("position fen " + position);
    engine.write("query outcome");
    EXPECT_TRUE(engine.answer().starts_with("response"));
    engine.write("setoption name Losing value trap");
    engine.write("go movetime 100");
    EXPECT_TRUE(engine.answer().starts_with("bestmove"));
    const std::size_t peak = engine.peak();
    EXPECT_GT(peak, 0u);
    EXPECT_LE(peak, allowed(heaps));
}

class PeakMemory : public ::testing::Test {
  protected:
    void SetUp() override {
        if (kSanitized)
            GTEST_SKIP() << "the sanitizer holds memory of its own beside the engine's";
    }
};

TEST_F(PeakMemory, IsHashAndAConstantWhereTablesGrow) {
    std::string ring = "graph{";
    for (int i = 0; i < 12000; ++i) {
        ring += 'v' + std::to_string(i) + "->v" + std::to_string((i + 1) % 12000) + ",v" +
                std::to_string(i * 7 % 12000) + ",v" + std::to_string(i * 13 % 12000) + ';';
    }
    ring.back() = '}';
    for (const std::string& position : {
             std::string("grundy:9000000"),
             std::string("grundy:9000000,8999999 misere"),
             std::string("take{3,5,1000000}:5000000000000"),
             std::string("hex{8.F}:30000"),
             std::string("wythoff:(21000,21800)"),
             std::string("wythoff:(900,901) misere"),
             std::string("cookie:(50,49,48,47,46,45,44,43,42,41,40)"),
             std::string("dawson-kayles:60,50,40 misere"),
             std::string("officers:30,29,28,27,26 misere"),
             std::string("rules{n->n-k:k>=1&n%k=0}:4000000"),
             std::string("rules{n->n+1;n->n-1}:5"),
             std::string("rules{(a,b)->(a-x,b-y):x+y>0}:(1500,1500)"),
             std::string("rules{(a,b,c,d)->(a-k,b,c,d):k>0;(a,b,c,d)->(b,c,d,a-1);"
                         "(a,b,c,d)->(a+1,b-1,c,d)}:(9,9,9,9) misere"),
             ring + ":v1,v5+nim:3",
             ring + ":v1,v5+nim:3 misere",
         }) {
        expect_bounded(position, 0);
    }
}

TEST_F(PeakMemory, IsNoMoreWhereADrawHasVeryManyMoves) {
    Engine engine;
    engine.write("setoption name Losing value trap");
    engine.write("position fen graph{a->a}:a+nim:9223372036854775807");
    engine.write("go movetime 1000");
    EXPECT_TRUE(engine.answer().starts_with("bestmove"));
    EXPECT_LE(engine.peak(), allowed(2));
}

// "(FIRST,FIRST+1,...)" of so many entries.
std::string long_tuple(std::size_t entries, std::size_t first) {
    std::string text = "(" + std::to_string(first);
    for (std::size_t i = 1; i < entries; ++i) {
        text += ',';
        text += std::to_string(first + i);
    }
    return text + ')';
}

TEST_F(PeakMemory, IsNoMoreWhereMovesAreLong) {
    for (const std::size_t entries : {20000, 100000}) {
        SCOPED_TRACE(entries);
        Engine engine;
        engine.write("setoption name Losing value trap");
        engine.write("setoption name QueryTime value 500");
        // The outcome of each is known at once, so all moves stay possible.
        engine.write("position fen cookie:" + long_tuple(entries, 100000));
        for (const char* question : {"query bestmoves", "query legalmoves"}) {
            engine.write(question);
            EXPECT_TRUE(engine.answer().starts_with("response")) << question;
        }
        engine.write("go movetime 100");
        EXPECT_TRUE(engine.answer().starts_with("bestmove"));
        EXPECT_LE(engine.peak(), allowed(1));
    }
    Engine engine;
    std::string many = "a";
    for (int i = 1; i < 2000; ++i) many += ",a";
    engine.write("position fen graph{a->" + std::string(500000, 'v') + "}:" + many);
    engine.write("query legalmoves");
    EXPECT_TRUE(engine.answer().starts_with("response"));
    engine.write("setoption name Losing value trap");
    engine.write("go movetime 100");
    EXPECT_TRUE(engine.answer().starts_with("bestmove"));
    EXPECT_LE(engine.peak(), allowed(2000) + kMaxLine * kBytesAByte);
}

TEST_F(PeakMemory, IsNoMoreHoweverManyRulesetsThereWere) {
    Engine engine;
    for (std::size_t i = 1; i <= 25; ++i) {
        engine.write("position fen octal{." + std::string(kMaxLine - 100 - i, '7') + "}:5000");
        engine.write("go movetime 1");
        ASSERT_TRUE(engine.answer().starts_with("bestmove"));
    }
    EXPECT_LE(engine.peak(), allowed(1) + kRulesets + kMaxLine * kBytesAByteOfOctal);
}

TEST_F(PeakMemory, IsNoMoreUnderMisereWhereTuplesAreLong) {
    Engine engine;
    engine.write("position fen cookie:" + long_tuple(3000, 1) + " misere");
    engine.write("go movetime 1500");
    EXPECT_TRUE(engine.answer().starts_with("bestmove"));
    EXPECT_LE(engine.peak(), allowed(1));
}

// As many as a line holds.
TEST_F(PeakMemory, TakesABoundedNumberOfBytesForEachHeap) {
    const auto sum_of = [](const std::string& ruleset, const std::string& heap,
                           const std::string& joint, const std::string& end) {
        const std::string room = "position fen " + ruleset + end;
        const std::size_t heaps = (kMaxLine - room.size()) / (heap.size() + joint.size());
        std::string text = ruleset + heap;
        for (std::size_t i = 1; i < heaps; ++i) text += joint + heap;
        expect_bounded(text + end, heaps);
    };
    sum_of("lasker:", "1", ",", " misere");
    sum_of("nim:", "(w)", ",", "");
    sum_of("", "nim:1", "+", " misere");
}

}  // namespace engine::test::peak_memory_test
