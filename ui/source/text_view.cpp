// The text of the source: drawing, selection by mouse and keyboard.
#include <algorithm>
#include <cmath>

#include "ui/source/source_panel.h"
#include "ui/widgets/keys.h"

namespace tonescope::ui {
namespace {

ImU32 ink_of(const Palette& colors, char letter) {
    switch (letter) {
        case 'c':
            return colors.code_comment;
        case 'p':
            return colors.code_preprocessor;
        case 's':
            return colors.code_string;
        case 'n':
            return colors.code_number;
        case 'k':
            return colors.code_keyword;
        case 't':
            return colors.code_type;
        default:
            return colors.text;
    }
}

std::string resources_text(const KernelResources& kernel) {
    return std::to_string(kernel.registers) + " registers, " + with_separators(kernel.shared_bytes) +
           " bytes shared, " + with_separators(kernel.spilled_bytes) + " bytes spilled, " +
           std::to_string(kernel.block_threads) + " threads a block, " +
           format("%.0f %% occupancy", kernel.occupancy_percent) + kernel.occupancy.limit_text();
}

}  // namespace

/// A line with the name, or with the file alone, and for kernels one with what they take.
void SourcePanel::draw_title(Frame& ui, const SourcePart& part, const Area& area) {
    const float gap = ui.px(6);
    const std::string place = std::string(part.file) + ":" + std::to_string(part.first_line);
    const float line = line_height(ui);
    const Area lowest{area.x, area.bottom() - line, area.width - gap, line};
    if (part.kind != SourceKind::kernel) {
        draw_line_cut(ui, lowest, ui.theme.small, ui.colors.text_faint, place, true);
        return;
    }
    const auto kernel = std::ranges::find(kernels_, part.name, &KernelResources::kernel);
    const std::string takes = kernel != kernels_.end() ? resources_text(*kernel) : std::string();
    const Area upper{area.x, lowest.y - line, area.width - gap, line};
    fill({upper.x, upper.y - 1, upper.width, 1}, ui.colors.line_soft);
    const float name = draw_line_cut(ui, upper, ui.theme.strong, ui.colors.accent, part.name);
    const float room = upper.width - name - ui.px(16);
    if (room > ui.px(60))
        draw_line_cut(ui, {upper.right() - room, upper.y, room, upper.height}, ui.theme.small, ui.colors.text_faint,
                      place, true, Align::right);
    draw_line_cut(ui, lowest, ui.theme.small, ui.colors.text_quiet,
                  takes.empty() ? "registers, shared memory and spills are known after a run on a GPU" : takes);
    record(ui, "kernel head:" + std::string(part.name), area, takes, false);
}

/// Runs of characters with one ink.
void SourcePanel::draw_words(Frame& ui, int side, int row, const TextPiece& piece, ImVec2 at) {
    const SourceLine& line = *text_.line(side, row);
    const size_t skipped = characters_of(line.text, 0, piece.begin).size();
    const std::string_view text = characters_of(line.text, piece.begin, piece.end);
    const auto ground = [&](int begin, int end, ImU32 color) {
        begin = std::max(begin, piece.begin);
        end = std::min(end, piece.end);
        if (begin < end)
            fill({at.x + static_cast<float>(begin - piece.begin) * character_px_, at.y,
                  static_cast<float>(end - begin) * character_px_, line_height(ui)},
                 color);
    };
    const auto columns_in = [&](const TextRange& range) {
        const TextPlace first = range.first(), last = range.last();
        const bool is_here = range.side == side && first.row <= row && row <= last.row;
        return is_here ? std::pair{first.row < row ? 0 : first.column, last.row > row ? piece.end + 1 : last.column}
                       : std::pair{0, 0};
    };
    const auto row_of = [](const TextRange& hit) { return hit.from.row; };
    for (const TextRange& hit : std::ranges::equal_range(found_, row, {}, row_of))
        if (hit.side == side) ground(hit.from.column, hit.to.column, ui.colors.code_found);
    const auto [from, to] = columns_in(selection_);
    if (from < to) ground(from, to, ui.colors.accent_deep);
    const auto ink_at = [&](size_t byte, int column) {
        return from <= column && column < to ? IM_COL32_WHITE : ink_of(ui.colors, line.letters[skipped + byte]);
    };
    // A line under what was changed within a line.
    const auto [changed, behind] = text_.changed_characters(side, row);
    if (const int first = std::max(changed, piece.begin), last = std::min(behind, piece.end); first < last) {
        const float thickness = std::max(1.0F, ui.px(2));
        fill({at.x + static_cast<float>(first - piece.begin) * character_px_, at.y + line_height(ui) - thickness,
              static_cast<float>(last - first) * character_px_, thickness},
             text_.mark(side, row) == '+' ? ui.colors.green : ui.colors.red);
    }
    const float y = middle(ui.theme.code, at.y, line_height(ui));
    int column = piece.begin;
    for (size_t k = 0; k < text.size();) {
        const size_t begin = k;
        const int first = column;
        const ImU32 ink = ink_at(k, column);
        bool blank = true;
        while (k < text.size() && (ink_at(k, column) == ink || text[k] == ' ')) {
            if (text[k] == ' ' && blank) break;
            blank = false;
            k += characters_of(text.substr(k), 0, 1).size();
            ++column;
        }
        if (k == begin) {  // a blank before words
            ++k;
            ++column;
            continue;
        }
        draw_text({at.x + static_cast<float>(first - piece.begin) * character_px_, y}, ui.theme.code, ink,
                  text.substr(begin, k - begin));
    }
}

void SourcePanel::draw_row(Frame& ui, int side, int row, int piece_index, const Area& area) {
    const SourceLine* line = text_.line(side, row);
    if (line == nullptr) return;
    const std::vector<TextPiece> pieces = text_.pieces(side, row);
    if (piece_index >= static_cast<int>(pieces.size())) return;
    const char mark = text_.mark(side, row);
    const Area ground{area.x, area.y, area.width - (text_.sides() == 2 ? ui.px(4) : 0), area.height};
    if (mark != ' ') fill(ground, mark == '+' ? ui.colors.code_added : ui.colors.code_removed);
    const std::string& stage = ui.stages.of_timings;
    if (!stage.empty() && side == text_.sides() - 1 && text_.is_of_stage(row, stage)) {
        fill(ground, ui.colors.selected);
        fill({area.x, area.y, std::max(2.0F, ui.px(3)), area.height}, ui.colors.accent);
        record(ui, "source marked", ground, std::string(shown_.listing->parts[static_cast<size_t>(line->part)]->name),
               false);
    }
    if (piece_index == 0) {
        const std::string number = std::to_string(text_.number(side, row));
        const float width = character_px_ * 5.5F;
        draw_line({area.x, area.y, width, area.height}, ui.theme.code, ui.colors.text_faint, number, Align::right);
        if (mark != ' ')
            draw_line({area.x + width + character_px_ * 0.5F, area.y, character_px_, area.height}, ui.theme.code,
                      ui.colors.text, std::string_view(&mark, 1));
    }
    const TextPiece& piece = pieces[static_cast<size_t>(piece_index)];
    draw_words(ui, side, row, piece, {area.x + gutter_px_ + static_cast<float>(piece.indent) * character_px_, area.y});
}

TextPlace SourcePanel::place_at(const Frame& ui, ImVec2 at, int side, float top) const {
    const int display_line = static_cast<int>(std::floor((at.y - top) / line_height(ui)));
    if (display_line < 0) return {};
    if (display_line >= text_.height()) return {text_.rows(), 0};
    const int row = text_.row_at(display_line);
    const std::vector<TextPiece> pieces = text_.pieces(side, row);
    const int index = display_line - text_.top(row);
    if (index >= static_cast<int>(pieces.size())) return {row, text_.characters(side, row)};
    const TextPiece& piece = pieces[static_cast<size_t>(index)];
    const float x = at.x - ImGui::GetWindowPos().x - static_cast<float>(side) * side_px_ - gutter_px_;
    const int column = piece.begin + static_cast<int>(std::lround(x / character_px_)) - piece.indent;
    return {row, std::clamp(column, piece.begin, piece.end)};
}

void SourcePanel::take_mouse(Frame& ui, const Area& area, float top) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const auto side_at = [&](ImVec2 at) {
        return std::clamp(static_cast<int>((at.x - area.x) / side_px_), 0, text_.sides() - 1);
    };
    if (ImGui::IsItemHovered() || ImGui::IsItemActive()) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
    if (ImGui::IsItemActivated()) {
        const int side = side_at(mouse);
        const TextPlace at = place_at(ui, mouse, side, top);
        const bool extends = ImGui::GetIO().KeyShift && side == selection_.side;
        selection_ = {side, extends ? selection_.from : at, at};
        selecting_ = true;
        if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
            selection_ = text_.word_at(side, at);
            selecting_ = false;
        }
    } else if (selecting_ && ImGui::IsItemActive()) {
        selection_.to = place_at(ui, mouse, selection_.side, top);
        // Beyond an edge the text moves along.
        const float beyond = mouse.y < area.y ? mouse.y - area.y : std::max(mouse.y - area.bottom(), 0.0F);
        if (beyond != 0) {
            ImGui::SetScrollY(ImGui::GetScrollY() + std::clamp(beyond, -line_height(ui), line_height(ui)));
            ui.animating = true;
        }
    } else {
        selecting_ = false;
    }
    if (ImGui::IsItemHovered() && !selecting_)
        for (const std::string_view stage : text_.stages_of(place_at(ui, mouse, side_at(mouse), top).row))
            ui.stages.next_of_source.emplace_back(stage);
}

