// The order of names, and how they are printed.
#include "gpu/core/text.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tonescope {
namespace {

TEST(NaturalOrder, IsThatOfNumbersWithinNames) {
    const std::vector<std::string> sorted = {"",
                                             "1.png",
                                             "2.png",
                                             "10.png",
                                             "11.png",
                                             "a.png",
                                             "a1b2",
                                             "a1b10",
                                             "a02b1",
                                             "b-9.png",
                                             "B-10.png",
                                             "IMG_2.jpg",
                                             "IMG_2b.jpg",
                                             "img_10.jpg",
                                             "x99999999999999999999999",
                                             "x100000000000000000000000",
                                             "\u00fc.png"};
    for (size_t i = 0; i < sorted.size(); ++i)
        for (size_t k = 0; k < sorted.size(); ++k)
            EXPECT_EQ(natural_order(sorted[i], sorted[k]), i <=> k) << sorted[i] << " and " << sorted[k];
}

TEST(NaturalOrder, IsAlwaysTheSame) {
    for (const auto& [first, second] : {std::pair("A.png", "a.png"), {"a001", "a01"}, {"a01", "a1"}, {"0", "00"}}) {
        EXPECT_TRUE(natural_order(first, second) < 0) << first;
        EXPECT_TRUE(natural_order(second, first) > 0) << first;
    }
    EXPECT_TRUE(natural_order("a007b1", "a7b2") < 0) << "zeros in front decide only between equal numbers";
    EXPECT_TRUE(natural_order("a7b1", "a007b2") < 0);
}

TEST(Printable, NamesCannotCommandATerminal) {
    EXPECT_EQ(printable("plain \u00e4 \u6f22 \U0001F600 \\ a.png"), "plain \u00e4 \u6f22 \U0001F600 \\ a.png");
    EXPECT_EQ(printable("a\nb\tc\rd\x7f"), "a\\nb\\tc\\x0dd\\x7f");
    EXPECT_EQ(printable("\x1b]0;title\a"), "\\x1b]0;title\\x07");
    EXPECT_EQ(printable("\xc2\x9b"
                        "31m"),
              "\\xc2\\x9b31m")
        << "the one-character form of ESC [";
    EXPECT_EQ(printable("\xc2\xa0"), "\xc2\xa0");
    EXPECT_EQ(printable("\xff \xc3( \xed\xa0\x80 \xf0\x9f\x98"), "\\xff \\xc3( \\xed\\xa0\\x80 \\xf0\\x9f\\x98");
    EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
    EXPECT_EQ(printable(printable("\x1b")), printable("\x1b"));
}

}  // namespace
}  // namespace tonescope
