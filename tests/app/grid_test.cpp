// Results of several values of one parameter: what comes of them, and what is not run again.
#include "app/viewer/live/grid.h"

#include <gtest/gtest.h>

#include <bit>
#include <chrono>
#include <random>
#include <string>

#include "app/viewer/choices.h"
#include "tests/app/workers.h"
#include "tests/image_tools.h"

namespace tonescope {
namespace {

/// Few values, so that every clip limit matters.
std::shared_ptr<const HostImage> noise(int width, int height, unsigned seed) {
    auto image = std::make_shared<HostImage>(ImageSpec{width, height, PixelFormat::rgba8, false});
    std::mt19937 random(seed);
    for (size_t i = 0; i < image->size_bytes(); ++i)
        image->data()[i] = uint8_t(i % 4 == 3 ? 255 : 100 + std::popcount(random() & 0xfff));
    return image;
}

class GridTest : public testing::Test {
  protected:
    GridTest() { choose("clahe", "cpu"); }
    void choose(std::string_view op, std::string_view variant) {
        set_ = {find_operator(op), find_variant(op, variant), {}, {}, MemoryMode::pinned};
        set_.params = default_values(set_.op->params);
        set_.variant_params = default_values(set_.variant->params);
    }
    bool update(const char* param, std::vector<int32_t> values, int device = -1) {
        wanted_.columns = {{find_param(set_.op->params, param)}, std::move(values)};
        return update(device);
    }
    bool update(int device = -1) {
        const auto run_with = [this](const std::vector<ui::ParamValue>& values) {
            RunSpec run = set_;
            for (const auto& [param, value] : values) run.params.set(*param.info, value);
            return run;
        };
        return grid_.update(wanted_, numbers_, {image_, compared_, region_, device}, run_with);
    }
    void finish() {
        ASSERT_TRUE(workers_.wait([&] {
            update();
            return !grid_.busy();
        }));
    }
    ui::GridModel model() const {
        ui::GridModel model;
        grid_.fill(model, pixel_, image_subject_);
        return model;
    }

