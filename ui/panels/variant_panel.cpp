// Left, below the parameters: what the variant is about.
#include <array>

#include "ui/model/run.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {
namespace {

struct Sentence {
    const char* label;
    std::string_view text;
};

std::array<Sentence, 3> sentences(const VariantInfo& variant) {
    return {{{"Idea", variant.idea}, {"Cost", variant.cost}, {"Flaw", variant.flaw}}};
}

}  // namespace

void draw_variant(Frame& ui, const RunModel& run) {
    if (run.variant == nullptr) return;
    if (ui.presenting)  // an audience reads along
        section(ui, "About the variant");
    else if (!folding_section(ui, "About the variant", ui.settings.variant_shown))
        return;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float indent = ui.px(38);
    float y = start.y;
    for (const Sentence& s : sentences(*run.variant)) {
        if (s.text.empty()) continue;
        draw_text({start.x, y}, ui.theme.small, ui.colors.text_faint, s.label);
        draw_text({start.x + indent, y}, ui.theme.small, ui.colors.text_quiet, s.text, width - indent);
        y += text_height(ui.theme.small, s.text, width - indent) + ui.px(4);
    }
    record(ui, "Variant text", start, {start.x + width, y}, run.variant->source, false);
    ImGui::Dummy({width, y - start.y});
}

}  // namespace tonescope::ui
