#include "arena/players/tokens.hpp"

#include <sys/stat.h>

#include "arena/base/files.hpp"
#include "arena/commands/options.hpp"
#include "tests/arena/usage.hpp"
#include "tests/harness/temporary_file.hpp"

namespace arena::tokens_test {

using namespace testing;

TEST(Tokens, OnlyHashesOfSecretsAreStored) {
    const ::test::TemporaryFolder folder;
    const std::string path = folder.file("tokens");
    const auto ann = add_token(path, "Ann");
    const auto bob = add_token(path, "Bob Müller");
    ASSERT_TRUE(ann && bob);
    EXPECT_THAT(*ann, MatchesRegex("[0-9a-f]{32}"));
    EXPECT_NE(*ann, *bob);
    const auto tokens = Tokens::load(path);
    ASSERT_TRUE(tokens);
    EXPECT_EQ(tokens->owner(*ann), "Ann");
    EXPECT_EQ(tokens->owner(*bob), "Bob Müller");
    EXPECT_EQ(tokens->owner(""), std::nullopt);
    EXPECT_EQ(tokens->owner(ann->substr(1)), std::nullopt);
    EXPECT_EQ(tokens->owner(ann->substr(0, 31)), std::nullopt);
    EXPECT_EQ(tokens->owner(*ann + "0"), std::nullopt);
    EXPECT_THAT(*read_file(path), Not(HasSubstr(*ann)));
    struct stat status {};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777u, 0600u);
}

TEST(Tokens, NoHashIsComparedByAPart) {
    const ::test::TemporaryFolder folder;
    const std::string path = folder.file("tokens");
    const auto ann = add_token(path, "Ann");
    ASSERT_TRUE(ann);
    const std::string text = *read_file(path);
    const std::size_t begin = text.find("\n") + 1;
    for (const std::size_t digit : {0, 1, 31, 32, 62, 63}) {
        std::string other = text;
        char& changed = other[begin + digit];
        changed = changed == '0' ? '1' : '0';
        std::ofstream(path) << other;
        const auto tokens = Tokens::load(path);
        ASSERT_TRUE(tokens);
        EXPECT_EQ(tokens->owner(*ann), std::nullopt) << digit;
    }
}

TEST(Tokens, TheFileKeepsItsModeAndItsOwner) {
    const ::test::TemporaryFolder folder;
    const std::string path = folder.file("tokens");
    ASSERT_TRUE(add_token(path, "Ann"));
    ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
    constexpr uid_t kUser = 65534;
    const bool is_given = ::chown(path.c_str(), kUser, kUser) == 0;  // root may; not everywhere
    ASSERT_TRUE(add_token(path, "Bob"));
    ASSERT_TRUE(remove_token(path, "Ann"));
    struct stat status {};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777u, 0640u);
    EXPECT_EQ(status.st_uid, is_given ? kUser : ::geteuid());
    EXPECT_EQ(status.st_gid, is_given ? kUser : ::getegid());
}

TEST(Tokens, TheFileThatALinkLeadsToIsReplaced) {
    const ::test::TemporaryFolder folder;
    const ::test::TemporaryFolder other;
    const std::string path = folder.file("tokens");
    const std::string link = other.file("link");
    std::filesystem::create_symlink(path, other.file("next"));
    std::filesystem::create_symlink("next", link);  // before there is a file
    ASSERT_TRUE(add_token(link, "Ann"));
    ASSERT_TRUE(add_token(link, "Bob"));
    ASSERT_TRUE(remove_token(link, "Ann"));
    EXPECT_TRUE(std::filesystem::is_symlink(link));
    const auto tokens = Tokens::load(path);
    ASSERT_TRUE(tokens);
    ASSERT_EQ(tokens->entries().size(), 1u);
    EXPECT_EQ(tokens->entries().front().name, "Bob");
}

TEST(TokenFile, SeesAddedAndRemovedTokens) {
    const ::test::TemporaryFolder folder;
    const std::string path = folder.file("tokens");
    const auto ann = add_token(path, "Ann");
    TokenFile file;
    ASSERT_TRUE(file.open(path));
    const auto bob = add_token(path, "Bob");
    EXPECT_EQ(file.tokens().owner(*bob), std::nullopt);
    ASSERT_TRUE(file.refresh());
    EXPECT_EQ(file.tokens().owner(*bob), "Bob");
    ASSERT_TRUE(remove_token(path, "Ann"));
    ASSERT_TRUE(file.refresh());
    EXPECT_EQ(file.tokens().owner(*ann), std::nullopt);
}

TEST(TokenFile, ReportsEachErrorOnceAndKeepsTheOldTokens) {
    const ::test::TemporaryFolder folder;
    const std::string path = folder.file("tokens");
    TokenFile file;
    EXPECT_FALSE(file.open(path));
    const auto ann = add_token(path, "Ann");
    ASSERT_TRUE(file.refresh());

    std::ofstream(path) << "nonsense\n";
    const auto refused = file.refresh();
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().text, HasSubstr("line 1: read 'nonsense'"));
    EXPECT_TRUE(file.refresh()) << "it was told";
    EXPECT_EQ(file.tokens().owner(*ann), "Ann");
    std::filesystem::remove(path);
    EXPECT_FALSE(file.refresh()) << "another error";
    EXPECT_TRUE(file.refresh()) << "it was told";
    EXPECT_EQ(file.tokens().owner(*ann), "Ann");

    const auto bob = add_token(path, "Bob");
    ASSERT_TRUE(file.refresh());
    EXPECT_EQ(file.tokens().owner(*bob), "Bob");
    EXPECT_EQ(file.tokens().owner(*ann), std::nullopt);
    std::filesystem::remove(path);
    EXPECT_FALSE(file.refresh()) << "told anew";
    EXPECT_EQ(file.tokens().owner(*bob), "Bob");
}

