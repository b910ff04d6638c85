// Where results go: one file an input, decided and checked before anything is computed.
#include "app/cli/modes.h"

#include <filesystem>
#include <utility>

#include "app/batch/output_names.h"
#include "app/benchmark/experiments/named_experiments.h"
#include "app/benchmark/timeline.h"
#include "app/image_io/file.h"
#include "app/image_io/formats.h"
#include "app/system/folder.h"
#include "gpu/core/error.h"
#include "gpu/core/text.h"

namespace tonescope {
namespace fs = std::filesystem;
namespace {

void check_extension(const Options& options, const std::string& output) {
    const std::string extension = extension_of(output);
    std::string expected;
    bool known = false;
    if (options.mode == Options::Mode::compare) {
        const ExportFormats formats = options.timeline   ? timeline_formats()
                                      : options.roofline ? roofline_formats()
                                                         : benchmark_formats();
        known = can_export(output, formats);
        expected = endings_of(formats);
    } else {
        const bool bins = options.op != kNoOperator && find_operator(options.op)->makes_bins;
        known = can_save_as(output) || (bins && (extension == "csv" || extension == "json"));
        expected = (bins ? ".csv, .json, " : "") + image_io::saved_endings();
    }
    if (known) {
        const image_io::Format* format = image_io::find_saved_format(extension);
        for (const auto& [id, value] : options.save_options)
            if (format == nullptr || find_param(format->options, id) == nullptr)
                throw UsageError("--" + id + " has no meaning for ." + extension + " files; leave it out");
        return;
    }
    throw UsageError("-o " + output + ": " +
                     (extension.empty() ? "it is neither an existing folder nor a name with a file extension"
                                        : "the file extension ." + extension + " is not known here") +
                     "; expected " + expected);
}

/// What outputs are named after.
std::vector<std::string> sources_of(const Options& options) {
    if (options.mode != Options::Mode::compare) return options.inputs;
    std::vector<std::string> ids;
    for (const NamedExperiment* named : find_experiments(options.experiments)) ids.push_back(named->id);
    if (!ids.empty()) return ids;
    // Another comparison is one file, however many images it is of.
    return {options.inputs.empty() ? options.contents[0] : options.inputs[0]};
}

/// -o, of an existing folder the files in it: of experiments one of each format.
std::vector<std::string> patterns_of(const Options& options) {
    if (!is_folder(options.output)) {
        if (options.output.ends_with('/'))
            throw UsageError("-o " + options.output + ": there is no such folder; make it first");
        return {options.output};
    }
    const fs::path stem = fs::path(options.output) / kStem;
    if (options.experiments.empty()) return {stem.string() + (options.all_pages ? "-{page}.png" : ".png")};
    std::vector<std::string> patterns;
    for (const ui::SavedFormat& format : benchmark_formats())
        patterns.push_back(stem.string() + "." + format.extensions[0]);
    return patterns;
}

}  // namespace

std::vector<std::string> plan_outputs(const Options& options) {
    const std::vector<std::string> patterns = patterns_of(options), sources = sources_of(options);
    for (const std::string& pattern : patterns) {
        check_extension(options, pattern);
        if (options.all_pages && !has_page(pattern) && !can_save_pages(pattern))
            throw UsageError(
                "-o " + pattern +
                ": all pages cannot be written to one such file; put {page} into the name, or write .tiff");
        if (sources.size() > 1 && pattern.find(kStem) == std::string::npos)
            throw UsageError("-o " + pattern + ": " + std::to_string(sources.size()) +
                             (options.experiments.empty() ? " inputs" : " experiments") +
                             " cannot be written to one file; name an existing folder, or put {stem} into the name");
    }
    OutputNames names(files_read(options), "-o ");
    std::vector<std::string> outputs;
    for (const std::string& input : sources)
        for (const std::string& pattern : patterns)
            outputs.push_back(names.name(pattern, input, options.all_pages ? -1 : options.page));
    if (!options.report.empty() && !options.experiments.empty() && sources.size() > 1)
        throw UsageError("--report works with one experiment; -o FOLDER writes the .json file of each");
    if (!options.report.empty()) {
        refuse_inputs(image_io::FileSet(files_read(options)), "--report ", options.report);
        if (image_io::FileSet(outputs).find(options.report) != nullptr)
            throw UsageError("--report " + options.report + ": it is the output of an image, too; choose another name");
    }
    return outputs;
}

std::vector<std::string> files_read(const Options& options) {
    std::vector<std::string> files = options.inputs;
    if (!options.preset_path.empty()) files.push_back(options.preset_path);
    for (const std::string& path : {options.part.mask_path, options.reference}) {
        if (path.empty()) continue;
        if (pattern_of(path).find(kStem) == std::string::npos)
            files.push_back(path);
        else
            for (const std::string& input : options.inputs) files.push_back(named_after(path, input));
    }
    return files;
}

void check_window_outputs(const Options& options) {
    for (const auto& [option, output] :
         {std::pair("--screenshot", options.screenshot), {"--ui-state", options.ui_state}})
        for (const std::string& input : files_read(options)) {
            if (output.empty()) continue;
            try {
                refuse_inputs(image_io::FileSet(expand_paths({input})), option + std::string(" "), output);
            } catch (const UsageError&) {
                throw;
            } catch (const UserError&) {  // nor can the window read this folder, which it will say
            }
        }
}

}  // namespace tonescope
