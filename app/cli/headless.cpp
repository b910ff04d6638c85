// --headless: images in, results out.
#include "app/cli/modes.h"

#include <chrono>
#include <iostream>
#include <new>

#include "app/image_io/formats.h"
#include "app/image_io/image_io.h"
#include "app/options/report.h"
#include "app/system/ending.h"
#include "app/system/text_file.h"
#include "gpu/core/error.h"
#include "gpu/core/text.h"
#include "gpu/cpu/used_values.h"
#include "gpu/ops/histogram/histogram.h"

namespace tonescope {
namespace {

using Clock = std::chrono::steady_clock;

void write_result(const std::string& path, const RunResult& result, const SaveOptions& options,
                  const std::stop_token& stop) {
    const std::string extension = extension_of(path);
    if (!result.bins) {
        save_image(path, result.image.view(), stop, nullptr, options);
    } else if (extension == "csv") {
        std::string text = "bin,count\n";
        for (size_t i = 0; i < result.bins->bins.size(); ++i)
            text += std::to_string(i) + "," + std::to_string(int(result.bins->bins[i])) + "\n";
        write_text_file(path, text, stop);
    } else if (extension == "json") {
        write_text_file(path, Json{{"bins", result.bins->bins}}.dump() + "\n", stop);
    } else {
        save_image(path, histogram::draw_plot(*result.bins).view(), stop, nullptr, options);
    }
}

class HeadlessRun {
  public:
    HeadlessRun(const Options& options, std::stop_token stop) : options_(options), stop_(stop) {
        if (options.op != kNoOperator) use(choose_backend(options));
        if (!options.report.empty()) images_.reserve(options.inputs.size());
    }

    /// Returns whether the image, or each of its pages, went through. Throws Canceled.
    bool process(const std::string& input, const std::string& output) {
        if (options_.all_pages && !has_page(output)) return process_pages(input, output);
        const auto write = [&](const Done& done, const RunResult& result) {
            if (options_.all_pages) page_outputs_.take(done.output);
            write_result(done.output, result, options_.save_options, stop_);
        };
        bool ok = true;
        for (int page = options_.page, pages = 1; page == options_.page || page < pages; ++page) {
            Done done = process_page(input, output_of_page(output, page), page, write);
            if (options_.all_pages) pages = std::max(pages, done.details.pages);
            ok = take(std::move(done)) && ok;
        }
        return ok;
    }

    void print_notes() const {
        if (spec_.op == nullptr) return;
        for (const auto& [id, text] : std::span(options_.sets).subspan(options_.preset_values)) {
            const ParamInfo* info = find_param(spec_.op->params, id);
            if (info == nullptr || is_active(spec_.op->params, *info, spec_.params)) continue;
            const ParamInfo& condition = *find_param(spec_.op->params, info->active_if);
            std::cout << "note: " << id << " has no effect unless " << condition.id << "="
                      << format_value(condition, info->active_value) << "\n";
        }
    }

    Json report() const {
        Json report = {{"program", "tonescope"}, {"version", TONESCOPE_VERSION}};
        report.update(describe_run(spec_, device_name()));
        report["cuda_unavailable"] = chosen_.cuda_reason.empty() ? Json() : Json(chosen_.cuda_reason);
        report["images"] = json_list(images_, describe);
        return report;
    }

  private:
    /// Between which values an operator has spread the image's, and into how many bins it has counted them; empty where
    /// it has no such parameter.
    struct Levels {
        std::optional<ValueRange> range;
        std::optional<int> bins;
    };

    /// What is known of an image once it is done. It becomes JSON only when all are: the JSON library ends the program
    /// where it lacks memory.
    struct Done {
        std::string input, output;
        int page = 0;       // from 0
        bool ok = false;    // the rest holds
        std::string error;  // where it is not
        std::string line;   // that is printed
        ImageSpec size;
        ImageDetails details;
        std::string notice;
        RunSpec spec;
        std::string device;
        StageTimes stages;
        std::vector<KernelResources> kernels;
        std::optional<Clipping> clipping;
        Levels levels;
        double run_ms = 0, load_ms = 0, save_ms = 0;
    };

    /// Room in the report for so many more.
    void reserve(size_t pages) {
        if (!options_.report.empty() && images_.capacity() < images_.size() + pages)
            images_.reserve(std::max(2 * images_.size(), images_.size() + pages));
    }

    /// Prints what has become of an image and notes it for the report.
    bool take(Done done) {
        const bool ok = done.ok;
        if (ok) std::cout << done.line << std::flush;
        if (!options_.report.empty()) images_.push_back(std::move(done));
        return ok;
    }

