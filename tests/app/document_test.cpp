// The images that are open.
#include "app/viewer/document.h"

#include <gtest/gtest.h>

namespace tonescope {
namespace {

TEST(Document, AnImageThatComesBackIsNotLoading) {
    RunSpec spec;
    spec.op = find_operator("kuwahara");
    spec.variant = preferred_variant("kuwahara", BackendKind::cpu);
    spec.params = default_values(spec.op->params);
    Document document(spec);
    OpenImage& first = document.add("a.png");
    document.select(0);
    first.image = std::make_shared<const HostImage>(ImageSpec{4, 3, PixelFormat::gray8, false});
    first.stamp.emplace();
    first.state = OpenImage::State::loading;  // once more
    const OpenImage kept = first;
    const uint64_t next = document.replace_current("b.png").id;
    document.put_back(next, kept);
    EXPECT_EQ(document.current()->path, "a.png");
    EXPECT_EQ(document.current()->state, OpenImage::State::ready);
    EXPECT_FALSE(document.current()->stamp) << "what is in the file now is not what was read";
}

}  // namespace
}  // namespace tonescope
