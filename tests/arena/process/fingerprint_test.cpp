#include "arena/process/fingerprint.hpp"

#include "tests/harness/temporary_file.hpp"

#include <sys/stat.h>

namespace arena::fingerprint_test {

namespace fs = std::filesystem;

class Fingerprint : public testing::Test {
  protected:
    Fingerprint() {
        fs::create_directories(folder_ / "src");
        write("bot.py", "print()");
        write("src/a", "bc");
    }

    void write(const fs::path& name, const std::string& text) const {
        std::ofstream(folder_ / name) << text;
    }
    std::string now() const { return fingerprint_of(folder_); }

    const ::test::TemporaryFolder temporary_;
    const fs::path folder_ = temporary_.path();
};

TEST_F(Fingerprint, ChangesWithNamesContentsPermissionsAndLinks) {
    std::string last = now();
    EXPECT_EQ(last.size(), 64);
    const auto expect_change = [&](const char* what) {
        EXPECT_NE(now(), last) << what;
        last = now();
    };
    write("bot.py", "print(1)");
    expect_change("contents");
    write("src/a", "b");
    write("src/b", "c");
    expect_change("another division of the same bytes");
    fs::rename(folder_ / "src", folder_ / "lib");
    expect_change("a folder");
    ::chmod((folder_ / "bot.py").c_str(), 0755);
    expect_change("may run");
    fs::create_symlink("bot.py", folder_ / "link");
    expect_change("a link");
    fs::remove(folder_ / "link");
    fs::create_symlink("lib", folder_ / "link");
    expect_change("where it leads");
    fs::create_directory(folder_ / "empty");
    expect_change("an empty folder");
    ::mkfifo((folder_ / "pipe").c_str(), 0600);
    expect_change("a pipe, which is not waited for");
    fs::create_directories(folder_ / "lib" / "__pycache__");
    write("lib/__pycache__/bot.py", "print()");
    expect_change("a program among what tools write");
    fs::create_directories(folder_ / "lib" / ".git");
    expect_change("a folder that is no repository");
}

TEST_F(Fingerprint, StaysWithTheSameFiles) {
    const std::string before = now();
    write("bot.py", "print()");
    ::chmod((folder_ / "bot.py").c_str(), 0600);
    fs::create_directories(folder_ / ".git" / "x");
    fs::create_directories(folder_ / "src" / "__pycache__");
    write("src/__pycache__/bot.pyc", "x");
    EXPECT_EQ(now(), before);
    fs::copy(folder_, folder_.string() + "2", fs::copy_options::recursive);
    EXPECT_EQ(fingerprint_of(folder_.string() + "2"), before);
    fs::remove_all(folder_.string() + "2");
}

}  // namespace arena::fingerprint_test