// SHA-256 of "abc", from FIPS 180-2.
TEST(Tokens, TheHashIsThatOfTheStandard) {
    const auto tokens = Tokens::parse(
        "# comment\n\n"
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  Ann Lee \r\n",
        "f");
    ASSERT_TRUE(tokens) << tokens.error().text;
    EXPECT_EQ(tokens->owner("abc"), "Ann Lee");
}

TEST(Tokens, ANameHasOneAndItCanBeRemoved) {
    const ::test::TemporaryFolder folder;
    const std::string path = folder.file("tokens");
    const auto first = add_token(path, "Ann");
    ASSERT_TRUE(first);
    const auto again = add_token(path, "Ann");
    ASSERT_FALSE(again);
    EXPECT_THAT(again.error().text, HasSubstr("'Ann' has a token in"));
    ASSERT_TRUE(remove_token(path, "Ann"));
    EXPECT_EQ(Tokens::load(path)->owner(*first), std::nullopt);
    EXPECT_THAT(remove_token(path, "Ann").error().text, HasSubstr("'Ann' has no token in"));
    EXPECT_TRUE(add_token(path, "Ann"));
}

TEST(Tokens, AddedAtTheSameTimeNoneIsLost) {
    const ::test::TemporaryFolder folder;
    const std::string path = folder.file("tokens");
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&path, i] {
            for (int k = 0; k < 10; ++k) {
                ASSERT_TRUE(add_token(path, std::to_string(100 * i + k)));
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(Tokens::load(path)->entries().size(), 40u);
    // No other file is left.
    const auto files = std::filesystem::directory_iterator(folder.path());
    EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST(Tokens, ErrorsNameTheLine) {
    const std::string hash(64, 'a');
    EXPECT_THAT(Tokens::parse("xyz Ann\n", "f").error().text, HasSubstr("'f', line 1: read"));
    EXPECT_FALSE(Tokens::parse(hash + "\n", "f"));
    EXPECT_THAT(Tokens::parse(hash + " A\n" + hash + " A\n", "f").error().text,
                HasSubstr("line 2: 'A' has a token already"));
    EXPECT_THAT(Tokens::parse(hash + " A\n" + hash + " B\n", "f").error().text,
                HasSubstr("line 2: the same token as 'A'"));
    EXPECT_FALSE(Tokens::load("/nowhere/tokens"));
    EXPECT_FALSE(remove_token("/nowhere/tokens", "Ann"));
}

TEST(Tokens, NamesFitATable) {
    for (const char* good : {"Ann", "Ann Lee", "Zoë", "007"}) {
        EXPECT_TRUE(check_token_name(good)) << good;
    }
    for (const char* bad : {"", " Ann", "Ann ", "A\nB", "A\tB", "\xff", "--tokens",
                            "12345678901234567890123456789012345678901"}) {
        EXPECT_FALSE(check_token_name(bad)) << bad;
    }
}

TEST(TokenOptions, ReadsItsActions) {
    const auto add = parse_token_options({"add", "Ann Lee", "--tokens", "f"});
    ASSERT_TRUE(std::holds_alternative<TokenOptions>(add));
    EXPECT_EQ(std::get<TokenOptions>(add).action(), "add");
    EXPECT_EQ(std::get<TokenOptions>(add).name(), "Ann Lee");
    EXPECT_EQ(std::get<TokenOptions>(add).file, "f");
    const auto list = parse_token_options({"--tokens=f", "list"});
    ASSERT_TRUE(std::holds_alternative<TokenOptions>(list));
    EXPECT_TRUE(std::holds_alternative<HelpText>(parse_token_options({"--help"})));
}

TEST(TokenOptions, SaysWhatIsMissing) {
    const auto error_of = [](const Words& words) {
        return usage_error(parse_token_options(words), "nim-arena token");
    };
    EXPECT_THAT(error_of({}),
                HasSubstr("read nothing, expected add NAME, list or remove NAME"));
    EXPECT_THAT(error_of({"ad", "Ann"}), HasSubstr("read 'ad', expected add NAME"));
    EXPECT_THAT(error_of({"add", "--tokens", "f"}), HasSubstr("expected one name"));
    EXPECT_THAT(error_of({"list", "Ann", "--tokens", "f"}), HasSubstr("expected none"));
    EXPECT_THAT(error_of({"add", "Ann"}), HasSubstr("expected --tokens FILE"));
    EXPECT_THAT(error_of({"add", " Ann", "--tokens", "f"}), HasSubstr("read the name"));
    for (const char* address : {"0.0.0.0:7000", "[::]:7000"}) {
        EXPECT_THAT(error_of({"add", "Ann", "--tokens", "f", "--invite", address}),
                    HasSubstr("the address by which others reach it"));
    }
}

}  // namespace arena::tokens_test