/// The end of the selection moves; without Shift nothing stays selected.
void SourcePanel::take_keys(Frame& ui, const Area& area) {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.KeyAlt || io.KeySuper) return;
    const int page = std::max(1, static_cast<int>(area.height / line_height(ui)) - 1);
    TextPlace to = selection_.to;
    const auto length = [&] { return text_.characters(selection_.side, to.row); };
    const int down = cursor_step(page);
    if (down != 0) to.row = std::clamp(to.row + down, 0, text_.rows() - 1);
    if (key_pressed(ImGuiKey_LeftArrow, true)) --to.column;
    if (key_pressed(ImGuiKey_RightArrow, true)) ++to.column;
    if (to.column < 0 && to.row > 0) to = {to.row - 1, text_.characters(selection_.side, to.row - 1)};
    if (key_pressed(ImGuiKey_Home)) to = io.KeyCtrl ? TextPlace{} : TextPlace{to.row, 0};
    if (key_pressed(ImGuiKey_End)) to = io.KeyCtrl ? TextPlace{text_.rows() - 1, 0} : TextPlace{to.row, length()};
    if (to == selection_.to) return;
    to.column = std::clamp(to.column, 0, down != 0 ? std::max(length(), 0) : std::max(to.column, 0));
    selection_.to = to;
    if (!io.KeyShift) selection_.from = to;
    scroll_to(to.row);
}

