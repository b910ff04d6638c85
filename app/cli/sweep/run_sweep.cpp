// --headless --sweep: the result and its figures for each combination of values.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <utility>

#include "app/batch/judgement.h"
#include "app/batch/mask.h"
#include "app/batch/output_names.h"
#include "app/cli/modes.h"
#include "app/cli/sweep/sweep_results.h"
#include "app/image_io/image_io.h"
#include "app/system/ending.h"
#include "app/system/folder.h"
#include "gpu/core/error.h"
#include "gpu/core/text.h"

namespace tonescope {
namespace fs = std::filesystem;
namespace {

constexpr size_t kMaxCombinations = 10000;

enum class Form : uint8_t { folder, csv, json, markdown, sheet };

Form form_of(const std::string& output) {
    if (is_folder(output)) return Form::folder;
    const std::string extension = extension_of(output);
    constexpr std::pair<std::string_view, Form> kForms[] = {
        {"csv", Form::csv}, {"json", Form::json}, {"md", Form::markdown}, {"png", Form::sheet}};
    for (const auto& [known, form] : kForms)
        if (known == extension) return form;
    throw UsageError("-o " + output + ": expected an existing folder, or a name that ends in .csv, .json, .md or .png");
}

class SweepRun {
  public:
    SweepRun(const Options& options, std::stop_token stop)
        : options_(options), stop_(std::move(stop)), form_(form_of(options.output)) {
        chosen_ = choose_backend(options);
        const RunSpec spec = resolve_run(options_, chosen_.backend->kind());
        for (const std::string& text : options.sweeps) results_.sweeps.push_back(checked(parse_sweep(text), spec));
        size_t count = 1;
        for (const Sweep& sweep : results_.sweeps) count *= sweep.values.size();
        if (count > kMaxCombinations)
            throw UsageError("--sweep: " + std::to_string(count) + " combinations are more than " +
                             std::to_string(kMaxCombinations));
        for (size_t k = 0; k < count; ++k) {
            std::vector<std::string>& values = combinations_.emplace_back(results_.sweeps.size());
            size_t rest = k;
            for (size_t s = results_.sweeps.size(); s-- > 0; rest /= results_.sweeps[s].values.size())
                values[s] = results_.sweeps[s].values[rest % results_.sweeps[s].values.size()];
        }
        if (options.figures.empty())
            for (const FigureInfo& figure : figures()) options_.figures.push_back(&figure);
        results_.part = options.part;
        plan_files();
    }

    /// Returns whether every image went through. Throws Canceled.
    bool run() {
        bool ok = true;
        for (const std::string& input : options_.inputs) {
            SweptImage image{.input = input};
            try {
                sweep(image);
                if (form_ == Form::sheet) save_image(sheet_of(input), contact_sheet(results_, image).view(), stop_);
            } catch (const UserError& failed) {
                image.error = failed.what();
                if (!image.error.starts_with(input)) image.error = input + ": " + image.error;
                image.results.clear();
                print_error(image.error);
                ok = false;
            }
            image.thumbnail = {};
            for (SweepResult& result : image.results) result.thumbnail = {};
            results_.images.push_back(std::move(image));
        }
        // A table of nothing takes no older one's place.
        if (std::ranges::none_of(results_.images, &std::string::empty, &SweptImage::error)) return false;
        if (form_ != Form::sheet) write_text_file(table_, table(), stop_);
        print_line("written to " + options_.output);
        return ok;
    }

  private:
    /// With the values as sliders write them.
    static Sweep checked(Sweep sweep, const RunSpec& spec) {
        const ParamInfo* info = find_param(spec.op->params, sweep.param);
        if (info == nullptr) info = find_param(spec.variant->params, sweep.param);
        const std::string name = "--sweep " + sweep.param + ": ";
        if (info == nullptr)
            throw UsageError(name + "neither " + std::string(spec.op->id) + " nor its variant " +
                             std::string(spec.variant->id) + " has such a parameter");
        std::vector<std::string> values;
        for (const std::string& text : sweep.values) {
            try {
                values.push_back(format_value(*info, parse_value(*info, text)));
            } catch (const UsageError& error) {
                throw UsageError(std::string("--sweep ") + error.what());
            }
            if (std::ranges::count(values, values.back()) > 1)
                throw UsageError(name + "the value " + text + " is there twice");
        }
        sweep.values = std::move(values);
        return sweep;
    }

    Options with(const std::vector<std::string>& values) const {
        Options options = options_;
        for (size_t k = 0; k < values.size(); ++k) options.sets.emplace_back(results_.sweeps[k].param, values[k]);
        return options;
    }

