#include "arena/submissions/submission.hpp"

#include <fmt/format.h>

#include "arena/grade/grading.hpp"
#include "tests/harness/temporary_file.hpp"

namespace arena::submission_test {

namespace fs = std::filesystem;
using namespace testing;

// Files, and folders where a name ends with a slash.
class Submissions : public testing::Test {
  protected:
    // "STUDENT ID: FILE, …" of each submission, and "-: PATH" of what is left out.
    std::vector<std::string> listed(const std::string& rule,
                                    const std::vector<std::string>& names) const {
        std::vector<std::string> paths;
        for (std::string name : names) {
            const bool is_folder = name.ends_with('/');
            if (is_folder) name.pop_back();
            paths.push_back((fs::path(folder_.path()) / name).string());
            if (is_folder) fs::create_directory(paths.back());
            if (!is_folder) std::ofstream(paths.back()) << "x";
        }
        const ClassList list = list_submissions(paths, rule);
        std::vector<std::string> lines;
        for (const Submission& submission : list.submissions) {
            std::string line = fmt::format("{} {}:", submission.name, submission.id);
            for (const auto& part : submission.parts) {
                line += " " + part.name;
                EXPECT_TRUE(fs::exists(part.path)) << part.path;
            }
            lines.push_back(line);
        }
        for (const std::string& path : list.left_out)
            lines.push_back("-: " + fs::path(path).filename().string());
        return lines;
    }

