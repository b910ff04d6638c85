#include "bench/results.h"

#include <cstdio>
#include <fstream>

#include "gpu/core/benchmark/benchmark_row.h"
#include "gpu/core/error.h"
#include "gpu/core/text.h"

namespace tonescope::bench {
namespace {

// The columns of the CSV file: members of the JSON's rows, and the stages as one text.
constexpr const char* kColumns[] = {"op",      "kind",    "name",      "backend", "parameters", "size",
                                    "width",   "height",  "format",    "content", "cache",      "launch",
                                    "buffers", "samples", "median_us", "p10_us",  "p90_us",     "bytes",
                                    "gb_s",    "share",   "result",    "note",    "stages_us",  "not_run"};

std::string number(double value, const char* format) {
    char text[32];
    std::snprintf(text, sizeof(text), format, value);
    return text;
}

/// Three digits or more.
std::string microseconds(double us) {
    return number(us, us < 100 ? "%.2f" : us < 1000 ? "%.1f" : "%.0f");
}

Json json_of(const Scene& scene, const Row& row) {
    const Subject& subject = row.subject;
    Json json{{"op", subject.op},
              {"kind", subject.kind},
              {"name", subject.name},
              {"backend", subject.backend},
              {"parameters", subject.parameters},
              {"size", scene.size},
              {"width", scene.spec.width},
              {"height", scene.spec.height},
              {"format", scene.format},
              {"content", scene.content}};
    if (!row.not_run.empty()) {
        json["not_run"] = row.not_run;
        return json;
    }
    json.update({{"cache", row.cache},
                 {"launch", row.launch},
                 {"buffers", row.buffers},
                 {"samples", row.samples},
                 {"median_us", row.time.median_ms * 1000},
                 {"p10_us", row.time.p10_ms * 1000},
                 {"p90_us", row.time.p90_ms * 1000},
                 {"bytes", row.bytes},
                 {"gb_s", row.gb_s()},
                 {"share", row.share > 0 ? Json(row.share) : Json()},
                 {"result", row.verdict},
                 {"note", row.note}});
    for (const auto& [name, ms] : row.stages_ms)
        json["stages"].push_back(Json{{"stage", name}, {"median_us", ms * 1000}});
    return json;
}

std::string stages_text(const Json& row) {
    std::string text;
    for (const Json& stage : row.value("stages", Json::array()))
        text += (text.empty() ? "" : "; ") + stage["stage"].get<std::string>() + " " + microseconds(stage["median_us"]);
    return text;
}

std::string csv_cell(const Json& row, const std::string& column) {
    if (column == "stages_us") return stages_text(row);
    const Json value = row.value(column, Json());
    if (value.is_number_float()) return number(value, "%.10g");
    return value.is_null() ? "" : value.is_string() ? value.get<std::string>() : value.dump();
}

void write_file(const std::string& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    file << text << std::flush;
    if (!file) throw UserError(path + ": cannot be written; choose another file");
}

}  // namespace

void Row::set_samples(std::vector<double> samples_ms) {
    samples = samples_ms.size();
    time = summarize(std::move(samples_ms));
}

void Row::set_stages(const std::vector<StageTimes>& runs) {
    for (size_t i = 0; i < runs[0].size(); ++i) {
        std::vector<double> samples_ms;
        for (const StageTimes& run : runs) samples_ms.push_back(run.at(i).ms);
        stages_ms.emplace_back(runs[0][i].stage, summarize(samples_ms).median_ms);
    }
}

RunResult make_answer(const HostImage& input, RunSpec spec, int threads) {
    spec.variant = preferred_variant(spec.op->id, BackendKind::cpu);
    spec.variant_params = default_values(spec.variant->params);
    return make_cpu_backend(threads)->run(input.view(), spec);
}

double least_bytes(const HostImage& input, const RunResult& expected) {
    const auto bytes = [](const ImageSpec& spec) { return double(spec.row_bytes()) * spec.height; };
    return bytes(input.spec()) + bytes(expected.image.spec());
}

uint8_t poison_for(const RunResult& expected) {
    return uint8_t(~(expected.bins ? expected.bins->bins[0] : expected.image.data()[0]));
}

void Row::set_verdict(int64_t differences, const VariantInfo* variant, bool bins) {
    const bool by_design = variant != nullptr && variant->wrong_by_design;
    wrong = differences > 0 && !by_design;
    verdict = difference_text(differences, bins, by_design);
}

int64_t count_different_bins(const uint8_t* bins, const RunResult& expected) {
    int64_t differences = 0;
    for (int i = 0; i < kFineBins; ++i) differences += bins[i] != expected.bins->bins[size_t(i)];
    return differences;
}

Rows attempt(const Subject& subject, const std::function<Rows()>& measure) {
    try {
        return measure();
    } catch (const UserError& error) {
        return {{subject, error.what()}};
    }
}

void Results::begin(const Scene& scene) {
    scene_ = scene;
    heading_.clear();
}

void Results::add(const Row& row) {
    rows_.push_back(json_of(scene_, row));
    const Subject& subject = row.subject;
    const std::string heading = subject.op + "  " + scene_.size + " " + scene_.format + " " + scene_.content +
                                (subject.parameters.empty() ? "" : "  " + subject.parameters);
    if (heading != heading_) {
        heading_ = heading;
        std::printf("\n%s\n  %-28s %-5s %-6s %9s %9s %9s %8s %6s  %s\n", heading.c_str(), "", "cache", "launch",
                    "median", "p10", "p90", "GB/s", "share", "result");
    }
    if (row.not_run.empty()) {
        const std::string text = row.verdict + (row.verdict.empty() || row.note.empty() ? "" : "; ") + row.note;
        std::printf("  %-28s %-5s %-6s %9s %9s %9s %8.1f %6s  %s\n", subject.name.c_str(), row.cache.c_str(),
                    row.launch.c_str(), microseconds(row.time.median_ms * 1000).c_str(),
                    microseconds(row.time.p10_ms * 1000).c_str(), microseconds(row.time.p90_ms * 1000).c_str(),
                    row.gb_s(), row.share > 0 ? number(row.share * 100, "%.0f %%").c_str() : "", text.c_str());
        if (!row.stages_ms.empty()) std::printf("      %s\n", stages_text(rows_.back()).c_str());
    } else {
        std::printf("  %-28s not run: %s\n", subject.name.c_str(), row.not_run.c_str());
    }
    std::fflush(stdout);
    any_wrong_ |= row.wrong;
}

void Results::write_json(const std::string& path, Json facts) const {
    facts["rows"] = rows_;
    write_file(path, facts.dump(1) + "\n");
}

void Results::write_csv(const std::string& path) const {
    std::string text = csv_line({std::begin(kColumns), std::end(kColumns)});
    for (const Json& row : rows_) {
        std::vector<std::string> cells;
        for (const char* column : kColumns) cells.push_back(csv_cell(row, column));
        text += csv_line(cells);
    }
    write_file(path, text);
}

}  // namespace tonescope::bench
