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

namespace tonescope {

/// Skipped, with the reason, where there is no GPU.
class GpuTest : public testing::Test {
  protected:
    void SetUp() override;
    std::unique_ptr<Backend> gpu_;
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
