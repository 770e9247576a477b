#include "arena/process/executables.hpp"

#include "arena/players/launcher.hpp"
#include "arena/players/player_spec.hpp"
#include "tests/harness/temporary_file.hpp"

namespace arena::executables_test {

using namespace testing;

TEST(Executables, AreHashedWithTheFilesTheyAreGiven) {
    const ::test::TemporaryFolder folder;
    std::ofstream(folder.file("bot.py")) << "abc";
    PlayerSpec spec = *parse_player("sh bot.py --fast missing.py");
    spec.directory = folder.path();
    const std::string text = hash_executables(spec);
    // FIPS 180-2, appendix B.1: the digest of "abc".
    EXPECT_THAT(text,
                HasSubstr("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
                          "  " +
                          folder.file("bot.py")));
    EXPECT_THAT(text, HasSubstr("/sh"));
    EXPECT_THAT(text, Not(HasSubstr("missing")));
}

TEST(Executables, OfABotFoundInItsFolderAreItsOwn) {
    const ::test::TemporaryFolder folder;
    std::filesystem::create_directories(folder.file("classes"));
    std::ofstream(folder.file("my bot.py")) << "abc";
    std::ofstream(folder.file("classes/Bot.class")) << "abc";
    PlayerSpec spec = *parse_player(R"(/bin/sh -c "exec env -C classes './my bot.py'")");
    spec.directory = folder.path();
    const Launcher launcher;
    const std::string text = launcher.hash_executables(spec);
    EXPECT_THAT(text, Not(HasSubstr("/sh")));
    EXPECT_THAT(text, HasSubstr("/env\n"));
    EXPECT_THAT(text, HasSubstr("61f20015ad  " + folder.file("my bot.py")));
    EXPECT_THAT(text, HasSubstr("  " + folder.file("classes")));
    std::ofstream(folder.file("classes/Bot.class")) << "abd";
    EXPECT_NE(launcher.hash_executables(spec), text);
    for (const char* other : {"/bin/sh bot.sh", "/bin/sh -c 'cd x; exec y'", "sh -c 'exec y'"})
        EXPECT_FALSE(program_of_shell(*parse_player(other))) << other;
}

TEST(Executables, OfABotFoundInItsFolderLeadNowhereElse) {
    const ::test::TemporaryFolder folder;
    std::filesystem::create_directories(folder.file("bot"));
    std::ofstream(folder.file("secret")) << "abc";
    std::filesystem::create_symlink("../secret", folder.file("bot/link"));
    std::filesystem::create_symlink("..", folder.file("bot/up"));
    const Launcher launcher;
    for (const std::string& command :
         {std::string("./link"), std::string("../secret"), std::string("env link"),
          std::string("env ../secret"), std::string("env up/secret"),
          "env " + folder.file("secret")}) {
        PlayerSpec spec = *parse_player("/bin/sh -c \"exec " + command + "\"");
        spec.directory = folder.file("bot");
        EXPECT_THAT(launcher.hash_executables(spec), Not(HasSubstr("ba7816bf"))) << command;
    }
}

TEST(Executables, MayLieInEachFolderOfPath) {
    const std::vector<std::pair<std::string, std::vector<std::string>>> cases{
        {"/bin:/usr/bin", {"/bin/x", "/usr/bin/x"}},
        {"", {"./x"}},
        {":/bin::", {"./x", "/bin/x", "./x", "./x"}},
    };
    for (const auto& [path, places] : cases)
        EXPECT_EQ(places_in_path("x", path), places) << path;
}

TEST(Executables, AreUnknownForSocketsAndBuiltInPlayers) {
    EXPECT_THAT(hash_executables(*parse_player("tcp://127.0.0.1:5000")), IsEmpty());
    EXPECT_THAT(hash_executables(*parse_player("builtin:perfect")), IsEmpty());
    EXPECT_THAT(hash_executables(*parse_player("no-such-program-anywhere")), IsEmpty());
}

}  // namespace arena::executables_test
