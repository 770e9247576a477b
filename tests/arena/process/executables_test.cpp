#include "arena/process/executables.hpp"

#include "arena/players/launcher.hpp"
#include "arena/players/player_spec.hpp"

namespace arena::executables_test {

using namespace testing;

TEST(Executables, AreHashedWithTheFilesTheyAreGiven) {
    const auto folder = std::filesystem::path(testing::TempDir()) / "executables_test";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "bot.py") << "abc";
    PlayerSpec spec = *parse_player("sh bot.py --fast missing.py");
    spec.directory = folder.string();
    const std::string text = hash_executables(spec);
    // FIPS 180-2, appendix B.1: the digest of "abc".
    EXPECT_THAT(text,
                HasSubstr("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
                          "  " +
                          (folder / "bot.py").string()));
    EXPECT_THAT(text, HasSubstr("/sh"));
    EXPECT_THAT(text, Not(HasSubstr("missing")));
    std::filesystem::remove_all(folder);
}

TEST(Executables, OfABotFoundInItsFolderAreItsOwn) {
    const auto folder = std::filesystem::path(testing::TempDir()) / "executables_own_test";
    std::filesystem::create_directories(folder / "classes");
    std::ofstream(folder / "my bot.py") << "abc";
    std::ofstream(folder / "classes" / "Bot.class") << "abc";
    PlayerSpec spec = *parse_player(R"(/bin/sh -c "exec env -C classes './my bot.py'")");
    spec.directory = folder.string();
    const Launcher launcher;
    const std::string text = launcher.hash_executables(spec);
    EXPECT_THAT(text, Not(HasSubstr("/sh")));
    EXPECT_THAT(text, HasSubstr("/env\n"));
    EXPECT_THAT(text, HasSubstr("61f20015ad  " + (folder / "my bot.py").string()));
    EXPECT_THAT(text, HasSubstr("  " + (folder / "classes").string()));
    std::ofstream(folder / "classes" / "Bot.class") << "abd";
    EXPECT_NE(launcher.hash_executables(spec), text);
    for (const char* other : {"/bin/sh bot.sh", "/bin/sh -c 'cd x; exec y'", "sh -c 'exec y'"})
        EXPECT_FALSE(program_of_shell(*parse_player(other))) << other;
    std::filesystem::remove_all(folder);
}

TEST(Executables, OfABotFoundInItsFolderLeadNowhereElse) {
    const auto folder = std::filesystem::path(testing::TempDir()) / "executables_links_test";
    std::filesystem::create_directories(folder / "bot");
    std::ofstream(folder / "secret") << "abc";
    std::filesystem::create_symlink("../secret", folder / "bot" / "link");
    std::filesystem::create_symlink("..", folder / "bot" / "up");
    const Launcher launcher;
    for (const std::string& command :
         {std::string("./link"), std::string("../secret"), std::string("env link"),
          std::string("env ../secret"), std::string("env up/secret"),
          "env " + (folder / "secret").string()}) {
        PlayerSpec spec = *parse_player("/bin/sh -c \"exec " + command + "\"");
        spec.directory = (folder / "bot").string();
        EXPECT_THAT(launcher.hash_executables(spec), Not(HasSubstr("ba7816bf"))) << command;
    }
    std::filesystem::remove_all(folder);
}

TEST(Executables, AreUnknownForSocketsAndBuiltInPlayers) {
    EXPECT_THAT(hash_executables(*parse_player("tcp://127.0.0.1:5000")), IsEmpty());
    EXPECT_THAT(hash_executables(*parse_player("builtin:perfect")), IsEmpty());
    EXPECT_THAT(hash_executables(*parse_player("no-such-program-anywhere")), IsEmpty());
}

}  // namespace arena::executables_test