    /// All pages into one file, which appears only where all of them went through.
    bool process_pages(const std::string& input, const std::string& output) {
        struct PageFailed {};
        std::vector<Done> pages;
        try {
            save_pages(
                output,
                [&](const AddPage& add) {
                    const auto write = [&](const Done& done, const RunResult& result) {
                        reserve(pages.size() + 1);
                        add(result.bins ? histogram::draw_plot(*result.bins).view() : result.image.view(),
                            done.details.pages);
                    };
                    do {
                        pages.push_back(process_page(input, output, int(pages.size()), write));
                        if (!pages.back().ok) throw PageFailed();
                    } while (int(pages.size()) < pages[0].details.pages);
                },
                stop_, options_.save_options);
        } catch (const PageFailed&) {
            return fail(pages, pages.back().error);
        } catch (const UserError& failed) {
            print_error(failed.what());
            return fail(pages, failed.what());
        }
        for (Done& page : pages) take(std::move(page));
        return true;
    }

    bool fail(std::vector<Done>& pages, const std::string& error) {
        for (Done& page : pages) {
            page.ok = false;
            page.error = error;
            take(std::move(page));
        }
        return false;
    }

    /// `write` brings the result to where it belongs.
    Done process_page(const std::string& input, const std::string& output, int page, const auto& write) {
        reserve(1);
        Done done;
        std::string no_memory = "not enough memory";
        try {
            no_memory = input + ": not enough memory; use a smaller image";
            done.input = input;
            done.output = output;
            done.page = page;
            Clock::time_point begin = Clock::now();
            LoadedImage loaded = load_image(input, stop_, nullptr, {.page = page, .keeps_depth = keeps_depth(output)});
            done.load_ms = ms_since(begin);
            done.size = loaded.image.spec();
            begin = Clock::now();
            RunResult result;
            try {
                if (spec_.op == nullptr) {
                    result.image = std::move(loaded.image);
                } else {
                    result = run(loaded.image.view());
                }
            } catch (const UserError& failed) {
                throw UserError(input + ": " + failed.what());
            }
            done.run_ms = ms_since(begin);
            done.spec = used_;
            if (used_backend_ != nullptr) done.device = used_backend_->device_name();
            done.stages = std::move(result.stages);
            done.kernels = std::move(result.resources);
            done.clipping = clipping(loaded.image.view(), result);
            if (!options_.report.empty()) done.levels = levels(loaded.image.view());
            done.details = std::move(loaded.details);
            done.details.reduced_to_8_bit |= is_reduced(result, output);
            done.notice = notice_of(done.details);
            done.line = printable(line_of(done)) + "\n";
            begin = Clock::now();
            if (options_.window) result.image = shown(result.image.view(), *options_.window, done.details);
            write(done, result);
            // From here on nothing takes memory, so that an image whose result was written is never a failed one.
            done.save_ms = ms_since(begin);
            done.ok = true;
        } catch (const UserError& failed) {
            note_failure(done, failed.what());
        } catch (const std::bad_alloc&) {
            note_failure(done, no_memory.c_str());
        }
        return done;
    }

    /// Operators take deep images, whatever becomes of the result.
    bool keeps_depth(const std::string& output) const {
        return spec_.op != nullptr || options_.window || image_io::find_saved_format(extension_of(output))->keeps_depth;
    }

    /// Whether the result is to be reduced to 8 bits for its format, with nothing that says how.
    bool is_reduced(const RunResult& result, const std::string& output) const {
        return !result.bins && is_deep(result.image.spec().format) && !options_.window &&
               !image_io::find_saved_format(extension_of(output))->keeps_depth;
    }

    /// The image through the window that was asked for.
    static HostImage shown(const ImageView& image, const WindowChoice& choice, const ImageDetails& file) {
        SampleWindow window;
        window.inverse = file.window && file.window->inverse;
        window.set(choice.range ? *choice.range : auto_range(sample_counts(image)), image.spec.max_sample);
        return through_window(image, window);
    }

    static void note_failure(Done& done, const char* error) {
        print_error(error);
        try {
            done.error = error;
        } catch (const std::bad_alloc&) {  // the report is not going to be written
        }
    }

    static std::string line_of(const Done& done) {
        std::string line = done.input + " -> " + done.output + ": ";
        const std::string size = size_text(done.size.width, done.size.height);
        if (done.spec.op == nullptr) {
            line += size;
        } else {
            const double total_ms = sum_ms(done.stages);
            line += std::string(done.spec.op->id) + " " + std::string(done.spec.variant->id) + " on " +
                    std::string(to_string(done.spec.variant->backend)) + ", " + size + ", " +
                    number_text(total_ms > 0 ? total_ms : done.run_ms) + " ms";
        }
        return line + (done.notice.empty() ? "" : " (" + done.notice + ")");
    }

