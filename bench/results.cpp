#include "bench/results.h"

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "gpu/core/error.h"

namespace tonescope::bench {
namespace {

using Json = nlohmann::ordered_json;

std::string number(double value, const char* format = "%.2f") {
    char text[32];
    std::snprintf(text, sizeof(text), format, value);
    return text;
}

/// Microseconds with three digits or more.
std::string microseconds(double ms) {
    const double us = ms * 1000;
    return number(us, us < 100 ? "%.2f" : us < 1000 ? "%.1f" : "%.0f");
}

std::string quoted(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
}

std::string stages_text(const Timing& timing) {
    std::string text;
    for (const auto& [name, ms] : timing.stages_ms) text += (text.empty() ? "" : "; ") + name + " " + microseconds(ms);
    return text;
}

void write_file(const std::string& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    file << text << std::flush;
    if (!file) throw UserError(path + ": cannot be written; choose another file");
}

}  // namespace

void take(Timing& timing, std::vector<double> samples_ms) {
    timing.samples = samples_ms.size();
    timing.time = summarize(std::move(samples_ms));
}

Results::Results(Facts facts) : facts_(std::move(facts)) {
    if (!facts_.gpu.empty())
        std::printf("GPU: %s, L2 %.0f MiB, CUDA %s\n", facts_.gpu.c_str(), double(facts_.l2_bytes) / (1 << 20),
                    facts_.cuda.c_str());
    std::printf("CPU: %s\n", facts_.cpu.c_str());
    std::printf("Microseconds a run: median, 10th and 90th percentile; bytes: those a run moves at least\n");
}

void Results::begin(const Scene& scene) {
    scene_ = scene;
    heading_.clear();
}

void Results::head(const Subject& subject) {
    const std::string heading = subject.op + "  " + scene_.size + " " + scene_.format + " " + scene_.content +
                                (subject.parameters.empty() ? "" : "  " + subject.parameters);
    if (heading == heading_) return;
    heading_ = heading;
    std::printf("\n%s\n  %-28s %-5s %-6s %9s %9s %9s %8s %6s  %s\n", heading.c_str(), "", "cache", "launch", "median",
                "p10", "p90", "GB/s", "share", "result");
}

void Results::add(const Subject& subject, const Timing& timing) {
    head(subject);
    std::string text = timing.verdict;
    if (!timing.note.empty()) text += (text.empty() ? "" : "; ") + timing.note;
    std::printf("  %-28s %-5s %-6s %9s %9s %9s %8.1f %6s  %s\n", subject.name.c_str(), timing.cache.c_str(),
                timing.launch.c_str(), microseconds(timing.time.median_ms).c_str(),
                microseconds(timing.time.p10_ms).c_str(), microseconds(timing.time.p90_ms).c_str(), timing.gb_s(),
                timing.share > 0 ? (number(timing.share * 100, "%.0f") + " %").c_str() : "", text.c_str());
    if (!timing.stages_ms.empty()) std::printf("      %s\n", stages_text(timing).c_str());
    std::fflush(stdout);
    rows_.push_back({scene_, subject, timing, {}});
    any_wrong_ |= timing.wrong;
}

void Results::add_not_run(const Subject& subject, const std::string& why) {
    head(subject);
    std::printf("  %-28s not run: %s\n", subject.name.c_str(), why.c_str());
    std::fflush(stdout);
    rows_.push_back({scene_, subject, {}, why});
}

void Results::write_json(const std::string& path) const {
    Json rows = Json::array();
    for (const Row& row : rows_) {
        Json json{{"op", row.subject.op},
                  {"kind", row.subject.kind},
                  {"name", row.subject.name},
                  {"backend", row.subject.backend},
                  {"parameters", row.subject.parameters},
                  {"size", row.scene.size},
                  {"width", row.scene.spec.width},
                  {"height", row.scene.spec.height},
                  {"format", row.scene.format},
                  {"content", row.scene.content}};
        if (!row.not_run.empty()) {
            json["not_run"] = row.not_run;
        } else {
            const Timing& t = row.timing;
            json.update({{"cache", t.cache},
                         {"launch", t.launch},
                         {"buffers", t.buffers},
                         {"samples", t.samples},
                         {"median_us", t.time.median_ms * 1000},
                         {"p10_us", t.time.p10_ms * 1000},
                         {"p90_us", t.time.p90_ms * 1000},
                         {"bytes", t.bytes},
                         {"gb_s", t.gb_s()},
                         {"share", t.share > 0 ? Json(t.share) : Json()},
                         {"result", t.verdict},
                         {"note", t.note}});
            for (const auto& [name, ms] : t.stages_ms)
                json["stages"].push_back(Json{{"stage", name}, {"median_us", ms * 1000}});
        }
        rows.push_back(std::move(json));
    }
    const Json json{{"command", facts_.command}, {"date", facts_.date}, {"version", facts_.version},
                    {"gpu", facts_.gpu},         {"cuda", facts_.cuda}, {"l2_bytes", facts_.l2_bytes},
                    {"cpu", facts_.cpu},         {"rows", rows}};
    write_file(path, json.dump(1) + "\n");
}

void Results::write_csv(const std::string& path) const {
    std::string text =
        "op,kind,name,backend,parameters,size,width,height,format,content,cache,launch,buffers,samples,median_us,p10_"
        "us,"
        "p90_us,bytes,gb_s,share,result,note,stages_us,not_run\n";
    for (const Row& row : rows_) {
        const Timing& t = row.timing;
        const bool ran = row.not_run.empty();
        const auto cell = [&](const std::string& value) { return ran ? value : std::string(); };
        const std::string cells[] = {row.subject.op,
                                     row.subject.kind,
                                     row.subject.name,
                                     row.subject.backend,
                                     row.subject.parameters,
                                     row.scene.size,
                                     std::to_string(row.scene.spec.width),
                                     std::to_string(row.scene.spec.height),
                                     row.scene.format,
                                     row.scene.content,
                                     t.cache,
                                     t.launch,
                                     cell(std::to_string(t.buffers)),
                                     cell(std::to_string(t.samples)),
                                     cell(number(t.time.median_ms * 1000, "%.3f")),
                                     cell(number(t.time.p10_ms * 1000, "%.3f")),
                                     cell(number(t.time.p90_ms * 1000, "%.3f")),
                                     cell(number(t.bytes, "%.0f")),
                                     cell(number(t.gb_s(), "%.3f")),
                                     t.share > 0 ? number(t.share, "%.4f") : "",
                                     t.verdict,
                                     t.note,
                                     stages_text(t),
                                     row.not_run};
        std::string line;
        for (const std::string& value : cells) line += (&value == cells ? "" : ",") + quoted(value);
        text += line + "\n";
    }
    write_file(path, text);
}

}  // namespace tonescope::bench