void SourcePanel::draw_text_view(Frame& ui, const Area& area) {
    ImGui::SetCursorScreenPos(area.min());
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    const float height = line_height(ui);
    const float whole = static_cast<float>(text_.height() + 1) * height;
    begin_child("##source text", {area.width + ui.px(kScrollMargin) - 2, area.height}, 0, area.width);
    const ImVec2 top = ImGui::GetCursorScreenPos();
    const float scrolled = ImGui::GetScrollY(), near = std::floor(area.height / 4);
    near_row_ = scrolled > 0 ? text_.row_at(static_cast<int>((scrolled + near) / height)) : 0;
    if (const auto row = std::exchange(scroll_to_row_, std::nullopt); row && *row < text_.rows()) {
        const float first = static_cast<float>(text_.top(*row)) * height;
        const bool shows = first >= scrolled && first + 2 * height <= scrolled + area.height;
        const bool in_any_case = std::exchange(scrolls_in_any_case_, false);
        if (!shows || *row == 0 || in_any_case) ImGui::SetScrollY(std::max(0.0F, first - (*row == 0 ? 0 : near)));
    }
    const Area visible{area.x, area.y, area.width, area.height};
    part_area("text", {top.x, top.y, area.width, std::max(whole, area.height)});
    has_keyboard_ = list_control(ui, "text", visible, std::exchange(to_text_, false));
    take_mouse(ui, visible, top.y);
    if (has_keyboard_) take_keys(ui, area);
    const int first = std::max(0, static_cast<int>((area.y - top.y) / height));
    const int last = std::min(text_.height(), static_cast<int>(std::ceil((area.bottom() - top.y) / height)));
    for (int line = first; line < last;) {
        const int row = text_.row_at(line);
        for (int side = 0; side < text_.sides(); ++side) {
            const float x = area.x + static_cast<float>(side) * side_px_;
            if (const SourcePart* part = text_.title(side, row))
                draw_title(ui, *part,
                           {x, top.y + static_cast<float>(text_.top(row)) * height, side_px_,
                            static_cast<float>(text_.top(row + 1) - text_.top(row)) * height});
            else
                draw_row(ui, side, row, line - text_.top(row),
                         {x, top.y + static_cast<float>(line) * height, side_px_, height});
        }
        line = text_.row(row).is_title ? text_.top(row + 1) : line + 1;
    }
    ImGui::SetCursorScreenPos(top);
    ImGui::Dummy({area.width, whole});
    end_child(ui);
    ImGui::PopStyleVar();
    constexpr size_t kRecorded = 60;
    TextRange beginning = selection_;
    beginning.from = selection_.first();
    beginning.to = std::min(selection_.last(), TextPlace{beginning.from.row + 2, 0});
    record(ui, "source text", area, text_.text_of(beginning).substr(0, kRecorded));
}

}  // namespace tonescope::ui
