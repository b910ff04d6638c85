// Images to measure on.
#include "gpu/core/benchmark/contents.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>

#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "tests/images.h"

namespace tonescope {
namespace {

constexpr ImageSpec kColor{97, 61, PixelFormat::rgba8, false}, kGray{97, 61, PixelFormat::gray8, false};

std::array<int64_t, 256> counts_of(const HostImage& image) {
    std::array<int64_t, 256> counts{};
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) ++counts[image.view().pixel(x, y)[0]];
    return counts;
}

TEST(Contents, AreWhatTheirNamesSay) {
    const auto values_in = [](const char* content) {
        return std::ranges::count_if(counts_of(make_image(content, kGray, 2)), [](int64_t n) { return n > 0; });
    };
    EXPECT_EQ(values_in("constant"), 1);
    EXPECT_EQ(values_in("two-level"), 2);
    EXPECT_EQ(values_in("noise"), 256);
    EXPECT_GT(values_in("smooth"), 60);
    const HostImage ramp = make_image("ramp", kGray, 2);
    EXPECT_LT(ramp.view().pixel(0, 0)[0], 3);
    EXPECT_GT(ramp.view().pixel(96, 60)[0], 100);
}

TEST(Contents, AreTheSameEachTimeAndOpaque) {
    for (const ContentInfo& content : contents()) {
        const HostImage once = make_image(content.id, kColor, 1), again = make_image(content.id, kColor, 2);
        EXPECT_EQ(std::memcmp(once.data(), again.data(), once.size_bytes()), 0) << content.id;
        for (int y = 0; y < once.height(); ++y)
            for (int x = 0; x < once.width(); ++x) ASSERT_EQ(once.view().pixel(x, y)[3], 255) << content.id;
        EXPECT_EQ(find_content(content.id), &content);
    }
    EXPECT_THROW(make_image("fog", kGray, 1), UsageError);
}

TEST(Contents, BellHasAllKindsOfWordsAroundTheMiddle) {
    const HostImage image = make_image("bell", {400, 300, PixelFormat::rgba8, false}, 2);
    std::map<int, int> words;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const uint8_t* p = image.view().pixel(x, y);
            ++words[(77 * p[0] + 150 * p[1] + 29 * p[2]) >> 6];
        }
    int near = 0;
    for (const auto& [word, count] : words) {
        ASSERT_LE(word, 1020);
        if (word > 510 - 148 && word < 510 + 148) near += count;
    }
    EXPECT_NEAR(near / 120000.0, 0.68, 0.03) << "one standard deviation of a sum of four even distributions";
    for (int word = 500; word < 520; ++word) EXPECT_GT(words[word], 50) << word;
}

TEST(Contents, FilesAreMirroredUntilTheyFillTheSize) {
    HostImage file(ImageSpec{3, 2, PixelFormat::rgba8, true});
    for (int i = 0; i < 24; ++i) file.data()[i] = uint8_t(i);
    const HostImage large = mirrored_image(file.view(), {8, 5, PixelFormat::rgba8, true}, 2);
    const int columns[] = {0, 1, 2, 2, 1, 0, 0, 1}, rows[] = {0, 1, 1, 0, 0};
    for (int y = 0; y < 5; ++y)
        for (int x = 0; x < 8; ++x)
            EXPECT_EQ(std::memcmp(large.view().pixel(x, y), file.view().pixel(columns[x], rows[y]), 4), 0) << x << y;
    const HostImage gray = mirrored_image(filled(2, 2, PixelFormat::gray8, 9).view(), kGray, 1);
    EXPECT_EQ(counts_of(gray)[9], kGray.pixels());
}

TEST(Contents, StopsHalfway) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(make_image("noise", kGray, 2, stop.get_token()), Canceled);
}

TEST(Contents, SizesHaveNames) {
    EXPECT_EQ(sizes_of("4k", "--size"), (std::vector<NamedSize>{{"4k", 3840, 2160}}));
    EXPECT_EQ(sizes_of("7x9", "--size"), (std::vector<NamedSize>{{"7x9", 7, 9}}));
    EXPECT_EQ(sizes_of("reports", "--size").size(), 7U);
    for (const NamedSize& size : sizes_of("powers", "--size")) EXPECT_EQ(size.width & (size.width - 1), 0);
    for (const char* wrong : {"4q", "0x5", "x", "70000x1", "65535x65535", ""})
        EXPECT_THROW(sizes_of(wrong, "--size"), UsageError) << wrong;
}

}  // namespace
}  // namespace tonescope
