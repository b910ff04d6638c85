// How the program ends, each time in a process of its own.
#include "app/system/ending.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include "app/image_io/temporary_name.h"
#include "app/system/device_answer.h"
#include "tests/app/temporary_folder.h"

namespace tonescope {
namespace {

using namespace std::chrono_literals;
using image_io::TemporaryName;
using testing::ExitedWithCode;
using testing::KilledBySignal;

[[noreturn]] void hang() {
    while (true) pause();
}

/// Each test's processes are run anew, since the thread sanitizer judges no process with threads that was forked from
/// one with several. They find the test's folder by an environment variable.
class EndingTest : public testing::Test {
  protected:
    static constexpr const char* kFolder = "TONESCOPE_ENDING_TEST_FOLDER";
    EndingTest() {
        testing::GTEST_FLAG(death_test_style) = "threadsafe";
        if (const char* const folder = std::getenv(kFolder)) {
            folder_path_ = folder;
        } else {
            folder_path_ = folder_.emplace().file("");
            setenv(kFolder, folder_path_.c_str(), 1);
        }
    }
    ~EndingTest() override {
        if (folder_) unsetenv(kFolder);
    }
    std::string write_file(const std::string& name) const {
        const std::string path = folder_path_ + name;
        std::ofstream(path) << name;
        return path;
    }
    bool exists(const std::string& name) const { return std::filesystem::exists(folder_path_ + name); }

  private:
    std::optional<TemporaryFolder> folder_;
    std::string folder_path_;
};

TEST_F(EndingTest, AFileStaysWhereItIsKept) {
    { const TemporaryName file(write_file("gone")); }
    {
        TemporaryName file(write_file("kept"));
        file.keep();
    }
    EXPECT_FALSE(exists("gone"));
    EXPECT_TRUE(exists("kept"));
}

TEST_F(EndingTest, WhatHangsEndsAfterAWhile) {
    EXPECT_EXIT(
        {
            prepare_to_end();
            const TemporaryName file(write_file("temporary"));
            end_within(1h, 4, "later\n");
            end_within(20ms, 3, "tonescope: the disk\n");
            hang();
        },
        ExitedWithCode(3), "^tonescope: the disk\n$");
    EXPECT_FALSE(exists("temporary"));
}

TEST_F(EndingTest, WhatHangsAfterMainEndsTheSame) {
    EXPECT_EXIT(
        {
            prepare_to_end();
            end_within(20ms, 3, "");
            end_soon(4);  // there is an end already
            hang();
        },
        ExitedWithCode(3), "^$");
    EXPECT_EXIT(
        {
            prepare_to_end();
            end_soon(4);
            hang();
        },
        ExitedWithCode(4), "^$");
}

TEST_F(EndingTest, ADeviceThatCeasesToAnswerEndsARun) {
    EXPECT_EXIT(
        {
            prepare_to_end();
            const TemporaryName file(write_file("temporary"));
            int answers = 3;
            std::promise<void> never;
            SilenceGuard guard(
                [&](int device) {
                    if (device != 1) _exit(9);
                    std::promise<void> now;
                    now.set_value();
                    return answers-- > 0 ? now.get_future() : never.get_future();
                },
                1ms, 20ms);
            guard.watch(1);
            guard.watch(2);
            hang();
        },
        ExitedWithCode(1), "^tonescope: the GPU does not answer\n$");
    EXPECT_FALSE(exists("temporary"));
}

TEST_F(EndingTest, ARunWithADeviceThatAnswersGoesOn) {
    std::atomic<int> asked = 0;
    {
        SilenceGuard guard(
            [&](int) {
                ++asked;
                std::promise<void> now;
                now.set_value();
                return now.get_future();
            },
            1ms, 1h);
        EXPECT_EQ(asked, 0);
        guard.watch(-1);
        while (asked < 5) usleep(100);
    }
    const int before = asked;
    usleep(5000);
    EXPECT_EQ(asked, before);
}

TEST_F(EndingTest, ASignalAsksForTheEnd) {
    EXPECT_EXIT(
        {
            prepare_to_end();
            InterruptGuard guard;
            guard.finish();
            std::raise(SIGHUP);
            while (!guard.token().stop_requested()) usleep(100);
            write_file("in order");
            guard.finish();
        },
        KilledBySignal(SIGHUP), "^$");
    EXPECT_TRUE(exists("in order"));
}

TEST_F(EndingTest, ASecondSignalEndsAtOnce) {
    EXPECT_EXIT(
        {
            prepare_to_end();
            const TemporaryName file(write_file("temporary"));
            InterruptGuard guard;
            std::raise(SIGTERM);
            std::raise(SIGINT);
        },
        KilledBySignal(SIGINT), "^$");
    EXPECT_FALSE(exists("temporary"));
}

TEST_F(EndingTest, WhoHangsAfterASignalEndsByIt) {
    EXPECT_EXIT(
        {
            prepare_to_end();
            const TemporaryName file(write_file("temporary"));
            InterruptGuard guard;
            std::raise(SIGINT);
            end_within(20ms, 0, "");
            hang();
        },
        KilledBySignal(SIGINT), "^$");
    EXPECT_FALSE(exists("temporary"));
}

TEST_F(EndingTest, OtherSignalsLeaveNoTemporaryName) {
    for (const int signal : {SIGINT, SIGUSR1, SIGALRM, SIGABRT, SIGQUIT}) {
        EXPECT_EXIT(
            {
                prepare_to_end();
                const TemporaryName file(write_file("temporary"));
                std::raise(signal);
            },
            KilledBySignal(signal), "");
        EXPECT_FALSE(exists("temporary")) << signal;
    }
}

TEST_F(EndingTest, IgnoredSignalsStaySo) {
    EXPECT_EXIT(
        {
            std::signal(SIGHUP, SIG_IGN);
            prepare_to_end();
            InterruptGuard guard;
            for (const int signal : {SIGHUP, SIGPIPE, SIGXFSZ}) std::raise(signal);
            _exit(guard.token().stop_requested() ? 1 : 0);
        },
        ExitedWithCode(0), "^$");
}

TEST_F(EndingTest, ClosedStandardFilesAreNotTakenForOthers) {
    EXPECT_EXIT(
        {
            for (const int file : {STDIN_FILENO, STDOUT_FILENO}) close(file);
            prepare_to_end();
            const bool fails = write(STDOUT_FILENO, "x", 1) < 0 && read(STDIN_FILENO, nullptr, 0) < 0;
            _exit(fails && dup(STDERR_FILENO) > STDERR_FILENO ? 0 : 1);
        },
        ExitedWithCode(0), "^$");
}

}  // namespace
}  // namespace tonescope
