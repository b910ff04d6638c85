// Report A: CLAHE in CUDA, a ladder of seven versions.
#include "app/benchmark/reports/reports.h"

namespace tonescope {
namespace {

/// The report's own setting: square tiles of 16 pixels, a clip limit that is a count, the remainder of the excess
/// dropped.
const std::vector<std::pair<std::string_view, std::string_view>> kSetting = {
    {"tile_size", "16"}, {"clip_unit", "count"}, {"clip_count", "40"}, {"excess", "drop"}};

}  // namespace

std::vector<ExperimentInfo> report_a() {
    return {
        {.id = "a-ladder",
         .report = "A",
         .figure = "versions 0 to 6",
         .title = "Report A: the ladder",
         .op = "clahe",
         .params = kSetting,
         .sizes = {"1024x683", "2560x1707", "4k"},
         .claims = {{.variant = "shared",
                     .against = "baseline",
                     .says = Claim::Says::slower,
                     .figure = ClaimFigure::kernels,
                     .sentence = "One shared histogram for each tile is slower than the baseline (\"failed\"): "
                                 "contention and bank conflicts."}}},
        {.id = "a-teams",
         .report = "A",
         .figure = "teams against throughput",
         .title = "Report A: teams",
         .op = "clahe",
         .variants = {"split"},
         .params = kSetting,
         .sizes = {"4k"},
         .sweeps = {"teams=2,4,8,16,32,64"},
         .claims = {{.variant = "split",
                     .against = "split",
                     .says = Claim::Says::faster,
                     .sentence = "4 teams reach 577 MPixel/s, 2 teams 570.",
                     .times = 577.0 / 570,
                     .at = "4",
                     .against_at = "2"},
                    {.variant = "split",
                     .against = "split",
                     .says = Claim::Says::slower,
                     .sentence = "8 teams reach 485 MPixel/s, 4 teams 577.",
                     .times = 485.0 / 577,
                     .at = "8",
                     .against_at = "4"},
                    {.variant = "split",
                     .against = "split",
                     .says = Claim::Says::slower,
                     .sentence = "16 teams reach 432 MPixel/s, 8 teams 485.",
                     .times = 432.0 / 485,
                     .at = "16",
                     .against_at = "8"},
                    {.variant = "split",
                     .against = "split",
                     .says = Claim::Says::slower,
                     .sentence = "32 teams reach 330 MPixel/s, 16 teams 432.",
                     .times = 330.0 / 432,
                     .at = "32",
                     .against_at = "16"}}},
        {.id = "a-blocks",
         .report = "A",
         .figure = "blocks of 16x16",
         .title = "Report A: block sizes",
         .op = "clahe",
         .params = kSetting,
         .sizes = {"4k"},
         .sweeps = {"block=8x8,16x16,32x8,32x16,32x32"}},
    };
}

}  // namespace tonescope
