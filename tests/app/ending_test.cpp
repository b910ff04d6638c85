// How the program ends, each time in a process of its own.
#include "app/system/ending.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "app/image_io/temporary_name.h"
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

class EndingTest : public testing::Test {
  protected:
    std::string write_file(const std::string& name) const {
        const std::string path = folder_.file(name);
        std::ofstream(path) << name;
        return path;
    }
    bool exists(const std::string& name) const { return std::filesystem::exists(folder_.file(name)); }

  private:
    TemporaryFolder folder_;
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
