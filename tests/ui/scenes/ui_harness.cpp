// Draws made-up situations of the interface and saves them as PNG: what a person looks at after a change.
//   ui_harness [--size WxH] [--scale S] [--theme dark|light] [--state NAME] [--image FILE] FOLDER
#include <glad/gl.h>
// After glad, which brings its own OpenGL declarations.
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_opengl3.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "gpu/present/view_renderer.h"
#include "tests/ui/scenes/scenes.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STB_IMAGE_WRITE_STATIC
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image.h>
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace tonescope::ui {
namespace {

/// Two textures, so that the seam between tiles shows if there is one.
Picture upload(const ImageView& image) {
    Picture picture;
    picture.spec = image.spec;
    const int half = (image.spec.width + 1) / 2;
    for (int x = 0; x < image.spec.width; x += half) {
        const int width = std::min(half, image.spec.width - x);
        unsigned texture = 0;
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
        glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
        glPixelStorei(GL_UNPACK_ROW_LENGTH, static_cast<int>(image.pitch_bytes) / bytes_per_pixel(image.spec.format));
        const bool gray = image.spec.format == PixelFormat::gray8;
        if (gray) {
            const GLint swizzle[] = {GL_RED, GL_RED, GL_RED, GL_ONE};
            glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, swizzle);
        }
        glTexImage2D(GL_TEXTURE_2D, 0, gray ? GL_R8 : GL_RGBA8, width, image.spec.height, 0, gray ? GL_RED : GL_RGBA,
                     GL_UNSIGNED_BYTE, image.pixel(x, 0));
        glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
        glGenerateMipmap(GL_TEXTURE_2D);
        picture.tiles.push_back({texture, {x, 0, width, image.spec.height}});
    }
    return picture;
}

HostImage load(const char* path) {
    int width = 0;
    int height = 0;
    int channels = 0;
    unsigned char* pixels = stbi_load(path, &width, &height, &channels, 4);
    if (pixels == nullptr) return {};
    HostImage image({width, height, PixelFormat::rgba8, channels == 4});
    for (int y = 0; y < height; ++y)
        std::memcpy(image.mutable_view().row(y), pixels + size_t(y) * size_t(width) * 4, size_t(width) * 4);
    stbi_image_free(pixels);
    return image;
}

void save(const std::string& path, int width, int height) {
    std::vector<unsigned char> pixels(size_t(width) * size_t(height) * 3);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, pixels.data());
    stbi_flip_vertically_on_write(1);
    if (stbi_write_png(path.c_str(), width, height, 3, pixels.data(), width * 3) == 0)
        std::fprintf(stderr, "%s: cannot be written\n", path.c_str());
    else
        std::printf("%s\n", path.c_str());
}

struct Options {
    int width = 1280, height = 800;
    float scale = 1;
    ThemeKind theme = ThemeKind::dark;
    std::string state, image, folder;
};

bool parse(int argc, char** argv, Options& options) {
    for (int k = 1; k < argc; ++k) {
        const std::string_view name = argv[k];
        const bool has_value = k + 1 < argc;
        if (name == "--size" && has_value) {
            if (std::sscanf(argv[++k], "%dx%d", &options.width, &options.height) != 2) return false;
        } else if (name == "--scale" && has_value) {
            options.scale = std::strtof(argv[++k], nullptr);
        } else if (name == "--theme" && has_value) {
            options.theme = std::strcmp(argv[++k], "light") == 0 ? ThemeKind::light : ThemeKind::dark;
        } else if (name == "--state" && has_value) {
            options.state = argv[++k];
        } else if (name == "--image" && has_value) {
            options.image = argv[++k];
        } else if (options.folder.empty() && !name.starts_with("-")) {
            options.folder = name;
        } else {
            return false;
        }
    }
    return !options.folder.empty();
}

void shoot(const Options& options, const Scene& scene) {
    if (!options.state.empty() && options.state != scene.name) return;
    Driver driver(options.width, options.height, options.scale);
    Settings look;
    look.theme = options.theme;
    driver.interface().set_settings(look);
    ImGui_ImplOpenGL3_Init("#version 330 core");
    ImGui_ImplOpenGL3_NewFrame();
    const ViewRenderer renderer;
    Model model = scene.model;
    model.views.draw_difference = [&](const DifferenceView& view) { renderer.draw(view); };
    model.views.draw_clipping = [&](const ClippingView& view) { renderer.draw(view); };
    if (scene.act)
        scene.act(driver, model);
    else
        driver.frames(model, 3);
    glViewport(0, 0, options.width, options.height);
    glEnable(GL_SCISSOR_TEST);
    for (const auto& [area, color] : driver.interface().background_fills()) {  // as the window clears them
        glScissor(area.x, options.height - area.y - area.height, area.width, area.height);
        const ImVec4 part = ImGui::ColorConvertU32ToFloat4(color);
        glClearColor(part.x, part.y, part.z, 1);
        glClear(GL_COLOR_BUFFER_BIT);
    }
    glDisable(GL_SCISSOR_TEST);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    const std::string size = std::to_string(options.width) + "x" + std::to_string(options.height);
    char scale[16];
    std::snprintf(scale, sizeof(scale), "@%g", static_cast<double>(options.scale));
    save(options.folder + "/" + scene.name + "-" + size + scale + ".png", options.width, options.height);
    ImGui_ImplOpenGL3_Shutdown();
}

int run(int argc, char** argv) {
    Options options;
    if (!parse(argc, argv, options)) {
        std::fprintf(
            stderr,
            "usage: ui_harness [--size WxH] [--scale S] [--theme dark|light] [--state NAME] [--image FILE] FOLDER\n");
        return 2;
    }
    if (glfwInit() == GLFW_FALSE) return 1;
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    GLFWwindow* window = glfwCreateWindow(64, 64, "ui_harness", nullptr, nullptr);
    if (window == nullptr) return 1;
    glfwMakeContextCurrent(window);
    gladLoadGL(glfwGetProcAddress);
    unsigned buffer = 0;
    unsigned color = 0;
    glGenFramebuffers(1, &buffer);
    glBindFramebuffer(GL_FRAMEBUFFER, buffer);
    glGenRenderbuffers(1, &color);
    glBindRenderbuffer(GL_RENDERBUFFER, color);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, options.width, options.height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
    const HostImage photo = options.image.empty() ? HostImage() : load(options.image.c_str());
    for (const Scene& scene : make_scenes(upload, photo)) shoot(options, scene);
    glfwDestroyWindow(window);
    glfwTerminate();
    return 0;
}

}  // namespace
}  // namespace tonescope::ui

int main(int argc, char** argv) {
    return tonescope::ui::run(argc, argv);
}
