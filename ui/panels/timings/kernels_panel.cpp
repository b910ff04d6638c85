// Right, below the timings: what each kernel of the last run takes of a multiprocessor.
#include "gpu/core/resources.h"
#include "ui/widgets/charts/table.h"

namespace tonescope::ui {
namespace {

Table table_of(const std::vector<KernelResources>& kernels) {
    Table table{"stage", {}, {{"occup.", {}}, {"regs", {}}, {"shared", {}}, {"threads", {}}, {"blocks", {}}}};
    for (const KernelResources& kernel : kernels) {
        table.names.emplace_back(kernel.stage);
        table.columns[0].cells.push_back(format("%.0f %%", kernel.occupancy_percent));
        table.columns[1].cells.push_back(std::to_string(kernel.registers));
        table.columns[2].cells.push_back(with_separators(kernel.shared_bytes));
        table.columns[3].cells.push_back(std::to_string(kernel.block_threads));
        table.columns[4].cells.push_back(std::to_string(kernel.blocks_per_multiprocessor));
    }
    return table;
}

std::string describe(const KernelResources& kernel) {
    std::string text = kernel.kernel + "\n" + with_separators(static_cast<uint64_t>(kernel.grid_blocks)) +
                       (kernel.grid_blocks == 1 ? " block of " : " blocks of ") + std::to_string(kernel.block_threads) +
                       (kernel.block_threads == 1 ? " thread" : " threads");
    if (kernel.launches > 1)
        text += " at most, in " + with_separators(static_cast<uint64_t>(kernel.launches)) + " launches";
    return text + "\n" + std::to_string(kernel.registers) + " registers a thread\n" +
           with_separators(kernel.shared_bytes) + " bytes of shared memory a block\n" +
           std::to_string(kernel.blocks_per_multiprocessor) +
           " blocks fit on a multiprocessor at a time: " + format("%.0f", kernel.occupancy_percent) +
           " % of the threads that it can hold (occupancy)";
}

}  // namespace

void draw_kernels(Frame& ui, const std::vector<KernelResources>& kernels) {
    if (kernels.empty()) return;
    if (!folding_section(ui, "Kernels", ui.settings.kernels_shown)) return;
    const Table table = table_of(kernels);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    draw_table(ui, table);
    for (size_t row = 0; row < kernels.size(); ++row) {
        const Area area = table_row(ui, table, start, width, row);
        tooltip_at(ui, area.min(), area.max(), describe(kernels[row]));
        record(ui, "kernel:" + kernels[row].kernel, area.min(), area.max(), table.columns[0].cells[row], false);
    }
}

}  // namespace tonescope::ui
