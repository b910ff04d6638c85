// Stripes cover clipped pixels and nothing else.
#include <cstring>

#include "gpu/present/view_renderer.h"
#include "tests/present/canvas.h"

namespace tonescope {
namespace {

using ClippingTest = GlTest;

Color color_of(const std::array<uint8_t, 3>& c) {
    return {c[0], c[1], c[2]};
}
/// Of pixels whose channels with these bits are clipped at an end.
bool is_stripe(const Color& shown, int channels, bool is_high) {
    return channels != 0 && (shown == color_of(clipping_color(channels, is_high)) || shown == color_of(kStripeEdge));
}

/// Bits of the channels that are clipped at an end.
int clipped_channels(const HostImage& image, int x, int y, const ClipThresholds& thresholds, bool is_high) {
    int channels = 0;
    for (size_t c = 0; c < 3; ++c) {
        const int value = image.view().sample(x, y, is_gray(image.spec().format) ? 0 : int(c));
        if (is_high ? value >= thresholds.high : value <= thresholds.low) channels |= 1 << c;
    }
    return channels;
}

/// Blocks of 8 x 8 pixels of which every third is at one end of the range, some in one channel alone.
std::shared_ptr<const HostImage> blocks(int width, int height, PixelFormat format) {
    auto image = std::make_shared<HostImage>(ImageSpec{width, height, format, false});
    constexpr uint8_t colors[][4] = {{0, 0, 0, 255},     {90, 91, 92, 255},   {255, 255, 255, 255}, {255, 10, 20, 255},
                                     {200, 0, 255, 255}, {1, 1, 1, 255},      {254, 254, 254, 255}, {30, 40, 50, 255},
                                     {0, 200, 100, 255}, {255, 254, 254, 255}};
    const size_t channels = is_gray(format) ? 1 : 4;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const uint8_t* color = colors[(x / 8 + y / 8 * 7) % 10];
            uint8_t* const pixel = image->mutable_view().pixel(x, y);
            if (is_deep(format))
                std::copy_n(color, channels, reinterpret_cast<uint16_t*>(pixel));
            else
                std::copy_n(color, channels, pixel);
        }
    return image;
}

ClippingView view_of(const Picture& picture, double zoom, int width, int height) {
    ClippingView view;
    view.picture.picture = picture;
    view.place = {11, 5, zoom, 0, 0, double(width), double(height), double(width), double(height)};
    view.stripe = 6;
    return view;
}

constexpr int kWidth = 70, kHeight = 45, kZoom = 3;

/// Compares what is drawn over `image` with `channels_at`, which tells the bits of the channels that are to be marked
/// at an end.
void expect_stripes(const HostImage& image, const ClippingView& view, auto channels_at) {
    const ViewRenderer renderer;
    Canvas canvas(kWidth * kZoom + 40, kHeight * kZoom + 30);
    renderer.draw(view);
    canvas.read();
    int clipped = 0, striped = 0;
    for (int y = 0; y < kHeight * kZoom; ++y)
        for (int x = 0; x < kWidth * kZoom; ++x) {
            const Color shown = canvas.at(11 + x, 5 + y);
            const int low = channels_at(image, x / kZoom, y / kZoom, false);
            const int high = channels_at(image, x / kZoom, y / kZoom, true);
            if (shown != kUntouched) {
                ASSERT_TRUE(is_stripe(shown, low, false) || is_stripe(shown, high, true))
                    << x << ", " << y << ": " << low << " " << high;
            }
            if ((low != 0) == (high != 0)) continue;  // none, or stripes that cross
            ++clipped;
            striped += shown != kUntouched;
        }
    ASSERT_GT(clipped, 0);
    EXPECT_NEAR(double(striped) / clipped, 0.5, 0.05);
    EXPECT_EQ(canvas.at(10, 30), kUntouched) << "beside the image";
}

TEST_F(ClippingTest, EachClippedChannelShowsInTheStripes) {
    for (const int max_tile_px : {0, 32})
        for (const PixelFormat format :
             {PixelFormat::rgba8, PixelFormat::gray8, PixelFormat::rgba16, PixelFormat::gray16})
            for (const int channels : {7, 1, 2, 4})
                for (const ClipThresholds thresholds : {ClipThresholds{}, {10, 200}}) {
                    Presenter presenter("test", max_tile_px);
                    const auto image = blocks(kWidth, kHeight, format);
                    ClippingView view = view_of(present(presenter, PictureRole::before, image), kZoom,
                                                kWidth * kZoom + 40, kHeight * kZoom + 30);
                    view.channels = channels;
                    view.thresholds = thresholds;
                    expect_stripes(*image, view, [&](const HostImage& at, int x, int y, bool is_high) {
                        return clipped_channels(at, x, y, thresholds, is_high) & channels;
                    });
                }
}

TEST_F(ClippingTest, NewlyClippedPixelsAlone) {
    for (const int max_tile_px : {0, 32}) {
        Presenter presenter("test", max_tile_px);
        const auto after = blocks(kWidth, kHeight, PixelFormat::rgba8);
        auto before = std::make_shared<HostImage>(after->spec());
        for (int y = 0; y < kHeight; ++y)  // other blocks, so that some pixels stay and others change
            for (int x = 0; x < kWidth; ++x)
                std::memcpy(before->mutable_view().pixel(x, y), after->view().pixel((x + 24) % kWidth, y), 4);
        ClippingView view =
            view_of(present(presenter, PictureRole::after, after), kZoom, kWidth * kZoom + 40, kHeight * kZoom + 30);
        view.before = present(presenter, PictureRole::before, before);
        expect_stripes(*after, view, [&](const HostImage& at, int x, int y, bool is_high) {
            return clipped_channels(*before, x, y, {}, is_high) != 0 ? 0 : clipped_channels(at, x, y, {}, is_high);
        });
    }
}

TEST_F(ClippingTest, StaysInItsPartOfTheWindow) {
    const ViewRenderer renderer;
    Presenter presenter("test");
    const auto image = shared_gray(40, 40, 0);
    ClippingView view;
    view.picture.picture = present(presenter, PictureRole::before, image);
    view.place = {-20, -20, 10, 30, 10, 90, 70, 100, 80};
    view.stripe = 4;
    // Above the line from the top right to the bottom left.
    view.cut_x = view.cut_y = 1;
    view.cut = 100;
    for (const int scale : {1, 2}) {
        Canvas canvas(100 * scale, 80 * scale);
        renderer.draw(view);
        canvas.read();
        int striped = 0;
        for (int y = 0; y < 80 * scale; ++y)
            for (int x = 0; x < 100 * scale; ++x) {
                if (canvas.at(x, y) == kUntouched) continue;
                ++striped;
                const double wx = (x + 0.5) / scale, wy = (y + 0.5) / scale;
                ASSERT_TRUE(wx >= 30 && wx <= 90 && wy >= 10 && wy <= 70 && wx + wy <= 100) << x << ", " << y;
            }
        EXPECT_NEAR(striped, 1800 / 2 * scale * scale, 120 * scale * scale);
    }
}

TEST_F(ClippingTest, BelowOneToOneFewPixelsAreMarked) {
    const ViewRenderer renderer;
    Presenter presenter("test");
    const auto image = shared_gray(128, 64, 100);
    // At the right a clipped pixel in each group of 4 x 4: halvings of the image would hide them.
    for (int y = 1; y < 64; y += 4)
        for (int x = 66; x < 128; x += 4) image->mutable_view().row(y)[x] = 255;
    ClippingView view;
    view.picture.picture = present(presenter, PictureRole::before, image);
    view.place = {0, 0, 0.25, 0, 0, 32, 16, 32, 16};
    view.stripe = 6;
    Canvas canvas(32, 16);
    renderer.draw(view);
    canvas.read();
    int striped = 0;
    for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 32; ++x) {
            if (x < 16) {
                ASSERT_EQ(canvas.at(x, y), kUntouched) << x << ", " << y;
            }
            striped += is_stripe(canvas.at(x, y), 7, true);
        }
    EXPECT_NEAR(striped, 128, 30);
}

TEST_F(ClippingTest, APreviewStandsForItsPart) {
    const ViewRenderer renderer;
    Presenter presenter("test");
    const auto preview = shared_gray(6, 5, 100);
    preview->mutable_view().row(2)[3] = 0;
    ClippingView view;
    view.picture.picture = present(presenter, PictureRole::preview, preview);
    view.picture.left = 16;
    view.picture.top = 24;
    view.picture.step = 4;
    view.place = {0, 0, 1, 0, 0, 64, 64, 64, 64};
    view.stripe = 2;
    Canvas canvas(64, 64);
    renderer.draw(view);
    canvas.read();
    int striped = 0;
    for (int y = 0; y < 64; ++y)
        for (int x = 0; x < 64; ++x) {
            const bool inside = x >= 28 && x < 32 && y >= 32 && y < 36;
            if (!inside) {
                ASSERT_EQ(canvas.at(x, y), kUntouched) << x << ", " << y;
            }
            striped += is_stripe(canvas.at(x, y), 7, false);
        }
    EXPECT_GT(striped, 2);
}

}  // namespace
}  // namespace tonescope
