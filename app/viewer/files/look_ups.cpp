#include "app/viewer/files/look_ups.h"

#include <algorithm>

namespace tonescope {

void LookUps::cancel() {
    for (LookUp& look_up : running_) look_up.stop.request_stop();
    running_.clear();
}

bool LookUps::has(std::string_view what) const {
    return std::ranges::find(running_, what, &LookUp::what) != running_.end();
}

}  // namespace tonescope
