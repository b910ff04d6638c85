// What limits a variant: the work that its stages declare, held against the machine's roofs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/core/limits/roofs.h"
#include "gpu/core/limits/work.h"

namespace tonescope {

/// Where the images are while kernels reach them. `cache`: a GPU's last cache holds them. `bus`: kernels reach into the
/// host's memory. `pages`: managed memory, whose pages move to the device when a kernel touches them.
enum class ImagePlace : uint8_t { memory, cache, bus, pages };

/// More than this of a resource: the resource is the limit, if nothing before it is.
inline constexpr double kLimitingShare = 0.5;

/// Something of which a machine has so much a second.
struct Resource {
    std::string_view id;    // in exports: "memory"
    std::string_view name;  // in sentences: "device memory"
    std::string_view unit;  // of a rate: "GB/s"
    double Amounts::*amount;
    double Roofs::*roof;
    std::optional<ImagePlace> place = {};  // of the images, where it matters
    std::string_view excess = {};          // how more than all of it can be used
    /// More than this of it: it is the limit, if it is used most. Page faults have no roof that holds for every order
    /// in which threads touch pages, and a thread at a fault waits for nothing else.
    double limiting_share = kLimitingShare;
};
/// In the order in which they are listed.
std::span<const Resource> resources();

/// What was measured of a stage.
struct StageCase {
    std::string_view stage;
    Amounts work = {};
    double ms = 0;       // while the device computes
    int launches = 0;    // of kernels, and settings of memory; 0 on the CPU
    double threads = 0;  // that the GPU holds of it at a time; 0: unknown
};

/// What was measured of a variant.
struct LimitCase {
    Roofs roofs = {};
    ImagePlace place = ImagePlace::memory;
    std::vector<StageCase> stages = {};
    double host_ms = 0;  // between the stages' kernels
    double lanes = 0;    // threads that the GPU holds
};

/// How much of a resource is used, 1 being all of it.
struct Share {
    const Resource* resource = nullptr;
    double rate = 0;  // in the resource's unit
    double share = 0;
    /// More than all of it, which nothing explains: what is declared, or the roof, is wrong.
    bool is_impossible() const;
    /// "46 %", "all of it", "more than there is".
    std::string text() const;
};

struct StageLimit {
    enum class Kind : uint8_t { launches, resource, threads, latency, unknown };
    std::string_view stage;
    double part = 0;  // of the time of all stages
    Kind kind = Kind::latency;
    std::vector<Share> shares = {};  // of what it uses at all, in the time that launches leave; the largest first
    double launches_share = 0;       // of its time: what empty kernels would take
    double threads = 0, lanes = 0;   // as in StageCase and LimitCase
    /// "memory", "latency", "launches", "unknown": for exports.
    std::string_view id() const;
    /// "launches: empty kernels would take 80 % of its time"
    std::string text(std::string (*text_of)(double)) const;
};

struct Limit {
    bool is_host = false;            // what limits it is the host
    double kernels_share = 0;        // of the time without copies, where the rest is the host's
    std::vector<StageLimit> stages;  // the longest first; empty where nothing is known
    std::vector<Share> shares = {};  // of all stages together, in their whole time
    bool is_known() const { return !stages.empty(); }
    /// "host", or that of the longest stage: for exports; empty where nothing is known.
    std::string_view id() const;
    /// One sentence without its period, on the host or on each stage that takes a good part of the time, or a line on
    /// each; empty where nothing is known. `text_of` writes a figure.
    std::string text(std::string (*text_of)(double), bool in_lines = false) const;
};

/// Kernels that take less than this of the time without copies: the host is the limit.
inline constexpr double kLeastKernelsShare = 0.5;
/// Empty kernels that would take more than this of a stage's time: its launches are the limit.
inline constexpr double kLaunchShare = 0.5;
/// More than this of a resource cannot be: roofs and times are measured to a few percent.
inline constexpr double kMostShare = 1.05;
/// Fewer threads than this part of those that the GPU holds: too few threads are the limit, if nothing before it is.
inline constexpr double kFewThreads = 0.25;
/// Stages that take less than this part of the time have no words in the sentence.
inline constexpr double kLeastPart = 0.2;

/// Whether it is the host; and of each stage the first of these that holds: empty kernels would take more than
/// kLaunchShare of its time; in the time that they leave, the resource that is used most would be used by more than
/// there is (nothing is known then), or is used by more than its limiting share; fewer than kFewThreads of the GPU's
/// threads are there; else it is latency: threads wait, for memory, for one another or for what they have computed.
Limit limit_of(const LimitCase& measured);

}  // namespace tonescope
