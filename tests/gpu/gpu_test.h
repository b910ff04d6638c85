// What the GPU tests share.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "gpu/core/backend.h"
#include "gpu/present/presenter.h"

namespace tonescope {

/// Skipped, with the reason, where there is no GPU.
class GpuTest : public testing::Test {
  protected:
    void SetUp() override;
    std::unique_ptr<Backend> gpu_;
};

/// For sessions whose results are looked at without a screen: nothing may be shown.
class NoPresenter final : public Presenter {
  public:
    std::string id() const override { return "copy"; }
    std::string reason() const override { return "a test"; }
    void show(Slot, std::shared_ptr<const Pyramid>, uint64_t) override { ADD_FAILURE() << "show"; }
    bool step(size_t) override { return false; }
    const Picture& picture(Slot) const override { return picture_; }
    void prepare_minified(Slot) override {}
    void clear(Slot) override { ADD_FAILURE() << "clear"; }

  private:
    Picture picture_;
};

/// Deterministic noise under a gradient. RGB without alpha has alpha 255.
HostImage make_test_image(const ImageSpec& spec, uint32_t seed, size_t pitch_bytes = 0);

/// Parameters are the defaults but for `values`.
RunSpec make_spec(std::string_view op, std::string_view variant,
                  std::initializer_list<std::pair<std::string_view, int32_t>> values = {});
/// The same run on the reference.
RunResult run_reference(const ImageView& image, const RunSpec& spec);

/// Polls until the final result of this request. Fails the test and gives an empty result after 60 s.
LiveResult wait_for_result(LiveSession& session, uint64_t serial);

}  // namespace tonescope
