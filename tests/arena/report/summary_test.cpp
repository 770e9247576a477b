#include "arena/report/summary.hpp"

#include "arena/record/open_store.hpp"

namespace arena::pages::summary_test {

TEST(Summary, EndsOnceItsTimeIsUp) {
    const auto store = make_memory_store();
    ASSERT_TRUE(store->open({{"format", "chess"}}));  // is refused after the results are added
    const auto late = summarize(*store, {}, engine::Budget::spent());
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().fault, protocol::Fault::TimedOut);
    const auto refused = summarize(*store, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().fault, protocol::Fault::BadInput);
}

}  // namespace arena::pages::summary_test
