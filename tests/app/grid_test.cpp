// The grid's cells: what they ask for, and what comes on screen.
#include "app/viewer/live/grid.h"

#include <gtest/gtest.h>

#include "tests/app/workers.h"

namespace tonescope {
namespace {

class GridTest : public testing::Test {
  protected:
    GridTest() {
        HostImage image({20, 10, PixelFormat::gray8, false});
        for (size_t i = 0; i < image.size_bytes(); ++i) image.data()[i] = uint8_t(i);
        image_ = std::make_shared<const HostImage>(std::move(image));
        set_.op = find_operator("kuwahara");
        set_.variant = preferred_variant("kuwahara", BackendKind::cpu);
        set_.params = default_values(set_.op->params);
        set_.variant_params = default_values(set_.variant->params);
    }
    bool update() { return grid_.update(wanted_, numbers_, image_, set_, -1); }
    bool finish() {
        return workers_.wait([&] {
            update();
            return !grid_.busy();
        });
    }
    ui::GridModel model() const {
        ui::GridModel model;
        grid_.fill(model);
        return model;
    }

    Workers workers_;
    std::array<std::shared_ptr<const Pyramid>, kCellRoles.size()> shown_;
    int changes_ = 0;
    std::shared_ptr<const HostImage> image_;
    RunSpec set_;
    ui::GridView wanted_;
    Rect numbers_;
    Grid grid_{{[this](size_t cell, std::shared_ptr<const Pyramid> picture) {
                    shown_[cell] = std::move(picture);
                    ++changes_;
                },
                [this](size_t cell) {
                    Picture picture;
                    if (shown_[cell]) picture.tiles.push_back({unsigned(cell + 1), {}});
                    return picture;
                }},
               [] {}};
};

TEST_F(GridTest, ShowsAResultForEachValue) {
    EXPECT_FALSE(update());
    EXPECT_TRUE(model().cells.empty());
    wanted_ = {find_param(set_.op->params, "radius"), false, {1, 2, 3, 4, 5}};
    EXPECT_TRUE(update());
    ASSERT_EQ(model().cells.size(), 4U) << "there are no more cells on screen";
    EXPECT_TRUE(model().cells[0].busy);
    EXPECT_TRUE(model().cells[0].picture.empty());
    EXPECT_LT(model().cells[0].ms, 0);
    ASSERT_TRUE(finish());
    for (size_t k = 0; k < 4; ++k) {
        const ui::GridCell cell = model().cells[k];
        EXPECT_EQ(cell.value, int(k + 1));
        EXPECT_EQ(cell.picture.tiles.at(0).texture, k + 1);
        EXPECT_GE(cell.ms, 0);
        EXPECT_FALSE(cell.is_stale);
        EXPECT_TRUE(cell.numbers.values.empty());
    }
}

TEST_F(GridTest, OnlyWhatIsNewComesOnScreen) {
    wanted_ = {find_param(set_.op->params, "radius"), false, {1, 2}};
    ASSERT_TRUE(finish());
    update();
    const int before = changes_;
    update();
    EXPECT_EQ(changes_, before);
    wanted_.values[1] = 3;
    update();
    EXPECT_TRUE(model().cells[1].is_stale) << "the old picture stays meanwhile";
    EXPECT_FALSE(model().cells[0].is_stale);
    ASSERT_TRUE(finish());
    EXPECT_EQ(changes_, before + 1);
    wanted_ = {};
    update();
    EXPECT_EQ(shown_[0], nullptr);
    EXPECT_EQ(shown_[1], nullptr);
}

TEST_F(GridTest, AParameterOfAnotherOperatorIsNotAskedFor) {
    wanted_ = {find_param(find_operator("clahe")->params, "clip_limit"), false, {100, 200}};
    update();
    EXPECT_TRUE(model().cells.empty()) << "the operator has changed since the view was drawn";
    EXPECT_FALSE(grid_.busy());
}

TEST_F(GridTest, NumbersComeAlong) {
    wanted_ = {find_param(set_.op->params, "radius"), false, {1}};
    numbers_ = {2, 3, 4, 5};
    ASSERT_TRUE(finish());
    EXPECT_EQ(model().cells[0].numbers.values.size(), 20U);
    EXPECT_EQ(model().cells[0].numbers.region.x, 2);
}

}  // namespace
}  // namespace tonescope
