#include "arena/submissions/tree_copy.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/harness/temporary_file.hpp"

namespace arena::tree_copy_test {

namespace fs = std::filesystem;
using testing::UnorderedElementsAre;

class TreeCopy : public testing::Test {
  protected:
    TreeCopy() { fs::create_directories(from_ / "a/b"); }

    void write(const std::string& name, const std::string& text = "x") const {
        std::ofstream(from_ / name) << text;
    }
    std::string copy(const TreeLimits& limits = {}) const {
        return copy_tree(from_, to_, limits);
    }
    std::set<std::string> copied() const {
        std::set<std::string> names;
        for (const auto& entry : fs::recursive_directory_iterator(to_))
            names.insert(entry.path().lexically_relative(to_).string());
        return names;
    }
    mode_t mode(const std::string& name) const {
        struct stat status {};
        ::lstat((to_ / name).c_str(), &status);
        return status.st_mode & 07777;
    }

    test::TemporaryFolder folder_;
    fs::path from_ = fs::path(folder_.path()) / "from";
    fs::path to_ = fs::path(folder_.path()) / "to";
};

TEST_F(TreeCopy, KeepsFilesAndPlainModes) {
    write("a/b/f", "text");
    write("run");
    ::chmod((from_ / "run").c_str(), 06755);
    ::chmod((from_ / "a").c_str(), 02777);
    EXPECT_EQ(copy(), "");
    EXPECT_THAT(copied(), UnorderedElementsAre("a", "a/b", "a/b/f", "run"));
    std::ifstream file(to_ / "a/b/f");
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "text");
    EXPECT_EQ(mode("run"), 0755u);
    EXPECT_EQ(mode("a"), 0755u);
    EXPECT_EQ(mode("a/b/f"), 0644u);
}

TEST_F(TreeCopy, KeepsLinksThatStayInside) {
    write("f");
    const std::vector<std::pair<std::string, bool>> links{
        {"f", true},      {"./a/b", true}, {"a/b/../b", false}, {"..", false},
        {"../to", false}, {"/etc", false}, {"", false},         {"a/../../x", false},
    };
    std::set<std::string> kept{"a", "a/b", "f"};
    for (std::size_t i = 0; i < links.size(); ++i) {
        const std::string name = "link" + std::to_string(i);
        if (::symlink(links[i].first.c_str(), (from_ / name).c_str()) != 0) continue;
        if (links[i].second) kept.insert(name);
    }
    ::symlink("../../f", (from_ / "a/b/up").c_str());
    ::symlink("../../../f", (from_ / "a/b/out").c_str());
    kept.insert("a/b/up");
    EXPECT_EQ(copy(), "");
    EXPECT_EQ(copied(), kept);
}

TEST_F(TreeCopy, RefusesWhatIsNoFile) {
    ::mkfifo((from_ / "a/pipe").c_str(), 0600);
    EXPECT_EQ(copy(), "a pipe, a socket or a device: a/pipe");
}

TEST_F(TreeCopy, KeepsToTheLimits) {
    write("f", std::string(100, 'x'));
    EXPECT_EQ(copy({.bytes = 1 << 20}), "");
    fs::resize_file(from_ / "f", (1 << 20) + 1);
    fs::remove_all(to_);
    EXPECT_EQ(copy({.bytes = 1 << 20}), "more than 1 MiB");
    EXPECT_EQ(copy({.entries = 3}), "more than 3 files");
    EXPECT_EQ(copy({.depth = 1}), "folders more than 1 deep");
    EXPECT_EQ(copy({.path = 2}), "paths of more than 2 bytes");
}

}  // namespace arena::tree_copy_test
