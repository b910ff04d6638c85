#include "app/batch/batch_image.h"

#include <sys/stat.h>

#include <chrono>
#include <new>
#include <utility>

#include "app/batch/mask.h"
#include "app/batch/output_names.h"
#include "app/image_io/formats.h"
#include "app/system/text_file.h"
#include "gpu/core/error.h"
#include "gpu/core/limits/stage_bytes.h"
#include "gpu/core/text.h"
#include "gpu/cpu/display_histogram.h"
#include "gpu/ops/counted_values.h"
#include "gpu/ops/histogram/histogram.h"

namespace tonescope {
namespace {

using Clock = std::chrono::steady_clock;

void write_result(const std::string& path, const RunResult& result, const SaveOptions& options,
                  const std::stop_token& stop, FileProgress* progress, OldFile old) {
    const std::string extension = extension_of(path);
    if (!result.bins) {
        save_image(path, result.image.view(), stop, progress, options, old);
    } else if (extension == "csv") {
        std::string text = "bin,count\n";
        for (size_t i = 0; i < result.bins->bins.size(); ++i)
            text += std::to_string(i) + "," + std::to_string(int(result.bins->bins[i])) + "\n";
        write_text_file(path, text, stop, image_io::Sync::yes, old);
    } else if (extension == "json") {
        write_text_file(path, Json{{"bins", result.bins->bins}}.dump() + "\n", stop, image_io::Sync::yes, old);
    } else {
        save_image(path, histogram::draw_plot(*result.bins).view(), stop, progress, options, old);
    }
}

/// The image through the window that was asked for.
HostImage shown(const ImageView& image, const WindowChoice& choice, const ImageDetails& file) {
    SampleWindow window;
    window.inverse = file.window && file.window->inverse;
    window.set(choice.range ? *choice.range : auto_range(sample_counts(image)), image.spec.max_sample);
    return through_window(image, window);
}

std::string line_of(const BatchPage& page) {
    std::string line = page.input + " -> " + page.output + ": ";
    const std::string size = size_text(page.size.width, page.size.height);
    if (page.spec.op == nullptr) {
        line += size;
    } else {
        const double total_ms = sum_ms(page.stages);
        line += std::string(page.spec.op->id) + " " + std::string(page.spec.variant->id) + " on " +
                std::string(to_string(page.spec.variant->backend)) + ", " + size + ", " +
                number_text(total_ms > 0 ? total_ms : page.run_ms) + " ms";
    }
    if (page.judgement) line += text_of(*page.judgement);
    return line + (page.notice.empty() ? "" : " (" + page.notice + ")");
}

class BatchImage {
  public:
    BatchImage(const BatchImageJob& job, BatchFilter& filter, const BatchForm& form, const std::stop_token& stop)
        : job_(job), filter_(filter), form_(form), stop_(stop), has_operator_(filter.spec().op != nullptr) {}

    BatchOutcome run() {
        outcome_.ok = true;
        if (!form_.all_pages) {
            do_page(output_of_page(job_.output, job_.page), job_.page);
        } else if (has_page(job_.output)) {
            for (int page = 0, pages = 1; page < pages; ++page) {
                do_page(output_of_page(job_.output, page), page);
                pages = std::max(pages, outcome_.pages.back().details.pages);
            }
        } else {
            do_pages_into_one_file();
        }
        return std::move(outcome_);
    }

  private:
    /// Into a file of its own. How many pages there are, only reading the first one tells.
    void do_page(const std::string& output, int page) {
        BatchPage& done = add_page();
        if (job_.resumes && !(form_.all_pages && page == 0) && skip(done, output, page)) return;
        const bool ok = process(done, output, page, [&](const RunResult& result, FileProgress* progress) {
            write_result(output, result, form_.save_options, stop_, progress, form_.check_output(output));
        });
        if (!ok) outcome_.ok = false;
    }

    /// The file appears only where all of them went through.
    void do_pages_into_one_file() {
        struct PageFailed {};
        if (job_.resumes && is_newest(job_.output)) {
            skip(add_page(), job_.output, 0);
            return;
        }
        std::vector<BatchPage>& pages = outcome_.pages;
        try {
            const OldFile old = form_.check_output(job_.output);
            save_pages(
                job_.output,
                [&](const AddPage& add) {
                    do {
                        BatchPage& done = add_page();
                        const bool ok = process(
                            done, job_.output, int(pages.size()) - 1, [&](const RunResult& result, FileProgress*) {
                                add(result.bins ? histogram::draw_plot(*result.bins).view() : result.image.view(),
                                    done.details.pages);
                            });
                        if (!ok) throw PageFailed();
                    } while (int(pages.size()) < pages[0].details.pages);
                },
                stop_, form_.save_options, old);
        } catch (const PageFailed&) {
            fail_all(std::string(pages.back().error));
        } catch (const UserError& failed) {
            if (job_.throws_lack_of_memory && dynamic_cast<const MemoryError*>(&failed) != nullptr) throw;
            outcome_.errors.emplace_back(failed.what());
            fail_all(failed.what());
        }
    }

