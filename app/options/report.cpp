#include "app/options/report.h"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace tonescope {

Json value_json(const ParamInfo& info, int32_t value) {
    if (info.kind == ParamKind::choice) return info.values[size_t(value)];
    if (info.kind == ParamKind::decimal) return double(value) / info.scale;
    return value;
}

Json params_json(std::span<const ParamInfo> table, const ParamBlock& block) {
    Json values = Json::object();
    for (const ParamInfo& info : table) values[std::string(info.id)] = value_json(info, block.get(info));
    return values;
}

Json stages_json(const StageTimes& stages) {
    Json list = Json::array();
    for (const StageTime& stage : stages)
        list.push_back({{"stage", stage.stage}, {"ms", stage.ms}, {"bytes", stage.bytes}});
    return list;
}

Json kernels_json(const std::vector<KernelResources>& kernels) {
    Json list = Json::array();
    for (const KernelResources& kernel : kernels)
        list.push_back({{"stage", kernel.stage},
                        {"kernel", kernel.kernel},
                        {"launches", kernel.launches},
                        {"registers", kernel.registers},
                        {"shared_bytes", kernel.shared_bytes},
                        {"block_threads", kernel.block_threads},
                        {"grid_blocks", kernel.grid_blocks},
                        {"blocks_per_multiprocessor", kernel.blocks_per_multiprocessor},
                        {"occupancy_percent", kernel.occupancy_percent}});
    return list;
}

double sum_ms(const StageTimes& stages) {
    double sum = 0;
    for (const StageTime& stage : stages) sum += stage.ms;
    return sum;
}

std::string number_text(double value) {
    const int decimals = value == 0 ? 0 : std::clamp(2 - int(std::floor(std::log10(std::abs(value)))), 0, 6);
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return text;
}

std::string bins_csv(const BinsResult& bins) {
    std::string text = "bin,count\n";
    for (size_t i = 0; i < bins.bins.size(); ++i)
        text += std::to_string(i) + "," + std::to_string(int(bins.bins[i])) + "\n";
    return text;
}

std::string bins_json(const BinsResult& bins) {
    return Json{{"bins", bins.bins}}.dump() + "\n";
}

}  // namespace tonescope
