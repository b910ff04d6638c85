#include "app/benchmark/experiments/experiment.h"

#include <algorithm>
#include <filesystem>
#include <new>
#include <set>
#include <utility>

#include "gpu/core/error.h"
#include "gpu/core/text.h"

namespace tonescope {
namespace {

constexpr size_t kMaxCases = 1000;

/// An image of a plan: a source in a size; 0 x 0: a file in its own.
struct ImageChoice {
    size_t source = 0;
    NamedSize size = {};
};

std::string title_of(const ImageSource& source) {
    return source.is_file ? std::filesystem::path(source.name).filename().string() : source.name;
}

std::string title_of(const NamedSize& size) {
    return size.width == 0 ? "own size" : size_text(size.width, size.height);
}

std::vector<ImageChoice> images_of(const ExperimentPlan& plan) {
    std::vector<ImageChoice> images;
    for (size_t i = 0; i < plan.sources.size(); ++i) {
        std::vector<NamedSize> sizes = plan.sizes;
        if (sizes.empty() && plan.sources[i].is_file) sizes = {{}};
        if (sizes.empty()) sizes = sizes_of("reports", "size");
        for (const NamedSize& size : sizes) images.push_back({i, size});
    }
    return images;
}

/// The parameter in the operator's table, else in that of a variant; null where nothing has it.
const ParamInfo* find_swept(const std::vector<RunSpec>& runs, const std::string& id) {
    if (const ParamInfo* info = find_param(runs.front().op->params, id)) return info;
    for (const RunSpec& run : runs)
        if (const ParamInfo* info = find_param(run.variant->params, id)) return info;
    return nullptr;
}

/// Leaves out the variants that no sweep concerns, where one concerns only variants.
void keep_swept_variants(ExperimentPlan& plan) {
    const auto is_of_variants = [&](const Sweep& sweep) {
        return find_param(plan.runs.front().op->params, sweep.param) == nullptr;
    };
    if (std::ranges::none_of(plan.sweeps, is_of_variants)) return;
    std::erase_if(plan.runs, [&](const RunSpec& run) {
        return !run.variant->reference && std::ranges::none_of(plan.sweeps, [&](const Sweep& sweep) {
            return is_of_variants(sweep) && find_param(run.variant->params, sweep.param) != nullptr;
        });
    });
}

/// The text of a value as --list and sliders write it, so that "04" and "4" are one.
std::string normal_text(const ParamInfo& info, const std::string& text) {
    return format_value(info, parse_value(info, text));
}

std::optional<double> number_in(const std::string& text) {
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    return text.empty() || *end != '\0' ? std::nullopt : std::optional(number);
}

/// Positions where every label is a number.
void add_positions(CaseAxis& axis) {
    for (const std::string& label : axis.labels) {
        const std::optional<double> number = number_in(label);
        if (!number) {
            axis.positions.clear();
            return;
        }
        axis.positions.push_back(*number);
    }
}

CaseAxis axis_of(const Sweep& sweep, const ParamInfo& info) {
    CaseAxis axis{.id = std::string(info.id),
                  .title = std::string(info.label),
                  .unit = std::string(info.unit),
                  .is_param = true,
                  .labels = sweep.values};
    add_positions(axis);
    return axis;
}

/// The index of `label` on the axis, which gets it if it is not there yet.
size_t place_on(CaseAxis& axis, const std::string& label, std::optional<double> position) {
    const auto found = std::ranges::find(axis.labels, label);
    const auto index = size_t(found - axis.labels.begin());
    if (found == axis.labels.end()) {
        axis.labels.push_back(label);
        if (position) axis.positions.push_back(*position);
    }
    return index;
}

/// Where sources have the same title, their full names.
std::vector<std::string> source_labels(const std::vector<ImageSource>& sources) {
    std::vector<std::string> labels;
    for (const ImageSource& source : sources) {
        const auto same = std::ranges::count(sources, title_of(source), [](const auto& s) { return title_of(s); });
        labels.push_back(same > 1 ? source.name : title_of(source));
    }
    return labels;
}

/// Leaves of things with the same key only the first.
template <class Thing>
void drop_repeated(std::vector<Thing>& things, auto key_of) {
    std::set<decltype(key_of(things[0]))> seen;
    std::erase_if(things, [&](const Thing& thing) { return !seen.insert(key_of(thing)).second; });
}

std::shared_ptr<const HostImage> image_of(const ExperimentPlan& plan, const ImageChoice& wanted,
                                          const std::stop_token& stop) {
    const ImageSource& source = plan.sources[wanted.source];
    const auto& size = wanted.size;
    const int threads = default_cpu_threads();
    if (!source.is_file)
        return std::make_shared<const HostImage>(
            make_image(source.name, {size.width, size.height, plan.format, false}, threads, stop));
    std::shared_ptr<const HostImage> image = source.image;
    if (image == nullptr)
        image = std::make_shared<const HostImage>(load_image(source.name, stop, nullptr, {.keeps_depth = true}).image);
    if (size.width == 0) return image;
    ImageSpec spec = image->spec();
    spec.width = size.width;
    spec.height = size.height;
    return std::make_shared<const HostImage>(mirrored_image(image->view(), spec, threads, stop));
}

}  // namespace

Sweep parse_sweep(const std::string& text) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
        throw UsageError("--sweep " + text + ": expected NAME=VALUE,VALUE,...");
    return {text.substr(0, equals), split(std::string_view(text).substr(equals + 1), ',')};
}

