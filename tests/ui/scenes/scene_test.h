// The made-up situations for tests that draw nothing.
#pragma once

#include <stdexcept>

#include "tests/ui/scenes/scenes.h"
#include "ui/widgets/widgets.h"

namespace tonescope::ui {

/// A picture whose texture nobody draws.
inline Picture no_upload(const ImageView& image) {
    Picture picture;
    picture.spec = image.spec;
    picture.tiles = {{1, {0, 0, image.spec.width, image.spec.height}}};
    return picture;
}

inline const std::vector<Scene>& scenes() {
    static const std::vector<Scene> all = make_scenes(no_upload);
    return all;
}

inline const Scene& scene(std::string_view name) {
    for (const Scene& s : scenes())
        if (s.name == name) return s;
    throw std::runtime_error("no such scene");
}

inline void settle_scene(Driver& driver, const Scene& s) {
    if (s.act)
        s.act(driver, s.model);
    else
        driver.frames(s.model, 3);
}

/// Draws a frame and returns its texts.
inline std::vector<DrawnText> drawn_texts(Driver& driver, const Model& model) {
    std::vector<DrawnText> texts;
    note_texts(&texts);
    driver.frame(model);
    note_texts(nullptr);
    return texts;
}

}  // namespace tonescope::ui
