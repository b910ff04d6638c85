// The results of values of parameters, each with its figures: what --headless --sweep computes, and how it is written.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/benchmark/experiments/experiment.h"
#include "app/options/report.h"
#include "gpu/core/figures/figures.h"

namespace tonescope {

/// A result.
struct SweepResult {
    std::vector<std::string> values = {};  // of the sweeps
    std::string output = {};               // the file that holds it; empty: none does
    double ms = 0;                         // of the run
    FigureValues figures = {};
    HostImage thumbnail = {};  // for the contact sheet
};

struct SweptImage {
    std::string input = {};
    ImageSpec spec = {};
    std::string error = {};                 // in place of what follows
    std::string reference = {};             // what figures are beside, in place of the image; empty: nothing
    RunSpec run = {};                       // that the values were set in
    HostImage thumbnail = {};               // of the image itself, for the contact sheet
    std::vector<SweepResult> results = {};  // the last sweep's values change first
};

struct SweepResults {
    std::vector<Sweep> sweeps;
    ResultPart part = {};  // as it was asked for: masks may be one for each image
    std::vector<SweptImage> images;
};

/// "clip_limit 2.00, tile_size 64"
std::string values_text(const std::vector<Sweep>& sweeps, const std::vector<std::string>& values);

/// A row for each result: input, values, ms, and the figures after; before them the input's own figures.
std::string sweep_csv(const SweepResults& results);
std::string sweep_markdown(const SweepResults& results);
/// {"program", "version", "sweeps": [{"parameter", "values"}], "images": [{"input", "reference", "width", "height",
/// "operator", "variant", "parameters", "region", "feather", "mask", "mask_inverse", "before": {ID: VALUE}, "results":
/// [{"values": {NAME: VALUE}, "output", "ms", "after": {ID: VALUE}}]} or {"input", "error"}]}.
Json sweep_json(const SweepResults& results);

/// The sides of a picture in a contact sheet.
ImageSpec thumbnail_spec(const ImageSpec& image);
/// An image of 8 bits at the sides of its thumbnail: each pixel is the mean of those that it stands for.
HostImage thumbnail_of(const ImageView& image);
/// Where there are two sweeps, the first one's values go down and the last one's across; more go down together. One
/// alone is broken into rows, with the image itself first. Figures stand below each picture, up to three of them.
HostImage contact_sheet(const SweepResults& results, const SweptImage& image);

}  // namespace tonescope