    void fail_all(const std::string& error) {
        outcome_.ok = false;
        for (BatchPage& page : outcome_.pages) {
            page.state = BatchPage::State::failed;
            page.error = error;
        }
    }

    /// With room for what fails after it, so that no image whose result was written is a failed one.
    BatchPage& add_page() {
        if (outcome_.errors.capacity() <= outcome_.pages.size())
            outcome_.errors.reserve(std::max<size_t>(1, 2 * outcome_.pages.size()));
        return outcome_.pages.emplace_back();
    }

    /// The output is done, and its mask has not changed since.
    bool is_newest(const std::string& output) const {
        const std::string mask = mask_of(filter_.spec().part, job_.input);
        return is_done(output, job_.input) && (mask.empty() || is_done(output, mask));
    }

    bool skip(BatchPage& page, const std::string& output, int number) {
        if (!is_newest(output)) return false;
        page.input = job_.input;
        page.output = output;
        page.page = number;
        page.state = BatchPage::State::skipped;
        page.line = printable(job_.input + " -> " + output + ": is done already") + "\n";
        return true;
    }

    /// `write` brings the result to where it belongs.
    bool process(BatchPage& page, const std::string& output, int number, const auto& write) {
        std::string no_memory = "not enough memory";
        try {
            no_memory = job_.input + ": not enough memory; use a smaller image";
            page.input = job_.input;
            page.output = output;
            page.page = number;
            Clock::time_point begin = Clock::now();
            LoadedImage loaded = load_image(
                job_.input, stop_, job_.step->begin(BatchStep::Kind::reading),
                {.page = number, .keeps_depth = keeps_depth(output), .make_image = [this](const ImageSpec& spec) {
                     return filter_.make_image(spec);
                 }});
            page.load_ms = ms_since(begin);
            page.size = loaded.image.spec();
            begin = Clock::now();
            job_.step->begin(BatchStep::Kind::filtering);
            RunResult result = filtered(loaded.image, page);
            page.run_ms = ms_since(begin);
            page.stages = std::move(result.stages);
            page.kernels = std::move(result.resources);
            if (form_.wants_details && has_operator_) take_details(page, loaded.image.view(), result);
            if (!form_.judging.figures.empty()) {
                const ImageView before = loaded.image.view();
                page.judgement = judge(form_.judging, job_.input, number, has_operator_ ? &before : nullptr,
                                       result.image.view(), page.spec.part.region, job_.threads, stop_);
            }
            loaded.image = {};
            page.details = std::move(loaded.details);
            page.details.reduced_to_8_bit |= is_reduced(result, output);
            page.notice = notice_of(page.details);
            page.line = printable(line_of(page)) + "\n";
            begin = Clock::now();
            FileProgress* const progress = job_.step->begin(BatchStep::Kind::writing);
            if (form_.window) result.image = shown(result.image.view(), *form_.window, page.details);
            write(result, progress);
            // From here on nothing takes memory.
            page.save_ms = ms_since(begin);
            page.state = BatchPage::State::done;
            return true;
        } catch (const MemoryError& failed) {
            if (job_.throws_lack_of_memory) throw;
            note_failure(page, failed.what());
        } catch (const UserError& failed) {
            note_failure(page, failed.what());
        } catch (const std::bad_alloc&) {
            if (job_.throws_lack_of_memory) throw;
            note_failure(page, no_memory.c_str());
        }
        return false;
    }

    /// The result, and what has run.
    RunResult filtered(HostImage& image, BatchPage& page) {
        RunResult result;
        if (!has_operator_) {
            result.image = std::move(image);
            return result;
        }
        const ResultPart part = part_of_image(filter_.spec().part, job_.input, stop_);
        try {
            BatchFilter::Filtered done = filter_.run(image.view(), part, job_.threads, stop_);
            page.spec = done.spec;
            page.device = std::move(done.device);
            page.why_there = std::move(done.why);
            return std::move(done.result);
        } catch (const MemoryError& failed) {
            throw MemoryError(job_.input + ": " + failed.what());
        } catch (const UserError& failed) {
            throw UserError(job_.input + ": " + failed.what());
        }
    }

    /// Of what the operator saw.
    void take_details(BatchPage& page, const ImageView& image, const RunResult& result) const {
        const Rect rect = filtered_rect(page.spec.part, image.spec);
        const ImageView before = part_of(image, rect);
        if (!result.bins) {
            const ImageView after = part_of(result.image.view(), rect);
            page.clipping = measure_clipping(before, &after, {0, before.spec.max_sample}, job_.threads);
        }
        const ParamInfo* bins = find_param(page.spec.op->params, kBinsId);
        const std::optional<int32_t> range = range_choice(*page.spec.op, page.spec.params);
        if (!range) return;
        const ParamInfo* color = find_param(page.spec.op->params, kColorId);
        page.range =
            find_counted_values(before, *range, color == nullptr ? 0 : page.spec.params.get(*color),
                                left_out_by(*page.spec.op, page.spec.params, before.spec), job_.threads, stop_);
        if (bins != nullptr)
            page.bins = bin_count(is_deep(before.spec.format), page.spec.params.get(*bins), *page.range);
    }