    static Json describe(const Done& done) {
        Json entry = {{"input", done.input}, {"output", done.output}, {"status", done.ok ? "done" : "failed"}};
        if (!done.ok) {
            entry["error"] = done.error;
            return entry;
        }
        entry.update(
            {{"width", done.size.width},
             {"height", done.size.height},
             {"channels", done.size.channels()},
             {"page", done.page + 1},
             {"pages", done.details.pages},
             {"format", done.details.format},
             {"bits_per_channel", done.details.bits_per_channel},
             {"reduced_to_8_bit", done.details.reduced_to_8_bit},
             {"max_sample", done.size.max_sample},
             {"range", done.levels.range ? Json{{"lo", done.levels.range->lo}, {"hi", done.levels.range->hi}} : Json()},
             {"bins", done.levels.bins ? Json(*done.levels.bins) : Json()},
             {"notice", done.notice.empty() ? Json() : Json(done.notice)}});
        entry.update(describe_run(done.spec, done.device));
        entry.update({{"stages", stages_json(done.stages)},
                      {"kernels", kernels_json(done.kernels)},
                      {"clipping", done.clipping ? clipping_json(*done.clipping, {0, done.size.max_sample}) : Json()},
                      {"total_ms", sum_ms(done.stages)},
                      {"run_ms", done.run_ms},
                      {"load_ms", done.load_ms},
                      {"save_ms", done.save_ms}});
        return entry;
    }

    void use(ChosenBackend chosen) {
        chosen_ = std::move(chosen);
        spec_ = resolve_run(options_, chosen_.backend->kind());
    }

    /// For the report; empty where there is none, or no image as the result.
    std::optional<Clipping> clipping(const ImageView& before, const RunResult& result) const {
        if (options_.report.empty() || result.bins || spec_.op == nullptr) return {};
        const ImageView after = result.image.view();
        return measure_clipping(before, &after, {0, before.spec.max_sample}, default_cpu_threads());
    }

    Levels levels(const ImageView& image) const {
        Levels levels;
        if (used_.op == nullptr) return levels;
        const ParamInfo *range = find_param(used_.op->params, kRangeId), *bins = find_param(used_.op->params, kBinsId);
        if (range == nullptr) return levels;
        levels.range = find_values(image, used_.params.get(*range), default_cpu_threads(), stop_);
        if (bins != nullptr)
            levels.bins = bin_count(is_deep(image.spec.format), used_.params.get(*bins), *levels.range);
        return levels;
    }

    /// What runs on this image: another variant where none was asked for and the preferred one does not take it, on the
    /// CPU if need be.
    void choose_variant(const ImageSpec& image) {
        used_ = spec_;
        used_backend_ = chosen_.backend.get();
        if (!options_.variant.empty() || refusal(*spec_.op, *spec_.variant, spec_.params, image).empty()) return;
        const VariantInfo* other = preferred_variant(*spec_.op, spec_.variant->backend, spec_.params, image);
        if (other == nullptr && options_.backend == BackendChoice::automatic) {
            if (cpu_ == nullptr) cpu_ = make_cpu_backend();
            used_backend_ = cpu_.get();
            other = preferred_variant(*spec_.op, BackendKind::cpu, spec_.params, image);
        }
        if (other != nullptr) used_ = spec_for_variant(options_, *spec_.op, *other);
    }

    /// A device that fails under `auto` hands over to the CPU, for this image and those that follow.
    RunResult run(const ImageView& image) {
        choose_variant(image.spec);
        try {
            return used_backend_->run(image, used_, stop_);
        } catch (const DeviceError& error) {
            const bool may_change = options_.backend == BackendChoice::automatic && options_.variant.empty();
            if (!may_change || used_backend_->kind() == BackendKind::cpu) throw;
            print_error(std::string("the GPU failed, continuing on the CPU: ") + error.what());
            use({make_cpu_backend(), error.what()});
            choose_variant(image.spec);
            return used_backend_->run(image, used_, stop_);
        }
    }

    std::string device_name() const { return chosen_.backend ? chosen_.backend->device_name() : std::string(); }

    static Json describe_run(const RunSpec& spec, const std::string& device) {
        if (spec.op == nullptr) return {{"operator", kNoOperator}};
        const bool on_device = spec.variant->backend == BackendKind::cuda;
        return {{"operator", spec.op->id},
                {"variant", spec.variant->id},
                {"backend", to_string(spec.variant->backend)},
                {"device", device},
                {"memory", on_device ? Json(kMemoryModeIds[size_t(spec.memory)]) : Json()},
                {"parameters", params_json(spec.op->params, spec.params)},
                {"variant_parameters", params_json(spec.variant->params, spec.variant_params)}};
    }

    const Options& options_;
    std::stop_token stop_;
    ChosenBackend chosen_;
    RunSpec spec_, used_;              // what was asked for; what runs on the image at hand
    std::unique_ptr<Backend> cpu_;     // where the chosen one takes no such image
    Backend* used_backend_ = nullptr;  // for the image at hand
    PageOutputs page_outputs_{options_};
    std::vector<Done> images_;  // for the report
};

}  // namespace

int run_headless(const Options& options) {
    const std::vector<std::string> outputs = plan_outputs(options);
    InterruptGuard interrupt;
    HeadlessRun run(options, interrupt.token());
    run.print_notes();
    bool ok = true;
    try {
        for (size_t i = 0; i < outputs.size(); ++i) ok = run.process(options.inputs[i], outputs[i]) && ok;
        if (!options.report.empty()) write_text_file(options.report, to_text(run.report()), interrupt.token());
    } catch (const Canceled&) {
    }
    interrupt.finish();
    return ok ? 0 : 1;
}

}  // namespace tonescope