BenchmarkLimits limits_of_case() {
    BenchmarkLimits limits;
    limits.budget_ms = 150;
    limits.limit_ms = 1000;
    return limits;
}

std::string Experiment::title() const {
    if (!plan.title.empty()) return plan.title;
    std::vector<std::string> names;
    for (const CaseAxis& axis : axes) names.push_back(axis.title);
    return std::string(op().name) + (names.empty() ? "" : ": " + spell_out(names));
}

Experiment unmeasured(ExperimentPlan plan) {
    for (Sweep& sweep : plan.sweeps) {
        const ParamInfo* const info = find_swept(plan.runs, sweep.param);
        if (info == nullptr)
            throw UsageError("sweep: " + sweep.param + ": neither " + std::string(plan.runs.front().op->id) +
                             " nor a variant that is measured has such a parameter");
        if (std::ranges::count(plan.sweeps, sweep.param, &Sweep::param) > 1)
            throw UsageError("sweep: " + sweep.param + ": it is swept twice");
        std::vector<std::string> values;
        for (const std::string& text : sweep.values) {
            for (RunSpec run : plan.runs) {  // variants may allow different values
                try {
                    set_param(run, sweep.param, text);
                } catch (const UsageError& error) {
                    throw UsageError(std::string("sweep: ") + error.what());
                }
            }
            const std::string normal = normal_text(*info, text);
            if (std::ranges::find(values, normal) != values.end())
                throw UsageError("sweep: " + sweep.param + ": the value " + text + " is there twice");
            values.push_back(normal);
        }
        sweep.values = std::move(values);
    }
    keep_swept_variants(plan);
    drop_repeated(plan.sizes, [](const NamedSize& size) { return std::pair(size.width, size.height); });
    drop_repeated(plan.sources, [](const ImageSource& source) { return std::pair(source.is_file, source.name); });

    const std::vector<ImageChoice> images = images_of(plan);
    size_t cases = images.size();
    for (const Sweep& sweep : plan.sweeps) cases = std::min(cases * sweep.values.size(), kMaxCases + 1);
    if (cases == 0) throw UsageError("there is no image to measure on: name a file or a content");
    if (cases > kMaxCases)
        throw UsageError("this would be more than " + std::to_string(kMaxCases) + " cases; take fewer values");

    Experiment experiment;
    CaseAxis by_image{.id = "image", .title = "Image"}, by_size{.id = "size", .title = "Size", .unit = "MPixel"};
    const std::vector<std::string> labels = source_labels(plan.sources);
    struct Place {
        size_t image, size;
    };
    std::vector<Place> places;
    for (const auto& [source, size] : images) {
        const bool own = size.width == 0;
        places.push_back({place_on(by_image, labels[source], {}),
                          place_on(by_size, title_of(size),
                                   own ? std::nullopt : std::optional(double(size.width) * size.height / 1e6))});
    }
    if (by_size.positions.size() < by_size.labels.size()) by_size.positions.clear();
    const bool several_images = by_image.labels.size() > 1, several_sizes = by_size.labels.size() > 1;
    if (several_images) experiment.axes.push_back(by_image);
    if (several_sizes) experiment.axes.push_back(by_size);
    for (const Sweep& sweep : plan.sweeps)
        experiment.axes.push_back(axis_of(sweep, *find_swept(plan.runs, sweep.param)));

    const size_t values = cases / images.size();
    for (size_t i = 0; i < images.size(); ++i) {
        const auto& [source, size] = images[i];
        for (size_t k = 0; k < values; ++k) {
            ExperimentPoint& point = experiment.points.emplace_back();
            if (several_images) point.place.push_back(places[i].image);
            if (several_sizes) point.place.push_back(places[i].size);
            point.is_file = plan.sources[source].is_file && size.width == 0;
            point.title = labels[source] + (size.width == 0 ? "" : ", " + title_of(size));
            BenchmarkJob job{
                .input = plan.sources[source].name, .runs = plan.runs, .by_memory_mode = plan.by_memory_mode};
            size_t rest = k;  // the last sweep's values change first
            std::vector<size_t> chosen(plan.sweeps.size());
            for (size_t s = plan.sweeps.size(); s-- > 0; rest /= plan.sweeps[s].values.size())
                chosen[s] = rest % plan.sweeps[s].values.size();
            for (size_t s = 0; s < plan.sweeps.size(); ++s) {
                const Sweep& sweep = plan.sweeps[s];
                point.place.push_back(chosen[s]);
                point.title += ", " + sweep.param + " " + sweep.values[chosen[s]];
                for (RunSpec& run : job.runs) set_param(run, sweep.param, sweep.values[chosen[s]]);
            }
            point.runs = job.runs;
            point.benchmark = unmeasured(job, {size.width, size.height, plan.format, false});
        }
    }
    experiment.plan = std::move(plan);
    return experiment;
}

