#include "arena/process/control_groups.hpp"

#include "tests/harness/temporary_file.hpp"

namespace arena::control_groups_test {

using namespace testing;

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
    // As the kernel of version 1 fills in.
    void write(const std::string& file, const std::string& text) {
        std::ofstream(at(file)) << text << "\n";
    }
    std::optional<ControlGroups> find() const {
        return find_control_groups(kMemory, kProcesses, tree_);
    }

    ::test::TemporaryFolder folder_;
    GroupTree tree_{"22 1 8:1 / / rw - ext4 /dev/sda1 rw\n", "",
                    [this](const std::string& group) {
                        tried_.push_back(group);
                        return group.find(closed_) == group.npos;
                    },
                    [this](const std::string& file) {
                        return std::ranges::count(missing_, file.substr(file.rfind('/') + 1)) ==
                               0;
                    }};
    std::string closed_ = "no such group";  // groups of this name cannot be entered
    std::vector<std::string> missing_;      // files that no group has
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

TEST_F(Groups, ThatCannotBeEnteredAreNotUsed) {
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

// ---- groups that stop a player ----

TEST_F(Groups, OfVersionTwoOneLimitsStopsAndCounts) {
    mount("/cgroup", "cgroup2", "nsdelegate");
    tree_.own = "0::/a\n";
    unified("/cgroup", "cpu cpuset memory pids");
    unified("/cgroup/a", "");
    const auto limits = find();
    ASSERT_TRUE(limits);
    const auto found = find_turn_groups(*limits, true, tree_);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->kind, "cgroup v2");
    ASSERT_EQ(found->groups.size(), 1u) << "a process is in one group only";
    EXPECT_EQ(found->groups[0].parent, limits->groups[0].parent);
    EXPECT_THAT(found->groups[0].settings, kUnified);
    EXPECT_EQ(found->groups[0].freezer, "cgroup.freeze");
    EXPECT_EQ(found->groups[0].cpu, "cpu.stat");
    EXPECT_TRUE(found->groups[0].pins);
    EXPECT_FALSE(find_turn_groups(*limits, false, tree_)->groups[0].pins);
}

TEST_F(Groups, OfVersionTwoNeedNoControllersToStop) {
    mount("/cgroup", "cgroup2", "nsdelegate");
    tree_.own = "0::/a\n";
    unified("/cgroup", "");
    unified("/cgroup/a", "");
    const auto found = find_turn_groups({}, true, tree_);
    ASSERT_TRUE(found);
    ASSERT_EQ(found->groups.size(), 1u);
    EXPECT_EQ(found->groups[0].parent, at("/cgroup/a"));
    EXPECT_THAT(found->groups[0].settings, IsEmpty());
    EXPECT_FALSE(found->groups[0].pins);
    EXPECT_FALSE(bounds_memory(found->groups));
}

TEST_F(Groups, OfAKernelThatCannotFreezeThemAreNotUsed) {
    mount("/cgroup", "cgroup2", "nsdelegate");
    tree_.own = "0::/\n";
    unified("/cgroup", "memory pids");
    missing_ = {"cgroup.freeze"};
    EXPECT_FALSE(find_turn_groups({}, false, tree_));
    EXPECT_TRUE(find());
}

TEST_F(Groups, OfVersionOneStopCountShareAndPin) {
    for (const char* controller : {"memory", "pids", "freezer", "cpuset"}) {
        mount(std::string("/") + controller, "cgroup", controller);
    }
    mount("/cpu,cpuacct", "cgroup", "cpu,cpuacct");
    write("/cpuset/cpuset.mems", "0-1");
    tree_.own = "9:cpu,cpuacct:/\n8:freezer:/\n7:cpuset:/\n";
    const auto limits = find();
    ASSERT_TRUE(limits);
    const auto found = find_turn_groups(*limits, true, tree_);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->kind, "cgroup v1");
    ASSERT_EQ(found->groups.size(), 5u);
    EXPECT_TRUE(bounds_memory(found->groups));
    EXPECT_EQ(found->groups[2].parent, at("/freezer"));
    EXPECT_EQ(found->groups[2].freezer, "freezer.state");
    EXPECT_EQ(found->groups[3].parent, at("/cpu,cpuacct")) << "one for both";
    EXPECT_EQ(found->groups[3].cpu, "cpuacct.usage");
    EXPECT_TRUE(found->groups[4].pins);
    EXPECT_THAT(found->groups[4].settings, ElementsAre(Pair("cpuset.mems", "0-1")));
    EXPECT_EQ(find_turn_groups(*limits, false, tree_)->groups.size(), 4u);
}

// Version 2 stops, though the controllers are those of version 1.
TEST_F(Groups, OfBothVersionsAreUsedTogether) {
    mount("/unified", "cgroup2", "nsdelegate");
    mount("/memory", "cgroup", "memory");
    mount("/pids", "cgroup", "pids");
    mount("/cpu", "cgroup", "cpu");
    unified("/unified", "");
    tree_.own = "9:pids:/\n4:memory:/\n3:cpu:/\n0::/\n";
    const auto limits = find();
    ASSERT_TRUE(limits);
    const auto found = find_turn_groups(*limits, false, tree_);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->kind, "cgroup v2");
    ASSERT_EQ(found->groups.size(), 4u);
    EXPECT_EQ(found->groups[2].parent, at("/unified"));
    EXPECT_EQ(found->groups[2].freezer, "cgroup.freeze");
    EXPECT_EQ(found->groups[3].parent, at("/cpu"));
}

// Whose time cannot be counted by its group could hide it.
TEST_F(Groups, OfVersionOneAreNotUsedWithoutAFreezerAndACount) {
    mount("/freezer", "cgroup", "freezer");
    EXPECT_FALSE(find_turn_groups({}, false, tree_));
    mount("/cpuacct", "cgroup", "cpuacct");
    EXPECT_TRUE(find_turn_groups({}, false, tree_));
}

// A user's unit whose processes are in a group below the one that was delegated.
TEST_F(Groups, DelegatedOnesAreDividedFurther) {
    mount("/cgroup", "cgroup2", "nsdelegate");
    tree_.own = "0::/unit/arena\n";
    unified("/cgroup", "memory pids");
    unified("/cgroup/unit", "");
    unified("/cgroup/unit/arena", "");
    closed_ = "/cgroup/nimarena";
    EXPECT_FALSE(find());
    tree_.enable = [this](const std::string& folder, const std::string&) {
        return folder == at("/cgroup/unit");
    };
    ASSERT_TRUE(find());
    EXPECT_EQ(find()->groups[0].parent, at("/cgroup/unit"));
}

}  // namespace arena::control_groups_test
