#include "gpu/core/benchmark/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace tonescope {
namespace {

std::vector<uint32_t> drawn(size_t count, uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<uint32_t> draws(size_t{Bootstrap::kResamples} * count);
    for (uint32_t& draw : draws) draw = uint32_t((uint64_t(random()) * count) >> 32);
    return draws;
}

}  // namespace

double quantile(std::vector<double>& values, double part) {
    const double at = part * double(values.size() - 1);
    const auto below = values.begin() + ptrdiff_t(at);
    std::nth_element(values.begin(), below, values.end());
    const double rest = at - std::floor(at);
    return rest == 0 ? *below : *below + rest * (*std::min_element(below + 1, values.end()) - *below);
}

Bootstrap::Bootstrap(size_t rounds, uint32_t seed) : rounds_(rounds), seed_(seed), draws_(drawn(rounds, seed)) {}

std::vector<double> Bootstrap::medians(const RoundTimes& times) const {
    std::vector<double> present;
    std::ranges::copy_if(times, std::back_inserter(present), [](double ms) { return !std::isnan(ms); });
    if (present.size() < kMinValues) return {};
    const bool is_paired = 2 * present.size() >= rounds_;
    const std::vector<uint32_t> own = is_paired ? std::vector<uint32_t>{} : drawn(present.size(), seed_ + 1);
    const std::vector<double>& values = is_paired ? times : present;
    const std::vector<uint32_t>& draws = is_paired ? draws_ : own;
    const size_t count = is_paired ? rounds_ : present.size();
    std::vector<double> medians, resample;
    for (size_t first = 0; first < draws.size(); first += count) {
        resample.clear();
        for (size_t k = first; k < first + count; ++k)
            if (draws[k] < values.size() && !std::isnan(values[draws[k]])) resample.push_back(values[draws[k]]);
        medians.push_back(quantile(resample.empty() ? present : resample, 0.5));
    }
    return medians;
}

std::optional<Interval> interval_of(std::vector<double> figures) {
    if (figures.empty()) return {};
    return Interval{quantile(figures, 0.025), quantile(figures, 0.975)};
}

Ratio ratio_of(double over, double under, std::span<const double> over_medians, std::span<const double> under_medians) {
    std::vector<double> ratios;
    for (size_t k = 0; k < std::min(over_medians.size(), under_medians.size()); ++k)
        ratios.push_back(over_medians[k] / under_medians[k]);
    return {over / under, interval_of(std::move(ratios))};
}

}  // namespace tonescope
