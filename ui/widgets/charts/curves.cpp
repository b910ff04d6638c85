#include "ui/widgets/charts/curves.h"

namespace tonescope::ui {

void fill_to_level(std::span<const ImVec2> curve, float level_y, ImU32 fill) {
    if (curve.size() < 2) return;
    // One strip of triangles without smoothed sides, which would show as seams.
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 uv = ImGui::GetFontTexUvWhitePixel();
    const auto steps = static_cast<unsigned>(curve.size()) - 1;
    list.PrimReserve(static_cast<int>(steps) * 6, static_cast<int>(curve.size()) * 2);
    const unsigned first = list._VtxCurrentIdx;
    for (const ImVec2& p : curve) {
        list.PrimWriteVtx(p, uv, fill);
        list.PrimWriteVtx({p.x, level_y}, uv, fill);
    }
    for (unsigned k = 0; k < steps; ++k)
        for (const unsigned corner : {0U, 2U, 3U, 0U, 3U, 1U})
            list.PrimWriteIdx(static_cast<ImDrawIdx>(first + 2 * k + corner));
}

}  // namespace tonescope::ui
