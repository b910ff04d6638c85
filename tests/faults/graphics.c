// Calls of OpenGL and of the window system. The program has its functions of OpenGL from glfwGetProcAddress(); those
// that Dear ImGui loads by itself are left alone.
#define _GNU_SOURCE
#include <stddef.h>
#include <string.h>

#include "faults.h"

// OpenGL. The UI thread alone calls it.

enum { OUT_OF_MEMORY = 0x0505, LOST = 0x0507, FRAMEBUFFER_UNSUPPORTED = 0x8CDD };

static unsigned error;

/// Whether a call has no effect.
static int refuses(void) {
    const int is_hit = fails(OPENGL);
    if (is_hit) error = OUT_OF_MEMORY;
    return fails(LOST_CONTEXT) || is_hit;
}

#define WRAP(result, failure, name, parameters, arguments)  \
    static result(*real_##name) parameters;                 \
    static result my_##name parameters {                    \
        return refuses() ? failure : real_##name arguments; \
    }
#define WRAP_VOID(name, parameters, arguments) WRAP(void, (void)0, name, parameters, arguments)
#define WRAP_NAMES(name)                                     \
    static void (*real_##name)(int, unsigned*);              \
    static void my_##name(int count, unsigned* names) {      \
        if (refuses())                                       \
            memset(names, 0, (size_t)count * sizeof *names); \
        else                                                 \
            real_##name(count, names);                       \
    }

WRAP_NAMES(glGenTextures)
WRAP_NAMES(glGenBuffers)
WRAP_NAMES(glGenFramebuffers)
WRAP_NAMES(glGenRenderbuffers)
WRAP_NAMES(glGenVertexArrays)
WRAP_NAMES(glGenQueries)
WRAP_VOID(glTexStorage2D, (unsigned target, int levels, unsigned format, int width, int height),
          (target, levels, format, width, height))
WRAP_VOID(glTexImage2D,
          (unsigned target, int level, int stored, int width, int height, int border, unsigned format, unsigned type,
           const void* pixels),
          (target, level, stored, width, height, border, format, type, pixels))
WRAP_VOID(glTexSubImage2D,
          (unsigned target, int level, int x, int y, int width, int height, unsigned format, unsigned type,
           const void* pixels),
          (target, level, x, y, width, height, format, type, pixels))
WRAP_VOID(glGenerateMipmap, (unsigned target), (target))
WRAP_VOID(glBufferData, (unsigned target, ptrdiff_t bytes, const void* data, unsigned usage),
          (target, bytes, data, usage))
WRAP_VOID(glRenderbufferStorage, (unsigned target, unsigned format, int width, int height),
          (target, format, width, height))
WRAP_VOID(glReadPixels, (int x, int y, int width, int height, unsigned format, unsigned type, void* pixels),
          (x, y, width, height, format, type, pixels))
WRAP_VOID(glLinkProgram, (unsigned program), (program))
WRAP(unsigned, 0, glCreateShader, (unsigned type), (type))
WRAP(unsigned, 0, glCreateProgram, (void), ())
WRAP(unsigned, FRAMEBUFFER_UNSUPPORTED, glCheckFramebufferStatus, (unsigned target), (target))
WRAP(void*, NULL, glMapBufferRange, (unsigned target, ptrdiff_t at, ptrdiff_t bytes, unsigned access),
     (target, at, bytes, access))

/// The buffer's contents may be lost, but it is unmapped.
static unsigned char (*real_glUnmapBuffer)(unsigned);
static unsigned char my_glUnmapBuffer(unsigned target) {
    const unsigned char whole = real_glUnmapBuffer(target);
    return refuses() ? 0 : whole;
}

static unsigned (*real_glGetError)(void);
static unsigned my_glGetError(void) {
    if (fails(LOST_CONTEXT)) return LOST;
    const unsigned found = error;
    error = 0;
    return found != 0 ? found : real_glGetError();
}

typedef void (*Function)(void);
#define ROW(name) \
    { #name, (Function)my_##name, (Function*)&real_##name }
static const struct {
    const char* name;
    Function ours;
    Function* real;
} wrapped[] = {ROW(glGenTextures),
               ROW(glGenBuffers),
               ROW(glGenFramebuffers),
               ROW(glGenRenderbuffers),
               ROW(glGenVertexArrays),
               ROW(glGenQueries),
               ROW(glTexStorage2D),
               ROW(glTexImage2D),
               ROW(glTexSubImage2D),
               ROW(glGenerateMipmap),
               ROW(glBufferData),
               ROW(glRenderbufferStorage),
               ROW(glReadPixels),
               ROW(glLinkProgram),
               ROW(glCreateShader),
               ROW(glCreateProgram),
               ROW(glCheckFramebufferStatus),
               ROW(glMapBufferRange),
               ROW(glUnmapBuffer),
               ROW(glGetError)};

// GLFW

Function glfwGetProcAddress(const char* name) {
    const Function found = REAL(glfwGetProcAddress)(name);
    for (size_t k = 0; found != NULL && k < sizeof wrapped / sizeof *wrapped; ++k) {
        if (strcmp(name, wrapped[k].name) != 0) continue;
        *wrapped[k].real = found;
        return wrapped[k].ours;
    }
    return found;
}

static int has_failed;  // what glfwGetError() tells next

static int is_refused(void) {
    const int is_hit = fails(WINDOW_SYSTEM);
    has_failed |= is_hit;
    return is_hit;
}

int glfwGetError(const char** text) {
    if (!has_failed) return REAL(glfwGetError)(text);
    has_failed = 0;
    if (text != NULL) *text = "X11: a fault";
    return 0x00010008;  // GLFW_PLATFORM_ERROR
}

#define WRAP_GLFW(result, failure, name, parameters, arguments) \
    result name parameters {                                    \
        return is_refused() ? failure : REAL(name) arguments;   \
    }

struct Window;
WRAP_GLFW(int, 0, glfwInit, (void), ())
WRAP_GLFW(struct Window*, NULL, glfwCreateWindow, (int width, int height, const char* title, void* on, void* with),
          (width, height, title, on, with))
WRAP_GLFW(void, (void)0, glfwMakeContextCurrent, (struct Window * window), (window))
WRAP_GLFW(void*, NULL, glfwGetX11Display, (void), ())
WRAP_GLFW(void*, NULL, glfwCreateStandardCursor, (int shape), (shape))
WRAP_GLFW(const void*, NULL, glfwGetVideoMode, (void* monitor), (monitor))
WRAP_GLFW(const char*, NULL, glfwGetKeyName, (int key, int scancode), (key, scancode))
WRAP_GLFW(const char*, NULL, glfwGetClipboardString, (struct Window * window), (window))
WRAP_GLFW(void, (void)0, glfwSetClipboardString, (struct Window * window, const char* text), (window, text))

void** glfwGetMonitors(int* count) {
    if (!is_refused()) return REAL(glfwGetMonitors)(count);
    *count = 0;
    return NULL;
}

// The clipboard: the server does not answer

#define WRAP_XCB(name)                                                                  \
    void* name(void* connection, unsigned question, void** problem) {                   \
        return fails(WINDOW_SYSTEM) ? NULL : REAL(name)(connection, question, problem); \
    }
WRAP_XCB(xcb_get_selection_owner_reply)
WRAP_XCB(xcb_intern_atom_reply)
WRAP_XCB(xcb_get_property_reply)
