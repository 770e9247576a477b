"""Some of the class, none of whom takes long: as long as CI can wait."""
import test_class


class SmallClass(test_class.AClass):
    MEMBERS = ("right-python", "right-cpp", "right-javascript", "right-java", "as-it-came-go", "not-misere",
               "does-not-compile", "two-programs", "wrong-player-toml", "crashes", "claims", "deletes", "looks",
               "leaves", "borrows", "links", "build-reaches", "build-hides")
    BUILD_TIME = 86400

    def test_is_graded_whatever_its_members_do(self):
        self.assert_graded_whatever_its_members_do()
