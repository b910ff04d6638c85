// --headless: images in, results out.
#include "app/cli/modes.h"

#include <chrono>
#include <iostream>
#include <new>

#include "app/image_io/image_io.h"
#include "app/options/report.h"
#include "app/system/ending.h"
#include "app/system/text_file.h"
#include "gpu/core/error.h"
#include "gpu/core/text.h"
#include "gpu/ops/histogram/histogram.h"

namespace tonescope {
namespace {

using Clock = std::chrono::steady_clock;

void write_result(const std::string& path, const RunResult& result, const SaveOptions& options,
                  const std::stop_token& stop) {
    if (!result.bins) {
        save_image(path, result.image.view(), stop, nullptr, options);
        return;
    }
    const std::string extension = extension_of(path);
    if (extension == "csv") {
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
        use(choose_backend(options));
    }

    /// Returns whether the image went through. Throws Canceled.
    bool process(const std::string& input, const std::string& output) {
        Json entry = {{"input", input}, {"output", output}, {"status", "failed"}};
        std::string error;
        try {
            Clock::time_point begin = Clock::now();
            const LoadedImage loaded = load_image(input, stop_);
            const double load_ms = ms_since(begin);
            const ImageSpec& size = loaded.image.spec();
            begin = Clock::now();
            RunResult result;
            try {
                result = run(loaded.image.view());
            } catch (const UserError& failed) {
                throw UserError(input + ": " + failed.what());
            }
            const double run_ms = ms_since(begin);
            begin = Clock::now();
            write_result(output, result, options_.save_options, stop_);
            const double save_ms = ms_since(begin);

            const double total_ms = sum_ms(result.stages);
            const std::string notice = notice_of(loaded.details);
            entry["status"] = "done";
            entry.update({{"width", size.width},
                          {"height", size.height},
                          {"channels", size.channels()},
                          {"format", loaded.details.format},
                          {"bits_per_channel", loaded.details.bits_per_channel},
                          {"reduced_to_8_bit", loaded.details.reduced_to_8_bit},
                          {"notice", notice.empty() ? Json() : Json(notice)}});
            entry.update(describe_run());
            entry.update({{"stages", stages_json(result.stages)},
                          {"kernels", kernels_json(result.resources)},
                          {"clipping", clipping(loaded.image.view(), result)},
                          {"total_ms", total_ms},
                          {"run_ms", run_ms},
                          {"load_ms", load_ms},
                          {"save_ms", save_ms}});
            print_line(input + " -> " + output + ": " + std::string(spec_.op->id) + " " +
                       std::string(spec_.variant->id) + " on " + std::string(to_string(spec_.variant->backend)) + ", " +
                       std::to_string(size.width) + " \u00d7 " + std::to_string(size.height) + ", " +
                       number_text(total_ms > 0 ? total_ms : run_ms) + " ms" +
                       (notice.empty() ? "" : " (" + notice + ")"));
        } catch (const UserError& failed) {
            error = failed.what();
        } catch (const std::bad_alloc&) {
            error = input + ": not enough memory; use a smaller image";
        }
        if (!error.empty()) {
            print_error(error);
            entry["error"] = error;
        }
        images_.push_back(entry);
        return error.empty();
    }

    void print_notes() const {
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
        report.update(describe_run());
        report["cuda_unavailable"] = chosen_.cuda_reason.empty() ? Json() : Json(chosen_.cuda_reason);
        report["images"] = images_;
        return report;
    }

  private:
    void use(ChosenBackend chosen) {
        chosen_ = std::move(chosen);
        spec_ = resolve_run(options_, chosen_.backend->kind());
    }

    /// For the report; null where there is none, or no image as the result.
    Json clipping(const ImageView& before, const RunResult& result) const {
        if (options_.report.empty() || result.bins) return {};
        const ImageView after = result.image.view();
        return clipping_json(measure_clipping(before, &after, {}, default_cpu_threads()), {});
    }

    /// A device that fails under `auto` hands over to the CPU, for this image and those that follow.
    RunResult run(const ImageView& image) {
        try {
            return chosen_.backend->run(image, spec_, stop_);
        } catch (const DeviceError& error) {
            const bool may_change = options_.backend == BackendChoice::automatic && options_.variant.empty();
            if (!may_change || chosen_.backend->kind() == BackendKind::cpu) throw;
            print_error(std::string("the GPU failed, continuing on the CPU: ") + error.what());
            use({make_cpu_backend(), error.what()});
            return chosen_.backend->run(image, spec_, stop_);
        }
    }

    Json describe_run() const {
        const bool on_device = spec_.variant->backend == BackendKind::cuda;
        return {{"operator", spec_.op->id},
                {"variant", spec_.variant->id},
                {"backend", to_string(spec_.variant->backend)},
                {"device", chosen_.backend->device_name()},
                {"memory", on_device ? Json(kMemoryModeIds[size_t(spec_.memory)]) : Json()},
                {"parameters", params_json(spec_.op->params, spec_.params)},
                {"variant_parameters", params_json(spec_.variant->params, spec_.variant_params)}};
    }

    const Options& options_;
    std::stop_token stop_;
    ChosenBackend chosen_;
    RunSpec spec_;
    Json images_ = Json::array();
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
