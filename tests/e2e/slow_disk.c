// Preloaded into the program: calls that touch a path with /slow/ in it wait while the file $SLOW_DISK exists, as they
// would on a network drive that does not answer. While $SLOW_DISK.stat exists, only looking whether a PNG file is
// there waits; whoever takes $SLOW_DISK.next away goes on. While $SLOW_DISK.broken exists, listing such a folder fails;
// while $SLOW_DISK.crawl exists, it takes a tenth of a second an entry. While
// $SLOW_DISK.write exists, only writing waits; while $SLOW_DISK.creep exists, each write takes a while.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char* switch_file(char* name, size_t size, const char* ending) {
    const char* hold = getenv("SLOW_DISK");
    snprintf(name, size, "%s%s", hold == NULL ? "" : hold, ending);
    return name;
}

static int is_set(const char* ending) {
    char name[4096];
    return access(switch_file(name, sizeof name, ending), F_OK) == 0;
}

static int take(const char* ending) {
    char name[4096];
    return unlink(switch_file(name, sizeof name, ending)) == 0;
}

static int is_slow(const char* path) {
    return path != NULL && getenv("SLOW_DISK") != NULL && strstr(path, "/slow") != NULL;
}

static void wait_for_disk(const char* path) {
    while (is_slow(path) && is_set("")) usleep(5000);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

DIR* opendir(const char* path) {
    wait_for_disk(path);
    return REAL(opendir)(path);
}

struct dirent* readdir(DIR* folder) {
    static _Thread_local int files = 0;
    const int before = errno;  // at the end of a folder it stays as it was
    char link[64], path[4096] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", dirfd(folder));
    if (readlink(link, path, sizeof path - 1) > 0 && strstr(path, "/slow") != NULL) {
        if (is_set(".crawl")) usleep(100000);
        if (is_set(".broken") && telldir(folder) != 0 && files++ > 2) {  // in its midst: . and .. may come first
            errno = EIO;
            return NULL;
        }
    }
    errno = before;
    return REAL(readdir)(folder);
}

int stat(const char* restrict path, struct stat* restrict info) {
    wait_for_disk(path);
    while (is_slow(path) && strstr(path, ".png") != NULL && is_set(".stat") && !take(".next")) usleep(5000);
    return REAL(stat)(path, info);
}

int open(const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const int mode = va_arg(more, int);
    va_end(more);
    wait_for_disk(path);
    return REAL(open)(path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const int mode = va_arg(more, int);
    va_end(more);
    wait_for_disk(path);
    return REAL(openat)(folder, path, flags, mode);
}

ssize_t write(int file, const void* from, size_t bytes) {
    char link[64], path[4096] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    if (readlink(link, path, sizeof path - 1) > 0 && is_slow(path)) {
        wait_for_disk(path);
        while (is_set(".write")) usleep(5000);
        if (is_set(".creep")) usleep(300000);
    }
    return REAL(write)(file, from, bytes);
}
