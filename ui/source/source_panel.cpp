#include "ui/source/source_panel.h"

#include <algorithm>
#include <cmath>

#include "ui/widgets/keys.h"

namespace tonescope::ui {
namespace {

constexpr float kSourcePad = 10, kSourceGap = 6;
/// From this width on, the toolbar takes one row; below this height, too, and then nothing stands between it and the
/// text.
constexpr float kOneRow = 760, kLow = 260;
/// What the search needs for more than its field.
constexpr float kSearchRoom = 200;
constexpr std::string_view kLooks[] = {"Source", "Joined", "Side by side"};

std::string count_text(int count, const char* one, const char* many) {
    return with_separators(static_cast<uint64_t>(count)) + " " + (count == 1 ? one : many);
}

}  // namespace

void SourcePanel::select_all() {
    selection_ = text_.all(selection_.side < text_.sides() ? selection_.side : 0);
}

void SourcePanel::go_to(const TextRange& range) {
    selection_ = range;
    scroll_to(range.first().row);
    to_text_ = true;
}

void SourcePanel::go_to_found(int by) {
    if (found_.empty()) return;
    const auto count = static_cast<int>(found_.size());
    const int from = found_at_ ? static_cast<int>(*found_at_) : by > 0 ? -1 : 0;
    found_at_ = static_cast<size_t>((from + by + count) % count);
    selection_ = found_[*found_at_];
    scroll_to(selection_.first().row);
}

void SourcePanel::go_to_difference(int by) {
    const int from = std::max(difference_, by > 0 ? -1 : text_.rows());
    const int next = text_.next_difference(difference_ < 0 && by < 0 ? text_.rows() : from, by);
    difference_ = next >= 0 ? next : text_.next_difference(by > 0 ? -1 : text_.rows(), by);
    if (difference_ < 0) return;
    scroll_to(difference_);
    scrolls_in_any_case_ = true;
}

/// What is looked for, in the text as it is now.
void SourcePanel::search() {
    if (found_for_ == searched_) return;
    found_for_ = searched_;
    found_ = text_.find(searched_);
    found_at_.reset();
    if (found_.empty()) return;
    const auto next =
        std::ranges::find_if(found_, [&](const TextRange& hit) { return hit.from >= selection_.first(); });
    found_at_ = next == found_.end() ? 0 : static_cast<size_t>(next - found_.begin());
    selection_ = found_[*found_at_];
    scroll_to(selection_.first().row);
}

/// The field, and where there is room how many hits there are and the way from one to the next.
void SourcePanel::draw_search(Frame& ui, const Area& area) {
    const float side = area.height;
    const float count_width = ui.px(64);
    const bool has_room = area.width >= ui.px(kSearchRoom);
    const float field = has_room ? area.width - count_width - 2 * side : area.width;
    ImGui::SetCursorScreenPos(area.min());
    if (text_field(ui, "Find in the source", "Find", searched_, field, std::exchange(search_requested_, false), true))
        go_to_found(ImGui::GetIO().KeyShift ? -1 : 1);
    tooltip(ui, ui.commands->help("find-source"));
    if (!has_room) return;
    std::string count = found_.empty() ? "none" : format("%zu of %zu", found_at_.value_or(0) + 1, found_.size());
    if (searched_.empty()) count.clear();
    const Area figure{area.x + field, area.y, count_width, area.height};
    draw_line(figure, ui.theme.small, found_.empty() ? ui.colors.warning : ui.colors.text_quiet, count, Align::center);
    record(ui, "source found", figure, count, false);
    float x = figure.right();
    for (const auto& [icon, label, command] : {std::tuple{Icon::chevron_up, "Previous hit", "previous-found"},
                                               {Icon::chevron_down, "Next hit", "next-found"}}) {
        if (icon_button(ui, {x, area.y}, label, icon, side, has_found())) ui.commands->run(command);
        tooltip(ui, ui.commands->help(command));
        x += side;
    }
}

void SourcePanel::draw_variant_choice(Frame& ui, const RunModel& run, const Area& area) {
    ImGui::SetCursorScreenPos(area.min());
    if (begin_choice(ui, "Source of", title_of(*variant_), area.width, variant_->id)) {
        for (const VariantInfo* variant : variants_of(variant_->op)) {
            const std::string tag =
                std::string(variant->source) + (variant->backend == BackendKind::cuda ? "   GPU" : "   CPU");
            if (choice_item(ui, "Source of", variant->name, tag, variant->idea, variant == variant_))
                chosen_ = variant != run.variant ? variant : nullptr;
        }
        end_choice(ui);
    } else {
        tooltip(ui, "Whose source is shown: the variant that runs, until another is chosen here");
    }
}

void SourcePanel::draw_look_choice(Frame& ui, const Area& area) {
    const bool has_basis = basis_of(*variant_) != nullptr;
    const bool usable[] = {true, has_basis, has_basis};
    const auto look = static_cast<int>(has_basis ? ui.settings.source_look : SourceLook::plain);
    const bool fits = segments_fit(ui, kLooks, area.width);
    ImGui::SetCursorScreenPos({area.x, area.y + (fits ? segment_margin(ui) : 0.0F)});
    const std::span looks(kLooks);
    const int chosen = fits ? segmented(ui, "Shown as", looks, look, area.width, usable)
                            : choose(ui, "Shown as", looks.first(has_basis ? 3 : 1), look, area.width);
    if (chosen >= 0) ui.settings.source_look = static_cast<SourceLook>(chosen);
}

/// In one row or in two.
void SourcePanel::draw_toolbar(Frame& ui, const RunModel& run, const Area& area) {
    const float height = ui.px(kControlHeight);
    const float gap = ui.px(kSourceGap);
    const bool one_row = area.height < 2 * height;
    const float before_close = area.width - height - gap;
    const float variant = one_row ? std::floor(before_close * 0.34F) : before_close;
    draw_variant_choice(ui, run, {area.x, area.y, variant, height});
    if (icon_button(ui, {area.right() - height, area.y}, "Close the source", Icon::close, height))
        ui.commands->run("source");
    tooltip(ui, ui.commands->help("source"));
    const float x = one_row ? area.x + variant + gap : area.x;
    const float y = one_row ? area.y : area.bottom() - height;
    const float room = (one_row ? area.x + before_close : area.right()) - x;
    const float looks = std::min(ui.px(250), std::floor((room - gap) * 0.5F));
    draw_look_choice(ui, {x, y, looks, height});
    draw_search(ui, {x + looks + gap, y, room - looks - gap, height});
}

/// What differs, in a line; beside each other, whose each side is.
void SourcePanel::draw_summary(Frame& ui, const Area& area) {
    const VariantInfo* basis = basis_of(*variant_);
    const Font& font = ui.theme.small;
    if (text_.sides() == 2) {
        draw_line_cut(ui, {area.x, area.y, side_px_ - ui.px(kSourceGap), area.height}, font, ui.colors.text_quiet,
                      title_of(*basis));
        draw_line_cut(ui, {area.x + side_px_, area.y, side_px_ - ui.px(kSourceGap), area.height}, font, ui.colors.text,
                      title_of(*variant_));
        record(ui, "source summary", area, title_of(*basis) + " | " + title_of(*variant_), false);
        return;
    }
    std::string words;
    if (basis == nullptr)
        words = "It builds on no other variant";
    else if (text_.added() + text_.removed() == 0)
        words = "Builds on " + title_of(*basis);
    else
        words = "Compared with " + title_of(*basis) + ": " + count_text(text_.added(), "line", "lines") + " added, " +
                std::to_string(text_.removed()) + " removed";
    if (const std::string same = same_kernels_text(*variant_); !same.empty()) words += ". " + same;
    draw_line_cut(ui, area, font, ui.colors.text_quiet, words);
    record(ui, "source summary", area, words, false);
}

/// Times of which stages the mouse rests on in another panel: its lines come into sight.
void SourcePanel::follow_stage(Frame& ui) {
    const std::string stage = ui.stages.of_timings;
    if (stage == followed_stage_) return;
    followed_stage_ = stage;
    if (stage.empty()) return;
    const auto first = [&](bool in_kernel) {
        for (int row = 0; row < text_.rows(); ++row) {
            const SourceLine* line = text_.line(text_.sides() - 1, row);
            if (line == nullptr || !text_.is_of_stage(row, stage)) continue;
            if (!in_kernel || shown_.listing->parts[static_cast<size_t>(line->part)]->kind == SourceKind::kernel)
                return row;
        }
        return -1;
    };
    const int kernel = first(true);
    const int row = kernel >= 0 ? kernel : first(false);
    if (row >= 0) scroll_to(row);
}

void SourcePanel::lay_out(Frame& ui, const Area& area) {
    character_px_ = text_width(ui.theme.code, "0");
    gutter_px_ = std::round(character_px_ * 7.5F);
    const SourceListing* listing = find_source(*variant_);
    const bool two = ui.settings.source_look == SourceLook::side_by_side && basis_of(*variant_) != nullptr;
    side_px_ = std::floor(area.width / (two ? 2.0F : 1.0F));
    const int columns = static_cast<int>((side_px_ - gutter_px_ - ui.px(kSourceGap)) / character_px_);
    const Shown now{listing, ui.settings.source_look, columns};
    if (now == shown_ || listing == nullptr) return;
    const bool same_rows = now.listing == shown_.listing && now.look == shown_.look;
    // Another look at the same listing begins at the same line, unless it stands at the beginning.
    int line = -1;
    for (int row = near_row_; listing == shown_.listing && near_row_ > 0 && line < 0 && row < text_.rows(); ++row)
        if (!text_.row(row).is_title) line = text_.row(row).right;
    shown_ = now;
    text_ = SourceText(*listing, now.look, columns);
    if (same_rows) return;
    selection_ = {};
    selecting_ = false;
    difference_ = -1;
    int to = 0;
    while (line >= 0 && (text_.row(to).is_title || text_.row(to).right != line)) ++to;
    scroll_to(to);
    scrolls_in_any_case_ = true;
    found_for_.clear();
    found_.clear();
}

void SourcePanel::draw(Frame& ui, const Model& model, const Area& area) {
    const RunModel& run = model.run;
    if (std::exchange(followed_, {run.op, run.variant}) != std::pair{run.op, run.variant}) chosen_ = nullptr;
    if (ui.source_of != nullptr) chosen_ = ui.source_of;
    variant_ = chosen_ != nullptr ? chosen_ : run.variant;
    if (variant_ == nullptr) variant_ = &reference_of(run.op->id);
    ui.source_shown = variant_;
    kernels_.clear();
    for (const BenchmarkRow& row : model.benchmark.variants)
        if (row.variant == variant_) kernels_ = row.kernel_resources;
    if (variant_ == run.variant && !model.timings.kernels.empty()) kernels_ = model.timings.kernels;
    ui.panel = "source";
    const float height = ui.px(kControlHeight);
    Area left = area.inset(ui.px(kSourcePad));
    left.y = area.y + ui.px(6);
    const bool is_low = area.height < ui.px(kLow);
    const bool one_row = is_low || left.width >= ui.px(kOneRow);
    const Area toolbar{left.x, left.y, left.width, one_row ? height : 2 * height + ui.px(kSourceGap)};
    draw_toolbar(ui, run, toolbar);
    const float summary_height = is_low ? 0 : ui.theme.small.size_px + ui.px(4);
    const Area summary{left.x, toolbar.bottom() + ui.px(4), left.width, summary_height};
    const float top = summary.bottom() + ui.px(2);
    const Area text{left.x, top, left.width, area.bottom() - top};
    lay_out(ui, text);
    if (shown_.listing == nullptr || text.height < line_height(ui)) return;
    search();
    follow_stage(ui);
    if (!is_low) draw_summary(ui, summary);
    draw_text_view(ui, text);
}

}  // namespace tonescope::ui
