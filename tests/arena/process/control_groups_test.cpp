#include "arena/process/control_groups.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/harness/temporary_file.hpp"

namespace arena {
namespace {

using testing::ElementsAre;
using testing::Pair;

constexpr std::uint64_t kMemory = 1 << 20;
constexpr int kProcesses = 9;

// Directories that imitate the hierarchies of a kernel.
class Groups : public testing::Test {
  protected:
    // A group of version 2 that delegates these controllers to the groups inside it.
    void unified(const std::string& group, const std::string& controllers) {
        std::filesystem::create_directories(at(group));
        std::ofstream(at(group) + "/cgroup.subtree_control") << controllers << "\n";
    }
    void mount(const std::string& folder, const std::string& type, const std::string& options,
               const std::string& root = "/") {
        std::filesystem::create_directories(at(folder));
        tree_.mounts += "36 31 0:33 " + root + " " + at(folder) + " rw,nosuid shared:9 - " +
                        type + " " + type + " rw," + options + "\n";
    }
    std::string at(const std::string& group) const { return folder_.path() + group; }
    std::optional<ControlGroups> find() const {
        return find_control_groups(kMemory, kProcesses, tree_);
    }

    ::test::TemporaryFolder folder_;
    GroupTree tree_{"22 1 8:1 / / rw - ext4 /dev/sda1 rw\n", "",
                    [this](const std::string& group) {
                        tried_.push_back(group);
                        return group.find(closed_) == group.npos;
                    }};
    std::string closed_ = "no such group";  // groups of this name cannot be entered
    std::vector<std::string> tried_;
};

const auto kUnified = ElementsAre(Pair("memory.max", "1048576"), Pair("?memory.swap.max", "0"),
                                  Pair("pids.max", "9"));

TEST_F(Groups, OfVersionTwoOneDoesBoth) {
    mount("/cgroup", "cgroup2", "nsdelegate");
    tree_.own = "0::/user.slice/session.scope\n";
    unified("/cgroup", "cpu memory pids");
    unified("/cgroup/user.slice", "memory pids");
    unified("/cgroup/user.slice/session.scope", "");  // holds processes, so no groups
    const auto found = find();
    ASSERT_TRUE(found);
    EXPECT_EQ(found->kind, "cgroup v2");
    ASSERT_EQ(found->groups.size(), 1u);
    EXPECT_EQ(found->groups[0].parent, at("/cgroup/user.slice"));
    EXPECT_THAT(found->groups[0].settings, kUnified);
    for (const std::string& trial : tried_)
        EXPECT_FALSE(std::filesystem::exists(trial)) << "nothing is left behind";
}

// The controllers of only one parent would leave the other resource unbounded.
TEST_F(Groups, OfVersionTwoBothControllersHaveOneParent) {
    mount("/cgroup", "cgroup2", "nsdelegate");
    tree_.own = "0::/a/b\n";
    unified("/cgroup", "memory pids");
    unified("/cgroup/a", "memory pids");
    unified("/cgroup/a/b", "pids");
    const auto found = find();
    ASSERT_TRUE(found);
    EXPECT_EQ(found->groups[0].parent, at("/cgroup/a"));
    unified("/cgroup/a", "memory");
    unified("/cgroup", "pids");
    EXPECT_FALSE(find());
}

TEST_F(Groups, ThatCannotBeEnteredAreOfNoUse) {
    mount("/cgroup", "cgroup2", "nsdelegate");
    tree_.own = "0::/a\n";
    unified("/cgroup", "memory pids");
    unified("/cgroup/a", "memory pids");
    closed_ = "/cgroup/a/";
    ASSERT_TRUE(find());
    EXPECT_EQ(find()->groups[0].parent, at("/cgroup"));
    closed_ = "/";
    EXPECT_FALSE(find());
}

// In a container, the mounted group is far below the root.
TEST_F(Groups, AreFoundBelowTheRootThatIsMounted) {
    mount("/cgroup", "cgroup2", "nsdelegate", "/docker/4711");
    tree_.own = "0::/docker/4711/inner\n";
    unified("/cgroup/inner", "memory pids");
    ASSERT_TRUE(find());
    EXPECT_EQ(find()->groups[0].parent, at("/cgroup/inner"));
    tree_.own = "0::/elsewhere\n";
    unified("/cgroup", "memory pids");
    ASSERT_TRUE(find());
    EXPECT_EQ(find()->groups[0].parent, at("/cgroup"));
}

TEST_F(Groups, OfVersionOneAreTwoWhereVersionTwoHasNoControllers) {
    mount("/unified", "cgroup2", "nsdelegate");
    mount("/memory", "cgroup", "memory");
    mount("/pids", "cgroup", "pids");
    unified("/unified", "");
    std::filesystem::create_directories(at("/memory/job"));
    tree_.own = "9:pids:/\n4:memory:/job\n0::/\n";
    const auto found = find();
    ASSERT_TRUE(found);
    EXPECT_EQ(found->kind, "cgroup v1");
    ASSERT_EQ(found->groups.size(), 2u);
    EXPECT_EQ(found->groups[0].parent, at("/memory/job"));
    EXPECT_THAT(found->groups[0].settings,
                ElementsAre(Pair("memory.limit_in_bytes", "1048576"),
                            Pair("?memory.memsw.limit_in_bytes", "1048576")));
    EXPECT_EQ(found->groups[1].parent, at("/pids"));
    EXPECT_THAT(found->groups[1].settings, ElementsAre(Pair("pids.max", "9")));
}

TEST_F(Groups, OfOneControllerAloneBoundTooLittle) {
    mount("/memory", "cgroup", "memory");
    tree_.own = "4:memory:/\n";
    EXPECT_FALSE(find());
    tree_.mounts.clear();
    EXPECT_FALSE(find());
}

}  // namespace
}  // namespace arena
