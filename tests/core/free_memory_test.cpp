#include "gpu/core/free_memory.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>

#include "gpu/core/error.h"
#include "gpu/core/image.h"

namespace tonescope {
namespace {

constexpr uint64_t kMB = uint64_t{1} << 20;

/// A machine made of files.
class FreeMemory : public testing::Test {
  protected:
    FreeMemory() {
        std::string name = testing::TempDir() + "tonescope-memory-XXXXXX";
        if (mkdtemp(name.data()) != nullptr) root_ = name;
    }
    ~FreeMemory() override { std::filesystem::remove_all(root_); }

    void write(const std::string& path, const std::string& text) {
        std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
        std::ofstream(root_ + path) << text;
    }
    void available(uint64_t megabytes) {
        write("/proc/meminfo", "MemTotal:       99999999 kB\nMemFree:          123456 kB\nMemAvailable:   " +
                                   std::to_string(megabytes * 1024) + " kB\nBuffers: 1 kB\n");
    }
    void group2(const std::string& group, const std::string& limit, uint64_t usage, uint64_t cache = 0) {
        write("/sys/fs/cgroup" + group + "/memory.max", limit + "\n");
        write("/sys/fs/cgroup" + group + "/memory.current", std::to_string(usage) + "\n");
        write("/sys/fs/cgroup" + group + "/memory.stat",
              "anon 5\nfile 6\ninactive_anon 7\ninactive_file " + std::to_string(cache) + "\nactive_file 0\n");
    }
    uint64_t free_mb() const { return free_memory_bytes(root_) / kMB; }

    std::string root_;
};

TEST_F(FreeMemory, IsWhatTheMachineHasAvailableLessAReserve) {
    available(640);
    EXPECT_EQ(free_mb(), 640u - 64u);
    available(16 * 1024);
    EXPECT_EQ(free_mb(), 15u * 1024);
    available(30);
    EXPECT_EQ(free_mb(), 0u);
}

TEST_F(FreeMemory, HasNoLimitWhereNothingSaysSo) {
    EXPECT_EQ(free_memory_bytes(root_), UINT64_MAX);
}

TEST_F(FreeMemory, IsWhatTheControlGroupAndThoseAboveItLeave) {
    available(100'000);
    write("/proc/self/cgroup", "0::/user.slice/app.scope\n");
    group2("/user.slice/app.scope", "max", 10 * kMB);
    EXPECT_EQ(free_mb(), 100'000u * 15 / 16);
    group2("/user.slice", std::to_string(900 * kMB), 300 * kMB);
    EXPECT_EQ(free_mb(), 600u - 64);
    group2("/user.slice/app.scope", std::to_string(500 * kMB), 400 * kMB, 50 * kMB);
    EXPECT_EQ(free_mb(), 150u - 64) << "the cache of files gives way";
    group2("/user.slice/app.scope", std::to_string(500 * kMB), 600 * kMB);
    EXPECT_EQ(free_mb(), 0u);
}

TEST_F(FreeMemory, EndsWhereTheControlGroupIsSlowedDown) {
    available(100'000);
    write("/proc/self/cgroup", "0::/app.scope\n");
    group2("/app.scope", "max", 100 * kMB);
    write("/sys/fs/cgroup/app.scope/memory.high", "max\n");
    EXPECT_EQ(free_mb(), 100'000u * 15 / 16);
    write("/sys/fs/cgroup/app.scope/memory.high", std::to_string(400 * kMB) + "\n");
    EXPECT_EQ(free_mb(), 300u - 64);
    group2("/app.scope", std::to_string(350 * kMB), 100 * kMB);
    EXPECT_EQ(free_mb(), 250u - 64) << "the lower of the two";
}

TEST_F(FreeMemory, IsWhatTheContainersGroupLeaves) {
    // Within a container the group's path is that of the host, and what is mounted is the group itself.
    available(100'000);
    write("/proc/self/cgroup", "0::/docker/0123456789abcdef\n");
    group2("", std::to_string(300 * kMB), 100 * kMB);
    EXPECT_EQ(free_mb(), 200u - 64);
}

TEST_F(FreeMemory, KnowsTheFirstVersionOfControlGroups) {
    available(100'000);
    write("/proc/self/cgroup", "5:cpu,cpuacct:/other\n4:memory:/job\n1:name=systemd:/x\n0::/\n");
    const std::string group = "/sys/fs/cgroup/memory/job";
    write(group + "/memory.limit_in_bytes", std::to_string(400 * kMB));
    write(group + "/memory.usage_in_bytes", std::to_string(200 * kMB));
    write(group + "/memory.stat", "cache 1\ntotal_inactive_file " + std::to_string(20 * kMB) + "\ntotal_active_file " +
                                      std::to_string(10 * kMB) + "\n");
    EXPECT_EQ(free_mb(), 230u - 64);
    write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
    write("/sys/fs/cgroup/memory/memory.usage_in_bytes", "1000");
    EXPECT_EQ(free_mb(), 230u - 64);
}

TEST_F(FreeMemory, OfThisMachineIsThere) {
    EXPECT_GT(free_memory_bytes(), 0u);
    EXPECT_LT(free_memory_bytes(), uint64_t{1} << 50);
}

TEST_F(FreeMemory, ErrorsHoldBothFigures) {
    check_memory(5 * kMB);
    check_memory(64, 64);
    try {
        check_memory(4'250'000'000, 64'000'000);
        FAIL();
    } catch (const MemoryError& error) {
        EXPECT_STREQ(error.what(), "it needs 4.3 GB of memory, and it may take 64 MB");
    }
    EXPECT_THROW(check_memory(uint64_t{1} << 60), MemoryError);
}

TEST_F(FreeMemory, WhatIsGivenBackAsideIsFreeWhenItIsLookedAt) {
    constexpr size_t kBytes = 50 * kMB;
    constexpr std::align_val_t kAlignment{64};
    give_back_aside();
    std::array<void*, 3> blocks{};
    for (void*& block : blocks) {
        block = ::operator new[](kBytes, kAlignment);
        std::memset(block, 1, kBytes);
    }
    for (void* block : blocks) give_back(block, kBytes, kAlignment);
    give_back(nullptr, kBytes, kAlignment);
    free_memory_bytes();
    for (void* block : blocks) {
#ifdef __SANITIZE_ADDRESS__  // it keeps what was freed
        EXPECT_TRUE(__asan_address_is_poisoned(block));
#else
        unsigned char resident = 0;
        void* const page = static_cast<char*>(block) + kBytes / 2 / size_t(getpagesize()) * size_t(getpagesize()) -
                           reinterpret_cast<uintptr_t>(block) % size_t(getpagesize());
        EXPECT_EQ(mincore(page, 1, &resident), -1);  // nothing is mapped there
#endif
    }
}

TEST_F(FreeMemory, IsSaidInPlainUnits) {
    EXPECT_EQ(memory_text(1), "1 MB");
    EXPECT_EQ(memory_text(999'000'000), "999 MB");
    EXPECT_EQ(memory_text(999'999'999), "1.0 GB");
    EXPECT_EQ(memory_text(4'249'999'999), "4.2 GB");
    EXPECT_EQ(memory_text(128'000'000'000), "128.0 GB");
}

}  // namespace
}  // namespace tonescope
