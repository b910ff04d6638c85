// What the differential test runs the variants on: images, parameters, and the reference's answer.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "gpu/core/registry.h"

namespace tonescope::test {

using Random = std::mt19937;

/// Printed with every failure; TONESCOPE_TEST_SEED replaces the fixed one.
uint32_t base_seed();

/// Equal on every standard library, which std::uniform_int_distribution is not. Both ends are included.
int random_between(Random& random, int64_t low, int64_t high);

enum class Content { photo, noise, ramp, two_level, constant, skewed };
inline constexpr Content kContents[] = {Content::photo, Content::noise, Content::ramp, Content::two_level,
                                        Content::constant};
enum class Channels { gray, rgb, rgba };
inline constexpr Channels kChannels[] = {Channels::gray, Channels::rgb, Channels::rgba};

std::string to_string(Content content);
std::string to_string(Channels channels);

/// Greatest samples of deep images: 10, 12, 14 and 16 bits.
inline constexpr int kDeepMax[] = {1023, 4095, 16383, 65535};

/// An image of this content. Rows are `padding_px` pixels further apart than they need be, and the gap holds noise.
HostImage make_image(Content content, Channels channels, int width, int height, uint32_t seed, int padding_px = 0,
                     int max_sample = 255);

/// Gives all pixels outside of an ellipse in the middle this value, as the surround of a radiograph has.
void add_surround(HostImage& image, int value);

/// Every value of the table at its default.
ParamBlock defaults_of(const OperatorInfo& op);
/// For each parameter its limits and, of choices, each value, with the choice it depends on set so that it matters.
std::vector<ParamBlock> limits_of(std::span<const ParamInfo> table);
/// Values drawn anywhere in their ranges, but seldom those that few variants have (ParamInfo::common_max).
ParamBlock draw_params(std::span<const ParamInfo> table, Random& random);
/// "tile_size=64 clip_limit=3.00 ..."
std::string describe(std::span<const ParamInfo> table, const ParamBlock& params);

/// Makes parameters cheaper with which the plain reference would take seconds: Kuwahara's loops visit 4 (radius + 1)^2
/// pixels for each of the image's, CLAHE's exact tables two columns of a window and all bins; in all at most `visits`
/// then.
ParamBlock affordable(const OperatorInfo& op, ParamBlock params, int64_t pixels, double visits);

struct Case {
    const OperatorInfo* op = nullptr;
    ParamBlock params = {};
    const HostImage* input = nullptr;
    std::string name = {};
};

struct Answer {
    HostImage image = {};
    BinsResult bins = {};
};

/// Runs the operator's reference.
Answer reference_answer(const Case& c);

}  // namespace tonescope::test
