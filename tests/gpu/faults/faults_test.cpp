// A session in which one call of the CUDA runtime fails, or all from one on: every call in turn. What comes of a
// request is right or one line, the next one is right, and nothing is left behind.
//
// A sweep takes minutes. FAULTS_FIRST=N begins at call N, FAULTS_EVERY=N takes every Nth from there on: parts that
// begin with 1 to N cover all. Each says how far it is, and how many sessions have ended wrong.
#include <memory>
#include <string>

#include "tests/gpu/faults/faults_fixture.h"

namespace tonescope {
namespace {

TEST_F(FaultsTest, MemoryIsShortOnce) {
    fail_every_call(cudaErrorMemoryAllocation, false, 1);
}
TEST_F(FaultsTest, OneCallFails) {
    fail_every_call(cudaErrorUnknown, false, 1);
}
/// As with an illegal address in a kernel: the device is lost.
TEST_F(FaultsTest, EveryCallFailsFromOneOn) {
    fail_every_call(cudaErrorIllegalAddress, true, 7);
}

/// The same with OpenGL's textures.
class InteropFaultsTest : public FaultsTest {
  protected:
    void SetUp() override {
        FaultsTest::SetUp();
        if (IsSkipped()) return;
        if (const char* missing = context_.open()) GTEST_SKIP() << missing;
        std::string reason;
        if (!make_interop_presenter(0, &reason)) GTEST_SKIP() << reason;
    }
    std::unique_ptr<Screen> make_screen() override {
        std::string reason;
        std::unique_ptr<Presenter> presenter = make_interop_presenter(0, &reason);
        if (!presenter) expect_line(reason);
        return presenter ? std::make_unique<GlScreen>(std::move(presenter)) : nullptr;
    }

  private:
    GlContext context_;
};

TEST_F(InteropFaultsTest, OneCallFails) {
    fail_every_call(cudaErrorUnknown, false, 1);
}
TEST_F(InteropFaultsTest, EveryCallFailsFromOneOn) {
    fail_every_call(cudaErrorIllegalAddress, true, 7);
}

}  // namespace
}  // namespace tonescope
