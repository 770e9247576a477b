#include "engine/base/function_ref.hpp"

namespace engine::test::function_ref_test {

std::string twice(FunctionRef<std::string(const std::string&, int)> function) {
    const std::string first = function("a", 1);
    return first + function("b", 2);
}

std::string joined(const std::string& text, int number) {
    return text + std::to_string(number);
}

TEST(FunctionRef, CallsWhateverItRefersTo) {
    int calls = 0;
    const auto counting = [&calls](const std::string& text, int number) {
        ++calls;
        return joined(text, 10 * number);
    };
    EXPECT_EQ(twice(counting), "a10b20");
    EXPECT_EQ(twice([state = std::string("x")](const std::string& text, int) mutable {
                  return state += text;
              }),
              "xaxab");
    EXPECT_EQ(calls, 2);
}

}  // namespace engine::test::function_ref_test
