// No two variants launch the same kernels unless one says so (VariantInfo::same_kernels_as), and what it says is true:
// otherwise a step of the ladder would show nothing but noise, or the host's memory under another name.
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "tests/differential/gpu_check.h"
#include "tests/differential/walk.h"

namespace tonescope::test {
namespace {

/// By signature with template arguments, threads of a block, and bytes of shared memory.
using Kernels = std::set<std::tuple<std::string, int, size_t>>;

class SameKernels : public OnGpu<testing::TestWithParam<std::string>> {
  protected:
    /// Of a run of a gray image and one of a color image.
    Kernels kernels_of(const OperatorInfo& op, const VariantInfo& variant) {
        Kernels kernels;
        for (Channels channels : {Channels::gray, Channels::rgb}) {
            const HostImage image = make_image(Content::photo, channels, 301, 203, base_seed());
            for (const KernelResources& kernel : backend_->run(image.view(), default_run(op, &variant)).resources)
                kernels.emplace(kernel.signature, kernel.block_threads, kernel.shared_bytes);
        }
        return kernels;
    }
};

TEST_P(SameKernels, AreDeclared) {
    const OperatorInfo& op = *find_operator(GetParam());
    std::map<std::string_view, Kernels> known;
    for (const VariantInfo* variant : cuda_variants(op.id)) {
        known[variant->id] = kernels_of(op, *variant);
        ASSERT_FALSE(known[variant->id].empty()) << variant->id;
    }
    const auto owner = [](const VariantInfo& variant) {
        return variant.same_kernels_as.empty() ? variant.id : variant.same_kernels_as;
    };
    for (const VariantInfo* a : cuda_variants(op.id))
        for (const VariantInfo* b : cuda_variants(op.id))
            EXPECT_EQ(known[a->id] == known[b->id], owner(*a) == owner(*b)) << a->id << " and " << b->id;
}

INSTANTIATE_TEST_SUITE_P(All, SameKernels, testing::ValuesIn(operator_ids()), operator_name);

}  // namespace
}  // namespace tonescope::test