    /// Nothing is written over an input or twice.
    void plan_files() {
        for (size_t s = 1; s < results_.sweeps.size(); ++s)
            for (size_t k = 0; k < s; ++k)
                if (results_.sweeps[k].param == results_.sweeps[s].param)
                    throw UsageError("--sweep " + results_.sweeps[s].param + ": it is swept twice");
        OutputNames names(files_read(options_), "-o ");
        for (const std::string& input : options_.inputs) {
            if (form_ == Form::sheet) names.name(options_.output, input, -1);
            for (const auto& values : combinations_)
                if (form_ == Form::folder) names.name(file_of(input, values), input, -1);
        }
        table_ = form_ == Form::folder ? (fs::path(options_.output) / "figures.csv").string() : options_.output;
        if (form_ != Form::sheet) names.name(table_, "the table", -1);
    }
    std::string sheet_of(const std::string& input) const { return named_after(options_.output, input); }
    /// FOLDER/{stem}-clip_limit-2.00.png
    std::string file_of(const std::string& input, const std::vector<std::string>& values) const {
        std::string name = fs::path(input).stem().string();
        for (size_t k = 0; k < values.size(); ++k) name += "-" + results_.sweeps[k].param + "-" + values[k];
        return (fs::path(options_.output) / (name + ".png")).string();
    }

    void sweep(SweptImage& swept) {
        const LoadedImage loaded =
            load_image(swept.input, stop_, nullptr, {.page = options_.page, .keeps_depth = true});
        const ImageView image = loaded.image.view();
        swept.spec = image.spec;
        if (!options_.reference.empty()) swept.reference = named_after(options_.reference, swept.input);
        const Judging judging{options_.figures, options_.reference, false};
        const ResultPart part = part_of_image(options_.part, swept.input, stop_);
        SampleWindow window;
        if (is_deep(image.spec.format)) window.set(auto_range(sample_counts(image)), image.spec.max_sample);
        if (form_ == Form::sheet) swept.thumbnail = shown(image, window);
        for (const std::vector<std::string>& values : combinations_) {
            const Options options = with(values);
            swept.run = spec_for(options, image.spec);
            swept.run.part = part;
            RunResult result = backend_for(swept.run).run(image, swept.run, stop_);
            const Judgement judgement = judge(judging, swept.input, options_.page, &image, result.image.view(),
                                              swept.run.part.region, default_cpu_threads(), stop_);
            SweepResult& entry = swept.results.emplace_back();
            entry.values = values;
            entry.ms = sum_ms(result.stages);
            entry.figures = judgement.figures;
            if (form_ == Form::sheet) entry.thumbnail = shown(result.image.view(), window);
            if (form_ == Form::folder) {
                entry.output = file_of(swept.input, values);
                save_image(entry.output, result.image.view(), stop_);
            }
            print_line(swept.input + ", " + values_text(results_.sweeps, values) + ": " +
                       size_text(image.spec.width, image.spec.height) + ", " + number_text(entry.ms) + " ms" +
                       text_of(judgement));
        }
    }
    /// In 8 bits, small.
    static HostImage shown(const ImageView& image, const SampleWindow& window) {
        if (is_deep(image.spec.format)) return thumbnail_of(through_window(image, window).view());
        return thumbnail_of(image);
    }

    /// Another variant where none was asked for and the preferred one does not take the image, on the CPU if need be.
    RunSpec spec_for(const Options& options, const ImageSpec& image) const {
        RunSpec spec = resolve_run(options, chosen_.backend->kind());
        if (!options.variant.empty() || refusal(*spec.op, *spec.variant, spec.params, image).empty()) return spec;
        for (const BackendKind kind : {spec.variant->backend, BackendKind::cpu}) {
            if (kind != spec.variant->backend && options.backend != BackendChoice::automatic) continue;
            if (const VariantInfo* other = preferred_variant(*spec.op, kind, spec.params, image))
                return spec_for_variant(options, *spec.op, *other);
        }
        return spec;
    }
    Backend& backend_for(const RunSpec& spec) {
        if (spec.variant->backend == chosen_.backend->kind()) return *chosen_.backend;
        if (!cpu_) cpu_ = make_cpu_backend();
        return *cpu_;
    }

    std::string table() const {
        if (form_ == Form::json) return to_text(sweep_json(results_));
        return form_ == Form::markdown ? sweep_markdown(results_) : sweep_csv(results_);
    }

    Options options_;
    std::stop_token stop_;
    const Form form_;
    ChosenBackend chosen_;
    std::unique_ptr<Backend> cpu_;  // for images that no variant of the chosen one takes
    SweepResults results_;
    std::vector<std::vector<std::string>> combinations_;  // the last sweep's values change first
    std::string table_;
};

}  // namespace

int run_sweep(const Options& options) {
    InterruptGuard interrupt;
    bool ok = true;
    try {
        ok = SweepRun(options, interrupt.token()).run();
    } catch (const Canceled&) {
    }
    interrupt.finish();
    return ok ? 0 : 1;
}

}  // namespace tonescope
