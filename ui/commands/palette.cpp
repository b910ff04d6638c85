// The command palette: everything that can be done, and the choices that the model has now, found by typing.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>

#include "ui/commands/commands.h"
#include "ui/widgets/keys.h"

namespace tonescope::ui {
namespace {

using Entries = std::vector<PaletteEntry>;

/// What an entry runs that asks for an action.
template <class A>
std::function<void(Ui&)> asks(A action) {
    return [action](Ui& ui) { ui.ask(action); };
}

void add_commands(Entries& entries, const Ui& ui) {
    for (const Command& command : commands()) {
        if (command.press == Press::holds || command.id == "palette") continue;
        entries.push_back({std::string(command.title), std::string(command.group), command.run,
                           is_available(command, ui), std::string(command.keys)});
    }
}

void add_panels(Entries& entries) {
    for (const PanelInfo& panel : panels()) {
        if (panel.opened == nullptr) continue;
        entries.push_back({std::string(panel.title) + ": open or close", "Panels",
                           [opened = panel.opened](Ui& ui) { ui.settings.*opened = !(ui.settings.*opened); }});
    }
}

void add_operators(Entries& entries, const RunModel& run) {
    for (const OperatorInfo* op : operators())
        if (op != run.op)
            entries.push_back({"Operator: " + std::string(op->name), std::string(op->summary), asks(SetOperator{op})});
    for (const VariantInfo* variant : variants_of(run.op->id)) {
        const bool on_gpu = variant->backend == BackendKind::cuda;
        if (variant != run.variant)
            entries.push_back({"Variant: " + std::string(variant->name), on_gpu ? "GPU" : "CPU",
                               asks(SetVariant{variant}), reason_against(run, *variant).empty()});
    }
}

void add_params(Entries& entries, const Model& model) {
    const bool has_grid = !model.views.before.empty() && find_view_mode("grid")->can_show(model);
    for (const ParamPlace& param : active_params(model.run)) {
        const std::string label = param.name();
        entries.push_back({"Try values: " + label, "several values beside each other",
                           [param](Ui& ui) { ui.views.show_values_of(ui, param); }, has_grid});
        const int32_t standard = param.info->default_value;
        if (value_of(model.run, param) != standard)
            entries.push_back({"Reset: " + label, "to " + format_value(*param.info, standard),
                               asks(SetParam{param.info, param.of_variant, standard})});
    }
}

void add_backends(Entries& entries, const RunModel& run) {
    const bool on_gpu = run.backend == BackendKind::cuda;
    const bool usable = on_gpu || run.cuda_available;
    entries.push_back({on_gpu ? "Run on the CPU" : "Run on the GPU", usable ? "" : "No GPU: " + run.cuda_reason,
                       asks(SetBackend{on_gpu ? BackendKind::cpu : BackendKind::cuda}), usable});
    if (!on_gpu || run.variant == nullptr || run.variant->memory) return;
    for (size_t k = 0; k < std::size(kMemoryModeIds); ++k) {
        const auto mode = static_cast<MemoryMode>(k);
        if (mode != run.memory)
            entries.push_back({"Memory: " + std::string(kMemoryModeIds[k]), "", asks(SetMemory{mode})});
    }
}

void add_presets(Entries& entries, const PresetsModel& presets) {
    for (const PresetEntry& preset : presets.entries)
        entries.push_back(
            {"Preset: " + preset.name, std::string(preset.op->name), asks(SetPreset{preset.op, preset.params})});
    for (const PresetEntry& preset : presets.entries)
        entries.push_back({"Export preset: " + preset.name, std::string(preset.op->name),
                           [name = preset.name](Ui& ui) { ui.browser.export_preset(ui, *ui.model, name); }});
}

void add_experiments(Entries& entries, const ExperimentModel& model) {
    for (const ExperimentEntry& entry : model.entries)
        entries.push_back({"Experiment: " + entry.title, entry.detail, asks(RunExperiment{{.experiment = entry.id}})});
}

void add_files(Entries& entries, const Model& model) {
    for (int k = 0; k < static_cast<int>(model.images.entries.size()); ++k) {
        const ImageEntry& image = model.images.entries[static_cast<size_t>(k)];
        if (k == model.images.current) continue;
        entries.push_back({"Image: " + image.name, image.path, asks(SelectImage{k})});
        const bool usable = !model.views.before.empty();
        entries.push_back({"Compare with: " + image.name, image.path, asks(CompareWith{image.path, false}), usable});
        entries.push_back(
            {"Compare with the result of: " + image.name, image.path, asks(CompareWith{image.path, true}), usable});
    }
    for (const FileEntry& file : model.start_page.recent)
        entries.push_back({"Recent: " + file.name, file.path + (file.missing ? " (missing)" : ""),
                           asks(OpenPaths{{file.path}}), !file.missing});
    for (const FileEntry& file : model.start_page.samples)
        entries.push_back({"Sample: " + file.name, "", asks(OpenPaths{{file.path}})});
}

constexpr int kMatch = 1, kWordStart = 8, kRun = 5, kBeginning = 50;
constexpr int kNoMatch = -1'000'000;

char lower_letter(char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

bool starts_word(std::string_view text, size_t at) {
    return at == 0 || std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0;
}

}  // namespace

std::vector<PaletteEntry> palette_entries(const Ui& ui) {
    const Model& model = *ui.model;
    Entries entries;
    add_commands(entries, ui);
    add_panels(entries);
    if (model.run.op != nullptr) {
        add_operators(entries, model.run);
        add_params(entries, model);
        add_backends(entries, model.run);
    }
    add_presets(entries, model.presets);
    add_experiments(entries, model.benchmark.experiment);
    add_files(entries, model);
    return entries;
}

int fuzzy_score(std::string_view typed, std::string_view text) {
    // here[j]: the best score with the characters so far matched and the last of them at text[j].
    std::vector<int> before, here(text.size(), kNoMatch);
    bool first = true;
    for (const char c : typed) {
        if (c == ' ') continue;
        before.swap(here);
        here.assign(text.size(), kNoMatch);
        int best = first ? 0 : kNoMatch;  // of the characters before, anywhere left of text[j]
        for (size_t j = 0; j < text.size(); ++j) {
            if (lower_letter(text[j]) == lower_letter(c)) {
                const int worth = kMatch + (starts_word(text, j) ? kWordStart : 0);
                if (best > kNoMatch) here[j] = best + worth;
                if (!first && j > 0 && before[j - 1] > kNoMatch)
                    here[j] = std::max(here[j], before[j - 1] + worth + kRun);
            }
            if (!first) best = std::max(best, before[j]);
        }
        first = false;
    }
    if (first) return 0;
    const bool begins =
        typed.size() <= text.size() && std::equal(typed.begin(), typed.end(), text.begin(),
                                                  [](char a, char b) { return lower_letter(a) == lower_letter(b); });
    if (begins) return kBeginning + static_cast<int>(typed.size()) * (kMatch + kRun);
    const int best = text.empty() ? kNoMatch : *std::max_element(here.begin(), here.end());
    return best <= kNoMatch ? -1 : best;
}

namespace {

constexpr float kPaletteRow = 30, kPadding = 10;
constexpr int kPage = 10;

/// Those that fit what was typed, the best first.
Entries fitting(const Ui& ui) {
    std::vector<std::pair<int, PaletteEntry>> scored;
    for (PaletteEntry& entry : palette_entries(ui)) {
        const int in_title = fuzzy_score(ui.palette.typed, entry.title);
        const int anywhere = fuzzy_score(ui.palette.typed, entry.title + " " + entry.detail) - 1;
        const int score = std::max(in_title, anywhere);
        if (score >= 0) scored.emplace_back(score, std::move(entry));
    }
    std::ranges::stable_sort(scored, std::greater(), [](const auto& s) { return s.first; });
    Entries entries;
    for (auto& [score, entry] : scored) entries.push_back(std::move(entry));
    return entries;
}

void close(Ui& ui) {
    ui.palette.open = false;
    ImGui::CloseCurrentPopup();
}

void run(Ui& ui, const PaletteEntry& entry) {
    if (!entry.available) return;
    close(ui);
    entry.run(ui);
}

void move_cursor(Ui& ui, int count) {
    PaletteState& state = ui.palette;
    const int before = state.cursor;
    const int step = cursor_step(kPage);
    const int to = state.cursor + step;
    if (std::abs(step) == kPage)
        state.cursor = std::clamp(to, 0, std::max(count - 1, 0));
    else
        state.cursor = to < 0 ? count - 1 : to >= count ? 0 : to;  // round and round
    if (state.typed != state.typed_before) state.cursor = 0;
    if (state.cursor != before || state.typed != state.typed_before) state.scroll_to_cursor = true;
    state.typed_before = state.typed;
}

/// Returns true when it was clicked.
bool entry_row(Ui& ui, const PaletteEntry& entry, int index) {
    PaletteState& state = ui.palette;
    const Area row = area_at_cursor(ui.px(kPaletteRow));
    ImGui::PushID(index);
    const bool clicked = mouse_area(ui, "entry", row, "Down");
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    if (ImGui::IsItemHovered() && (moved.x != 0 || moved.y != 0)) state.cursor = index;
    ImGui::PopID();
    const bool current = index == state.cursor;
    if (current) fill(row, ui.colors.selected, ui.px(kRadius));
    if (current && std::exchange(state.scroll_to_cursor, false)) ImGui::SetScrollHereY(0.5F);
    const Area inner{row.x + ui.px(10), row.y, row.width - ui.px(20), row.height};
    const float keys_width = entry.keys.empty() ? 0 : text_width(ui.theme.small, entry.keys) + ui.px(16);
    const float room = inner.width - keys_width;
    const float title_width = draw_line_cut(ui, {inner.x, row.y, room, row.height}, ui.theme.body,
                                            entry.available ? ui.colors.text : ui.colors.text_faint, entry.title);
    const Area behind{inner.x + title_width + ui.px(10), row.y, room - title_width - ui.px(10), row.height};
    if (!entry.detail.empty() && room - title_width > ui.px(60))
        draw_line_cut(ui, behind, ui.theme.small, ui.colors.text_faint, entry.detail, true);
    draw_line(inner, ui.theme.small, ui.colors.text_quiet, entry.keys, Align::right);
    record(ui, "command:" + entry.title, row, current ? "current" : "", true, entry.available);
    return clicked;
}

void draw_list(Ui& ui, const Entries& entries, float width, float height) {
    int chosen = enter_pressed() && !ImGui::IsWindowAppearing() ? ui.palette.cursor : -1;
    begin_child("##entries", {width + ui.px(8), height}, 0, width);
    for (size_t k = 0; k < entries.size(); ++k)
        if (entry_row(ui, entries[k], static_cast<int>(k))) chosen = static_cast<int>(k);
    if (entries.empty())
        draw_text({ImGui::GetCursorScreenPos().x + ui.px(10), ImGui::GetCursorScreenPos().y + ui.px(6)}, ui.theme.body,
                  ui.colors.text_quiet, "No command matches");
    end_child(ui);
    if (chosen >= 0 && chosen < static_cast<int>(entries.size())) run(ui, entries[static_cast<size_t>(chosen)]);
}

}  // namespace

void open_palette(Ui& ui) {
    ui.palette = {};
    ui.palette.open = ui.palette.appearing = true;
}

void draw_palette(Ui& ui) {
    PaletteState& state = ui.palette;
    if (!state.open) return;
    constexpr const char* id = "##palette";
    if (state.appearing) ImGui::OpenPopup(id);
    ui.panel = "palette";
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float width = std::floor(std::min(ui.px(620), display.x - ui.px(16)));
    const float rows = std::floor(std::min(ui.px(kPaletteRow) * 12, display.y * 0.7F));
    const ImVec2 size{width, rows + ui.px(kControlHeight + 8 + 2 * kPadding)};
    ImGui::SetNextWindowPos({std::floor((display.x - width) / 2), std::floor(std::min(ui.px(56), display.y * 0.1F))});
    ImGui::SetNextWindowSize(size);
    push_dialog_style(ui, {ui.px(kPadding), ui.px(kPadding)});
    const bool shown = ImGui::BeginPopup(id, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                                 ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoNav);
    pop_dialog_style();
    if (!shown) {  // a click beside it
        state.open = false;
        return;
    }
    ui.keyboard.enter_layer(ImGui::GetID("layer"));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float inner = ImGui::GetContentRegionAvail().x;
    text_field(ui, "Command", "Type what you want to do", state.typed, inner, state.appearing);
    state.appearing = false;
    const Entries entries = fitting(ui);
    move_cursor(ui, static_cast<int>(entries.size()));
    if (escape_pressed(ui)) {
        close(ui);
    } else {
        ImGui::SetCursorScreenPos({start.x, start.y + ui.px(kControlHeight + 8)});
        draw_list(ui, entries, inner, rows);
    }
    ImGui::PopStyleVar();
    end_dialog(ui);
}

}  // namespace tonescope::ui
