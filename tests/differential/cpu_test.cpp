// Every variant on the CPU against the reference, byte by byte, and what operators explain of the same cases.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "tests/cpu_time.h"
#include "tests/differential/walk.h"
#include "tests/image_tools.h"

namespace tonescope::test {
namespace {

constexpr uint8_t kPoison = 0xA5;

std::vector<const VariantInfo*> cpu_variants(std::string_view op, bool with_reference) {
    std::vector<const VariantInfo*> variants = variants_of(op);
    std::erase_if(variants, [&](const VariantInfo* r) {
        return r->backend != BackendKind::cpu || (r->reference && !with_reference);
    });
    return variants;
}

/// A poisoned image whose rows are further apart than they need be.
HostImage poisoned(const ImageSpec& spec) {
    HostImage image(spec, spec.row_bytes() + size_t(12 * bytes_per_pixel(spec.format)));
    std::fill_n(image.data(), image.size_bytes(), kPoison);
    return image;
}

bool padding_is_untouched(const HostImage& image) {
    for (int y = 0; y < image.height(); ++y) {
        const uint8_t* row = image.view().row(y);
        for (size_t i = image.spec().row_bytes(); i < image.pitch_bytes(); ++i)
            if (row[i] != kPoison) return false;
    }
    return true;
}

std::string first_difference(const ImageView& got, const ImageView& expected) {
    for (int y = 0; y < got.spec.height; ++y) {
        for (int x = 0; x < got.spec.width; ++x) {
            for (int c = 0; c < bytes_per_pixel(got.spec.format); ++c) {
                const int a = got.pixel(x, y)[c], b = expected.pixel(x, y)[c];
                if (a != b)
                    return "first at (" + std::to_string(x) + ", " + std::to_string(y) + ") channel " +
                           std::to_string(c) + ": " + std::to_string(a) + ", reference " + std::to_string(b);
            }
        }
    }
    return "none";
}

void check_variant(const VariantInfo& variant, const ParamBlock& variant_params, int threads, const Case& c,
                   const Answer& expected) {
    SCOPED_TRACE(std::string(variant.id) + " with " + std::to_string(threads) + " threads: " + c.name);
    CpuJob job{.input = c.input->view(), .params = c.params, .variant_params = variant_params, .threads = threads};
    StageTimes stages;
    job.stages = &stages;
    if (c.op->makes_bins) {
        BinsResult bins{std::vector<uint8_t>(3, kPoison), std::vector<uint32_t>(5, kPoison)};
        job.bins = &bins;
        variant.run_cpu(job);
        ASSERT_TRUE(bins == expected.bins);
    } else {
        HostImage output = poisoned(expected.image.spec());
        job.output = output.mutable_view();
        variant.run_cpu(job);
        ASSERT_TRUE(same_pixels(output.view(), expected.image.view()))
            << count_different_pixels(output.view(), expected.image.view()) << " pixels differ, "
            << first_difference(output.view(), expected.image.view());
        ASSERT_TRUE(padding_is_untouched(output)) << "bytes behind the end of a row were written";
    }
    ASSERT_FALSE(stages.empty()) << "no stage was timed";
}

/// All variants but the reference, alone and with more threads than small images have rows.
void check_all(const Case& c, const Answer& expected) {
    for (const VariantInfo* variant : cpu_variants(c.op->id, false)) {
        if (!refusal(*c.op, *variant, c.params, c.input->spec()).empty()) continue;
        Random random(base_seed());
        for (int threads : {1, 2, 5}) {
            const ParamBlock params =
                threads == 1 ? default_values(variant->params) : draw_params(variant->params, random);
            check_variant(*variant, params, threads, c, expected);
            if (testing::Test::HasFatalFailure()) return;
        }
    }
}

void check_case(const Case& c, const Answer& expected) {
    check_all(c, expected);
    if (c.op->explain != nullptr && !testing::Test::HasFatalFailure()) check_explained(c, expected);
}

class CpuDifferential : public testing::TestWithParam<std::string> {
  protected:
    const OperatorInfo& op() const { return *find_operator(GetParam()); }
};

TEST_P(CpuDifferential, Sizes) {
    walk_sizes(op(), check_case);
}
TEST_P(CpuDifferential, Limits) {
    walk_limits(op(), check_case);
}
TEST_P(CpuDifferential, Random) {
    walk_random(op(), check_case, 60);
}
TEST_P(CpuDifferential, Surrounds) {
    walk_surrounds(op(), check_all);
}
TEST_P(CpuDifferential, Large) {
    walk_large(op(), check_case);
}

/// The reference too writes every visible byte and nothing else, at any pitch.
TEST_P(CpuDifferential, ReferenceKeepsToItsRows) {
    for (Channels channels : kChannels) {
        const HostImage image = make_image(Content::photo, channels, 37, 23, base_seed(), 9);
        const Case c{&op(), defaults_of(op()), &image, "reference, " + to_string(channels)};
        const Answer expected = reference_answer(c);
        check_variant(reference_of(op().id), {}, 1, c, expected);
    }
}

/// A stop that is already requested leaves the work undone; one that comes in the middle ends it soon.
TEST_P(CpuDifferential, StopsWhenAsked) {
    const HostImage image = make_image(Content::noise, Channels::rgb, 2500, 1400, base_seed());
    ParamBlock params = defaults_of(op());
    if (const ParamInfo* radius = find_param(op().params, "radius")) params.set(*radius, radius->max);
    for (const VariantInfo* variant : cpu_variants(GetParam(), true)) {
        SCOPED_TRACE(variant->id);
        for (bool from_the_start : {true, false}) {
            std::stop_source source;
            BinsResult bins;
            HostImage output;
            CpuJob job{.input = image.view(),
                       .params = params,
                       .variant_params = default_values(variant->params),
                       .threads = 2,
                       .stop = source.get_token()};
            if (op().makes_bins) {
                job.bins = &bins;
            } else {
                output = poisoned(op().output_spec(image.spec(), params));
                job.output = output.mutable_view();
            }
            std::jthread stopper([&] {
                if (!from_the_start) std::this_thread::sleep_for(std::chrono::milliseconds(20));
                source.request_stop();
            });
            if (from_the_start) stopper.join();
            const double begin = cpu_seconds();
            variant->run_cpu(job);
            EXPECT_LT(cpu_seconds() - begin, 2 * job.threads);
            if (!from_the_start) continue;
            if (op().makes_bins) {
                uint64_t counted = 0;
                for (uint32_t count : bins.counts) counted += count;
                EXPECT_LT(counted, uint64_t(image.spec().pixels())) << "everything was counted all the same";
            } else {
                const uint8_t* row = output.view().row(output.height() - 1);
                EXPECT_TRUE(std::all_of(row, row + output.spec().row_bytes(), [](uint8_t v) { return v == kPoison; }))
                    << "the last row was written all the same";
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, CpuDifferential, testing::ValuesIn(operator_ids()), operator_name);

}  // namespace
}  // namespace tonescope::test