    Workers workers_;
    std::shared_ptr<const HostImage> image_ = noise(333, 217, 1);
    RunSpec set_;
    std::shared_ptr<const HostImage> compared_;
    Rect region_;
    ui::GridView wanted_;
    Rect numbers_;
    std::optional<Pixel> pixel_;
    ui::PictureSubject image_subject_;
    Grid grid_{[] {}};
};

TEST_F(GridTest, GivesTheBytesOfSingleRuns) {
    EXPECT_FALSE(update("clip_limit", {}));
    EXPECT_TRUE(model().cells.empty());
    EXPECT_TRUE(update("clip_limit", {100, 200, 400, 800}));
    ASSERT_EQ(model().cells.size(), 4U);
    EXPECT_TRUE(grid_.busy());
    EXPECT_EQ(grid_.progress(), 0);
    EXPECT_TRUE(model().cells[0].busy);
    EXPECT_LT(model().cells[0].subject.ms, 0);
    finish();
    EXPECT_EQ(grid_.progress(), 1);
    const std::unique_ptr<Backend> backend = make_cpu_backend();
    for (size_t k = 0; k < 4; ++k) {
        const ui::GridCell cell = model().cells[k];
        ASSERT_NE(grid_.pyramid(k), nullptr) << cell.error;
        EXPECT_GT(cell.subject.ms, 0);
        EXPECT_FALSE(cell.is_stale);
        EXPECT_TRUE(cell.numbers.values.empty());
        set_.params.set(*wanted_.columns.param.info, wanted_.columns.values[k]);
        EXPECT_EQ(cell.subject.run, set_) << "what the caption says";
        const ImageView picture = grid_.pyramid(k)->image->view();
        EXPECT_TRUE(same_pixels(picture, backend->run(image_->view(), set_).image.view()));
        EXPECT_FALSE(k > 0 && same_pixels(picture, grid_.pyramid(k - 1)->image->view()));
    }
    EXPECT_EQ(grid_.pyramid(4), nullptr);
}

/// As while the view still varies a parameter of the histogram lab's variant, whose result is no image.
TEST_F(GridTest, OperatorsThatMakeBinsHaveNoCells) {
    const std::vector<const VariantInfo*> variants = variants_of("histogram");
    const auto varied = std::ranges::find_if(variants, [](const VariantInfo* v) { return !v->params.empty(); });
    ASSERT_NE(varied, variants.end());
    choose("histogram", (*varied)->id);
    ASSERT_TRUE(set_.op->makes_bins);
    wanted_.columns = {{&set_.variant->params.front(), true}, {set_.variant->params.front().default_value}};
    EXPECT_FALSE(update());
    EXPECT_TRUE(model().cells.empty());
}

/// As where a GPU has no variant for one of the values.
TEST_F(GridTest, AValueThatNoVariantTakesIsAnError) {
    const ParamInfo* const limit = find_param(set_.op->params, "clip_limit");
    wanted_.columns = {{limit}, {100, 400}};
    const auto run_with = [&](const std::vector<ui::ParamValue>& values) {
        RunSpec run = set_;
        for (const auto& [param, value] : values) run.params.set(*param.info, value);
        if (run.params.get(*limit) == 400) run.variant = nullptr;
        return run;
    };
    ASSERT_TRUE(workers_.wait([&] {
        grid_.update(wanted_, numbers_, {image_, compared_, region_, -1}, run_with);
        return !grid_.busy();
    }));
    EXPECT_NE(grid_.pyramid(0), nullptr);
    EXPECT_EQ(grid_.pyramid(1), nullptr);
    EXPECT_EQ(model().cells[1].error, "no variant on the GPU takes the image with these values");
}

TEST_F(GridTest, RunsOnlyWhatHasChanged) {
    update("clip_limit", {100, 200, 400});
    finish();
    const auto pyramids = [&] { return std::vector{grid_.pyramid(0), grid_.pyramid(1), grid_.pyramid(2)}; };
    const auto before = pyramids();
    EXPECT_FALSE(update("clip_limit", {100, 200, 400}));
    EXPECT_FALSE(grid_.busy());
    update("clip_limit", {100, 250, 400, 800});
    EXPECT_TRUE(model().cells[1].is_stale) << "the old result stays until the new one is there";
    EXPECT_FALSE(model().cells[0].is_stale);
    EXPECT_EQ(pyramids(), before);
    finish();
    EXPECT_EQ(grid_.pyramid(0), before[0]);
    EXPECT_NE(grid_.pyramid(1), before[1]);
    EXPECT_EQ(grid_.pyramid(2), before[2]);
    EXPECT_NE(grid_.pyramid(3), nullptr);
    image_ = noise(333, 217, 3);
    update("clip_limit", {100, 250, 400, 800});
    EXPECT_EQ(grid_.pyramid(0), nullptr) << "nothing of another image stays";
    finish();
    EXPECT_NE(grid_.pyramid(0), nullptr);
}

TEST_F(GridTest, EachResultHasItsFigure) {
    wanted_.figure = find_figure("largest_difference");
    update("clip_limit", {100, 400});
    finish();
    const auto largest = [&](size_t k, const HostImage& before, const Rect& part) {
        const ImageView from = part_of(before.view(), part);
        const ImageView to = part_of(grid_.pyramid(k)->image->view(), part);
        return double(measure_difference(from, to, 2).largest);
    };
    const Rect whole{0, 0, image_->width(), image_->height()};
    for (size_t k = 0; k < 2; ++k) {
        ASSERT_TRUE(model().cells[k].is_measured);
        EXPECT_EQ(model().cells[k].figure, largest(k, *image_, whole));
    }
    // Of a part, and beside a reference: nothing is run again.
    const auto pyramid = grid_.pyramid(1);
    region_ = {10, 20, 30, 40};
    compared_ = noise(333, 217, 9);
    update();
    EXPECT_FALSE(model().cells[1].is_measured);
    EXPECT_FALSE(model().cells[1].is_stale);
    finish();
    EXPECT_EQ(grid_.pyramid(1), pyramid);
    EXPECT_EQ(model().cells[1].figure, largest(1, *compared_, region_));
    compared_ = noise(10, 10, 1);
    update();
    finish();
    EXPECT_TRUE(model().cells[1].is_measured);
    EXPECT_EQ(model().cells[1].figure, std::nullopt) << "of another size";
    wanted_.figure = nullptr;
    update();
    EXPECT_FALSE(grid_.busy());
    EXPECT_FALSE(model().cells[1].is_measured);
}

TEST_F(GridTest, CellsFillFromTheValuesThatAreSet) {
    set_.params.set(*find_param(set_.op->params, "clip_limit"), 800);
    image_ = noise(1200, 900, 2);
    update("clip_limit", {100, 200, 400, 800, 1600});
    std::vector<size_t> order;
    ASSERT_TRUE(workers_.wait([&] {
        update();
        for (size_t k = 0; k < 5; ++k)
            if (!model().cells[k].busy && std::ranges::find(order, k) == order.end()) order.push_back(k);
        return !grid_.busy();
    }));
    ASSERT_EQ(order.size(), 5U);
    const auto place = [&](size_t k) { return std::ranges::find(order, k) - order.begin(); };
    EXPECT_LE(place(3), place(2));
    EXPECT_LE(place(3), place(4));
    EXPECT_LE(place(2), place(1));
    EXPECT_LE(place(1), place(0));
}

TEST_F(GridTest, NewRequestsReplaceOldOnesAndRunsStop) {
    choose("kuwahara", "cpu");
    image_ = noise(1500, 1000, 4);
    update("radius", {64});  // plain loops: minutes
    update("radius", {1});
    finish();
    EXPECT_FALSE(model().cells[0].is_stale);
    update("radius", {64});
    grid_.cancel();
    EXPECT_FALSE(grid_.busy());
    update("radius", {64});
    EXPECT_FALSE(grid_.busy()) << "a canceled run starts again only when something else is asked for";
    EXPECT_TRUE(model().cells[0].is_stale);
    update("radius", {});
    EXPECT_TRUE(model().cells.empty());
    EXPECT_EQ(grid_.pyramid(0), nullptr);
}

TEST_F(GridTest, AnErrorBelongsToItsCell) {
    update("clip_limit", {100});
    finish();
    choose("clahe", "simple");               // of the GPU, which a build without CUDA lacks
    update("clip_limit", {100, 200}, 1000);  // nor has any machine that many GPUs
    EXPECT_EQ(model().cells[0].error, "");
    EXPECT_NE(grid_.pyramid(0), nullptr) << "the old result stays until the error is there";
    finish();
    for (size_t k = 0; k < 2; ++k) {
        EXPECT_EQ(grid_.pyramid(k), nullptr);
        EXPECT_FALSE(model().cells[k].error.empty());
        EXPECT_EQ(model().cells[k].error.find('\n'), std::string::npos);
    }
}

TEST_F(GridTest, AParameterOfAnotherOperatorIsNotAskedFor) {
    wanted_.columns = {{find_param(find_operator("kuwahara")->params, "radius")}, {1, 2}};
    update();
    EXPECT_TRUE(model().cells.empty()) << "the operator has changed since the view was drawn";
    EXPECT_FALSE(grid_.busy());
}

TEST_F(GridTest, ACellForEachPairOfValues) {
    const ui::ParamPlace size{find_param(set_.op->params, "tile_size")};
    wanted_.rows = {size, {16, 64, 128}};
    pixel_ = Pixel{70, 80};
    update("clip_limit", {100, 900});
    ASSERT_EQ(model().cells.size(), 6U);
    finish();
    const std::unique_ptr<Backend> backend = make_cpu_backend();
    for (size_t k = 0; k < 6; ++k) {
        set_.params.set(*size.info, wanted_.rows.values[k / 2]);
        set_.params.set(*wanted_.columns.param.info, wanted_.columns.values[k % 2]);
        const HostImage expected = backend->run(image_->view(), set_).image;
        ASSERT_NE(grid_.pyramid(k), nullptr);
        EXPECT_TRUE(same_pixels(grid_.pyramid(k)->image->view(), expected.view())) << k;
        const ui::GridCell cell = model().cells[k];
        EXPECT_EQ(cell.subject.run, set_);
        EXPECT_EQ(cell.pixel.channels, 3);
        EXPECT_EQ(cell.pixel.value[1], expected.view().pixel(70, 80)[1]) << "the status line tells the pane's value";
    }
    wanted_.rows = {size, std::vector<int32_t>(kMaxCells, 64)};
    update("clip_limit", {100, 900});
    EXPECT_EQ(model().cells.size(), kMaxCells) << "there are no more cells on screen";
    wanted_.rows = {};
    update("clip_limit", {100, 900});
    EXPECT_EQ(model().cells.size(), 2U);
}

/// The file of results (--gtest_output) tells how long a sheet takes that is not the first one.
TEST_F(GridTest, ASheetOfAMegapixelIsThereSoon) {
#ifdef __SANITIZE_THREAD__  // is many times slower, above all where other programs run, too
    image_ = noise(256, 256, 5);
#else
    image_ = noise(1024, 1024, 5);
#endif
    set_.variant = preferred_variant("clahe", BackendKind::cuda);
    try {
        make_cuda_backend();
    } catch (const DeviceError&) {
        set_.variant = preferred_variant("clahe", BackendKind::cpu);
    }
    set_.variant_params = default_values(set_.variant->params);
    wanted_.rows = {{find_param(set_.op->params, "tile_size")}, {16, 32, 64, 128, 256}};
    for (const char* const figure : {"", "noise_gain"}) {
        wanted_.figure = find_figure(figure);
        update("clip_limit", {100, 150, 200, 250, 300});
        finish();
        const auto begin = std::chrono::steady_clock::now();
        update("clip_limit", {400, 500, 600, 700, 800});
        ASSERT_TRUE(workers_.wait([&] {
            update();
            return std::ranges::none_of(model().cells,
                                        [](const ui::GridCell& cell) { return cell.is_stale || !cell.subject.run; });
        }));
        if (*figure != 0) {
            RecordProperty("pictures_ms", std::to_string(ms_since(begin)));
            EXPECT_TRUE(grid_.busy());
        }
        finish();
        const double ms = ms_since(begin);
        RecordProperty(*figure == 0 ? "sheet_ms" : "sheet_with_noise_gain_ms", std::to_string(ms));
        EXPECT_LT(ms, 60'000);
        for (size_t k = 0; k < 25; ++k) {
            EXPECT_EQ(model().cells[k].error, "");
            EXPECT_EQ(model().cells[k].is_measured, *figure != 0);
        }
    }
    // Other figures of results that are there.
    for (const FigureInfo& figure : figures()) {
        wanted_.figure = &figure;
        const auto begin = std::chrono::steady_clock::now();
        update("clip_limit", {400, 500, 600, 700, 800});
        finish();
        RecordProperty(std::string(figure.id) + "_ms", std::to_string(ms_since(begin)));
        EXPECT_TRUE(std::ranges::all_of(model().cells, &ui::GridCell::is_measured)) << figure.id;
    }
}

TEST_F(GridTest, PanesShowWhatUsingTheirValuesGives) {
    const auto place = [](const char* id) { return ui::ParamPlace{find_param(find_operator("clahe")->params, id)}; };
    const std::vector<ui::GridView> views = {
        {{place("clip_unit"), {0, 1}}, {}},
        {{place("tiles"), {0, 1}}, {}},
        {{place("tiles"), {0, 1}}, {place("clip_unit"), {0, 1}}},
        {{place("tiles"), {0, 1}}, {place("tile_size"), {32, 128}}},
        {{place("tile_size"), {32, 128}}, {place("tiles"), {0, 1}}},
        {{place("clip_limit"), {200, 700}}, {place("clip_unit"), {0, 1}}},
    };
    const auto by_count = ui::SetParam{place("clip_unit").info, false, 1};
    for (const std::vector<ui::Action>& steps : std::vector<std::vector<ui::Action>>{{}, {by_count}}) {
        Choices chosen(set_, BackendKind::cpu, [](BackendKind backend) { return backend; });
        for (const ui::Action& step : steps) chosen.perform(step, image_->spec());
        for (const ui::GridView& view : views) {
            Choices choices = chosen;
            const auto run_with = [&](const auto& values) { return choices.run_spec(values, image_->spec()); };
            grid_.update(view, {}, {image_}, run_with);
            const std::vector<ui::GridCell> cells = model().cells;
            ASSERT_EQ(cells.size(), view.cell_count());
            for (size_t k = 0; k < cells.size(); ++k) {
                choices = chosen;
                for (const auto& [param, value] : view.values_of(k))
                    choices.perform(ui::SetParam{param.info, param.of_variant, value, 7}, image_->spec());
                EXPECT_EQ(choices.run_spec(), cells[k].wanted) << view.columns.param.info->id << " " << k;
            }
            ASSERT_TRUE(workers_.wait([&] {
                choices = chosen;
                grid_.update(view, {}, {image_}, run_with);
                return !grid_.busy();
            }));
            for (const ui::GridCell& cell : model().cells) EXPECT_EQ(cell.subject.run, cell.wanted);
        }
    }
    // With slopes of 3 and tiles of 64 pixels, the count is 3 * 64 * 64 / 256.
    wanted_ = views[0];
    const Choices choices(set_, BackendKind::cpu, [](BackendKind backend) { return backend; });
    const RunSpec count = choices.run_spec(wanted_.values_of(1), image_->spec());
    EXPECT_EQ(count.params.get(*place("clip_count").info), 48);
}

TEST_F(GridTest, NumbersComeAlong) {
    numbers_ = {2, 3, 4, 5};
    update("clip_limit", {100});
    finish();
    EXPECT_EQ(model().cells[0].numbers.values.size(), 20U);
    EXPECT_EQ(model().cells[0].numbers.region.x, 2);
}

}  // namespace
}  // namespace tonescope
