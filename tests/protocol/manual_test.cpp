#include "protocol/manual/manual.hpp"

namespace protocol::manual_test {

using namespace testing;

CommandHelp example() {
    CommandHelp help{"cook", "soup", {}, {}, {}, {"cook"}};
    help.head =
        "Usage: cook soup [OPTION]...\n       cook soup --list\n\nCooks a soup\nfor two. It's "
        "hot.\n\nSalt is\n  fine  0-1 mm\n.5 spoons are enough.\n\n";
    help.options = {{"Heat", "fire", "f", "on|off|DEGREES", "how hot (default: on)"},
                    {"Heat", "quiet", "", "", "it doesn't \\sing: [never]"},
                    {"Food", "recipe", "", "FILE", "what's in it"},
                    {"Food", "plates", "", "N", "how many"}};
    help.tail = "\nExamples:\n  cook soup --fire=on\n";
    return help;
}

TEST(Manual, IsAPageOfSectionOne) {
    std::string page = manual_page(example());
    const auto title_end = page.find('\n');
    EXPECT_EQ(page.substr(0, title_end).find(".TH COOK-SOUP 1 \"\" \"Nimarena "), 0u);
    EXPECT_EQ(page.substr(title_end + 1),
              ".SH NAME\n"
              "cook\\-soup \\- Cooks a soup for two\n"
              ".SH SYNOPSIS\n"
              ".nf\ncook soup [OPTION]...\ncook soup \\-\\-list\n.fi\n"
              ".SH DESCRIPTION\n"
              ".PP\nCooks a soup\nfor two. It's hot.\n"
              ".PP\nSalt is\n.nf\n  fine  0\\-1 mm\n.fi\n\\&.5 spoons are enough.\n"
              ".SH OPTIONS\n"
              ".SS Heat\n"
              ".TP\n\\fB\\-\\-fire\\fR, \\fB\\-f\\fR \\fIon|off|DEGREES\\fR\n"
              "how hot (default: on)\n"
              ".TP\n\\fB\\-\\-quiet\\fR\nit doesn't \\esing: [never]\n"
              ".SS Food\n"
              ".TP\n\\fB\\-\\-recipe\\fR \\fIFILE\\fR\nwhat's in it\n"
              ".TP\n\\fB\\-\\-plates\\fR \\fIN\\fR\nhow many\n"
              ".SH EXAMPLES\n"
              ".nf\n  cook soup \\-\\-fire=on\n.fi\n"
              ".SH SEE ALSO\n"
              ".BR cook (1)\n");
}

TEST(Manual, CompletesInBash) {
    EXPECT_EQ(completion_part(HelpFormat::Bash, example()),
              "        soup)\n"
              "            options='--fire --quiet --recipe --plates'\n"
              "            case $previous in\n"
              "            --fire) values='on off' ;;\n"
              "            esac\n"
              "            ;;\n");
    EXPECT_THAT(help_in(HelpFormat::Bash, example()),
                HasSubstr("complete -o default -F _cook cook\n"));
}

TEST(Manual, CompletesInZsh) {
    EXPECT_EQ(completion_part(HelpFormat::Zsh, example()),
              "        soup)\n"
              "            _arguments \\\n"
              "                '*--fire=[how hot (default\\: on)]:on|off|DEGREES:(on off)' \\\n"
              "                '*--quiet[it doesn'\\''t \\sing\\: \\[never\\]]' \\\n"
              "                '*--recipe=[what'\\''s in it]:FILE:_files' \\\n"
              "                '*--plates=[how many]:N:' \\\n"
              "                '*: :_files'\n"
              "            ;;\n");
}

TEST(Manual, CompletesInFish) {
    EXPECT_EQ(
        completion_part(HelpFormat::Fish, example()),
        "complete -c cook -n '__fish_seen_subcommand_from soup' -l fire -s f -x -a 'on off' "
        "-d 'how hot (default: on)'\n"
        "complete -c cook -n '__fish_seen_subcommand_from soup' -l quiet "
        "-d 'it doesn\\'t \\\\sing: [never]'\n"
        "complete -c cook -n '__fish_seen_subcommand_from soup' -l recipe -r -F "
        "-d 'what\\'s in it'\n"
        "complete -c cook -n '__fish_seen_subcommand_from soup' -l plates -x "
        "-d 'how many'\n");
}

TEST(Manual, NamesCommandsWithTheirSummaries) {
    const std::vector<CommandSummary> commands{{"soup", "cook: a soup"}, {"tea", "boil"}};
    EXPECT_THAT(completion_head(HelpFormat::Bash, "cook", commands),
                HasSubstr("commands='soup tea'"));
    EXPECT_THAT(completion_head(HelpFormat::Zsh, "cook", commands),
                HasSubstr("'soup:cook\\: a soup'"));
    EXPECT_THAT(completion_head(HelpFormat::Fish, "cook", commands),
                HasSubstr("-f -a tea -d 'boil'\n"));
    EXPECT_THAT(completion_head(HelpFormat::Zsh, "cook", commands),
                HasSubstr("$CURRENT == 3 && $words[2] == help ]]"));
    EXPECT_THAT(completion_head(HelpFormat::Fish, "cook", commands),
                HasSubstr("-n '__fish_seen_subcommand_from help' -f -a 'soup tea'\n"));
    EXPECT_THAT(completion_head(HelpFormat::Zsh, "cook", {}), Not(HasSubstr("CURRENT")));
}

TEST(Manual, RefusesOtherFormats) {
    EXPECT_EQ(*parse_help_format("fish"), HelpFormat::Fish);
    EXPECT_EQ(parse_help_format("html").error().text,
              "read 'html', expected man, bash, zsh or fish");
}

}  // namespace protocol::manual_test
