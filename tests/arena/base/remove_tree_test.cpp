#include "arena/base/files.hpp"

#include "tests/harness/temporary_file.hpp"

#include <sys/stat.h>

namespace arena::remove_tree_test {

// Fills it with nested folders, deeper than the longest path, and removes it.
int dig_and_remove(const std::string& directory) {
    const std::string deeper(100, 'd');
    if (::chdir(directory.c_str()) != 0) return 2;
    for (int depth = 0; depth < 100; ++depth) {
        std::ofstream("file") << depth;
        if (::symlink("/", "link") != 0 || ::mkdir(deeper.c_str(), 0700) != 0) return 3;
        if (::chdir(deeper.c_str()) != 0 || ::chmod(".", 0100) != 0) return 4;
        if (::chmod(".", depth % 2 == 0 ? 0700 : 0300) != 0) return 5;
    }
    return remove_tree(directory) ? 0 : 1;
}

TEST(RemoveTree, ReachesAnyDepth) {
    const ::test::TemporaryFolder folder;
    const std::string& directory = folder.path();
    EXPECT_EXIT(std::_Exit(dig_and_remove(directory)), ::testing::ExitedWithCode(0), "");
    EXPECT_NE(::access(directory.c_str(), F_OK), 0);
}

TEST(RemoveTree, FollowsNoLink) {
    const ::test::TemporaryFolder one, two;
    const std::string& directory = one.path();
    const std::string& other = two.path();
    std::ofstream(other + "/kept") << "kept";
    ASSERT_EQ(::symlink(other.c_str(), (directory + "/link").c_str()), 0);
    ASSERT_EQ(::symlink(other.c_str(), (directory + "/home").c_str()), 0);
    EXPECT_EXIT(std::_Exit(remove_tree(directory + "/home") ? 0 : 1),
                ::testing::ExitedWithCode(0), "")
        << "the link itself is removed";
    EXPECT_NE(::access((directory + "/home").c_str(), F_OK), 0);
    EXPECT_EXIT(std::_Exit(remove_tree(directory) ? 0 : 1), ::testing::ExitedWithCode(0), "");
    EXPECT_NE(::access(directory.c_str(), F_OK), 0);
    EXPECT_EQ(::access((other + "/kept").c_str(), F_OK), 0);
    EXPECT_EXIT(std::_Exit(remove_tree(other) ? 0 : 1), ::testing::ExitedWithCode(0), "");
    EXPECT_EXIT(std::_Exit(remove_tree(other) ? 1 : 0), ::testing::ExitedWithCode(0), "")
        << "there is none";
}

}  // namespace arena::remove_tree_test
