// Right, below the timings: what each kernel of the last run takes of a multiprocessor.
#include <cmath>

#include "ui/table.h"

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

/// The section's title, which opens and closes it.
void heading(Ui& ui) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    section(ui, "Kernels");
    const ImVec2 below = ImGui::GetCursorScreenPos();
    const float height = ui.px(22);
    const ImVec2 min{start.x, below.y - ui.px(6) - height};
    ImGui::SetCursorScreenPos(min);
    if (ImGui::InvisibleButton("kernels", {width, height})) ui.settings.kernels_shown = !ui.settings.kernels_shown;
    const ImU32 ink = ImGui::IsItemHovered() ? color::kText : color::kTextQuiet;
    focus_ring(ui, min, {min.x + width, min.y + height});
    const ImVec2 c{min.x + width - ui.px(7), std::floor(min.y + height / 2)};
    const float r = ui.px(4);
    const float down = ui.settings.kernels_shown ? -1.0F : 1.0F;
    const ImVec2 chevron[] = {{c.x - r, c.y - down * r / 2}, {c.x, c.y + down * r / 2}, {c.x + r, c.y - down * r / 2}};
    ImGui::GetWindowDrawList()->AddPolyline(chevron, 3, ink, 0, std::max(1.0F, 1.3F * ui.theme.scale));
    record(ui, "Kernels", min, {min.x + width, min.y + height}, ui.settings.kernels_shown ? "open" : "closed");
    ImGui::SetCursorScreenPos(below);
}

}  // namespace

void draw_kernels(Ui& ui) {
    const std::vector<KernelResources>& kernels = ui.model->kernels;
    if (kernels.empty()) return;
    ui.panel = "kernels";
    heading(ui);
    if (!ui.settings.kernels_shown) return;
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
