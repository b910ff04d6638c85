#include "gpu/core/color/lab.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>

namespace tonescope {
namespace {

/// IEC 61966-2-1, 0 to 1.
double decode(double sample) {
    return sample <= 0.04045 ? sample / 12.92 : std::pow((sample + 0.055) / 1.055, 2.4);
}
double encode(double light) {
    return light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
}
/// f of CIE 15:2004.
double root(double light) {
    return light > 216.0 / 24389 ? std::cbrt(light) : light * 841 / 108 + 4.0 / 29;
}

}  // namespace

LabTables<uint8_t>::LabTables(int32_t max) : max_sample(max) {
    using Lab8 = Lab<uint8_t>;
    const auto from_upper_half = [](uint32_t upper) { return double(std::bit_cast<float>(upper << 16)); };
    for (int32_t v = 0; v <= max; ++v)
        light.push_back(float(std::ldexp(std::round(std::ldexp(decode(double(v) / max), 20)), -20)) + Lab8::kLift);
    for (int32_t v = 1; v <= max; ++v) thresholds.push_back(float(decode((v - 0.5) / max) + double(Lab8::kSampleLift)));

    for (uint32_t i = 0; i < Lab8::kRoots; ++i) {
        // Parallel to the chord, in the middle between the least and the greatest distance from it.
        const double begin = from_upper_half(Lab8::kFirstRoot + i), end = from_upper_half(Lab8::kFirstRoot + i + 1);
        const auto value = [](double lifted) { return (root(lifted - double(Lab8::kLift)) - 4. / 29) / 2; };
        const auto slope = float((value(end) - value(begin)) / (end - begin));
        double least = 1, most = -1;
        for (int j = 0; j <= 32; ++j) {
            const double lifted = begin + (end - begin) * j / 32, at_0 = value(lifted) - double(slope) * lifted;
            least = std::min(least, at_0), most = std::max(most, at_0);
        }
        const auto at_0 = float((least + most) / 2);
        roots.push_back(uint64_t{std::bit_cast<uint32_t>(slope)} << 32 | std::bit_cast<uint32_t>(at_0));
    }
    for (uint32_t i = 0; i < Lab8::kSteps; ++i) {
        // At most one sample begins between two entries. The addition of its distance from the end carries.
        const uint32_t upper = Lab8::kFirstStep + i;
        const auto begin = std::bit_cast<float>(upper << 16), end = std::bit_cast<float>((upper + 1) << 16);
        const auto next = std::upper_bound(thresholds.begin(), thresholds.end(), begin);
        const uint32_t sample = uint32_t(next - thresholds.begin()) - upper;
        const uint32_t carrying =
            next != thresholds.end() && *next < end ? 0x10000 - (std::bit_cast<uint32_t>(*next) & 0xffff) : 0;
        steps.push_back((sample << 16) + carrying);
    }
}

LabTables<uint16_t>::LabTables(int32_t max) : max_sample(max) {
    using Scale = DeepLabScale;
    constexpr double kLight = double(int64_t{1} << Scale::kLinear), kRoots = double(int64_t{1} << Scale::kRoot);
    for (int32_t v = 0; v <= max; ++v) linear.push_back(uint32_t(std::lround(kLight * decode(double(v) / max))));
    for (int i = 0; i < kLabNodes + 4; ++i) {
        const double light = std::min(1.0, double(i) / kLabNodes);
        roots.push_back(uint32_t(std::lround(kRoots * root(light))));
        encoded.push_back(uint32_t(std::lround(double(1 << 24) * encode(light))));
    }
    step = std::llround(std::ldexp(25.0 / 29, Scale::kRoot + Scale::kStep) / max);
}

template <class Sample>
const LabTables<Sample>& lab_tables(int32_t max_sample) {
    static thread_local const LabTables<Sample>* last = nullptr;
    if (last != nullptr && last->max_sample == max_sample) return *last;
    static std::mutex mutex;
    static std::map<int32_t, std::unique_ptr<const LabTables<Sample>>> made;
    const std::lock_guard lock(mutex);
    std::unique_ptr<const LabTables<Sample>>& tables = made[max_sample];
    if (tables == nullptr) tables = std::make_unique<const LabTables<Sample>>(max_sample);
    last = tables.get();
    return *last;
}

template const LabTables<uint8_t>& lab_tables(int32_t);
template const LabTables<uint16_t>& lab_tables(int32_t);

}  // namespace tonescope
