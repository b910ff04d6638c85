// The cases of an experiment: what they differ by, and what was measured of each.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "gpu/core/benchmark/benchmark_row.h"

namespace tonescope {

/// What cases differ by: images, sizes or the values of a parameter. `positions`: of the labels, where all of them are
/// numbers; else empty. `is_param`: the id is a parameter's.
struct CaseAxis {
    std::string id, title, unit = {};
    bool is_param = false;
    std::vector<std::string> labels = {};
    std::vector<double> positions = {};
};

/// "Radius (px)", "Size": what stands below a chart. Sizes are labeled as such, whatever unit their positions have.
inline std::string title_of(const CaseAxis& axis) {
    return axis.title + (axis.is_param && !axis.unit.empty() ? " (" + axis.unit + ")" : "");
}

/// The axis that a chart goes along: of parameters, or of all where there are none, the last one that has numbers, else
/// the last one; 0 where there is no axis.
size_t main_axis(std::span<const CaseAxis> axes);

struct CaseRows {
    std::vector<size_t> place = {};  // the label's index on each axis
    ImageSpec size = {};             // of the image
    std::vector<BenchmarkRow> rows = {};
};

/// What `place` says of the axes other than `axis`: "noise, block 8x8"; empty where there are none.
std::string title_beside(std::span<const CaseAxis> axes, std::span<const size_t> place, size_t axis);

}  // namespace tonescope
