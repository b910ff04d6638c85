// Files that change on disk, images on the clipboard, the command line that gives a result again.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "app/image_io/image_io.h"
#include "app/options/report.h"
#include "app/system/clipboard.h"
#include "app/system/file_watch.h"
#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "tests/app/temporary_folder.h"

namespace tonescope {
namespace {

using namespace std::chrono_literals;

TEST(FileWatch, TellsOfChangesAndReplacementsOnce) {
    const TemporaryFolder folder;
    const std::string path = folder.write("a.pgm", "one");
    std::atomic<int> woken = 0;
    FileWatch watch([&] { ++woken; }, 2ms);
    const auto changed = [&](std::chrono::milliseconds patience) {
        for (const auto end = std::chrono::steady_clock::now() + patience; std::chrono::steady_clock::now() < end;) {
            if (const std::string name = watch.take_changed(); !name.empty()) return name;
            std::this_thread::sleep_for(1ms);
        }
        return std::string();
    };
    constexpr auto kSomeLooks = 50ms;
    watch.watch(path, file_stamp(path));
    EXPECT_EQ(changed(kSomeLooks), "");
    std::ofstream(path, std::ios::app) << ", longer";
    EXPECT_EQ(changed(20s), path);
    EXPECT_EQ(changed(kSomeLooks), "");
    EXPECT_EQ(woken, 1);
    folder.write("b.pgm", "three, in place of it");
    std::filesystem::rename(folder.file("b.pgm"), path);
    EXPECT_EQ(changed(20s), path);
    std::filesystem::remove(path);
    EXPECT_EQ(changed(kSomeLooks), "");
    watch.watch("");
    folder.write("a.pgm", "four");
    EXPECT_EQ(changed(kSomeLooks), "");
    const std::optional<FileStamp> before = file_stamp(path);
    folder.write("a.pgm", "five, before it was watched");
    watch.watch(path, before);
    EXPECT_EQ(changed(20s), path);
}

TEST(CommandLine, QuotesForTheShell) {
    EXPECT_EQ(shell_word("/tmp/a-b_c.png"), "/tmp/a-b_c.png");
    EXPECT_EQ(shell_word("two words"), "'two words'");
    EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
    EXPECT_EQ(shell_word("$HOME"), "'$HOME'");
    EXPECT_EQ(shell_word(""), "''");
}

TEST(CommandLine, NamesWhatMatters) {
    const OperatorInfo* op = find_operator("clahe");
    RunSpec spec{
        .op = op, .variant = preferred_variant("clahe", BackendKind::cpu), .params = default_values(op->params)};
    spec.params.set(*find_param(op->params, "clip_limit"), 250);
    const std::string text = reproducing_command(spec, "/a b.png", "out.png");
    EXPECT_EQ(
        text,
        "tonescope --headless -i '/a b.png' -o out.png --op clahe --variant " + std::string(spec.variant->id) +
            " --set tiles=size --set tile_size=64 --set tables=blended --set clip_unit=slope --set clip_limit=2.50"
            " --set excess=spread --set color=luma --set range=auto --set bins=256 --set amount=100 --set no_data=off");
    spec.params.set(*find_param(op->params, "excess"), parse_value(*find_param(op->params, "excess"), "spread evenly"));
    EXPECT_NE(reproducing_command(spec, "a.png", "out.png").find(" --set 'excess=spread evenly' "), std::string::npos);
}

/// A stand-in for xclip: keeps what it is given in a file.
class Clipboard : public testing::Test {
  protected:
    void install() {
        const std::string program =
            folder_.write("xclip",
                          "#!/bin/sh\nfor last; do :; done\n[ \"$last\" = -i ] && exec "
                          "/bin/cat > " +
                              folder_.file("held") + "\nexec /bin/cat " + folder_.file("held") + "\n");
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    }
    TemporaryFolder folder_;
    Environment path_{"PATH", folder_.file("")};
    Environment display_{"DISPLAY", ":0"};
    Environment cache_{"XDG_CACHE_HOME", folder_.file("cache")};
};

TEST_F(Clipboard, WithoutAProgramItSaysWhatToInstall) {
    ::unsetenv("WAYLAND_DISPLAY");
    const HostImage image({2, 2, PixelFormat::gray8, false});
    EXPECT_THROW(copy_image(image.view()), UserError);
    try {
        paste_image();
        FAIL();
    } catch (const UserError& error) {
        EXPECT_NE(std::string(error.what()).find("xclip"), std::string::npos);
    }
}

TEST_F(Clipboard, WhatIsCopiedComesBack) {
    ::unsetenv("WAYLAND_DISPLAY");
    install();
    HostImage image({3, 2, PixelFormat::gray8, false});
    for (int k = 0; k < 6; ++k) image.mutable_view().row(k / 3)[k % 3] = uint8_t(40 * k);
    EXPECT_THROW(paste_image(), UserError) << "nothing copied yet";
    copy_image(image.view());
    const std::string file = paste_image();
    const LoadedImage back = load_image(file);
    ASSERT_EQ(back.image.spec(), image.spec());
    for (int k = 0; k < 6; ++k) EXPECT_EQ(back.image.view().row(k / 3)[k % 3], 40 * k);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(clipboard_folder()), {}), 1);
}

