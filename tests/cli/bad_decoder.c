// Preloaded into the program: where it decodes a JPEG, it does what $BAD_DECODER says. While $BAD_DECODER is
// "forbidden", the kernel seems to know no seccomp.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

static int is(const char* what) {
    const char* const said = getenv("BAD_DECODER");
    return said != NULL && strcmp(said, what) == 0;
}

int jpeg_start_decompress(void* decoder) {
    if (is("crash")) __builtin_trap();
    if (is("open")) open("/etc/passwd", O_RDONLY);
    if (is("socket")) socket(AF_INET, SOCK_STREAM, 0);
    if (is("kill")) kill(getppid(), SIGKILL);
    if (is("fork") && fork() == 0) _exit(0);
    while (is("hang")) continue;
    int (*const real)(void*) = (int (*)(void*))dlsym(RTLD_NEXT, "jpeg_start_decompress");
    return real(decoder);
}

int prctl(int what, ...) {
    va_list more;
    va_start(more, what);
    unsigned long arguments[4];
    for (int k = 0; k < 4; ++k) arguments[k] = va_arg(more, unsigned long);
    va_end(more);
    if (what == PR_SET_SECCOMP && is("forbidden")) {
        errno = EINVAL;
        return -1;
    }
    int (*const real)(int, ...) = (int (*)(int, ...))dlsym(RTLD_NEXT, "prctl");
    return real(what, arguments[0], arguments[1], arguments[2], arguments[3]);
}