    /// Operators take deep images, whatever becomes of the result.
    bool keeps_depth(const std::string& output) const {
        return has_operator_ || form_.window || image_io::find_saved_format(extension_of(output))->keeps_depth;
    }

    /// Whether the result is to be reduced to 8 bits for its format, with nothing that says how.
    bool is_reduced(const RunResult& result, const std::string& output) const {
        return !result.bins && is_deep(result.image.spec().format) && !form_.window &&
               !image_io::find_saved_format(extension_of(output))->keeps_depth;
    }

    void note_failure(BatchPage& page, const char* error) {
        page.state = BatchPage::State::failed;
        try {
            page.error = error;
            outcome_.errors.emplace_back(error);
        } catch (const std::bad_alloc&) {  // the report is not going to be written
            print_error(error);
        }
    }

    const BatchImageJob& job_;
    BatchFilter& filter_;
    const BatchForm& form_;
    const std::stop_token& stop_;
    const bool has_operator_;
    BatchOutcome outcome_;
};

/// Of each of its stages.
std::vector<uint64_t> bytes_of(const BatchPage& page) {
    const RunSpec& spec = page.spec;
    if (spec.op == nullptr) return std::vector<uint64_t>(page.stages.size());
    const ImageSpec output = spec.op->makes_bins ? ImageSpec{} : spec.op->output_spec(page.size, spec.params);
    const ImageSpec filtered = filtered_spec(spec.part, page.size);
    const Work work = spec.variant->work({filtered, spec.params, spec.variant_params});
    return bytes_of_stages(page.stages, work, filtered, output);
}

}  // namespace

BatchOutcome run_batch_image(const BatchImageJob& job, BatchFilter& filter, const BatchForm& form,
                             const std::stop_token& stop) {
    return BatchImage(job, filter, form, stop).run();
}

bool is_done(const std::string& output, const std::string& input) {
    struct stat from {
    }, to{};
    if (stat(input.c_str(), &from) != 0 || stat(output.c_str(), &to) != 0 || !S_ISREG(to.st_mode)) return false;
    const auto time = [](const struct stat& info) { return std::pair(info.st_mtim.tv_sec, info.st_mtim.tv_nsec); };
    return time(to) >= time(from);
}

Json describe(const BatchPage& page) {
    constexpr const char* kStates[] = {"failed", "done", "skipped"};  // as in BatchPage::State
    Json entry = {{"input", page.input}, {"output", page.output}, {"status", kStates[size_t(page.state)]}};
    if (page.state == BatchPage::State::failed) entry["error"] = page.error;
    if (page.state != BatchPage::State::done) return entry;
    entry.update({{"width", page.size.width},
                  {"height", page.size.height},
                  {"channels", page.size.channels()},
                  {"page", page.page + 1},
                  {"pages", page.details.pages},
                  {"format", page.details.format},
                  {"bits_per_channel", page.details.bits_per_channel},
                  {"reduced_to_8_bit", page.details.reduced_to_8_bit},
                  {"max_sample", page.size.max_sample},
                  {"range", page.range ? Json{{"lo", page.range->lo}, {"hi", page.range->hi}} : Json()},
                  {"bins", page.bins ? Json(*page.bins) : Json()},
                  {"notice", page.notice.empty() ? Json() : Json(page.notice)}});
    entry.update(describe_run(page.spec, page.device));
    entry["backend_chosen_because"] = page.why_there.empty() ? Json() : Json(page.why_there);
    entry.update({{"stages", stages_json(page.stages, bytes_of(page))},
                  {"kernels", kernels_json(page.kernels)},
                  {"clipping", page.clipping ? clipping_json(*page.clipping, {0, page.size.max_sample}) : Json()},
                  {"figures", page.judgement ? json_of(*page.judgement) : Json()},
                  {"total_ms", sum_ms(page.stages)},
                  {"run_ms", page.run_ms},
                  {"load_ms", page.load_ms},
                  {"save_ms", page.save_ms}});
    return entry;
}

Json describe_run(const RunSpec& spec, const std::string& device) {
    if (spec.op == nullptr) return {{"operator", "none"}};
    const bool on_device = spec.variant->backend == BackendKind::cuda;
    Json run = {{"operator", spec.op->id},
                {"variant", spec.variant->id},
                {"backend", to_string(spec.variant->backend)},
                {"device", device},
                {"memory", on_device ? Json(kMemoryModeIds[size_t(spec.memory)]) : Json()},
                {"parameters", params_json(spec.op->params, spec.params)},
                {"variant_parameters", params_json(spec.variant->params, spec.variant_params)}};
    run.update(part_json(spec.part));
    return run;
}

}  // namespace tonescope
