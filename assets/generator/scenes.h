// The pictures.
#pragma once

#include "assets/generator/draw.h"

namespace tonescope::assets {

Picture draw_fog();         // hills and conifers fading in mist
Picture draw_night();       // a canal at night, under-exposed
Picture draw_radiograph();  // a hand, low contrast
Picture draw_page();        // a page of text, unevenly lit
Picture draw_planet();      // a cratered surface, low contrast
Picture draw_balloons();    // balloons over a field of tulips, noisy
Picture draw_icon();        // the program's icon, 256x256 with transparent corners

}  // namespace tonescope::assets
