// What --help prints.
#include <algorithm>

#include "app/image_io/formats.h"
#include "app/options/options.h"
#include "app/options/report.h"

namespace tonescope {
namespace {

constexpr size_t kWidth = 100;  // characters

constexpr std::string_view kUsage =
    R"(  tonescope [IMAGE...] [SESSION.tonescope]             the window
  tonescope --headless -i IN... -o OUT [--op ID | --preset NAME|FILE.json] [--variant ID] [--set NAME=VALUE]...
            [--region X,Y,W,H [--feather N]] [--mask FILE [--mask-inverse]] [--report FILE.json]
            [--reference FILE] [--figures ID,...|all]
  tonescope --headless --sweep NAME=V,... [--sweep NAME=V,...]... -i IN... -o FOLDER|FILE.csv|.json|.md|.png ...
  tonescope --headless --suggest -i IN... [--op ID] [--set NAME=VALUE]... [--region X,Y,W,H] [--json]
  tonescope --headless --compare -i IN [--op ID] [--memory-modes] [--variant ID] -o FILE.csv|.json|.md|.svg|.png
  tonescope --headless --compare --roofline -i IN [--op ID] -o FILE.svg|.png|.json|.md
  tonescope --headless --compare [-i IN...] [--content NAME,...] [--image-size WxH,...] [--sweep NAME=V,...]... ...
  tonescope --headless --experiment ID,...|all -o FOLDER|FILE.csv|.json|.md|.svg|.png
  tonescope --experiment ID                            the window, with an experiment of a report
  tonescope --screenshot FILE.png [--size WxH] [--frames N] [IMAGE]
  tonescope --source VARIANT [--op ID]
  tonescope --code LIBRARY [--op ID | --preset NAME|FILE.json] [--set NAME=VALUE]...
  tonescope --list [--json]   --info   --help   --version
)";

constexpr const char* kFiles =
    R"(  OUT may contain {stem}, the name of the input without its extension, and {page}, the number of the page; a folder
  means {stem}.png in it, or {stem}-{page}.png with --page all.
  The histogram lab writes a plot, or its bins as .csv or .json. Input images are never overwritten.
  Presets are files NAME.json in $XDG_CONFIG_HOME/tonescope/presets (default: ~/.config/tonescope/presets).
  A session, which the window saves as NAME.tonescope, names the open images relative to its own folder and says what is
  chosen and how it is shown. --preset takes it, too.
  Values given with --set take precedence over those of a preset.
  The window keeps its state in $XDG_STATE_HOME/tonescope/state.json (default: ~/.local/state/tonescope/state.json).
  The environment variable TONESCOPE_STATE names another file, or "none".

Exit status:
  0  Everything was done.
  1  An image failed (the others were done), or the requested backend is not available.
  2  The usage was wrong; nothing was written.
)";

/// `text` with lines of at most kWidth characters; lines after the first start with `indent` spaces.
std::string wrapped(const std::string& text, size_t indent) {
    std::string out = text.substr(0, indent);
    const auto fits = [&](const std::string& line) { return indent + line.size() <= kWidth; };
    for (const std::string& line : wrap(text.substr(indent), fits))
        out += (out.size() > indent ? std::string(indent, ' ') : "") + line + "\n";
    return out;
}

std::string padded(std::string text, size_t width) {
    text.resize(std::max(text.size() + 1, width), ' ');
    return text;
}

std::string parameters_text(std::span<const ParamInfo> table) {
    std::string text;
    for (const ParamInfo& info : table) {
        const std::string unit = info.unit.empty() ? "" : " " + std::string(info.unit);
        std::string line = padded("    " + std::string(info.id), 20);
        line += allowed_values(info) + unit + " (" + format_value(info, info.default_value) + "). " +
                std::string(info.help);
        text += wrapped(line, 20);
    }
    return text;
}

}  // namespace

std::string allowed_values(const ParamInfo& info) {
    if (info.kind != ParamKind::choice) return format_value(info, info.min) + " to " + format_value(info, info.max);
    std::string names;
    for (const std::string_view value : info.values) names += (names.empty() ? "" : "|") + std::string(value);
    return names;
}

std::vector<SharedParameters> parameters_of_variants(std::string_view op) {
    std::vector<SharedParameters> shared;
    for (const VariantInfo* variant : variants_of(op)) {
        if (variant->params.empty()) continue;
        const auto is_same = [&](const SharedParameters& one) {
            return parameters_text(one.table) == parameters_text(variant->params);
        };
        auto found = std::ranges::find_if(shared, is_same);
        if (found == shared.end()) found = shared.insert(found, {variant->params, {}});
        found->variants.emplace_back(variant->id);
    }
    return shared;
}

std::string_view usage_text() {
    return kUsage;
}

std::string help_text(const std::string& options_text) {
    // The parser's own usage line says less than ours.
    const size_t usage = options_text.find("Usage:");
    const size_t rest = options_text.find('\n', usage);
    std::string text = options_text.substr(0, usage) + "\nUsage:\n";
    text.append(kUsage).append(options_text, rest + 1);
    while (text.ends_with('\n')) text.pop_back();
    for (size_t gap = text.find("\n\n\n"); gap != std::string::npos; gap = text.find("\n\n\n")) text.erase(gap, 1);
    text += "\n\nOperators with their parameters (--set NAME=VALUE) and variants:\n";
    for (const OperatorInfo* op : operators()) {
        text += wrapped(padded("  " + std::string(op->id), 14) + std::string(op->summary), 14);
        text += parameters_text(op->params);
        std::vector<std::string> variants;
        for (const VariantInfo* variant : variants_of(op->id)) variants.emplace_back(variant->id);
        text += wrapped(padded("    variants", 20) + spell_out(variants), 20);
        for (const auto& [table, owners] : parameters_of_variants(op->id))
            text += wrapped("    of " + spell_out(owners) + ":", 4) + parameters_text(table);
    }
    text += "\nFiles:\n";
    text += wrapped("  Reads " + image_io::format_names(image_io::Use::open, "and") + "; writes " +
                        image_io::format_names(image_io::Use::save, "and") + " by the extension of OUT.",
                    2);
    return text + kFiles;
}

}  // namespace tonescope
