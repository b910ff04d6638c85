#include "gpu/core/limits/stage_bytes.h"

#include <algorithm>
#include <cmath>

namespace tonescope {
namespace {

/// Of a stage that is no variant's own: how often it moves the bytes of the input and of the output.
struct GeneralStage {
    std::string_view stage;
    int inputs, outputs;
};
constexpr GeneralStage kGeneralStages[] = {{"upload", 1, 0},   {"download", 0, 1}, {"copy in", 2, 0},
                                           {"copy out", 0, 2}, {"present", 0, 2},  {"range", 1, 0},
                                           {"cut out", 2, 0},  {"put back", 0, 2}};

}  // namespace

std::vector<uint64_t> bytes_of_stages(const StageTimes& stages, const Work& work, const ImageSpec& input,
                                      const ImageSpec& output) {
    const double input_bytes = double(input.size_bytes()), output_bytes = double(output.size_bytes());
    std::vector<uint64_t> bytes;
    for (const StageTime& time : stages) {
        double all = 0;
        for (const GeneralStage& one : kGeneralStages)
            if (one.stage == time.stage) all = one.inputs * input_bytes + one.outputs * output_bytes;
        for (const StageWork& one : work)
            if (one.stage == time.stage) all += one.amounts.bytes;
        bytes.push_back(
            uint64_t(std::llround(all / double(std::ranges::count(stages, time.stage, &StageTime::stage)))));
    }
    return bytes;
}

}  // namespace tonescope
