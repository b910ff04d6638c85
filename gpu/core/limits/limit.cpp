#include "gpu/core/limits/limit.h"

#include <algorithm>
#include <cctype>
#include <cstdio>

namespace tonescope {
namespace {

constexpr Resource kResources[] = {
    {"memory", "memory", "GB/s", &Amounts::bytes, &Roofs::memory_gb_s, ImagePlace::memory},
    {"cache", "the L2 cache", "GB/s", &Amounts::bytes, &Roofs::cache_gb_s, ImagePlace::cache},
    {"bus", "the bus to the CPU's memory", "GB/s", &Amounts::bytes, &Roofs::bus_gb_s, ImagePlace::bus},
    {"shared", "shared memory", "GB/s", &Amounts::shared_bytes, &Roofs::shared_gb_s},
    {"operations", "instructions", "billion/s", &Amounts::operations, &Roofs::operations_g_s},
    {"shared_atomics", "atomic additions in shared memory", "billion/s", &Amounts::shared_atomics,
     &Roofs::shared_atomics_g_s},
    {"global_atomics", "atomic additions in device memory", "billion/s", &Amounts::global_atomics,
     &Roofs::global_atomics_g_s},
};

std::string percent(double share) {
    char text[32];
    std::snprintf(text, sizeof text, share < 0.095 ? "%.1f %%" : "%.0f %%", 100 * share);
    return text;
}

std::vector<Share> shares_of(const LimitCase& measured) {
    std::vector<Share> shares;
    for (const Resource& resource : kResources) {
        const double roof = measured.roofs.*resource.roof, amount = measured.work.*resource.amount;
        if (roof <= 0 || amount <= 0 || measured.kernels_ms <= 0) continue;
        if (resource.place && *resource.place != measured.place) continue;
        const double rate = amount / measured.kernels_ms * 1e-6;
        shares.push_back({&resource, rate, rate / roof});
    }
    std::ranges::stable_sort(shares, std::ranges::greater{}, &Share::share);
    return shares;
}

}  // namespace

std::span<const Resource> resources() {
    return kResources;
}

std::string_view Limit::id() const {
    switch (kind) {
        case Kind::host:
            return "host";
        case Kind::launches:
            return "launches";
        case Kind::resource:
            return shares.front().resource->id;
        case Kind::latency:
            return "latency";
        default:
            return {};
    }
}

std::string Limit::text(std::string (*text_of)(double)) const {
    if (kind == Kind::unknown) return {};
    if (kind == Kind::host)
        return "Host: kernels take " + percent(kernels_share) +
               " of the time without copies, and wait for the host in the rest";
    if (kind == Kind::launches)
        return "Launches: empty kernels would take " + percent(launches_share) + " of the kernels' time";
    const auto& [most, rate, share] = shares.front();
    const std::string name(most->name);
    if (kind == Kind::latency)
        return (on_cpu ? "Latency: instructions wait for one another, and threads or vector lanes are idle"
                       : "Latency: threads wait for data or for one another") +
               ("; most used: " + name + ", " + percent(share));
    std::string text = name + ": " + percent(share) + " used, " + text_of(rate) + " " + std::string(most->unit);
    text[0] = char(std::toupper(static_cast<unsigned char>(text[0])));
    if (share > 1) text += "; caches serve what exceeds it";
    return text;
}

Limit limit_of(const LimitCase& measured) {
    const double kernels_ms = measured.kernels_ms;
    Limit limit{.on_cpu = measured.on_cpu, .shares = shares_of(measured)};
    if (limit.shares.empty()) return limit;
    limit.kernels_share = kernels_ms / (kernels_ms + measured.host_ms);
    limit.launches_share = measured.launches * measured.roofs.launch_ms / kernels_ms;
    if (limit.kernels_share < 0.5)
        limit.kind = Limit::Kind::host;
    else if (limit.launches_share > kLaunchShare)
        limit.kind = Limit::Kind::launches;
    else if (limit.shares.front().share > kLimitingShare)
        limit.kind = Limit::Kind::resource;
    else
        limit.kind = Limit::Kind::latency;
    return limit;
}

}  // namespace tonescope
