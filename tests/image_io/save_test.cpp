// Saving: round trips, names, and what is left behind when it fails.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <random>

#include "app/image_io/formats.h"
#include "app/image_io/image_io.h"
#include "gpu/core/error.h"
#include "tests/image_io/sample_files.h"
#include "tests/image_tools.h"

namespace tonescope::test {
namespace {

void expect_not_saved(const std::string& path, const HostImage& image, const std::string& part) {
    try {
        save_image(path, image.view());
        ADD_FAILURE() << path << " was saved";
    } catch (const UserError& e) {
        const std::string line = e.what();
        EXPECT_NE(line.find(part), std::string::npos) << line;
        EXPECT_NE(line.find(std::filesystem::path(path).filename().string()), std::string::npos) << line;
        EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    }
}

HostImage small() {
    return noise_image(7, 5, PixelFormat::rgba8, false, 3);
}

TEST(Save, LosslessRoundTrips) {
    const TemporaryFolder folder;
    for (const int width : {1, 2, 3, 4, 5, 64, 333})
        for (const int height : {1, 65}) {
            const HostImage gray = noise_image(width, height, PixelFormat::gray8, false, 5);
            const HostImage rgb = noise_image(width, height, PixelFormat::rgba8, false, 6);
            const HostImage rgba = noise_image(width, height, PixelFormat::rgba8, true, 7);
            for (const HostImage* image : {&gray, &rgb, &rgba}) {
                std::vector<std::string> names = names_to_save(image->spec(), true);
                names.push_back("A.PNG");
                for (const std::string& name : names) {
                    save_image(folder.path(name), image->view());
                    const LoadedImage loaded = load_image(folder.path(name));
                    EXPECT_EQ(loaded.image.spec(), image->spec()) << name;
                    EXPECT_TRUE(same_pixels(loaded.image.view(), image->view()))
                        << name << " " << width << "x" << height;
                    EXPECT_EQ(loaded.details.file_channels, image->spec().channels()) << name;
                }
            }
        }
}

HostImage deep_noise(const ImageSpec& spec, size_t pitch_bytes = 0) {
    HostImage image(spec, pitch_bytes);
    std::minstd_rand random(21);
    for (int y = 0; y < spec.height; ++y) {
        auto* const row = reinterpret_cast<uint16_t*>(image.mutable_view().row(y));
        for (size_t i = 0; i < spec.row_bytes() / 2; ++i)
            row[i] = i % 4 == 3 && !is_gray(spec.format) && !spec.has_alpha
                         ? spec.max_sample
                         : uint16_t((random() >> 4) % (spec.max_sample + 1u));
    }
    return image;
}

TEST(Save, DeepRoundTrips) {
    const TemporaryFolder folder;
    for (const int width : {1, 2, 67})
        for (const uint16_t max : std::to_array<uint16_t>({256, 1023, 4095, 65534, 65535}))
            for (const auto& [format, has_alpha] :
                 {std::pair(PixelFormat::gray16, false), {PixelFormat::rgba16, false}, {PixelFormat::rgba16, true}}) {
                const ImageSpec spec{width, 33, format, has_alpha, max};
                const HostImage image = deep_noise(spec, spec.row_bytes() + 10);
                for (const std::string& name : names_to_save(spec, true)) {
                    save_image(folder.path(name), image.view());
                    const LoadedImage loaded = load_image(folder.path(name), {}, nullptr, {.keeps_depth = true});
                    EXPECT_FALSE(loaded.details.reduced_to_8_bit) << name;
                    // White is 65535 to those who read a PNG.
                    HostImage expected(spec, image.pitch_bytes());
                    const bool scaled = name == "a.png" && max < 65535;
                    for (int y = 0; y < spec.height; ++y)
                        for (size_t i = 0; i < spec.row_bytes() / 2; ++i) {
                            const uint32_t v = reinterpret_cast<const uint16_t*>(image.view().row(y))[i];
                            reinterpret_cast<uint16_t*>(expected.mutable_view().row(y))[i] =
                                uint16_t(scaled ? (65535ull * v + max / 2) / max : v);
                        }
                    ImageSpec expected_spec = spec;
                    if (scaled) expected_spec.max_sample = 65535;
                    ASSERT_EQ(loaded.image.spec(), expected_spec) << name << " " << max;
                    ASSERT_TRUE(same_pixels(loaded.image.view(), expected.view())) << name << " " << max;
                }
                // Formats of 8 bits hold what is shown.
                save_image(folder.path("a.tga"), image.view());
                save_image(folder.path("a.pam"), image.view());
                EXPECT_TRUE(same_pixels(load_image(folder.path("a.tga")).image.view(),
                                        load_image(folder.path("a.pam")).image.view()));
            }
}

TEST(Save, PitchIsHonored) {
    const TemporaryFolder folder;
    HostImage padded({5, 4, PixelFormat::gray8, false}, 64);
    for (size_t i = 0; i < padded.size_bytes(); ++i) padded.data()[i] = uint8_t(i * 7);
    for (const std::string& name : names_to_save(padded.spec(), true)) {
        save_image(folder.path(name), padded.view());
        EXPECT_TRUE(same_pixels(load_image(folder.path(name)).image.view(), padded.view())) << name;
    }
}

TEST(Save, JpegIsNearAndDropsAlpha) {
    const TemporaryFolder folder;
    for (const PixelFormat format : {PixelFormat::gray8, PixelFormat::rgba8}) {
        HostImage image = ramp_image(120, 77, format);
        image.set_has_alpha(format == PixelFormat::rgba8);
        for (const char* name : {"a.jpg", "a.jpeg"}) {
            save_image(folder.path(name), image.view());
            const LoadedImage loaded = load_image(folder.path(name));
            EXPECT_EQ(loaded.image.spec().format, format);
            EXPECT_FALSE(loaded.image.spec().has_alpha);
            for (size_t i = 0; i < image.size_bytes(); ++i) ASSERT_NEAR(loaded.image.data()[i], image.data()[i], 4);
        }
    }
}

TEST(Save, PnmDropsAlpha) {
    const TemporaryFolder folder;
    const HostImage image = noise_image(9, 4, PixelFormat::rgba8, true, 8);
    save_image(folder.path("a.ppm"), image.view());
    const HostImage loaded = load_image(folder.path("a.ppm")).image;
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 9; ++x) {
            EXPECT_TRUE(std::equal(loaded.view().pixel(x, y), loaded.view().pixel(x, y) + 3, image.view().pixel(x, y)));
            EXPECT_EQ(loaded.view().pixel(x, y)[3], 255);
        }
}

TEST(Save, Names) {
    for (const char* name : {"a.png", "/x/y.JPG", "a.b.jpeg", "a.bmp", "a.tga", "a.pnm", "a.pgm", "a.ppm", "a.pam",
                             "a.tiff", "a.tif", "a.webp"})
        EXPECT_TRUE(can_save_as(name)) << name;
    for (const char* name : {"a", "a.", "a.gif", "a.png/b", "folder.png/", "a.psd", "a.pbm", ""})
        EXPECT_FALSE(can_save_as(name)) << name;
    for (const char* name : {"a.png", "a.JPG", "a.psd", "a.gif", "a.pgm"}) EXPECT_TRUE(looks_like_image(name)) << name;
    for (const char* name : {"a.txt", "png", "a.csv", "a.png.bak", ""}) EXPECT_FALSE(looks_like_image(name)) << name;

    const TemporaryFolder folder;
    std::string known;
    for (const std::string& extension : image_io::saved_extensions()) known += (known.empty() ? "" : ", ") + extension;
    expect_not_saved(folder.path("a.gif"), small(), "known are " + known);
    expect_not_saved(folder.path("a"), small(), "no extension");
    expect_not_saved(folder.path("a.pgm"), small(), "gray");
    EXPECT_TRUE(folder.names().empty());
}

TEST(Save, LeavesNothingBehindOnFailure) {
    const TemporaryFolder folder;
    expect_not_saved(folder.path("missing/a.png"), small(), "folder does not exist");
    std::filesystem::create_directory(folder.path("a.png"));
    expect_not_saved(folder.path("a.png"), small(), "it is a folder");
    folder.write("file", {1});
    expect_not_saved(folder.path("file/a.png"), small(), "folder does not exist");
    const HostImage wide = noise_image(65535, 1, PixelFormat::gray8, false, 4);
    const Bytes before = {1, 2, 3};
    folder.write("wide.jpg", before);
    expect_not_saved(folder.path("wide.jpg"), wide, "at most 65500");
    EXPECT_EQ(read_bytes(folder.path("wide.jpg")), before);
    EXPECT_EQ(folder.names(), (std::vector<std::string>{"a.png", "file", "wide.jpg"}));
}

TEST(Save, ReplacesWholeFilesAndKeepsTheirMode) {
    const TemporaryFolder folder;
    const std::string path = folder.write("a.png", Bytes(100000, 7));
    chmod(path.c_str(), 0640);
    save_image(path, small().view());
    EXPECT_TRUE(same_pixels(load_image(path).image.view(), small().view()));
    struct stat info {};
    ASSERT_EQ(stat(path.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0640u);
    EXPECT_EQ(folder.names(), std::vector<std::string>{"a.png"});
}

TEST(Save, SymbolicLinksStay) {
    const TemporaryFolder folder;
    folder.write("target.png", {1});
    std::filesystem::create_symlink("target.png", folder.path("link.png"));
    save_image(folder.path("link.png"), small().view());
    EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link.png")));
    EXPECT_TRUE(same_pixels(load_image(folder.path("target.png")).image.view(), small().view()));
}

TEST(Save, FullDisk) {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
    const TemporaryFolder folder;
    const HostImage large = noise_image(700, 700, PixelFormat::rgba8, true, 9);
    const HostImage gray = noise_image(700, 700, PixelFormat::gray8, false, 9);
    for (const char* name : {"a.png", "a.jpg", "a.tiff", "a.webp", "a.bmp", "a.tga", "a.pam", "a.pgm"}) {
        std::filesystem::create_symlink("/dev/full", folder.path(name));
        expect_not_saved(folder.path(name), gray, "no space left");
        expect_not_saved(folder.path(name), noise_image(3, 2, PixelFormat::gray8, false, 1), "no space left");
        if (std::string(name) != "a.pgm") expect_not_saved(folder.path(name), large, "no space left");
    }
}

TEST(Save, NotWritable) {
    if (geteuid() == 0) GTEST_SKIP() << "root writes everywhere";
    const TemporaryFolder folder;
    const Bytes before = {1, 2, 3};
    const std::string path = folder.write("a.png", before);
    chmod(path.c_str(), 0444);
    expect_not_saved(path, small(), "permission denied");
    EXPECT_EQ(read_bytes(path), before);
    const std::string locked = folder.path("locked");
    std::filesystem::create_directory(locked);
    chmod(locked.c_str(), 0555);
    expect_not_saved(locked + "/b.png", small(), "not writable");
    chmod(locked.c_str(), 0755);
}

}  // namespace
}  // namespace tonescope::test
