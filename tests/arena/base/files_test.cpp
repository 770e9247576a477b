#include "arena/base/files.hpp"

#include <sys/stat.h>

#include "tests/harness/temporary_file.hpp"

namespace arena::files_test {

namespace fs = std::filesystem;

TEST(ReplaceFile, WritesThroughNoLink) {
    const ::test::TemporaryFolder folder;
    const ::test::TemporaryFile victim("precious");
    const std::string path = folder.file("page.html");
    for (const bool is_hard : {false, true}) {
        for (const std::string& name : {path, path + ".part"}) {
            fs::remove(name);
            if (is_hard)
                fs::create_hard_link(victim.path(), name);
            else
                fs::create_symlink(victim.path(), name);
        }
        EXPECT_EQ(replace_file(path, "new"), 0);
        EXPECT_EQ(*read_file(path), "new");
        EXPECT_EQ(*read_file(victim.path()), "precious");
        EXPECT_FALSE(fs::exists(path + ".part"));
    }
}

TEST(ReplaceFile, IsTriedWithoutAChange) {
    const ::test::TemporaryFolder folder;
    const ::test::TemporaryFile victim("precious");
    const std::string path = folder.file("page.html");
    fs::create_symlink(victim.path(), path + ".part");
    EXPECT_EQ(try_to_replace(path), 0);
    EXPECT_TRUE(fs::is_empty(folder.path()));
    EXPECT_EQ(*read_file(victim.path()), "precious");
    fs::create_directory(path + ".part");
    EXPECT_EQ(try_to_replace(path), EEXIST);
    EXPECT_EQ(replace_file(path, "new"), EEXIST);
    EXPECT_EQ(try_to_replace(folder.file("none/page.html")), ENOENT);
}

TEST(CheckDistinct, KnowsTheFilesNextToARecord) {
    const ::test::TemporaryFolder folder;
    const std::string record = folder.file("real.db");
    const std::string link = folder.file("link.db");
    std::ofstream(record) << "a record";
    fs::create_symlink(record, link);
    for (const char* ending : {"", "-wal", "-shm", "-journal", "-lock"}) {
        EXPECT_FALSE(check_distinct({"--record", record}, {{"--log", record + ending}}));
        EXPECT_FALSE(check_distinct({"--record", link}, {{"--log", record + ending}}));
        EXPECT_TRUE(check_distinct({"--record", ""}, {{"--log", record + ending}}));
    }
    EXPECT_TRUE(check_distinct({"--record", record}, {{"--log", record + "-log"}}));
}

}  // namespace arena::files_test
