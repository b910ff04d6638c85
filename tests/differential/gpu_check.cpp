#include "tests/differential/gpu_check.h"

#include <algorithm>

#include "gpu/core/error.h"
#include "tests/image_tools.h"

namespace tonescope::test {

std::vector<const VariantInfo*> cuda_variants(std::string_view op) {
    std::vector<const VariantInfo*> variants = variants_of(op);
    std::erase_if(variants, [](const VariantInfo* r) { return r->backend != BackendKind::cuda; });
    return variants;
}

std::vector<OperatorVariant> all_cuda_variants() {
    std::vector<OperatorVariant> all;
    for (const OperatorInfo* op : operators())
        for (const VariantInfo* variant : cuda_variants(op->id)) all.push_back({op, variant});
    return all;
}

std::string variant_name(const testing::TestParamInfo<OperatorVariant>& test) {
    std::string name = std::string(test.param.op->id) + "_" + std::string(test.param.variant->id);
    std::ranges::replace(name, '-', '_');
    return name;
}

void expect_same(const HostImage& got, const HostImage& expected) {
    ASSERT_EQ(got.spec(), expected.spec());
    ASSERT_TRUE(same_pixels(got.view(), expected.view()))
        << count_different_pixels(got.view(), expected.view()) << " pixels differ";
}

void check_gpu_variant(Backend& backend, const VariantInfo& variant, const ParamBlock& variant_params,
                       MemoryMode memory, const Case& c, const Answer& expected) {
    SCOPED_TRACE(std::string(variant.id) + ", " + std::string(kMemoryModeIds[size_t(memory)]) + ": " + c.name);
    const RunSpec spec{
        .op = c.op, .variant = &variant, .params = c.params, .variant_params = variant_params, .memory = memory};
    if (!refusal(*c.op, variant, c.params, c.input->spec()).empty()) {
        ASSERT_THROW(backend.run(c.input->view(), spec), UserError);
        return;
    }
    if (variant.max_pixels > 0 && c.input->spec().pixels() > variant.max_pixels) {
        ASSERT_THROW(backend.run(c.input->view(), spec), UserError);
        return;
    }
    const RunResult result = backend.run(c.input->view(), spec);
    ASSERT_FALSE(result.stages.empty()) << "no stage was timed";
    if (!c.op->makes_bins) {
        // What is wrong in an image, wrong_by_design_test.cpp knows.
        if (variant.wrong_by_design) {
            ASSERT_EQ(result.image.spec(), expected.image.spec());
        } else {
            expect_same(result.image, expected.image);
        }
        return;
    }
    ASSERT_TRUE(result.bins.has_value());
    ASSERT_TRUE(result.bins->counts == expected.bins.counts);
    if (!variant.wrong_by_design) {
        ASSERT_TRUE(result.bins->bins == expected.bins.bins);
        return;
    }
    // The lesson of report D's version 1: counters roll over.
    for (size_t bin = 0; bin < expected.bins.counts.size(); ++bin)
        ASSERT_EQ(result.bins->bins[bin], uint8_t(expected.bins.counts[bin])) << "bin " << bin;
}

}  // namespace tonescope::test
