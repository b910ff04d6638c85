// Bad input of every kind ends as one line that names the file.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "app/image_io/image_io.h"
#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "tests/cpu_time.h"
#include "tests/image_io/sample_files.h"
#include "tests/image_tools.h"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which have their own
#define TONESCOPE_REALLOC_FAILS
static int reallocs_to_failure = 0;  // 0: none fails

/// Stands for the C library's, also where libraries call it.
extern "C" void* __libc_realloc(void*, size_t);
extern "C" void* realloc(void* block, size_t bytes) noexcept {
    if (reallocs_to_failure > 0 && --reallocs_to_failure == 0) return nullptr;
    return __libc_realloc(block, bytes);
}
#endif

namespace tonescope::test {
namespace {

/// The line that load_image refuses the file with; empty (and a failure) when it opens.
std::string refusal(const std::string& path) {
    try {
        load_image(path);
    } catch (const UserError& e) {
        const std::string line = e.what();
        EXPECT_NE(line.find(std::filesystem::path(path).filename().string()), std::string::npos) << line;
        EXPECT_EQ(line.find('\n'), std::string::npos) << line;
        return line;
    }
    ADD_FAILURE() << path << " was opened";
    return {};
}

void expect_refused(const std::string& path, const std::string& part) {
    const std::string line = refusal(path);
    EXPECT_NE(line.find(part), std::string::npos) << line;
}

/// Where the JPEG's first segment of this kind begins.
size_t find_segment(const Bytes& jpeg, uint8_t marker) {
    size_t at = 2;
    while (jpeg[at + 1] != marker) at += 2 + (size_t{jpeg[at + 2]} << 8 | jpeg[at + 3]);
    return at;
}

TEST(BadInput, NotAFile) {
    const TemporaryFolder folder;
    expect_refused(folder.path("missing.png"), "no such file");
    expect_refused(folder.path("missing/folder.png"), "no such file");
    std::filesystem::create_directory(folder.path("folder.png"));
    expect_refused(folder.path("folder.png"), "folder");
    expect_refused(folder.write("empty.jpg", {}), "empty");
    ASSERT_EQ(mkfifo(folder.path("pipe.png").c_str(), 0600), 0);
    expect_refused(folder.path("pipe.png"), "not a regular file");
    expect_refused(folder.path(std::string(300, 'x') + ".png"), "name too long");
}

TEST(BadInput, Unreadable) {
    if (geteuid() == 0) GTEST_SKIP() << "root reads everything";
    const TemporaryFolder folder;
    const std::string path = folder.write("secret.png", {1, 2, 3});
    chmod(path.c_str(), 0);
    expect_refused(path, "permission denied");
}

TEST(BadInput, NotAnImage) {
    const TemporaryFolder folder;
    for (const char* name : {"text.png", "text.tga", "text"})
        expect_refused(folder.write(name, text_bytes("Hello, world\n")), "not an image");
    expect_refused(folder.write("bm.txt", text_bytes("BMW and other cars, a list of them all")), "not an image");
    expect_refused(folder.write("p5.txt", text_bytes("P5")), "not an image");
    std::minstd_rand random(11);
    for (int i = 0; i < 200; ++i) {
        Bytes noise(300);
        for (uint8_t& byte : noise) byte = uint8_t(random() >> 8);
        refusal(folder.write("noise", noise));
    }
}

TEST(BadInput, OtherKindsAreNamed) {
    const TemporaryFolder folder;
    expect_refused(folder.write("a.dcm", text_bytes(std::string(128, 'x') + "DICM")), "too early");
    expect_refused(folder.write("a.avif", text_bytes("1234ftypavif")), "AVIF");
    expect_refused(folder.write("a.bmp", make_bmp(1, 1, 24, 5, {}, {1, 0, 0, 1})), "PNG inside");
    expect_refused(folder.write("a.psd", make_psd(2, 1, 3, 8, {1, 2, 3, 4, 5, 6}, false, 9)),
                   "only gray, indexed, RGB and CMYK");
    Bytes zipped = make_psd(2, 1, 3, 8, {1, 2, 3, 4, 5, 6}, false);
    zipped[zipped.size() - 7] = 2;
    expect_refused(folder.write("a.psd", zipped), "compression");
}

TEST(BadInput, ControlCharactersInTheName) {
    const TemporaryFolder folder;
    try {
        load_image(folder.path("a\nb.png"));
        ADD_FAILURE();
    } catch (const UserError& e) {
        EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos);
    }
}

TEST(Truncated, EveryLengthOfEveryKind) {
    const TemporaryFolder folder;
    for (const Sample& sample : all_samples()) {
        EXPECT_NO_THROW(load_image(folder.write(sample.name, sample.bytes))) << sample.name;
        Bytes shorter(sample.bytes.begin(), sample.bytes.begin() + long(sample.needed_bytes));
        EXPECT_NO_THROW(load_image(folder.write(sample.name, shorter))) << sample.name;
        while (!shorter.empty()) {
            shorter.pop_back();
            const std::string path = folder.write(sample.name, shorter);
            EXPECT_THROW(load_image(path), UserError)
                << sample.name << " with " << shorter.size() << " of " << sample.bytes.size();
            EXPECT_THROW(load_thumbnail(path, 4), UserError) << sample.name << " with " << shorter.size();
        }
    }
}

TEST(Truncated, ThePhotograph) {
    const std::string path = std::string(TONESCOPE_TEST_IMAGES) + "/truncated.jpg";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
    expect_refused(path, "damaged or cut off");
}

TEST(Dimensions, ZeroAndAbsurdOnes) {
    const TemporaryFolder folder;
    const auto dimensions = [&](const std::string& name, const Bytes& bytes, const std::string& shown) {
        expect_refused(folder.write(name, bytes), shown + " pixels; sides may be 1 to 65535");
    };
    dimensions("a.png", make_png(0, 5, 8, 0, {}), "0 \u00d7 5");
    dimensions("a.png", make_png(70000, 5, 8, 0, {}), "70000 \u00d7 5");
    dimensions("a.png", make_png(60000, 60000, 8, 0, {}), "60000 \u00d7 60000");
    dimensions("a.png", make_png(0xFFFFFFFF, 0xFFFFFFFF, 8, 0, {}), "4294967295 \u00d7 4294967295");
    dimensions("a.pgm", text_bytes("P5 0 3 255\n"), "0 \u00d7 3");
    dimensions("a.pgm", text_bytes("P5 65536 3 255\n"), "65536 \u00d7 3");
    dimensions("a.pgm", text_bytes("P2 40000 40000 255\n"), "40000 \u00d7 40000");
    dimensions("a.bmp", make_bmp(0, 1, 24, 0, {}, {0, 0, 0, 0}), "0 \u00d7 1");
    dimensions("a.bmp", make_bmp(1 << 30, 1, 24, 0, {}, {0, 0, 0, 0}), "1073741824 \u00d7 1");
    dimensions("a.bmp", make_bmp(-5, 1, 24, 0, {}, {0, 0, 0, 0}), "-5 \u00d7 1");
    dimensions("a.bmp", make_bmp(1, INT32_MIN, 24, 0, {}, {0, 0, 0, 0}), "1 \u00d7 2147483648");
    dimensions("a.tga", make_tga(0, 4, 2, 24, 0, {}, 0, {}), "0 \u00d7 4");
    dimensions("a.tga", make_tga(65535, 65535, 2, 24, 0, {}, 0, {}), "65535 \u00d7 65535");
    dimensions("a.psd", make_psd(0, 4, 3, 8, {}, false), "0 \u00d7 4");
    dimensions("a.tif", make_tiff(65536, 3, {}, {1}), "65536 \u00d7 3");
    dimensions("a.tif", make_tiff(40000, 40000, {{259, 3, {5}}}, {1}), "40000 \u00d7 40000");
    dimensions("a.pam", text_bytes("P7\nWIDTH 0\nHEIGHT 3\nDEPTH 1\nMAXVAL 255\nENDHDR\n"), "0 \u00d7 3");
    dimensions("a.gif", make_gif(0, 4, {}, {}, -1), "0 \u00d7 4");
    dimensions("a.gif", make_gif(65535, 65535, {}, {}, -1), "65535 \u00d7 65535");
    Bytes jpeg = make_jpeg(ramp_image(8, 8, PixelFormat::rgba8).view(), JpegKind::color);
    const size_t sof = find_segment(jpeg, 0xC0);
    for (size_t i = 5; i < 9; ++i) jpeg[sof + i] = 0xEA;  // 60138x60138
    dimensions("a.jpg", jpeg, "60138 \u00d7 60138");
    for (size_t i = 7; i < 9; ++i) jpeg[sof + i] = 0;
    dimensions("a.jpg", jpeg, "0 \u00d7 60138");
}

TEST(Dimensions, HugeHeadersInTinyFilesAreRefusedAtOnce) {
    const TemporaryFolder folder;
    const double begin = cpu_seconds();
    const auto damaged = [&](const std::string& name, const Bytes& bytes) {
        expect_refused(folder.write(name, bytes), "needs at least");
    };
    damaged("a.png", make_png(20000, 20000, 16, 6, {}));
    damaged("a.bmp", make_bmp(20000, 20000, 24, 0, {}, {0, 0, 0, 0}));
    damaged("a.bmp", make_bmp(20000, 20000, 8, 1, Bytes(1024), {0, 1}));
    damaged("a.tga", make_tga(20000, 20000, 10, 24, 0, {}, 0, {1, 2, 3, 4}));
    Bytes psd = make_psd(2, 1, 3, 8, {1, 2, 3, 4, 5, 6}, true);
    psd[16] = psd[20] = 0x4E;  // 19968 rows, 20226 columns
    damaged("a.psd", psd);
    damaged("a.gif", make_gif(20000, 20000, {0}, {}, -1));
    Bytes jpeg = make_jpeg(ramp_image(8, 8, PixelFormat::rgba8).view(), JpegKind::progressive);
    const size_t sof = find_segment(jpeg, 0xC2);
    for (size_t i = 5; i < 9; ++i) jpeg[sof + i] = 0x4E;  // 20046x20046
    damaged("a.jpg", jpeg);
    refusal(folder.write("a.pgm", text_bytes("P5 20000 20000 255\n")));
    refusal(folder.write("a.pgm", text_bytes("P2 20000 20000 255\n1 2 3")));
    EXPECT_LT(cpu_seconds() - begin, 2);
}

TEST(BadPnm, Headers) {
    const TemporaryFolder folder;
    for (const char* text : {"P5 2 2 0\n1234", "P5 2 2 65536\n1234", "P5 2 2 -1\n1234", "P5 x 2 255\n1234",
                             "P5 2 2 255x1234", "P5 99999999999999999999 2 255\n1234", "P2 2 1 10\n3 11",
                             "P2 2 1 10\n3 x", "P2 2 1 10\n3,4", "P5 2 1 10\n\x01\x0B", "P2 2 2 255 1 2 3", "P5 2"}) {
        refusal(folder.write("a.pgm", text_bytes(text)));
    }
}

TEST(BadPam, Headers) {
    const TemporaryFolder folder;
    for (const char* text :
         {"WIDTH 1\nHEIGHT 1\nDEPTH 1\nMAXVAL 255\n", "WIDTH 1\nHEIGHT 1\nDEPTH 5\nMAXVAL 255\nENDHDR\n12345",
          "WIDTH 1\nHEIGHT 1\nDEPTH 3\nMAXVAL 255\nTUPLTYPE GRAYSCALE\nENDHDR\n123",
          "WIDTH -1\nHEIGHT 1\nDEPTH 1\nMAXVAL 255\nENDHDR\n1", "WIDTH 1\nHEIGHT 1\nDEPTH 1\nENDHDR\n1",
          "WIDTH 1\nHEIGHT 1\nDEPTH 1\nMAXVAL 9\nENDHDR\nx"})
        refusal(folder.write("a.pam", text_bytes(std::string("P7\n") + text)));
}

#ifdef TONESCOPE_REALLOC_FAILS
TEST(BadTiff, LackOfMemoryForItsTagsIsAnError) {
    const TemporaryFolder folder;
    const std::string path = folder.path("a.tif");  // with a predictor, whose tag libtiff adds to those that it knows
    const HostImage image = noise_image(9, 7, PixelFormat::gray8, false, 1);
    save_image(path, image.view());
    int failures = 0;
    for (int call = 1;; ++call) {
        reallocs_to_failure = call;
        try {
            const HostImage loaded = load_image(path).image;
            if (std::exchange(reallocs_to_failure, 0) > 0) break;
            EXPECT_TRUE(same_pixels(loaded.view(), image.view())) << call;
        } catch (const std::exception&) {
            EXPECT_EQ(reallocs_to_failure, 0);
            ++failures;
        }
    }
    EXPECT_GE(failures, 2);
}
#endif

TEST(BadTiff, Tags) {
    const TemporaryFolder folder;
    const auto refused = [&](std::vector<TiffTag> tags, const std::string& part) {
        expect_refused(folder.write("a.tif", make_tiff(2, 2, std::move(tags), {1, 2, 3, 4})), part);
    };
    refused({{259, 3, {34712}}}, "compression 34712 (JPEG 2000)");
    refused({{259, 3, {40000}}}, "compression 40000 is not supported");
    refused({{259, 3, {32773}}, {317, 3, {2}}}, "a predictor under compression PackBits");
    EXPECT_NO_THROW(load_image(folder.write("a.tif", make_tiff(2, 2, {{317, 3, {1}}}, {1, 2, 3, 4}))));
    const Bytes twelve_bits = {0xff, 0xd8, 0xff, 0xc1, 0, 11, 12, 0, 2,  0, 2, 1,    1,
                               0x11, 0,  // the header of a JPEG
                               0xff, 0xda, 0,    8,    1, 1,  0,  0, 63, 0, 0, 0xff, 0xd9};
    expect_refused(folder.write("a.tif", make_tiff(2, 2, {{259, 3, {7}}}, twelve_bits)),
                   "not supported (Unsupported JPEG data precision 12");
    refused({{339, 3, {6}}}, "complex numbers");
    refused({{258, 3, {33}}}, "33 bits a sample");
    refused({{262, 3, {32803}}}, "this kind of TIFF is not supported");
    refused({{262, 3, {2}}}, "colors without three channels");
    refused({{258, 3, {4}}, {262, 3, {3}}}, "damaged or cut off");
    refused({{258, 3, {16}}}, "damaged or cut off");
    expect_refused(folder.write("a.tif", make_tiff(20000, 20000, {}, {1})), "needs at least 400000000");
    // A tile may be much larger than its image.
    const std::vector<TiffTag> tiles = {
        {322, 4, {60000}}, {323, 4, {60000}}, {324, 4, {200}}, {325, 4, {4}}, {259, 3, {5}}};
    expect_refused(folder.write("a.tif", make_tiff(2, 2, tiles, {1, 2, 3, 4})), "");
    EXPECT_THROW(load_thumbnail(folder.path("a.tif"), 4), MemoryError);
}

TEST(Canceling, IsNoticed) {
    const TemporaryFolder folder;
    std::stop_source stop;
    stop.request_stop();
    for (const Sample& sample : all_samples()) {
        const std::string path = folder.write(sample.name, sample.bytes);
        EXPECT_THROW(load_image(path, stop.get_token()), Canceled) << sample.name;
        EXPECT_THROW(load_thumbnail(path, 4, stop.get_token()), Canceled) << sample.name;
    }
}

TEST(JpegBombs, TooManyScans) {
    const TemporaryFolder folder;
    const Bytes jpeg = make_jpeg(ramp_image(8, 8, PixelFormat::rgba8).view(), JpegKind::separate_scans);
    const size_t scan = find_segment(jpeg, 0xDA);
    size_t next = scan + 2;
    while (!(jpeg[next] == 0xFF && jpeg[next + 1] != 0)) ++next;
    const auto repeated = [&](int count) {
        Bytes bytes(jpeg.begin(), jpeg.begin() + long(scan));
        for (int i = 0; i < count; ++i) bytes.insert(bytes.end(), jpeg.begin() + long(scan), jpeg.begin() + long(next));
        bytes.insert(bytes.end(), jpeg.begin() + long(next), jpeg.end());
        return bytes;
    };
    EXPECT_NO_THROW(load_image(folder.write("many.jpg", repeated(400))));
    expect_refused(folder.write("bomb.jpg", repeated(600)), "more than 500 scans");
}

}  // namespace
}  // namespace tonescope::test
