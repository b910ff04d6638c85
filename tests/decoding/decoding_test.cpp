// Decoding in processes without rights gives what decoding in the program does, and nothing that a decoder does ends in
// more than a line.
#include <dirent.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>
#include <utility>

#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "tests/decoding/misdeeds.h"
#include "tests/image_io/sample_files.h"
#include "tests/image_tools.h"

namespace tonescope::test {
namespace {

/// It knows no filters, or applies one to this process already, as in a container.
bool kernel_may_forbid_it() {
    std::ifstream file("/proc/self/status");
    const std::string status((std::istreambuf_iterator<char>(file)), {});
    return status.find("\nSeccomp:\t0") == status.npos;
}

class Decoding : public testing::Test {
  protected:
    void SetUp() override {
        const std::string where = sandbox::describe();
        if (!where.starts_with("in this process")) return;
        ASSERT_TRUE(kernel_may_forbid_it()) << where;
        GTEST_SKIP() << where;
    }

    /// Any image, so that those that only pretend to do wrong can be decoded.
    std::string write_image(const std::string& extension) const {
        return folder_.write("a." + extension, text_bytes("P2 2 2 9 1 2 3 4 "));
    }

    const TemporaryFolder folder_;
};

std::string error_of(const std::string& path, int max_side_px = 0) {
    try {
        max_side_px > 0 ? (void)load_thumbnail(path, max_side_px) : (void)load_image(path);
        return "";
    } catch (const UserError& error) {
        return error.what();
    }
}

LoadedImage decode_here(const std::string& path, const LoadRequest& request) {
    image_io::FileReader file(path, {});
    return image_io::decode(file, std::filesystem::path(path).extension().string().substr(1), request);
}

void expect_equal(const HostImage& image, const HostImage& expected, const std::string& name) {
    ASSERT_EQ(image.spec(), expected.spec()) << name;
    ASSERT_EQ(image.pitch_bytes(), expected.pitch_bytes());
    ASSERT_EQ(std::memcmp(image.data(), expected.data(), image.size_bytes()), 0) << name;
}

void expect_the_same(const std::string& path) {
    const LoadedImage here = decode_here(path, {}), there = load_image(path);
    expect_equal(there.image, here.image, path);
    EXPECT_EQ(there.details.format, here.details.format) << path;
    EXPECT_EQ(there.details.file_channels, here.details.file_channels) << path;
    EXPECT_EQ(there.details.bits_per_channel, here.details.bits_per_channel) << path;
    EXPECT_EQ(there.details.reduced_to_8_bit, here.details.reduced_to_8_bit) << path;
    EXPECT_EQ(there.details.orientation, here.details.orientation) << path;
    EXPECT_EQ(there.details.notes, here.details.notes) << path;
    EXPECT_EQ(there.details.exif, here.details.exif) << path;
    EXPECT_EQ(there.details.file_bytes, std::filesystem::file_size(path));
    EXPECT_EQ(there.details.pages, here.details.pages) << path;
    expect_equal(load_thumbnail(path, 50), decode_here(path, {.max_side_px = 50}).image, path);
    const LoadRequest deep{.keeps_depth = true};
    expect_equal(load_image(path, {}, nullptr, deep).image, decode_here(path, deep).image, path);
}

TEST_F(Decoding, GivesTheSameImages) {
    for (const Sample& sample : all_samples()) expect_the_same(folder_.write(sample.name, sample.bytes));
    for (const auto& entry : std::filesystem::directory_iterator(TONESCOPE_SOURCE_DIR "/assets"))
        if (looks_like_image(entry.path().string())) expect_the_same(entry.path().string());
}

TEST_F(Decoding, GivesTheSameOfImagesThatFillTheRingOften) {
    for (const bool has_alpha : {false, true}) {
        const HostImage image = noise_image(701, 503, PixelFormat::rgba8, has_alpha, 3);
        for (const std::string& name : names_to_save(image.spec(), false)) {
            save_image(folder_.path(name), image.view());
            expect_the_same(folder_.path(name));
        }
    }
    const Bytes jpeg = make_jpeg(ramp_image(701, 503, PixelFormat::rgba8).view(), JpegKind::adobe_cmyk);
    for (int orientation = 1; orientation <= 8; ++orientation)
        expect_the_same(folder_.write("turned.jpg", with_exif(jpeg, make_exif(orientation, false))));
}

/// Also where that memory is not to be had, or has rows further apart.
TEST_F(Decoding, ReadsIntoMemoryThatItIsGiven) {
    const HostImage image = noise_image(701, 503, PixelFormat::rgba8, false, 3);
    const std::string path = folder_.path("a.png");
    save_image(path, image.view());
    const auto load = [&](std::function<HostImage(const ImageSpec&)> make) {
        LoadedImage loaded = load_image(path, {}, nullptr, {.keeps_depth = true, .make_image = std::move(make)});
        EXPECT_TRUE(same_pixels(loaded.image.view(), image.view()));
        return std::move(loaded.image);
    };
    const uint8_t* given = nullptr;
    const HostImage loaded = load([&](const ImageSpec& spec) {
        HostImage memory(spec);
        given = memory.data();
        return memory;
    });
    EXPECT_EQ(loaded.data(), given);
    load([](const ImageSpec&) { return HostImage(); });
    load([](const ImageSpec& spec) { return HostImage(spec, spec.row_bytes() + 64); });
}

TEST_F(Decoding, SaysTheSameOfDamagedFiles) {
    for (const Sample& sample : all_samples()) {
        Bytes half = sample.bytes;
        half.resize(sample.needed_bytes / 2);
        if (half.empty()) continue;
        const std::string path = folder_.write(sample.name, half);
        std::string here;
        try {
            decode_here(path, {});
        } catch (const UserError& error) {
            here = error.what();
        }
        EXPECT_EQ(error_of(path), "cannot open " + path + ": " + here);
    }
}

TEST_F(Decoding, OfWrongdoersEndsInALine) {
    for (const Misdeed& misdeed : misdeeds()) {
#ifdef __SANITIZE_THREAD__
        if (misdeed.name == "wait") continue;  // the sanitizer's own thread computes now and then
#endif
        const std::string path = write_image(misdeed.name);
        const std::string error = error_of(path);
        if (misdeed.error.empty()) {
            EXPECT_EQ(error, "") << misdeed.name;
        } else {
            EXPECT_TRUE(error.starts_with("cannot open " + path + ": ")) << error;
            EXPECT_NE(error.find(misdeed.error), std::string::npos) << misdeed.name << ": " << error;
        }
        EXPECT_EQ(error_of(write_image("pgm")), "") << "after " << misdeed.name;
    }
    EXPECT_FALSE(std::filesystem::exists("/tmp/tonescope-created"));
}

TEST_F(Decoding, OfThumbnailsTakesNoLargerOnes) {
    EXPECT_NE(error_of(write_image("flood"), 50).find("its decoder gave no image"), std::string::npos);
    EXPECT_EQ(error_of(write_image("pgm"), 50), "");
}

TEST_F(Decoding, EndsWhereProcessorTimeOrMemoryEnds) {
    const std::string path = write_image("spin");
    const auto end_of = [&](const std::string& extension, const sandbox::Limits& limits) {
        const image_io::InputFile file = image_io::open_input(path);
        std::string end;
        try {
            image_io::decode_confined(file, extension, {}, {}, nullptr, limits);
        } catch (const UserError& error) {
            end = error.what();
        } catch (const std::bad_alloc&) {
            end = "too little memory";
        }
        return end;
    };
    EXPECT_EQ(end_of("spin", {.processor_s = 1}), "its decoder took too long, and was ended");
    EXPECT_EQ(end_of("vast", {.memory_bytes = size_t{1} << 28}), "it needs 2.1 GB of memory, and it may take 269 MB");
#ifndef TONESCOPE_SANITIZED
    EXPECT_EQ(end_of("hoard", {.memory_bytes = size_t{1} << 28}), "too little memory");
#endif
    EXPECT_EQ(end_of("pgm", {.memory_bytes = size_t{1} << 28, .processor_s = 1}), "");
}

/// Processes of which `parent` is the parent.
std::vector<pid_t> children_of(pid_t parent) {
    std::vector<pid_t> children;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        if (!std::isdigit(entry.path().filename().string()[0])) continue;
        std::ifstream file(entry.path() / "stat");
        std::string text((std::istreambuf_iterator<char>(file)), {});
        const size_t name_end = text.rfind(')');
        char state = 0;
        int of = 0;
        if (name_end == text.npos || std::sscanf(text.c_str() + name_end + 1, " %c %d", &state, &of) != 2) continue;
        if (of == parent && state != 'Z') children.push_back(std::stoi(entry.path().filename().string()));
    }
    return children;
}

void wait_until(auto is_so) {
    while (!is_so()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

TEST_F(Decoding, StopsAtOnce) {
    ASSERT_EQ(children_of(getpid()).size(), 1U);
    const pid_t supervisor = children_of(getpid())[0];
    std::stop_source stop;
    std::thread user([&] {
        wait_until([&] { return !children_of(supervisor).empty(); });
        stop.request_stop();
    });
    EXPECT_THROW(load_image(write_image("spin"), stop.get_token()), Canceled);
    user.join();
    wait_until([&] { return children_of(supervisor).empty(); });
    EXPECT_THROW(load_image(write_image("pgm"), stop.get_token()), Canceled);
}

TEST_F(Decoding, GoesOnWhereItsSupervisorIsEnded) {
    for (int i = 0; i < 2; ++i) {
        ASSERT_EQ(error_of(write_image("pgm")), "");
        const auto supervisors = children_of(getpid());
        ASSERT_EQ(supervisors.size(), 1U);
        ::kill(supervisors[0], SIGKILL);
        wait_until([] { return children_of(getpid()).empty(); });
        EXPECT_EQ(error_of(write_image("pgm")), "");
    }
}

TEST_F(Decoding, EndsWithItsSupervisor) {
    ASSERT_EQ(error_of(write_image("pgm")), "");
    const auto supervisors = children_of(getpid());
    ASSERT_EQ(supervisors.size(), 1U);
    std::thread user([&] {
        wait_until([&] { return !children_of(supervisors[0]).empty(); });
        ::kill(supervisors[0], SIGKILL);
    });
    EXPECT_NE(error_of(write_image("wait")), "");  // when it hangs, nobody is left to end it
    user.join();
}

TEST_F(Decoding, OfManyAtTheSameTime) {
    const HostImage image = noise_image(300, 900, PixelFormat::rgba8, true, 5);
    save_image(folder_.path("a.png"), image.view());
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i)
        threads.emplace_back([&] {
            for (int k = 0; k < 10; ++k) {
                const LoadedImage loaded = load_image(folder_.path("a.png"));
                EXPECT_EQ(std::memcmp(loaded.image.data(), image.data(), image.size_bytes()), 0);
            }
        });
    for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace tonescope::test