CaseImage make_case_image(const ExperimentPlan& plan, size_t point, std::stop_token stop) {
    const std::vector<ImageChoice> images = images_of(plan);
    size_t values = 1;
    for (const Sweep& sweep : plan.sweeps) values *= sweep.values.size();
    const ImageChoice& choice = images.at(point / values);
    const std::string stem = std::filesystem::path(plan.sources[choice.source].name).stem().string();
    return {image_of(plan, choice, stop),
            stem + "-" + std::to_string(choice.size.width) + "x" + std::to_string(choice.size.height)};
}

void measure(Experiment& experiment, const BenchmarkLimits& limits, std::stop_token stop,
             const ExperimentWatch& watch) {
    const std::vector<ImageChoice> images = images_of(experiment.plan);
    const size_t values = experiment.points.size() / images.size();
    std::unique_ptr<BenchmarkMeasurement> measurement;
    std::shared_ptr<const HostImage> image;
    std::string error;  // of the image
    for (size_t i = 0; i < experiment.points.size(); ++i) {
        ExperimentPoint& point = experiment.points[i];
        if (stop.stop_requested()) throw Canceled{};
        if (i % values == 0) {
            error.clear();
            image.reset();  // before there is another one
            try {
                image = image_of(experiment.plan, images[i / values], stop);
            } catch (const UserError& failed) {
                error = failed.what();
            } catch (const std::bad_alloc&) {
                error = point.title + ": not enough memory";
            }
        }
        if (!error.empty()) {
            point.error = error;
        } else {
            const BenchmarkJob job{.input = point.benchmark.input,
                                   .image = image,
                                   .runs = point.runs,
                                   .by_memory_mode = experiment.plan.by_memory_mode,
                                   .backend = experiment.plan.backend,
                                   .device = experiment.plan.device};
            point.benchmark = unmeasured(job);
            if (measurement == nullptr)
                measurement = std::make_unique<BenchmarkMeasurement>(job, limits);
            else
                measurement->take(job);
            measurement->describe(point.benchmark);
            const double before = double(i);
            measurement->measure(point.benchmark, stop,
                                 {[&](const VariantBenchmark&) {
                                      point.is_measured |=
                                          std::ranges::any_of(point.benchmark.rows, &BenchmarkRow::ran);
                                      if (watch.rows) watch.rows(experiment, i);
                                  },
                                  [&](double part) {
                                      if (watch.progress)
                                          watch.progress((before + part) / double(experiment.points.size()));
                                  }});
        }
        if (watch.point) watch.point(experiment, i);
    }
}

}  // namespace tonescope
