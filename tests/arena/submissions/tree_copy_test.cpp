#include "arena/submissions/tree_copy.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <seccomp.h>
#include <sys/stat.h>

#include <cstring>
#include <future>

#include <fmt/format.h>

#include "arena/base/files.hpp"
#include "arena/submissions/tree_archive.hpp"
#include "tests/harness/temporary_file.hpp"

namespace arena::tree_copy_test {

namespace fs = std::filesystem;
using namespace testing;

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
    std::string text(const std::string& name) const {
        return *read_file((to_ / name).string());
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
    EXPECT_EQ(text("a/b/f"), "text");
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

// As a stranger whose folder it is may do while it is copied.
TEST_F(TreeCopy, FollowsNoLinkThatAFileOrFolderBecomes) {
    const fs::path secret = fs::path(folder_.path()) / "secret";
    fs::create_directory(secret);
    std::ofstream(secret / "f") << "secret";
    write("a/f", "own");
    for (const char* name : {"a", "a/f"}) {
        const fs::path link = fs::path(folder_.path()) / "link";
        fs::create_symlink(secret / fs::path(name).lexically_relative("a"), link);
        const auto exchange = [&] {
            ::renameat2(AT_FDCWD, link.c_str(), AT_FDCWD, (from_ / name).c_str(),
                        RENAME_EXCHANGE);
        };
        std::atomic<bool> stop = false;
        const auto changing = std::async(std::launch::async, [&] {
            while (!stop) exchange();
        });
        bool is_own = true;
        for (int i = 0; i < 50 && is_own; ++i) {
            fs::remove_all(to_);
            copy();
            const bool is_copied = fs::is_regular_file(fs::symlink_status(to_ / "a/f"));
            is_own = !is_copied || text("a/f") == "own";
        }
        stop = true;
        changing.wait();
        EXPECT_TRUE(is_own) << name;
        if (!fs::is_symlink(link)) exchange();
        fs::remove(link);
    }
}

TEST_F(TreeCopy, RefusesWhatIsNoFile) {
    ::mkfifo((from_ / "a/pipe").c_str(), 0600);
    EXPECT_EQ(copy(), "a pipe: a/pipe");
}

TEST_F(TreeCopy, KeepsHoles) {
    write("f");
    fs::resize_file(from_ / "f", 5 << 20);
    EXPECT_EQ(copy(), "");
    EXPECT_EQ(text("f"), "x" + std::string((5 << 20) - 1, '\0'));
    struct stat status {};
    ASSERT_EQ(::stat((to_ / "f").c_str(), &status), 0);
    EXPECT_LT(status.st_blocks * 512, 1 << 20);
}

TEST_F(TreeCopy, SaysWhyAFolderIsNotReached) {
    const auto copy_of = [&](const fs::path& from) { return copy_tree(from, to_); };
    EXPECT_EQ(copy_of(from_ / "none"), "what cannot be read: .: No such file or directory");
    EXPECT_EQ(copy_of(from_ / "none/a"), "what cannot be read: .: No such file or directory");
    write("f");
    EXPECT_EQ(copy_of(from_ / "f"), "what cannot be read: .: Not a directory");
    fs::create_directory_symlink("a", from_ / "link");
    EXPECT_EQ(copy_of(from_ / "link"), "what cannot be read: .: Not a directory");
    EXPECT_EQ(copy_of(from_ / "link/b"), "what cannot be read: .: Not a directory");
}

TEST_F(TreeCopy, BlamesNoSubmissionForItsOwnPlace) {
    write("f");
    EXPECT_THROW(copy_tree(from_, to_ / "missing"), std::system_error);
    std::ofstream(to_) << "a file";
    EXPECT_THROW(copy(), std::system_error);
    fs::remove(to_);
    fs::create_directory_symlink(from_, to_);
    EXPECT_THROW(copy(), std::system_error);
}

TEST_F(TreeCopy, KeepsToTheLimits) {
    write("f", std::string(100, 'x'));
    EXPECT_EQ(copy({.bytes = 1 << 20}), "");
    fs::resize_file(from_ / "f", (1 << 20) + 1);
    fs::remove_all(to_);
    const std::vector<std::pair<TreeLimits, std::string>> limits{
        {{.bytes = 1 << 20}, "more than 1 MiB"},
        {{.entries = 3}, "more than 3 files"},
        {{.depth = 1}, "folders more than 1 deep"},
        {{.path = 2}, "paths of more than 2 bytes"},
        {{.entries = 4}, ""},
        {{.depth = 2}, ""},
        {{.path = 3}, ""}};
    for (const auto& [least, why] : limits) {
        EXPECT_EQ(copy(least), why);
        EXPECT_EQ(too_large(from_, least), why);
    }
    EXPECT_EQ(too_large(from_), "");
}

// Archives, written by libarchive, and read back through a plain tar archive.
class Archives : public TreeCopy {
  protected:
    Archives() { std::signal(SIGPIPE, SIG_IGN); }  // of what is refused before its end

    struct Entry {
        std::string name;
        std::string text{};
        mode_t type = AE_IFREG;
        std::string target{};  // of a link
    };
    // `format` and `filter`: of archive_write_set_format_by_name() and …_add_filter_by_name().
    void pack(const std::string& format, const std::string& filter,
              const std::vector<Entry>& entries, const char* password = nullptr) const {
        archive* sink = ::archive_write_new();
        ::archive_write_set_format_by_name(sink, format.c_str());
        if (!filter.empty()) ::archive_write_add_filter_by_name(sink, filter.c_str());
        if (password != nullptr) {
            ASSERT_EQ(::archive_write_set_options(sink, "zip:encryption=aes256"), ARCHIVE_OK);
            ::archive_write_set_passphrase(sink, password);
        }
        ASSERT_EQ(::archive_write_open_filename(sink, file_.c_str()), ARCHIVE_OK);
        for (const Entry& each : entries) {
            archive_entry* entry = ::archive_entry_new();
            ::archive_entry_set_pathname(entry, each.name.c_str());
            ::archive_entry_set_filetype(entry, each.type);
            ::archive_entry_set_perm(entry, 0755);
            ::archive_entry_set_size(entry, static_cast<la_int64_t>(each.text.size()));
            if (each.type == AE_IFLNK) ::archive_entry_set_symlink(entry, each.target.c_str());
            if (each.type == AE_IFREG && !each.target.empty())
                ::archive_entry_set_hardlink(entry, each.target.c_str());
            ASSERT_EQ(::archive_write_header(sink, entry), ARCHIVE_OK) << each.name;
            ::archive_write_data(sink, each.text.data(), each.text.size());
            ::archive_entry_free(entry);
        }
        ASSERT_EQ(::archive_write_close(sink), ARCHIVE_OK);
        ::archive_write_free(sink);
    }
    // Why it cannot be read, or is refused; else "".
    std::string unpack(const TreeLimits& limits = {}) const {
        fs::remove_all(to_);
        std::array<int, 2> ends{};
        EXPECT_EQ(::pipe(ends.data()), 0);
        auto unreadable = std::async(std::launch::async, [&] {
            std::string why = write_as_tar(file_, ends[1]);
            ::close(ends[1]);
            return why;
        });
        std::string refused =
            unpack_tree(ends[0], Clock::now() + std::chrono::minutes(1), to_, limits);
        ::close(ends[0]);
        const std::string why = unreadable.get();
        const bool is_cut = refused.starts_with("what ");  // as it is where reading ended
        return refused.empty() || (is_cut && !why.empty()) ? why : refused;
    }

    // Why a tar archive of these bytes is refused, or "". All of it can be written.
    std::string unpack_bytes(std::string_view bytes) const {
        std::array<int, 2> ends{};
        EXPECT_EQ(::pipe(ends.data()), 0);
        auto written = std::async(std::launch::async, [&] {
            const int error = write_all(ends[1], bytes);
            ::close(ends[1]);
            return error;
        });
        std::string refused =
            unpack_tree(ends[0], Clock::now() + std::chrono::minutes(1), to_, {});
        ::close(ends[0]);
        EXPECT_EQ(written.get(), 0);
        return refused;
    }

    fs::path file_ = fs::path(folder_.path()) / "archive";
};

// Kills this process if it changes what all its threads share.
void hold_the_process() {
    const scmp_filter_ctx filter = ::seccomp_init(SCMP_ACT_ALLOW);
    for (const int call : {SCMP_SYS(chdir), SCMP_SYS(fchdir), SCMP_SYS(umask)})
        ASSERT_EQ(::seccomp_rule_add(filter, SCMP_ACT_KILL_PROCESS, call, 0), 0);
    ASSERT_EQ(::seccomp_load(filter), 0);
}

// Other threads look for files by relative paths meanwhile, and write some that are private.
TEST_F(Archives, AndFoldersAreCopiedWithoutAChangeOfTheProcess) {
    write("f");
    write("a/b/f");
    fs::resize_file(from_ / "f", 1 << 20);  // with a hole
    fs::create_symlink("f", from_ / "l");
    pack("gnutar", "", {{"f", "x"}, {"l", "", AE_IFLNK, "f"}, {"a/b/f", "x"}});
    const auto work = [&] {
        hold_the_process();
        const bool is_well = copy().empty() && unpack().empty();
        std::_Exit(is_well && !testing::Test::HasFailure() ? 0 : 1);
    };
    EXPECT_EXIT(work(), ExitedWithCode(0), "");
    EXPECT_THAT(copied(), UnorderedElementsAre("a", "a/b", "a/b/f", "f", "l"));
}

TEST_F(Archives, AreReadInTheUsualFormats) {
    const std::string large(300'000, 'x');
    const std::string odd = "m\xc3\xbcller \xff.py";
    for (const auto& [format, filter] : {std::pair{"zip", ""},
                                         {"gnutar", "gzip"},
                                         {"pax", "bzip2"},
                                         {"ustar", "xz"},
                                         {"v7tar", ""}}) {
        pack(format, filter,
             {{"bot.py", "print()"},
              {"a/b/large", large},
              {"empty"},
              {format == std::string("pax") ? "odd" : odd, "odd"}});
        EXPECT_EQ(unpack(), "") << format;
        EXPECT_EQ(text("bot.py"), "print()") << format;
        EXPECT_EQ(text("a/b/large"), large) << format;
        EXPECT_EQ(text(format == std::string("pax") ? "odd" : odd), "odd") << format;
        EXPECT_TRUE(fs::exists(to_ / "empty")) << format;
        EXPECT_EQ(mode("bot.py"), 0755u) << format;
    }
}

TEST_F(Archives, ThatLeadOutAreRefused) {
    for (const char* format : {"zip", "gnutar"}) {
        for (const char* name : {"../evil", "a/../../evil", "/tmp/evil"}) {
            pack(format, "", {{"bot.py", "x"}, {name, "evil"}});
            EXPECT_EQ(unpack(), std::string("a path that leads out of it: ") + name) << format;
        }
        pack(format, "", {{"d", "", AE_IFLNK, folder_.path()}, {"d/evil", "x"}});
        unpack();
        EXPECT_FALSE(fs::exists(fs::path(folder_.path()) / "evil")) << format;
        pack(format, "", {{"f", "", AE_IFDIR}, {"l", "", AE_IFLNK, "f"}, {"l/evil", "x"}});
        EXPECT_THAT(unpack(), ::testing::StartsWith("what cannot be written: l/evil"))
            << format;
        pack(format, "",
             {{"in", "", AE_IFLNK, "f"}, {"out", "", AE_IFLNK, "/etc/passwd"}, {"f", "x"}});
        EXPECT_EQ(unpack(), "") << format;
        EXPECT_THAT(copied(), UnorderedElementsAre("in", "f")) << format;
    }
    pack("gnutar", "", {{"f", "x"}, {"hard", "", AE_IFREG, "../from"}});
    EXPECT_EQ(unpack(), "a hard link: hard");
    pack("gnutar", "", {{"pipe", "", AE_IFIFO}});
    EXPECT_EQ(unpack(), "a pipe: pipe");
}

TEST_F(Archives, MayHoldAFileTwice) {
    pack("gnutar", "", {{"l", "", AE_IFLNK, "f"}, {"l", "old"}, {"l", "new"}});
    EXPECT_EQ(unpack(), "");
    EXPECT_EQ(text("l"), "new");
    EXPECT_THAT(copied(), UnorderedElementsAre("l"));
    for (const Entry& folder : {Entry{"d/f", "x"}, Entry{"d", "", AE_IFDIR}}) {
        pack("gnutar", "", {folder, {"d", "x"}});
        EXPECT_EQ(unpack(), "what cannot be written: d: File exists");
        pack("gnutar", "", {{"d", "x"}, folder});
        EXPECT_EQ(unpack(), "what cannot be written: " + folder.name + ": Not a directory");
    }
}

TEST_F(Archives, KeepToTheLimits) {
    pack("zip", "", {{"zeros", std::string(4 << 20, '\0')}});
    EXPECT_LT(fs::file_size(file_), 10'000u);
    EXPECT_EQ(unpack({.bytes = 4 << 20}), "");
    EXPECT_EQ(unpack({.bytes = 3 << 20}), "more than 3 MiB");
    std::vector<Entry> many(100);
    for (std::size_t i = 0; i < many.size(); ++i) many[i].name = std::to_string(i);
    pack("gnutar", "gzip", many);
    EXPECT_EQ(unpack({.entries = 99}), "more than 99 files");
    std::string deep;
    for (int i = 0; i < 20; ++i) deep += "d/";
    pack("zip", "", {{deep + "f", "x"}});
    EXPECT_EQ(unpack({.depth = 20}), "folders more than 20 deep");
}

// As tar does: its end fills a record.
TEST_F(Archives, MayBePaddedPastTheirEnd) {
    pack("gnutar", "", {{"bot.py", "print()"}});
    // The padding is more than a pipe holds.
    EXPECT_EQ(unpack_bytes(*read_file(file_.string()) + std::string(500'000, '\0')), "");
    EXPECT_EQ(text("bot.py"), "print()");
}

TEST_F(Archives, ThatCannotBeReadSayWhy) {
    pack("zip", "", {{"secret.py", "x"}}, "password");
    EXPECT_EQ(unpack(), "secret.py: it is encrypted");
    std::ofstream(file_) << "print()";
    EXPECT_EQ(unpack(), "Unrecognized archive format");
    std::ofstream(file_).close();
    EXPECT_EQ(unpack(), "Unrecognized archive format");
    fs::remove(file_);
    EXPECT_THAT(unpack(), HasSubstr("archive"));
}

TEST_F(Archives, ThatWereCutOrChangedAreRefused) {
    std::string noise(200'000, ' ');
    std::uint32_t state = 1;
    for (char& c : noise) c = static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
    for (const auto& [format, filter] : {std::pair{"zip", ""}, {"gnutar", "gzip"}}) {
        pack(format, filter, {{"bot.py", noise}});
        const auto size = fs::file_size(file_);
        fs::resize_file(file_, size / 2);
        EXPECT_NE(unpack(), "") << format;
        if (format == std::string("gnutar")) continue;  // has no checksum of contents
        pack(format, filter, {{"bot.py", noise}});
        std::fstream(file_).seekp(static_cast<std::streamoff>(size / 2)).write("change", 6);
        EXPECT_THAT(unpack(), StartsWith("bot.py: ZIP bad CRC"));
    }
}

// An entry of GNU tar's sparse files: bytes from 0 to 1,024 of a file of one byte.
TEST_F(Archives, WhosePartsLieBeyondTheFileAreRefused) {
    std::string head(512, '\0');
    for (const auto& [at, field] : {std::pair{0, "f"},
                                    {100, "0000644"},
                                    {124, "00000002000"},
                                    {148, "        "},
                                    {156, "S"},
                                    {257, "ustar  "},
                                    {386, "00000000000"},
                                    {398, "00000002000"},
                                    {483, "00000000001"}}) {
        head.replace(static_cast<std::size_t>(at), std::strlen(field), field);
    }
    unsigned sum = 0;
    for (const char c : head) sum += static_cast<unsigned char>(c);
    head.replace(148, 7, fmt::format("{:06o}", sum) + '\0');
    EXPECT_EQ(unpack_bytes(head + std::string(1024, 'x') + std::string(1024, '\0')),
              "what cannot be read: f: it is larger than it says");
}

TEST_F(Archives, ThatHoldMoreThanTheySayAreRefused) {
    pack("zip", "", {{"bot.py", std::string(100'000, 'x')}});
    std::string bytes = *read_file(file_.string());
    for (const auto& [signature, at] :
         {std::pair{"PK\3\4", 22}, {"PK\7\10", 12}, {"PK\1\2", 24}}) {
        const auto found = bytes.find(signature);
        if (found != bytes.npos) bytes.replace(found + at, 4, std::string("\x10\0\0\0", 4));
    }
    std::ofstream(file_) << bytes;
    EXPECT_NE(unpack(), "");
}

}  // namespace arena::tree_copy_test
