// What the library's parts share. A further kind of call that fails is a name here and in injection.py, and a wrapper
// that asks fails().
#pragma once

#include <dlfcn.h>

enum Kind {
    ALLOCATION,     // malloc and what stands on it
    THREAD,         // pthread_create
    OPENGL,         // of the program's own calls: no memory, no name, no shader
    LOST_CONTEXT,   // every call of OpenGL that this library wraps, glGetError included
    WINDOW_SYSTEM,  // GLFW, and the clipboard over XCB
    FILE_CALL,      // what takes a path or a descriptor; this and those below work on files
    FULL_DISK,      // those of them that need room
    SHORT_CALL,     // reading and writing: half of the bytes
    INTERRUPTION,   // what a signal may interrupt
    KIND_COUNT
};

/// Counts a call; whether it is to fail.
int fails(enum Kind called);

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
