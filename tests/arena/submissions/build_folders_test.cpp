#include "arena/submissions/build_folders.hpp"

#include "tests/harness/temporary_file.hpp"

namespace arena::places_test {

namespace fs = std::filesystem;

// A folder with s/ann, s/bob and a link to s/ann.
class Places : public testing::Test {
  protected:
    Places() {
        fs::create_directories(root_ / "s" / "ann" / "src");
        fs::create_directories(root_ / "s" / "bob");
        fs::create_directories(root_ / "grades");
        fs::create_directory_symlink(root_ / "s" / "ann", root_ / "link");
        fs::create_directory_symlink(root_ / "s" / "ann", root_ / "grades" / "ann");
    }

    std::string error(const std::string& place, const std::vector<std::string>& folders) const {
        std::vector<Submission> paths;
        for (const std::string& folder : folders)
            paths.push_back(submission_of((root_ / folder).string()));
        const auto checked = check_build_folders((root_ / place).string(), "--results", paths);
        return checked ? "" : checked.error().text;
    }

    const ::test::TemporaryFolder temporary_;
    const fs::path root_ = temporary_.path();
};

TEST_F(Places, ApartFromAllSubmissions) {
    EXPECT_EQ(error("results", {"s/ann", "s/bob/"}), "");
    EXPECT_EQ(error("s/results", {"s/ann", "s/bob"}), "");
    EXPECT_EQ(error("s/an", {"s/ann"}), "");
    EXPECT_EQ(error("grades", {"s/bob"}), "");
}

TEST_F(Places, NeitherInNorAroundNorAtASubmission) {
    const std::vector<std::string> ann{"s/ann"};
    for (const char* place : {"s", "s/", "s/bob/..", "s/ann", "s/ann/", "s/ann/x/y", "link",
                              "link/x", ".", "grades"}) {
        EXPECT_NE(error(place, ann).find("lie in one another, expected folders apart"),
                  std::string::npos)
            << place;
    }
    EXPECT_NE(error("s/ann/src", {"link"}).find("lie in one another"), std::string::npos);
}

TEST_F(Places, OfFoldersThatHaveNames) {
    const auto checked = check_build_folders("results", "--results", {submission_of("/")});
    ASSERT_FALSE(checked);
    EXPECT_EQ(
        checked.error().text,
        "'/': a submission is known by the name of its folder, expected a folder that has "
        "one");
}

}  // namespace arena::places_test
