// What limits a variant: its declared work held against the machine's roofs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/core/limits/roofs.h"
#include "gpu/core/limits/work.h"

namespace tonescope {

/// Where the images are while kernels reach them. `cache`: a GPU's last cache holds them.
enum class ImagePlace : uint8_t { memory, cache, bus };

/// Something of which a machine has so much a second.
struct Resource {
    std::string_view id;    // in exports: "memory"
    std::string_view name;  // in sentences: "device memory"
    std::string_view unit;  // of a rate: "GB/s"
    double Amounts::*amount;
    double Roofs::*roof;
    std::optional<ImagePlace> place = {};  // of the images, where it matters
};
/// In the order in which they are listed.
std::span<const Resource> resources();

/// What was measured of a variant.
struct LimitCase {
    Roofs roofs = {};
    Amounts work = {};
    ImagePlace place = ImagePlace::memory;
    double kernels_ms = 0, host_ms = 0;
    int launches = 0;  // of kernels; 0 on the CPU
    bool on_cpu = false;
};

/// How much of a resource the kernels use, 1 being all of it.
struct Share {
    const Resource* resource = nullptr;
    double rate = 0;  // in the resource's unit
    double share = 0;
};

struct Limit {
    enum class Kind : uint8_t { unknown, host, launches, resource, latency };
    Kind kind = Kind::unknown;
    bool on_cpu = false;
    std::vector<Share> shares = {};  // of what it uses at all, the largest first
    double kernels_share = 0;        // of the time without copies, where the rest is the host's
    double launches_share = 0;       // of the kernels' time: what empty kernels would take
    /// "memory", "latency", "launches": for exports; empty where nothing is known.
    std::string_view id() const;
    /// One sentence without its period; empty where nothing is known. `text_of` writes a figure.
    std::string text(std::string (*text_of)(double)) const;
};

/// More than this of a resource: the resource is the limit, if nothing before it is.
inline constexpr double kLimitingShare = 0.5;
/// Empty kernels that would take more than this of the kernels' time: the launches are the limit.
inline constexpr double kLaunchShare = 0.5;

/// The first of these that holds: the host takes more time than the kernels; launches of empty kernels would take more
/// than kLaunchShare of the kernels' time; the resource that is used most is used by more than kLimitingShare; else it
/// is latency: threads wait, for memory, for one another or for what they have computed.
Limit limit_of(const LimitCase& measured);

}  // namespace tonescope
