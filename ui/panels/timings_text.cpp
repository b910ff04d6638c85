// The times as text.
#include <algorithm>

#include "ui/panels/panels.h"

namespace tonescope::ui {
namespace {

using Rows = std::vector<std::vector<std::string>>;

/// The first column to the left, the others to the right. All cells but those of the first column are ASCII.
std::string aligned(const Rows& rows) {
    std::vector<size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
    }
    std::string text;
    for (const auto& row : rows) {
        std::string line;
        for (size_t k = 0; k < row.size(); ++k) {
            const std::string gap(widths[k] - row[k].size(), ' ');
            line += k == 0 ? row[k] + gap : "  " + gap + row[k];
        }
        line.resize(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

Rows stage_rows(const Timings& timings) {
    Rows rows = {{"stage", "last ms", "median ms", "best ms", "runs", "MPixel/s", "GB/s", "of copy"}};
    for (const StageRow& row : timings.stages) {
        const std::string share = share_text(row.gb_s, timings.copy_gb_s);
        rows.push_back({row.stage, format("%.3f", row.last_ms), format("%.3f", row.median_ms),
                        format("%.3f", row.best_ms), std::to_string(row.history_ms.size()),
                        row.mpixel_s > 0 ? format("%.0f", row.mpixel_s) : "-",
                        row.gb_s > 0 ? format("%.2f", row.gb_s) : "-", share.empty() ? "-" : share});
    }
    return rows;
}

Rows frame_rows(const Timings& timings) {
    Rows rows = {{"frame, ms"}};
    for (const FrameRow& row : timings.frame) rows[0].push_back(row.name);
    for (size_t part = 0; part < kFramePartNames.size(); ++part) {
        std::vector<std::string>& cells = rows.emplace_back();
        cells.emplace_back(kFramePartNames[part]);
        for (const FrameRow& row : timings.frame)
            cells.push_back(row.ms[part] > 0 ? format("%.3f", row.ms[part]) : "-");
    }
    std::vector<std::string>& total = rows.emplace_back();
    total.emplace_back("total");
    for (const FrameRow& row : timings.frame) total.push_back(format("%.3f", row.total_ms()));
    return rows;
}

}  // namespace

int decimals_for(double largest_ms) {
    return largest_ms < 10 ? 3 : largest_ms < 100 ? 2 : largest_ms < 1000 ? 1 : 0;
}

std::string share_text(double gb_s, double copy_gb_s) {
    return gb_s > 0 && copy_gb_s > 0 ? format("%.0f %%", 100 * gb_s / copy_gb_s) : std::string();
}

std::string timings_text(const Timings& timings) {
    std::string text;
    for (const auto& [label, value] : timings.subject) text += format("%-10s ", label.c_str()) + value + "\n";
    if (timings.copy_gb_s > 0) text += format("%-10s %.1f GB/s, measured by copying\n", "Bandwidth", timings.copy_gb_s);
    text += "\n" + aligned(stage_rows(timings));
    if (!timings.frame.empty()) text += "\n" + aligned(frame_rows(timings));
    return text;
}

}  // namespace tonescope::ui
