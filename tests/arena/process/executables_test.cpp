#include "arena/process/executables.hpp"

#include "arena/players/player_spec.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace arena::executables_test {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

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

TEST(Executables, AreUnknownForSocketsAndBuiltInPlayers) {
    EXPECT_THAT(hash_executables(*parse_player("tcp://127.0.0.1:5000")), IsEmpty());
    EXPECT_THAT(hash_executables(*parse_player("builtin:perfect")), IsEmpty());
    EXPECT_THAT(hash_executables(*parse_player("no-such-program-anywhere")), IsEmpty());
}

}  // namespace arena::executables_test
