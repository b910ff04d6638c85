// What the palette offers: the table of commands, and the choices that the model has now.
#include <iterator>

#include "ui/commands/commands.h"
#include "ui/commands/panel_table.h"
#include "ui/commands/parts.h"

namespace tonescope::ui {
namespace {

using Entries = std::vector<PaletteEntry>;

void add_commands(Entries& entries, const Ui& ui) {
    for (const Command& command : commands()) {
        if (command.press == Press::holds || command.id == "palette") continue;
        entries.push_back({std::string(command.title), std::string(command.group), std::string(command.keys),
                           is_available(command, ui), command.run});
    }
}

void add_operators(Entries& entries, const Model& model) {
    for (const OperatorInfo* op : operators())
        if (op != model.run.op)
            entries.push_back({"Operator: " + std::string(op->name), std::string(op->summary), "", true,
                               [op](Ui& ui) { ui.ask(SetOperator{op}); }});
    for (const VariantInfo* variant : variants_of(model.run.op->id)) {
        const bool on_gpu = variant->backend == BackendKind::cuda;
        if (variant != model.run.variant)
            entries.push_back({"Variant: " + std::string(variant->name), on_gpu ? "GPU" : "CPU", "",
                               !on_gpu || model.run.cuda_available,
                               [variant](Ui& ui) { ui.ask(SetVariant{variant}); }});
    }
}

void add_params(Entries& entries, const Model& model) {
    const bool has_grid = !model.views.before.empty() && find_view_mode("grid")->can_show(model);
    for (const ParamPlace& param : active_params(model.run)) {
        const std::string label(param.info->label);
        entries.push_back({"Grid: " + label, "several values beside each other", "", has_grid,
                           [param](Ui& ui) { ui.views.show_values_of(ui, param); }});
        const int32_t standard = param.info->default_value;
        if (value_of(model.run, param) != standard)
            entries.push_back(
                {"Reset: " + label, "to " + format_value(*param.info, standard), "", true, [param, standard](Ui& ui) {
                     ui.ask(SetParam{param.info, param.of_variant, standard});
                 }});
    }
}

void add_backends(Entries& entries, const Model& model) {
    const bool on_gpu = model.run.backend == BackendKind::cuda;
    const BackendKind other = on_gpu ? BackendKind::cpu : BackendKind::cuda;
    entries.push_back({on_gpu ? "Run on the CPU" : "Run on the GPU",
                       !on_gpu && !model.run.cuda_available ? "No GPU: " + model.run.cuda_reason : "", "",
                       on_gpu || model.run.cuda_available, [other](Ui& ui) { ui.ask(SetBackend{other}); }});
    if (!on_gpu || model.run.variant == nullptr || model.run.variant->memory) return;
    for (size_t k = 0; k < std::size(kMemoryModeIds); ++k) {
        const auto mode = static_cast<MemoryMode>(k);
        if (mode != model.run.memory)
            entries.push_back({"Memory: " + std::string(kMemoryModeIds[k]), "", "", true,
                               [mode](Ui& ui) { ui.ask(SetMemory{mode}); }});
    }
}

void add_images(Entries& entries, const Model& model) {
    for (int k = 0; k < static_cast<int>(model.images.entries.size()); ++k) {
        const ImageEntry& image = model.images.entries[static_cast<size_t>(k)];
        if (k != model.images.current)
            entries.push_back({"Image: " + image.name, image.path, "", true, [k](Ui& ui) { ui.ask(SelectImage{k}); }});
    }
}

void add_files(Entries& entries, const Model& model) {
    for (const FileEntry& file : model.start_page.recent)
        entries.push_back({"Recent: " + file.name, file.missing ? file.path + " (missing)" : file.path, "",
                           !file.missing, [path = file.path](Ui& ui) { ui.ask(OpenPaths{{path}}); }});
    for (const FileEntry& file : model.start_page.samples)
        entries.push_back(
            {"Sample: " + file.name, "", "", true, [path = file.path](Ui& ui) { ui.ask(OpenPaths{{path}}); }});
}

void add_presets(Entries& entries, const Model& model) {
    for (const PresetEntry& preset : model.presets.entries)
        entries.push_back({"Preset: " + preset.name, std::string(preset.op->name), "", true, [preset](Ui& ui) {
                               ui.ask(SetPreset{preset.op, preset.params});
                           }});
    for (const PresetEntry& preset : model.presets.entries)
        entries.push_back({"Export preset: " + preset.name, std::string(preset.op->name), "", true,
                           [name = preset.name](Ui& ui) { ui.browser.export_preset(ui, ui.browser_files(), name); }});
}

void add_panels(Entries& entries) {
    for (const Panel& panel : panels()) {
        if (panel.opened == nullptr) continue;
        entries.push_back({std::string(panel.title) + ": open or close", "Panels", "", true,
                           [opened = panel.opened](Ui& ui) { ui.settings.*opened = !(ui.settings.*opened); }});
    }
}

}  // namespace

std::vector<PaletteEntry> palette_entries(const Ui& ui) {
    const Model& model = *ui.model;
    Entries entries;
    add_commands(entries, ui);
    add_panels(entries);
    if (model.run.op != nullptr) {
        add_operators(entries, model);
        add_params(entries, model);
        add_backends(entries, model);
    }
    add_presets(entries, model);
    add_images(entries, model);
    add_files(entries, model);
    return entries;
}

}  // namespace tonescope::ui
