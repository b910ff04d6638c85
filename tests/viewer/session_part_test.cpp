// What of an image a session filters is kept until the image is shown, and where it is missing for the next session.
// The command line's options go before it.
#include "tests/present/gl_fixture.h"

#include <chrono>
#include <filesystem>
#include <thread>

#include "app/image_io/image_io.h"
#include "app/viewer/session.h"
#include "app/viewer/viewer.h"
#include "tests/app/temporary_folder.h"
#include "tests/image_tools.h"

namespace tonescope {
namespace {

class SessionPart : public GlTest {
  protected:
    std::string save_picture(const std::string& name) {
        const std::string path = folder_.file(name);
        save_image(path, noise(61, 47, PixelFormat::rgba8, 1).view());
        return path;
    }
    template <class Done>
    static bool reach(Viewer& viewer, Done done) {
        for (const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
             std::chrono::steady_clock::now() < end; std::this_thread::sleep_for(std::chrono::milliseconds(2))) {
            viewer.update({});
            if (viewer.settled() && done()) return true;
        }
        return false;
    }
    /// A window that has the session open, and shows this image.
    std::unique_ptr<Viewer> open(const std::string& session, const std::string& shown, Options options = {}) {
        options.inputs = {session};
        options.backend = BackendChoice::cpu;
        auto viewer = std::make_unique<Viewer>(options, [] {});
        viewer->images().open({session});
        EXPECT_TRUE(reach(*viewer, [&] { return shows(*viewer, shown); }));
        return viewer;
    }
    static bool shows(Viewer& viewer, const std::string& path) {
        return viewer.pipeline().image() && viewer.pipeline().image_place().first == path;
    }
    Session saved(Viewer& viewer, const std::string& name) {
        const std::string path = folder_.file(name);
        viewer.save_session(path, {}, {});
        EXPECT_TRUE(reach(viewer, [&] { return std::filesystem::exists(path); }));
        return read_session(path);
    }

    const TemporaryFolder folder_;
};

TEST_F(SessionPart, OfAMissingImageIsKept) {
    const std::string a = folder_.file("a.ppm"), b = save_picture("b.ppm"), path = folder_.file("all.tonescope");
    const ResultPart part{.region = {5, 6, 20, 10}, .feather_px = 3}, other{.region = {1, 2, 9, 9}};
    Session session;
    session.images = {{{a}}, {{b}}};
    session.part = part;
    write_json_file(path, session_json(session, path));

    auto viewer = open(path, b);
    viewer->perform(ui::SetPart{other});
    const Session second = saved(*viewer, "second.tonescope");
    EXPECT_EQ(second.current, 1U);
    EXPECT_EQ(second.part, other);
    EXPECT_EQ(second.images[0].part, part);

    // It comes back with its image.
    save_picture("a.ppm");
    viewer = open(folder_.file("second.tonescope"), b);
    EXPECT_EQ(saved(*viewer, "third.tonescope").images, (read_session(folder_.file("second.tonescope")).images));
    viewer->images().select(0);
    ASSERT_TRUE(reach(*viewer, [&] { return shows(*viewer, a); }));
    EXPECT_EQ(viewer->model().run.part, part);
    EXPECT_EQ(saved(*viewer, "fourth.tonescope").images[0].part, std::nullopt) << "it is the current image's again";
}

TEST_F(SessionPart, GoesBehindTheCommandLine) {
    const std::string a = save_picture("a.ppm"), path = folder_.file("all.tonescope");
    const std::string theirs = save_picture("theirs.ppm"), mine = save_picture("mine.ppm"), gone = folder_.file("gone");
    Session session;
    session.images = {{{a}}};
    session.part = {.region = {5, 6, 20, 10}, .feather_px = 3, .mask_path = theirs, .mask_inverse = true};
    write_json_file(path, session_json(session, path));
    const auto shown = [&](const ResultPart& asked) {
        Options options;
        options.part = asked;
        const auto viewer = open(path, a, options);
        ResultPart part = viewer->model().run.part;
        EXPECT_NE(part.mask, nullptr);
        part.mask.reset();
        return part;
    };
    EXPECT_EQ(shown({}), session.part);
    EXPECT_EQ(shown({.mask_path = mine}), (ResultPart{{5, 6, 20, 10}, 3, {}, mine, false}));
    EXPECT_EQ(shown({.region = {1, 2, 9, 9}}), (ResultPart{{1, 2, 9, 9}, 0, {}, theirs, true}));
    EXPECT_EQ(shown({.mask_path = gone}), session.part) << "what cannot be read takes no mask's place";
    session.part = {};
    write_json_file(path, session_json(session, path));
    EXPECT_EQ(shown({.mask_path = mine, .mask_inverse = true}), (ResultPart{{}, 0, {}, mine, true}));
}

TEST_F(SessionPart, HasNoMaskThatWasNotRead) {
    const std::string a = save_picture("a.ppm"), small = folder_.file("small.ppm");
    save_image(small, noise(9, 9, PixelFormat::gray8, 1).view());
    for (const std::string& mask : {folder_.file("gone.ppm"), folder_.file("."), small}) {
        Options options;
        options.part = {.region = {1, 2, 9, 9}, .mask_path = mask, .mask_inverse = true};
        const auto viewer = open(a, a, options);
        EXPECT_EQ(viewer->model().run.part, (ResultPart{.region = {1, 2, 9, 9}}));
        EXPECT_EQ(saved(*viewer, "of " + std::to_string(mask.size())).part, (ResultPart{.region = {1, 2, 9, 9}}));
    }
}

TEST_F(SessionPart, OfAClosedImageIsForgotten) {
    const std::string a = folder_.file("a.ppm"), b = save_picture("b.ppm"), path = folder_.file("all.tonescope");
    Session session;
    session.images = {{{a}}, {{b}}};
    session.part = {.region = {5, 6, 20, 10}};
    write_json_file(path, session_json(session, path));
    auto viewer = open(path, b);
    viewer->perform(ui::CloseImage{0});
    save_picture("a.ppm");
    viewer->images().open({a});
    ASSERT_TRUE(reach(*viewer, [&] { return shows(*viewer, a); }));
    EXPECT_EQ(viewer->model().run.part, ResultPart{});
}

}  // namespace
}  // namespace tonescope
