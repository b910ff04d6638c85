// --info: what there is on this machine and in this build.
#include "app/cli/modes.h"

#include <glad/gl.h>
//
#include <GLFW/glfw3.h>
#include <imgui.h>

#include <CLI/Version.hpp>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/sandbox/sandbox.h"
#include "gpu/core/error.h"
#include "gpu/present/presenter.h"

namespace tonescope {
namespace {

constexpr int kKeyWidth = 18;

void print(const std::string& key, const std::string& value) {
    std::cout << std::left << std::setw(kKeyWidth) << (key + ":") << value << "\n";
}

std::string version_text(int major, int minor, int patch) {
    return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

void print_build() {
    print("version", TONESCOPE_VERSION);
#if defined(__clang__)
    print("compiler", "Clang " + version_text(__clang_major__, __clang_minor__, __clang_patchlevel__));
#elif defined(__GNUC__)
    print("compiler", "GCC " + version_text(__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__));
#endif
#ifdef NDEBUG
    print("build", "optimized");
#else
    print("build", "debug");
#endif
    print("CUDA toolkit", TONESCOPE_CUDA_TOOLKIT);
}

/// Returns why there is no CUDA; empty where there is.
std::string print_backends(const Options& options) {
    print("CPU backend", make_cpu_backend()->device_name());
    std::string reason;
    const std::unique_ptr<Backend> cuda = try_cuda_backend(options.device, &reason);
    print("CUDA backend", cuda ? cuda->device_name() : "not available: " + reason);
    return reason;
}

std::string gl_text(GLenum name) {
    const GLubyte* text = glGetString(name);
    return text == nullptr ? "unknown" : reinterpret_cast<const char*>(text);
}

std::string glfw_problem;

/// A context without a visible window; null, and glfw_problem set, where there is none.
GLFWwindow* open_context() {
    glfwSetErrorCallback([](int, const char* text) { glfw_problem = text; });
    if (glfwInit() != GLFW_TRUE) return nullptr;
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    GLFWwindow* window = glfwCreateWindow(64, 64, "tonescope", nullptr, nullptr);
    if (window == nullptr) return nullptr;
    glfwMakeContextCurrent(window);
    if (gladLoadGL(glfwGetProcAddress) != 0) return window;
    glfw_problem = "its functions could not be loaded";
    return nullptr;
}

/// Where there is no CUDA it is not asked again: it may not answer.
void print_opengl(const Options& options, const std::string& no_cuda) {
    if (open_context() == nullptr) {
        const bool no_display = std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr;
        print("OpenGL", "not available: " + (no_display ? "no display (DISPLAY is not set)" : glfw_problem));
        print("interop", "off: needs OpenGL");
        return;
    }
    print("OpenGL", gl_text(GL_VERSION));
    print("OpenGL vendor", gl_text(GL_VENDOR));
    print("OpenGL renderer", gl_text(GL_RENDERER));
    if (!no_cuda.empty()) return print("interop", "off: " + no_cuda);
    std::string reason;
    try {
        const std::unique_ptr<Presenter> interop = make_interop_presenter(options.device, &reason);
        print("interop", interop ? "on" : "off: " + reason);
    } catch (const UserError& error) {
        print("interop", std::string("off: ") + error.what());
    }
}

void print_libraries() {
    int major = 0, minor = 0, patch = 0;
    glfwGetVersion(&major, &minor, &patch);
    print("GLFW", version_text(major, minor, patch));
    print("Dear ImGui", ImGui::GetVersion());
    print("nlohmann json",
          version_text(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH));
    print("CLI11", CLI11_VERSION);
}

}  // namespace

int run_info(const Options& options) {
    print_build();
    print("decoding", sandbox::describe());
    print_opengl(options, print_backends(options));
    print_libraries();
    glfwTerminate();
    return 0;
}

}  // namespace tonescope