    test::TemporaryFolder folder_;
};

TEST_F(Submissions, AreFoldersAndArchives) {
    EXPECT_THAT(listed("", {"ann/", "ann.zip", "bob.tar.gz", "Cy.ZIP", "README", "._cy.zip",
                            "dan.py", "eve.v2.tgz", ".zip"}),
                ElementsAre("ann : ", "bob : bob.tar.gz", "Cy : Cy.ZIP", "eve.v2 : eve.v2.tgz",
                            "-: ann.zip", "-: README", "-: ._cy.zip", "-: dan.py", "-: .zip"));
}

TEST_F(Submissions, OfMoodleAreFoldersOrFiles) {
    EXPECT_THAT(listed("moodle",
                       {"Ann Smith_12_assignsubmission_file_/", "Bo_13_assignsubmission_file/",
                        "Bo_13_assignsubmission_onlinetext_/", "grades.csv", "x/",
                        "\xc3\x85sa B\xc3\xb6k_14_assignsubmission_file_bot.py",
                        "\xc3\x85sa B\xc3\xb6k_14_assignsubmission_file_my_help_1.py"}),
                ElementsAre("Ann Smith 12: ", "Bo 13: ",
                            "\xc3\x85sa B\xc3\xb6k 14: bot.py my_help_1.py",
                            "-: Bo_13_assignsubmission_onlinetext_", "-: grades.csv", "-: x"));
}

TEST_F(Submissions, OfCanvasAreFiles) {
    EXPECT_THAT(listed("canvas", {"smithann_12_345_bot.py", "smithann_12_346_my_1_2_help.py",
                                  "smithbob_LATE_13_347_bot-1.py", "a_b_14_348_bot.zip",
                                  "anon_x7Yz1_349_bot.py", "LATE_anon_q7Yz1_350_bot.py",
                                  "smithcy_15_text.html", "README"}),
                ElementsAre("smithann 12: bot.py my_1_2_help.py", "smithbob 13: bot.py",
                            "a_b 14: bot.zip", "anon_x7Yz1 : bot.py", "anon_q7Yz1 : bot.py",
                            "-: smithcy_15_text.html", "-: README"));
}

TEST_F(Submissions, LoseTheNumbersThatCanvasAdds) {
    EXPECT_THAT(listed("canvas", {"a_1_1_bot-12.py", "a_1_2_x-1", "b_2_1_bot-1.py",
                                  "b_2_2_bot.py", "c_3_1_bot-1.py", "c_3_2_bot-2.py",
                                  "d_4_1_-1.py", "d_4_2_1.py", "d_4_3_a-.py"}),
                ElementsAre("a 1: bot.py x", "b 2: bot-1.py bot.py", "c 3: bot-1.py bot-2.py",
                            "d 4: -1.py 1.py a-.py"));
}

TEST_F(Submissions, AreOfWhomARuleOfOnesOwnSays) {
    EXPECT_THAT(listed("nim-(\\w+)-",
                       {"nim-ann-bot.py", "nim-ann-help.py", "nim-bob-/", "nim--x", "other"}),
                ElementsAre("ann : bot.py help.py", "bob : ", "-: nim--x", "-: other"));
    EXPECT_THAT(listed("(?:a|b)_(.*)\\.zip", {"a_cy.zip", "b_dan.zip"}),
                ElementsAre("cy : a_cy.zip", "dan : b_dan.zip"));
}

TEST_F(Submissions, OfOneNameAreToldApart) {
    EXPECT_THAT(
        listed("moodle", {"Ann_1_assignsubmission_file_/", "Ann_2_assignsubmission_file_/",
                          "Bob_3_assignsubmission_file_/"}),
        ElementsAre("Ann_1 1: ", "Ann_2 2: ", "Bob 3: "));
}

TEST_F(Submissions, HaveEachANameOfItsOwn) {
    std::vector<Submission> all;
    for (const char* path :
         {"ann.tgz", "s/seed.txt", "ann.zip", "ann (2).zip", "bob", "t/ann.zip"})
        all.push_back(submission_of(path));
    for (const char* name : {".", ".."}) {
        all.push_back(submission_of("cy"));
        all.back().name = name;  // as a pattern may give it
    }
    make_names_distinct(all, kNamesTaken);
    std::vector<std::string> names, notes;
    for (const Submission& submission : all) {
        names.push_back(submission.name);
        if (!submission.note.empty()) notes.push_back(submission.note);
    }
    EXPECT_THAT(names, ElementsAre("ann", "seed.txt (2)", "ann (2)", "ann (2) (2)", "bob",
                                   "ann (3)", ". (2)", ".. (2)"));
    EXPECT_THAT(
        notes,
        ElementsAre("'seed.txt' is called 'seed.txt (2)' here, because 'seed.txt' is taken",
                    "'ann.zip' is called 'ann (2)' here, because 'ann' is taken",
                    "'ann (2).zip' is called 'ann (2) (2)' here, because 'ann (2)' is taken",
                    "'ann.zip' is called 'ann (3)' here, because 'ann' is taken",
                    "'cy' is called '. (2)' here, because '.' is taken",
                    "'cy' is called '.. (2)' here, because '..' is taken"));
}

TEST(SubmissionNames, AreNotThoseOfTheOpponentsRecord) {
    for (const char* ending : {"", "-wal", "-shm", "-journal", "-lock"})
        EXPECT_THAT(kNamesTaken, Contains("opponents.db" + std::string(ending)));
}

TEST(SubmissionNames, AreThoseOfFolders) {
    const fs::path here = fs::current_path();
    for (const char* path : {".", "./"})
        EXPECT_EQ(submission_name(path), here.filename().string()) << path;
    EXPECT_EQ(submission_name("../"), here.parent_path().filename().string());
    EXPECT_EQ(submission_name("/"), "");
}

TEST_F(Submissions, AreNoLinks) {
    fs::create_symlink("/etc/passwd", fs::path(folder_.path()) / "a_1_2_bot.py");
    const auto list =
        list_submissions({(fs::path(folder_.path()) / "a_1_2_bot.py").string()}, "canvas");
    EXPECT_TRUE(list.submissions.empty());
}

TEST(StudentRules, HaveOneGroup) {
    for (const char* rule : {"", "moodle", "canvas", "(.*)_", "(?:a)(b|c*)"})
        EXPECT_TRUE(check_student_rule(rule)) << rule;
    const std::vector<std::pair<std::string, std::string>> cases{
        {"x",
         "read 'x' with 0 groups, expected moodle, canvas, or a regular expression with one "
         "group, the student's name, such as '([a-z]+)_[0-9]+_'; (?:…) is no group"},
        {"(a)(b)", "read '(a)(b)' with 2 groups, "},
        {"(a", "read '(a': Mismatched '(' and ')' in regular expression; expected moodle, "},
        {"a)(b", "read 'a)(b': "},
        {"(a)\\1", "read '(a)\\1': Unexpected back-reference"},
        {std::string(1001, 'a'), "read 1001 bytes, expected moodle"},
        {"((a{900}){900})", "read '((a{900}){900})': Number of NFA states exceeds limit."},
    };
    for (const auto& [rule, error] : cases) {
        const auto checked = check_student_rule(rule);
        ASSERT_FALSE(checked) << rule;
        EXPECT_THAT(checked.error().text, StartsWith(error));
    }
}

// With a matcher that goes back, 2^255 steps.
TEST(StudentRules, NeverTakeLong) {
    ASSERT_TRUE(check_student_rule("(?:a*)*(b)"));
    EXPECT_EQ(
        list_submissions({"/nowhere/" + std::string(255, 'a')}, "(?:a*)*(b)").left_out.size(),
        1u);
    test::TemporaryFolder folder;
    const std::string name = folder.path() + "/" + std::string(255, 'a');
    std::ofstream(name) << "x";
    EXPECT_EQ(list_submissions({name}, "(?:(?:a*)*)*(b)").left_out.size(), 1u);
}

TEST(SubmissionName, IsOfTheLastFolder) {
    EXPECT_EQ(submission_name("s/ann/"), "ann");
    EXPECT_EQ(submission_name("s/./ann"), "ann");
    EXPECT_EQ(submission_name("s/bob/.."), "s");
}

}  // namespace arena::submission_test