TEST_F(Clipboard, AnOwnerThatIsSlowIsWaitedForWhileSomethingComes) {
    ::unsetenv("WAYLAND_DISPLAY");
    const std::string program =
        folder_.write("xclip", "#!/bin/sh\nfor part in 1 2 3 4 5 6 7 8; do /bin/echo $part; /bin/sleep 0.4; done\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    const std::string file = paste_image({}, std::chrono::seconds(3));
    EXPECT_EQ(std::filesystem::file_size(file), 16u);
}

TEST_F(Clipboard, AnOwnerThatHangsIsNotWaitedForLong) {
    ::unsetenv("WAYLAND_DISPLAY");
    const std::string program = folder_.write("xclip", "#!/bin/sh\n/bin/sleep 100\nexit 0\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    const auto begin = std::chrono::steady_clock::now();
    try {
        paste_image({}, std::chrono::seconds(1));
        FAIL();
    } catch (const UserError& error) {
        EXPECT_NE(std::string(error.what()).find("does not answer"), std::string::npos) << error.what();
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
    EXPECT_TRUE(std::filesystem::is_empty(clipboard_folder()));

    std::stop_source stop;
    std::jthread user([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        stop.request_stop();
    });
    EXPECT_THROW(paste_image(stop.get_token()), Canceled);
    const HostImage image({2, 2, PixelFormat::gray8, false});
    EXPECT_THROW(copy_image(image.view(), stop.get_token()), Canceled);
    EXPECT_TRUE(std::filesystem::is_empty(clipboard_folder()));
}

TEST_F(Clipboard, NothingIsPastedThroughWhatAnotherUserMayHavePlanted) {
    const Environment cache("XDG_CACHE_HOME", "relative");
    const Environment home("HOME", "");
    const std::string own = clipboard_folder();
    EXPECT_TRUE(std::filesystem::path(own).filename().string().starts_with("tonescope-")) << own;
    EXPECT_EQ(std::filesystem::status(own).permissions(), std::filesystem::perms::owner_all);
    EXPECT_EQ(clipboard_folder(), own) << "one a run";
}

TEST_F(Clipboard, AFolderThatOthersMayWriteIntoIsNotUsed) {
    const std::filesystem::path used = clipboard_folder();
    std::filesystem::permissions(used, std::filesystem::perms::all);
    EXPECT_NE(clipboard_folder(), used);
    std::filesystem::permissions(used, std::filesystem::perms::owner_all);
    EXPECT_EQ(clipboard_folder(), used);
    std::filesystem::remove(used);
    std::filesystem::create_symlink("/nowhere", used);
    EXPECT_NE(clipboard_folder(), used);
}

}  // namespace
}  // namespace tonescope
