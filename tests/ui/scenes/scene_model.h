// The application in a usual state, from which the scenes depart, and the images that they show.
#pragma once

#include "tests/ui/scenes/scenes.h"

namespace tonescope::ui {

/// Hills in fog: smooth, low in contrast, with some color.
HostImage draw_hills(int width, int height, bool with_alpha);
/// Stands for an operator: stretches the contrast around the middle.
HostImage stretch(const HostImage& image);
HostImage to_gray(const HostImage& image);
DisplayHistogram count(const HostImage& image);

/// What is known of a difference, as figures.
FigureValues difference_figures(const DifferenceStatistics& difference);
/// Every figure: before k + 1, after 2 k + 1.
FigureValues all_figures();

/// Formats as the program's table has them.
std::vector<SavedFormat> saved_formats();
/// The operator with its defaults, in the variant that this backend prefers.
void choose(Model& model, std::string_view op, BackendKind backend);
/// The CPU backend with three images open, CLAHE's result and its timings.
Model make_model(const Upload& upload, const HostImage& before);

}  // namespace tonescope::ui
