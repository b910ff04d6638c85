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

template <class Sample>
LabTables<Sample>::LabTables(int32_t max) : max_sample(max) {
    using Scale = LabScale<Sample>;
    constexpr double kLight = double(int64_t{1} << Scale::kLinear), kRoots = double(int64_t{1} << Scale::kRoot);
    for (int32_t v = 0; v <= max; ++v) linear.push_back(uint32_t(std::lround(kLight * decode(double(v) / max))));
    const double samples = sizeof(Sample) == 1 ? max : double(1 << 24);
    for (int i = 0; i < kLabNodes + 4; ++i) {
        const double light = std::min(1.0, double(i) / kLabNodes);
        roots.push_back(uint32_t(std::lround(kRoots * root(light))));
        encoded.push_back(uint32_t(std::lround(samples * encode(light))));
    }
    const double steps = std::ldexp(25.0 / 29, Scale::kRoot + Scale::kStep) / max;
    step = typename Scale::Wide(std::llround(steps));
    if constexpr (sizeof(Sample) == 1) {
        using Quick = Lab<uint8_t>;
        for (int i = 0; i < kLabNodes + 4; ++i) {
            const auto f = int32_t(roots[size_t(i)]);
            roots_and_cubes.push_back(uint32_t(f) << 16 | uint32_t(Quick::cube(f) - 4 * i + Quick::kRest));
            lightnesses.push_back(
                uint32_t((max * (29 * f - 4 * Quick::kOne) + 25 * (Quick::kOne / 2)) / (25 * Quick::kOne)));
        }
    }
}

template <>
Lab<uint8_t> LabTables<uint8_t>::colors() const {
    return {linear.data(), roots_and_cubes.data(), encoded.data(), lightnesses.data()};
}
template <>
Lab<uint16_t> LabTables<uint16_t>::colors() const {
    return {linear.data(), roots.data(), encoded.data(), max_sample, step};
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

template struct LabTables<uint8_t>;
template struct LabTables<uint16_t>;
template const LabTables<uint8_t>& lab_tables(int32_t);
template const LabTables<uint16_t>& lab_tables(int32_t);

}  // namespace tonescope
