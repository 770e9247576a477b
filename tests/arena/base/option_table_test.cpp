#include "arena/base/option_table.hpp"

#include "tests/arena/usage.hpp"

namespace arena::option_table_test {

using namespace std::chrono_literals;
using namespace testing;

enum class Colour { Red, Blue };

struct Brush {
    std::uint64_t width = 3;
    std::vector<std::string> hairs;
};
struct PaintOptions {
    std::string name;
    int coats = 2;
    std::optional<int> hands;
    std::chrono::milliseconds drying{500};
    std::uint64_t paint = 2 << 20;
    Colour colour = Colour::Red;
    bool quiet = false;
    protocol::Endpoint shop{"localhost", 80};
    std::string certificate, key;
    Brush brush;
};
// A wall needs more than paint.
struct WallOptions : PaintOptions {
    int height = 1;
    std::vector<std::string> words;
};

OptionTable paint_table(PaintOptions& options) {
    return {
        text({"Paint", "name", "TEXT", "its name"}, options.name, "a name").recorded(),
        count({"Paint", "coats,c", "N", "how many coats (default: {})"}, options.coats, 1, 9)
            .recorded(),
        count({"Paint", "hands", "N", "hands"}, options.hands, 1, 2).recorded(),
        milliseconds({"Time", "drying", "MS", "between coats (default: {})"}, options.drying, 1)
            .recorded(),
        size({"Paint", "paint", "SIZE", "how much (default: {})"}, options.paint, 1024),
        choice({"Paint", "colour", "red|blue", "colour (default: {})"}, options.colour,
               {{"red", Colour::Red}, {"blue", Colour::Blue}})
            .recorded(),
        flag({"Paint", "quiet", nullptr, "no radio", false, true}, options.quiet),
        endpoint({"Paint", "shop", "HOST:PORT", "where from (default: {})"}, options.shop),
        certificate({"Paint", "tls", "CERT,KEY", "proof"}, options.certificate, options.key),
        count({"Brush", "width", "N", "width (default: {})"}, options.brush.width, 1, 99)
            .recorded(),
        list({"Brush", "hair", "TEXT", "a hair"}, options.brush.hairs,
             [](const std::string& hair) { return protocol::Result<std::string>(hair); }),
    };
}

CommandLine wall_line(WallOptions& options) {
    auto table = join(
        {paint_table(options), {even_count({"Wall", "height", "N", ""}, options.height, 100)}});
    CommandLine line("wall", table, "HEAD\n", "TAIL\n");
    line.argument = takes_words(options.words);
    line.finish = [&](const Given& given) -> protocol::Result<void> {
        if (given.contains("coats") && options.quiet) return bad_input("coats are loud");
        return {};
    };
    return line;
}

Parsed<WallOptions> parsed(const Words& words) {
    WallOptions options;
    return parse(wall_line(options), words, options);
}

WallOptions options(const Words& words) { return options_in<WallOptions>(parsed(words)); }

std::string error_of(const Words& words) { return usage_error(parsed(words), "wall"); }

TEST(OptionTable, ReadsEveryKindOfValue) {
    const WallOptions given =
        options({"a",       "--name",  "Ann",      "-c",       "3",    "--hands=2",  "--drying",
                 "7",       "--paint", "4K",       "--colour", "blue", "--no-quiet", "--shop",
                 "[::1]:9", "--tls",   "c,k",      "--width",  "8",    "--hair",     "x",
                 "--hair",  "y",       "--height", "4",        "b"});
    EXPECT_THAT(given.words, ElementsAre("a", "b"));
    EXPECT_EQ(given.name, "Ann");
    EXPECT_EQ(given.coats, 3);
    EXPECT_EQ(given.hands, 2);
    EXPECT_EQ(given.drying, 7ms);
    EXPECT_EQ(given.paint, 4096u);
    EXPECT_EQ(given.colour, Colour::Blue);
    EXPECT_FALSE(given.quiet);
    EXPECT_TRUE(options({"--quiet"}).quiet);
    EXPECT_EQ(to_string(given.shop), "[::1]:9");
    EXPECT_EQ(given.certificate + given.key, "ck");
    EXPECT_EQ(given.brush.width, 8u);
    EXPECT_THAT(given.brush.hairs, ElementsAre("x", "y"));
    EXPECT_EQ(given.height, 4);
}

TEST(OptionTable, NamesTheOptionInErrors) {
    EXPECT_EQ(error_of({"--name", ""}), "--name: expected a name, found nothing");
    EXPECT_EQ(error_of({"-c", "10"}), "--coats: read '10', expected a number 1..9");
    EXPECT_EQ(error_of({"--colour", "green"}), "--colour: read 'green', expected red or blue");
    EXPECT_EQ(error_of({"--height", "3"}),
              "--height: read '3', expected an even number 2..100: from each position both "
              "players move first once");
    EXPECT_EQ(error_of({"--paint", "1"}),
              "--paint: read '1', expected a size such as 512M or 4G, of 1K or more");
    EXPECT_EQ(error_of({"--coats", "1", "--quiet"}), "coats are loud");
    EXPECT_EQ(error_of({"--coat", "1"}), "unknown option '--coat', did you mean --coats?");
}

TEST(OptionTable, FillsDefaultsIntoTheHelp) {
    WallOptions wall;
    const auto line = wall_line(wall);
    wall.coats = 5;
    const auto parsed = parse(line, {"--coats", "x", "--help"});
    const auto* help = std::get_if<HelpText>(&parsed);
    ASSERT_NE(help, nullptr);
    EXPECT_THAT(help->text, StartsWith("HEAD\n\nPaint:\n"));
    EXPECT_THAT(help->text, EndsWith("this text\nTAIL\n"));
    for (const char* words :
         {"how many coats (default: 5)", "(default: 500)", "(default: 2M)", "(default: red)",
          "(default: localhost:80)", "width (default: 3)"}) {
        EXPECT_THAT(help->text, HasSubstr(words));
    }
    EXPECT_THAT(help->text, Not(HasSubstr("--height"))) << "it has no help";
}

TEST(OptionTable, CutsALongHelpToItsCommonOptions) {
    WallOptions wall;
    auto line = wall_line(wall);
    line.program = "house wall";
    line.common = {"coats"};
    line.details = "DETAILS\n";
    line.reference = "REFERENCE\n";
    const auto help_of = [&](const Words& words) {
        const auto parsed = parse(line, words);
        const auto* help = std::get_if<HelpText>(&parsed);
        return help == nullptr ? "no help" : help->text;
    };
    const std::string cut = help_of({"--help"});
    EXPECT_THAT(cut, StartsWith("HEAD\n\nOptions:\n  -c [ --coats ] "))
        << "without their groups";
    EXPECT_THAT(cut, Not(HasSubstr("--width")));
    EXPECT_THAT(cut, Not(HasSubstr("DETAILS")));
    EXPECT_THAT(cut,
                EndsWith("TAIL\n\nAll options, and what the exit status says: house help wall "
                         "all\n"));
    const std::string all = help_of({"--help-format", "all"});
    EXPECT_THAT(all, StartsWith("HEAD\nDETAILS\n"));
    EXPECT_THAT(all, HasSubstr("--width"));
    EXPECT_THAT(all, EndsWith("TAIL\nREFERENCE\n"));
}

TEST(OptionTable, ShortensAHelpToItsFirstClause) {
    EXPECT_EQ(first_clause("how wide"), "how wide");
    EXPECT_EQ(first_clause("a clock; more of it (default: 7)"), "a clock (default: 7)");
    EXPECT_EQ(first_clause("a list (default: none); may be repeated"),
              "a list (default: none)");
    EXPECT_EQ(first_clause("time; as long (default: 5; 9 to dial in)"),
              "time (default: 5; 9 to dial in)");
    EXPECT_EQ(first_clause("all of 'nim;heaps=1;size=0..7'; may be repeated"),
              "all of 'nim;heaps=1;size=0..7'");
    EXPECT_EQ(first_clause("games (default: 2; 100 alone)"), "games (default: 2; 100 alone)");
}

TEST(OptionTable, WritesAndReadsTheConfigurationOfARecord) {
    PaintOptions options;
    options.name = "Ann";
    options.coats = 9;
    options.colour = Colour::Blue;
    options.brush.width = 7;
    const Configuration written = configuration_of(paint_table(options));
    EXPECT_THAT(written,
                ElementsAre(Pair("coats", "9"), Pair("colour", "blue"), Pair("drying", "500"),
                            Pair("hands", ""), Pair("name", "Ann"), Pair("width", "7")));
    PaintOptions recalled;
    const auto table = paint_table(recalled);
    recalled.hands = 1;
    ASSERT_TRUE(recall(table, {{"hands", ""}}));
    EXPECT_FALSE(recalled.hands);
    ASSERT_TRUE(recall(table, {{"coats", "0"}, {"name", ""}, {"paint", "9K"}, {"gone", "1"}}));
    EXPECT_EQ(recalled.coats, 0) << "a record is not held to the bounds of today";
    EXPECT_EQ(recalled.paint, PaintOptions{}.paint) << "no part of the record";
    const auto refused = recall(table, {{"drying", "soon"}});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().text,
              "the record's drying: read 'soon', expected milliseconds 0..604800000");
}

TEST(OptionTable, TakesArgumentsFromElsewhereFirst) {
    WallOptions wall;
    auto line = wall_line(wall);
    line.expand = [](std::vector<Argument>& arguments,
                     const std::vector<OptionText>& known) -> protocol::Result<void> {
        if (known.size() != 12) return bad_input("read {} options", known.size());
        arguments.insert(arguments.begin(), {{"coats", "7"}, {"hair", "z"}});
        return {};
    };
    const auto given = options_in<WallOptions>(parse(line, {"--hair", "x"}, wall));
    EXPECT_EQ(given.coats, 7);
    EXPECT_THAT(given.brush.hairs, ElementsAre("z", "x"));
    EXPECT_THAT(given.words, IsEmpty());
}

}  // namespace arena::option_table_test
