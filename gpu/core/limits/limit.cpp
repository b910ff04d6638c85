#include "gpu/core/limits/limit.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>

namespace tonescope {
namespace {

constexpr std::string_view kCaches = "caches serve what exceeds it";
constexpr Resource kResources[] = {
    {"memory", "memory", "GB/s", &Amounts::bytes, &Roofs::memory_gb_s, ImagePlace::memory, kCaches},
    {"cache", "the L2 cache", "GB/s", &Amounts::bytes, &Roofs::cache_gb_s, ImagePlace::cache, kCaches},
    {"bus", "the bus to the CPU's memory", "GB/s", &Amounts::bytes, &Roofs::bus_gb_s, ImagePlace::bus,
     "it runs both ways at once"},
    {"bus_requests", "requests over the bus", "billion/s", &Amounts::requests, &Roofs::bus_requests_g_s,
     ImagePlace::bus, "those of neighboring warps may become one"},
    {"pages", "page faults", "GB/s", &Amounts::bytes, &Roofs::pages_gb_s, ImagePlace::pages,
     "what they reach varies from run to run", 0},
    {"shared", "shared memory", "GB/s", &Amounts::shared_bytes, &Roofs::shared_gb_s},
    {"l1", "the L1 cache", "GB/s", &Amounts::l1_bytes, &Roofs::l1_gb_s},
    {"operations", "instructions", "billion/s", &Amounts::operations, &Roofs::operations_g_s},
    {"shared_atomics", "atomic additions in shared memory", "billion/s", &Amounts::shared_atomics,
     &Roofs::shared_atomics_g_s},
    {"global_atomics",
     "atomic additions in device memory",
     "billion/s",
     &Amounts::global_atomics,
     &Roofs::global_atomics_g_s,
     {},
     "counters in more slices of the L2 cache take more"},
    {"word_atomics", "atomic additions to one word of device memory", "billion/s", &Amounts::word_atomics,
     &Roofs::word_atomics_g_s},
    {"constant", "constant memory", "billion reads/s", &Amounts::constant_reads, &Roofs::constant_g_s},
    {"blocks", "starts of blocks", "billion/s", &Amounts::blocks, &Roofs::blocks_g_s},
};

std::string percent(double share) {
    char text[32];
    std::snprintf(text, sizeof text, share < 0.095 ? "%.1f %%" : "%.0f %%", 100 * share);
    return text;
}

std::string capitalized(std::string text) {
    text[0] = char(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
}

std::vector<Share> shares_of(const LimitCase& measured, const Amounts& work, double ms) {
    std::vector<Share> shares;
    for (const Resource& resource : kResources) {
        const double roof = measured.roofs.*resource.roof, amount = work.*resource.amount;
        if (roof <= 0 || amount <= 0 || ms <= 0) continue;
        if (resource.place && *resource.place != measured.place) continue;
        const double rate = amount / ms * 1e-6;
        shares.push_back({&resource, rate, rate / roof});
    }
    std::ranges::stable_sort(shares, std::ranges::greater{}, &Share::share);
    return shares;
}

StageLimit stage_limit_of(const LimitCase& measured, const StageCase& stage, double all_ms) {
    const double launches_ms = stage.launches * measured.roofs.launch_ms;
    StageLimit limit{.stage = stage.stage,
                     .part = stage.ms / all_ms,
                     .launches_share = launches_ms / stage.ms,
                     .threads = stage.threads,
                     .lanes = measured.lanes};
    if (limit.launches_share > kLaunchShare) {
        limit.kind = StageLimit::Kind::launches;
        return limit;
    }
    limit.shares = shares_of(measured, stage.work, stage.ms - launches_ms);
    if (!limit.shares.empty() && limit.shares.front().is_impossible())
        limit.kind = StageLimit::Kind::unknown;
    else if (!limit.shares.empty() && limit.shares.front().share > limit.shares.front().resource->limiting_share)
        limit.kind = StageLimit::Kind::resource;
    else if (stage.threads > 0 && stage.threads < kFewThreads * measured.lanes)
        limit.kind = StageLimit::Kind::threads;
    return limit;
}

}  // namespace

std::span<const Resource> resources() {
    return kResources;
}

std::string Share::text() const {
    return is_impossible() ? "more than there is" : share > 1 ? "all of it" : percent(share);
}

bool Share::is_impossible() const {
    return share > kMostShare && resource->excess.empty();
}

std::string_view StageLimit::id() const {
    switch (kind) {
        case Kind::launches:
            return "launches";
        case Kind::resource:
            return shares.front().resource->id;
        case Kind::threads:
            return "threads";
        case Kind::unknown:
            return "unknown";
        default:
            return "latency";
    }
}

std::string StageLimit::text(std::string (*text_of)(double)) const {
    if (kind == Kind::launches) return "launches: empty kernels would take " + percent(launches_share) + " of its time";
    const auto used = [&](const Share& share) { return std::string(share.resource->name) + ", " + share.text(); };
    if (kind == Kind::unknown)
        return "unknown: as declared, it would use " + std::string(shares.front().resource->name) + " by " +
               percent(shares.front().share);
    if (kind == Kind::resource) {
        const Share& most = shares.front();
        return used(most) + " used, " + text_of(most.rate) + " " + std::string(most.resource->unit) +
               (most.share > 1 && !most.resource->excess.empty() ? " (" + std::string(most.resource->excess) + ")"
                                                                 : "");
    }
    std::string text = "latency";
    if (kind == Kind::threads)
        text = "few threads, " + (threads < 1000 ? std::to_string(std::lround(threads)) : text_of(threads)) +
               " at a time of " + text_of(lanes) + " that the GPU holds";
    return shares.empty() ? text : text + " (most used: " + used(shares.front()) + ")";
}

std::string_view Limit::id() const {
    return !is_known() ? "" : is_host ? "host" : stages.front().id();
}

std::string Limit::text(std::string (*text_of)(double), bool in_lines) const {
    std::string text;
    const auto add = [&](const std::string& part) {
        const bool begins = text.empty() || in_lines;
        text += (text.empty() ? "" : in_lines ? "\n" : "; ") + (begins ? capitalized(part) : part);
    };
    if (is_host) add("host: kernels take " + percent(kernels_share) + " of the time without copies");
    for (const StageLimit& stage : stages) {
        if (&stage != stages.data() && stage.part < kLeastPart) break;
        const std::string name = std::string(stage.stage) + " (" + percent(stage.part) + "): ";
        add((stages.size() > 1 ? name : "") + stage.text(text_of));
    }
    return text;
}

Limit limit_of(const LimitCase& measured) {
    Limit limit;
    if (!measured.roofs.are_known()) return limit;
    double all_ms = 0;
    Amounts all;
    for (const StageCase& stage : measured.stages) {
        all_ms += stage.ms;
        all = all + stage.work;
    }
    for (const StageCase& stage : measured.stages)
        if (stage.ms > 0) limit.stages.push_back(stage_limit_of(measured, stage, all_ms));
    std::ranges::stable_sort(limit.stages, std::ranges::greater{}, &StageLimit::part);
    limit.kernels_share = all_ms / (all_ms + measured.host_ms);
    limit.is_host = limit.is_known() && limit.kernels_share < kLeastKernelsShare;
    limit.shares = shares_of(measured, all, all_ms);
    return limit;
}

}  // namespace tonescope
