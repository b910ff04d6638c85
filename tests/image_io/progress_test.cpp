// How far a file is, and what is left where reading or writing is given up.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "app/image_io/file.h"
#include "app/image_io/image_io.h"
#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "tests/image_io/sample_files.h"

namespace tonescope::test {
namespace {

TEST(FileProgressTest, OfReadingIsThePartOfTheBytes) {
    const TemporaryFolder folder;
    std::ofstream file(folder.path("a.pgm"), std::ios::binary);
    file << "P5 4000 1000 100\n" << std::string(2'000'000, 'a') << '\xFF' << std::string(1'999'999, 'a');
    file.close();
    FileProgress progress;
    EXPECT_LT(progress.fraction(), 0);
    EXPECT_THROW(load_image(folder.path("a.pgm"), {}, &progress), UserError);
    EXPECT_NEAR(progress.fraction(), 0.5, 0.1) << "stopped at a wrong sample in the middle";

    save_image(folder.path("b.bmp"), noise_image(300, 200, PixelFormat::rgba8, false, 3).view());
    load_image(folder.path("b.bmp"), {}, &progress);
    EXPECT_LT(progress.fraction(), 0) << "all is read: what is left to do is unknown";
}

TEST(FileProgressTest, OfWritingIsThePartOfTheRows) {
    const TemporaryFolder folder;
    const HostImage image = noise_image(300, 200, PixelFormat::rgba8, false, 3);
    for (const std::string& name : names_to_save(image.spec(), false)) {
        FileProgress progress;
        save_image(folder.path(name), image.view(), {}, &progress);
        EXPECT_EQ(progress.fraction(), 1) << name;
    }
}

TEST(FileProgressTest, AFileGetsOnWhileTheDiskTakesIt) {
    const TemporaryFolder folder;
    FileProgress progress;
    const std::string bytes(3 << 20, 'x');
    uint64_t written = 0;
    image_io::write_whole_file(
        folder.path("a"),
        [&](image_io::FileWriter& file) {
            EXPECT_TRUE(file.write(bytes.data(), bytes.size()));
            file.finish();
            written = progress.moves();
        },
        {}, &progress);
    EXPECT_GT(written, 0U);
    EXPECT_GE(progress.moves(), written + 3);
}

TEST(FileProgressTest, ACanceledSaveLeavesTheOlderFileAndNothingElse) {
    const TemporaryFolder folder;
    const HostImage image = noise_image(4000, 3000, PixelFormat::rgba8, true, 3);
    for (const std::string& name : names_to_save(image.spec(), false)) {
        std::ofstream(folder.path(name)) << "older";
        FileProgress progress;
        std::stop_source stop;
        std::atomic<bool> ended = false;
        std::thread user([&] {
            while (progress.fraction() <= 0 && !ended) std::this_thread::yield();
            stop.request_stop();
        });
        EXPECT_THROW(save_image(folder.path(name), image.view(), stop.get_token(), &progress), Canceled) << name;
        ended = true;
        user.join();
        EXPECT_LT(progress.fraction(), 1) << name;
        EXPECT_EQ(std::filesystem::file_size(folder.path(name)), 5U) << name;
        std::filesystem::remove(folder.path(name));
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path("")));
}

}  // namespace
}  // namespace tonescope::test
