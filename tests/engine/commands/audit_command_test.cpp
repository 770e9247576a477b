#include <boost/json.hpp>

#include "tests/engine/commands/printed.hpp"

namespace engine::test::audit_command_test {

using namespace testing;

// The audit of kayles 0-9 against a file with this text.
Printed against(const std::string& text, std::vector<std::string> more = {}) {
    const std::string path = ::testing::TempDir() + "audit.txt";
    std::ofstream(path) << text;
    more.insert(more.end(), {"kayles", "0-9", "--against", path});
    return printed(kAudit, more);
}

TEST(Audit, FindsTheLawsAndTheirProofs) {
    const Printed kayles = printed(kAudit, {"kayles", "0-199"});
    EXPECT_EQ(kayles.status, 0);
    EXPECT_THAT(kayles.out, AllOf(StartsWith("kayles: periodic, period 12, from heap 71 on\n"),
                                  HasSubstr("proven: the octal periodicity theorem"),
                                  HasSubstr("\n\nkayles, heaps 0 to 64\n"),
                                  EndsWith("looks for that of more heaps than 0 to 64\n")));
    EXPECT_THAT(printed(kAudit, {"rims", "0-20"}).out, HasSubstr("proven: by a formula"));
    const Printed short_range = printed(kAudit, {"kayles", "0-20"});
    EXPECT_THAT(short_range.out, StartsWith("kayles: no law known from the first 21 heaps\n"));
    EXPECT_THAT(printed(kAudit, {"guiles", "0-99"}).out, StartsWith("octal{0.15}: periodic"));
}

TEST(Audit, TakesHeapsBeyondThoseWhoseLawIsSought) {
    const Printed kayles = printed(kAudit, {"kayles", "4294967296-4294967300"});
    EXPECT_EQ(kayles.status, 0);
    EXPECT_THAT(kayles.out, StartsWith("kayles: periodic, period 12, from heap 71 on\n"));
}

TEST(Audit, SaysWhereAFileDiffers) {
    const Printed same = against("0 1 2 3 1\n4, 3, 2, 1, 4\n");
    EXPECT_EQ(same.status, 0);
    EXPECT_THAT(same.out, StartsWith("file: 10 heaps compared, all the same\nkayles: "));
    const Printed other = against("0 1 2 3 1 4 0 2 1 0");
    EXPECT_EQ(other.status, 1);
    EXPECT_THAT(other.out, StartsWith("file: 10 heaps compared, 2 differ, first G(6) = 3, the "
                                      "file says 0\nkayles: "));
    const Printed part = against("0 1 2");
    EXPECT_EQ(part.status, 1);
    EXPECT_THAT(part.out, StartsWith("file: 3 heaps compared, all the same\n"
                                     "file: from heap 3 on not compared: it ends there\n"));
}

TEST(Audit, PrintsOneObjectForPrograms) {
    const std::string line = printed(kAudit, {"kayles", "0-199", "--json"}).out;
    EXPECT_EQ(line.find('\n'), line.size() - 1) << line;
    const auto alone = boost::json::parse(line);
    EXPECT_TRUE(alone.at("against").is_null());
    EXPECT_EQ(alone.at("period").at("period"), 12);
    EXPECT_EQ(alone.at("quotient").at("heaps"), 64);
    const auto other = boost::json::parse(against("0 1 2 3 1 4 0 2 1 0", {"--json"}).out);
    EXPECT_EQ(boost::json::serialize(other.at("against")),
              R"({"compared":10,"differing":2,"first":6,"whole":true})");
    const auto loopy =
        boost::json::parse(printed(kAudit, {"rules{n->n-1;n->n+1:n<3}", "0-9", "--json"}).out);
    EXPECT_TRUE(loopy.at("quotient").is_null());
}

TEST(Audit, RefusesWhatItCannotRead) {
    EXPECT_THAT(against("0 1\n2 x").errors,
                HasSubstr("audit.txt', line 2: read 'x', expected numbers"));
    EXPECT_THAT(against("").errors,
                HasSubstr("audit.txt', line 1: read the end, expected numbers"));
    for (const std::string path : {"/no/such", "/tmp", "/dev/zero"}) {
        const Printed refused = printed(kAudit, {"kayles", "0-9", "--against", path});
        EXPECT_EQ(refused.status, 2);
        EXPECT_THAT(refused.errors,
                    HasSubstr("cannot read '" + path + "', expected a file of nimbers"));
    }
    EXPECT_THAT(printed(kAudit, {"kayles"}).errors, HasSubstr("expected a range of heaps"));
    const Printed pairs = printed(kAudit, {"wythoff", "0-9"});
    EXPECT_EQ(pairs.status, 2);
    EXPECT_THAT(pairs.errors,
                HasSubstr("read 'wythoff', expected a ruleset whose heaps are numbers"));
}

}  // namespace engine::test::audit_command_test
