// The houses along the canal of the night scene. Lengths are metres.
#pragma once

#include "assets/generator/scenes.h"

namespace tonescope::assets {

inline constexpr double kQuayTop = 1.3, kHouseWidth = 6.2;
inline constexpr Color kLampColor{1.0, 0.66, 0.30};

struct House {
    double height;  // of the eaves, over the water
    double gable;   // height of the gable
    int kind;       // 0 stepped, 1 pointed, 2 bell
    Color wall;
    uint32_t seed;
};

/// The same for the same place; side 0 (left) or 1 (right).
House house_at(int side, int number);
/// Height of the gable's outline at u, -1 to 1 across the house.
double outline(const House& house, double u);

struct Surface {
    Color albedo{};
    Color glow{};  // light of its own
};

/// A facade at height y over the quay and v, -1 to 1 across; false above the outline.
bool facade(const House& house, double y, double v, double z, Surface& surface);

}  // namespace tonescope::assets
