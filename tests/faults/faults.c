// Preloaded into the program: makes the Nth call of a kind fail, once or from then on.
//
//   FAULT_CONTROL  a file that holds a struct Control, shared with whoever looks on and says what is to fail
//   FAULT_WITHIN   set: of file calls, only those on what lies in this folder
//   FAULT_OWN      set: of allocations, only those of the program itself and of the C and C++ libraries for it
//   FAULT_PLACES   a file of PLACES words, zero at first: the places whose allocation has failed (NEW_PLACE)
//   FAULT_STACKS   a file of STACKS words: who asked for each allocation, by its number, while calls are counted
//
// Calls are counted from main() on: before it,
// CUDA's runtime registers kernels and crashes where it lacks memory. Nothing here allocates.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <unwind.h>

#include "faults.h"

enum { NEW_PLACE = -1, PLACES = 1 << 16, PLACE_FRAMES = 4, STACKS = 1 << 20, STACK_FRAMES = 12 };

static struct Control {
    atomic_long at;         // the call that fails, counted from 1; 0: none
    atomic_long failed;     // how many did
    atomic_long unremoved;  // how many of these were to remove a file
    atomic_long kind;   // what may fail; KIND_COUNT: nothing, and calls of all kinds are counted; -1: none is counted
    atomic_long every;  // of the calls after it, each so many-th fails too; 0: none; NEW_PLACE, and FAULT_OWN is set:
                        // of the calls from it on, the first one at a place whose allocation has not failed yet, and
                        // none after it
    atomic_long calls[KIND_COUNT];
    atomic_long frames[PLACE_FRAMES];  // of the last new place: where in the program, the innermost first
} none = {.kind = -1}, *control = &none;
static int only_own;
static const char* within;
static uintptr_t own_begin, own_end;  // the program's code and data
static atomic_ulong* places;          // a hash table; 0: free
static uint64_t* stacks;              // hashes
static atomic_int ready, in_main;

static int find_own(struct dl_phdr_info* info, size_t size, void* data) {
    (void)size, (void)data;
    own_begin = UINTPTR_MAX;
    for (int k = 0; k < info->dlpi_phnum; ++k) {
        if (info->dlpi_phdr[k].p_type != PT_LOAD) continue;
        const uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[k].p_vaddr;
        if (begin < own_begin) own_begin = begin;
        if (begin + info->dlpi_phdr[k].p_memsz > own_end) own_end = begin + info->dlpi_phdr[k].p_memsz;
    }
    return 1;  // the program comes first
}

/// The memory of the file that the variable names, or `otherwise`.
static void* map_shared(const char* variable, size_t bytes, void* otherwise) {
    const char* path = getenv(variable);
    const long file = path == NULL ? -1 : syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
    if (file < 0) return otherwise;
    const long at = syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    syscall(SYS_close, file);
    return at == -1 ? otherwise : (void*)at;
}

static void read_settings(void) {
    control = map_shared("FAULT_CONTROL", sizeof *control, control);
    places = map_shared("FAULT_PLACES", PLACES * sizeof *places, NULL);
    stacks = map_shared("FAULT_STACKS", STACKS * sizeof *stacks, NULL);
    only_own = getenv("FAULT_OWN") != NULL;
    within = getenv("FAULT_WITHIN");
    if (only_own) dl_iterate_phdr(find_own, NULL);
    atomic_store(&ready, 1);
}

static int (*real_main)(int, char**, char**);

static int begin_main(int argc, char** argv, char** environment) {
    atomic_store(&in_main, 1);
    return real_main(argc, argv, environment);
}

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(void), void (*fini)(void),
                      void (*end)(void), void* stack) {
    int (*start)(int (*)(int, char**, char**), int, char**, void (*)(void), void (*)(void), void (*)(void), void*);
    *(void**)&start = dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = main;
    return start(begin_main, argc, argv, init, fini, end, stack);
}

static int is_counted(enum Kind called) {
    if (!atomic_load(&in_main)) return 0;
    if (!atomic_load(&ready)) read_settings();
    const long kind = atomic_load(&control->kind);
    return kind == KIND_COUNT || kind == (long)called;
}

int fails(enum Kind called) {
    if (!is_counted(called)) return 0;
    const long n = atomic_fetch_add(&control->calls[called], 1) + 1, at = atomic_load(&control->at);
    const long every = atomic_load(&control->every);
    const int is_hit = at > 0 && (n == at || (n > at && every > 0 && (n - at) % every == 0)) &&
                       atomic_load(&control->kind) == (long)called;
    if (is_hit) atomic_fetch_add(&control->failed, 1);
    return is_hit;
}

// Memory

// What glibc's own functions are called beside malloc: dlsym() would allocate.
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);

/// Who asks for memory: the innermost of the program's own frames.
struct Caller {
    int own_frames, wanted_frames;
    uint64_t frames[PLACE_FRAMES];  // where they are in the program, the innermost first
    uint64_t place;                 // a hash of that
};

/// The frames of one call, from this library on, through the C and C++ libraries.
static _Unwind_Reason_Code look_at_caller(struct _Unwind_Context* frame, void* user) {
    struct Caller* const caller = user;
    const uintptr_t at = _Unwind_GetIP(frame);
    if (at >= own_begin && at < own_end) {
        caller->frames[caller->own_frames] = at - own_begin;
        caller->place = (caller->place ^ (at - own_begin)) * 0x9E3779B97F4A7C15u;
        return ++caller->own_frames == caller->wanted_frames ? _URC_END_OF_STACK : _URC_NO_REASON;
    }
    struct dl_find_object found;
    if (_dl_find_object((void*)at, &found) != 0) return _URC_END_OF_STACK;
    const char* const name = found.dlfo_link_map->l_name;
    const char* const file = strrchr(name, '/') == NULL ? name : strrchr(name, '/') + 1;
    const int passes_on =
        strncmp(file, "libstdc++.", 10) == 0 || strncmp(file, "libc.", 5) == 0 || strstr(file, "faults") != NULL;
    return passes_on ? _URC_NO_REASON : _URC_END_OF_STACK;
}

/// Where a place is noted, or is to be; null where the table is full.
static atomic_ulong* entry_of(uint64_t place) {
    for (uint64_t k = 0; k < PLACES; ++k) {
        atomic_ulong* const entry = &places[((place >> 32) + k) % PLACES];
        const unsigned long there = atomic_load(entry);
        if (there == 0 || there == place) return entry;
    }
    return NULL;
}

struct Stack {
    int frames;
    uint64_t hash;
};

/// A frame by its library and where in it, this library's aside.
static _Unwind_Reason_Code add_to_stack(struct _Unwind_Context* frame, void* user) {
    struct Stack* const stack = user;
    struct dl_find_object found;
    const uintptr_t at = _Unwind_GetIP(frame);
    if (_dl_find_object((void*)at, &found) != 0) return _URC_END_OF_STACK;
    const char* const name = found.dlfo_link_map->l_name;
    if (strstr(name, "faults") != NULL) return _URC_NO_REASON;
    stack->hash ^= at - (uintptr_t)found.dlfo_map_start;
    for (const char* c = name; *c != '\0'; ++c) stack->hash = stack->hash * 131 + (unsigned char)*c;
    stack->hash *= 0x9E3779B97F4A7C15u;
    stack->hash ^= stack->hash >> 29;
    return ++stack->frames == STACK_FRAMES ? _URC_END_OF_STACK : _URC_NO_REASON;
}

static int lacks_memory(void) {
    static _Thread_local int looks, is_refused;
    if (looks || !is_counted(ALLOCATION)) return 0;  // the unwinder's own
    if (stacks != NULL && atomic_load(&control->kind) == KIND_COUNT) {
        struct Stack stack = {0, 0};
        looks = 1;
        _Unwind_Backtrace(add_to_stack, &stack);
        looks = 0;
        const long n = atomic_fetch_add(&control->calls[ALLOCATION], 1) + 1;
        if (n < STACKS) stacks[n] = stack.hash;
        return 0;
    }
    // Who gives something back and asks again gets it, where not every call fails.
    if (is_refused && atomic_load(&control->every) != 1) return is_refused = 0;
    if (only_own) {
        const int by_place = places != NULL && atomic_load(&control->every) == NEW_PLACE;
        struct Caller caller = {.wanted_frames = by_place ? PLACE_FRAMES : 1};
        looks = 1;
        _Unwind_Backtrace(look_at_caller, &caller);
        looks = 0;
        if (caller.own_frames == 0) return 0;
        if (by_place) {
            long at = atomic_load(&control->at);
            const long n = atomic_fetch_add(&control->calls[ALLOCATION], 1) + 1;
            atomic_ulong* const entry = entry_of(caller.place);
            if (at == 0 || n < at || entry == NULL || atomic_load(entry) != 0) return 0;
            if (!atomic_compare_exchange_strong(&control->at, &at, 0)) return 0;  // another thread's place, then
            atomic_store(entry, caller.place);
            for (int k = 0; k < PLACE_FRAMES; ++k) atomic_store(&control->frames[k], (long)caller.frames[k]);
            atomic_fetch_add(&control->failed, 1);
            return is_refused = 1;
        }
    }
    return is_refused = fails(ALLOCATION);
}

static void* no_memory(void) {
    errno = ENOMEM;
    return NULL;
}

void* malloc(size_t bytes) {
    return lacks_memory() ? no_memory() : __libc_malloc(bytes);
}
void* calloc(size_t count, size_t bytes) {
    return lacks_memory() ? no_memory() : __libc_calloc(count, bytes);
}
void* realloc(void* block, size_t bytes) {
    return lacks_memory() ? no_memory() : __libc_realloc(block, bytes);
}
void* memalign(size_t alignment, size_t bytes) {
    return lacks_memory() ? no_memory() : __libc_memalign(alignment, bytes);
}
void* aligned_alloc(size_t alignment, size_t bytes) {
    return lacks_memory() ? no_memory() : __libc_memalign(alignment, bytes);
}
int posix_memalign(void** block, size_t alignment, size_t bytes) {
    if (lacks_memory()) return ENOMEM;
    *block = __libc_memalign(alignment, bytes);
    return *block == NULL ? ENOMEM : 0;
}

// Threads

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument) {
    return fails(THREAD) ? EAGAIN : REAL(pthread_create)(thread, attributes, run, argument);
}

// Files

enum { NEEDS_ROOM = 1, WAITS = 2, REMOVES = 4 };  // what a call does

static int is_below(const char* path) {
    const size_t length = strlen(within);
    return strncmp(path, within, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/// Whether what a call works on may fail. A path that is not absolute lies in `file`.
static int counts(int file, const char* path) {
    if (!atomic_load(&ready)) read_settings();
    if (atomic_load(&control->kind) < FILE_CALL) return 0;
    if (within == NULL) return 1;
    if (path != NULL && path[0] == '/') return is_below(path);
    char link[64], target[4096];
    snprintf(link, sizeof link, file == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", file);
    const long length = syscall(SYS_readlinkat, AT_FDCWD, link, target, sizeof target - 1);
    if (length <= 0) return 0;
    target[length] = '\0';
    return is_below(target);
}

/// Whether a call that does this is to fail, with errno set: as `usual` says where anything can happen.
static int stops(int does, int usual, int file, const char* path) {
    const int before = errno;
    int is_hit = 0;
    if (counts(file, path)) {
        is_hit = fails(FILE_CALL);
        if (does & NEEDS_ROOM) is_hit |= fails(FULL_DISK);
        if (does & WAITS) is_hit |= fails(INTERRUPTION);
    }
    if (is_hit && (does & REMOVES)) atomic_fetch_add(&control->unremoved, 1);
    const long kind = atomic_load(&control->kind);
    errno = !is_hit ? before : kind == FULL_DISK ? ENOSPC : kind == INTERRUPTION ? EINTR : usual;
    return is_hit;
}

static size_t shortened(size_t bytes, int file) {
    return bytes > 1 && counts(file, NULL) && fails(SHORT_CALL) ? bytes / 2 : bytes;
}

#define OPENS(flags) ((((flags)&O_CREAT) ? NEEDS_ROOM : 0) | WAITS)
#define MODE(flags, mode)                    \
    int mode = 0;                            \
    if ((flags) & (O_CREAT | __O_TMPFILE)) { \
        va_list more;                        \
        va_start(more, flags);               \
        mode = va_arg(more, int);            \
        va_end(more);                        \
    }
#define WRAP_OPEN(open, openat, creat, fopen)                                                            \
    int open(const char* path, int flags, ...) {                                                         \
        MODE(flags, mode)                                                                                \
        return stops(OPENS(flags), EMFILE, AT_FDCWD, path) ? -1 : REAL(open)(path, flags, mode);         \
    }                                                                                                    \
    int openat(int folder, const char* path, int flags, ...) {                                           \
        MODE(flags, mode)                                                                                \
        return stops(OPENS(flags), EMFILE, folder, path) ? -1 : REAL(openat)(folder, path, flags, mode); \
    }                                                                                                    \
    int creat(const char* path, mode_t mode) {                                                           \
        return stops(OPENS(O_CREAT), EMFILE, AT_FDCWD, path) ? -1 : REAL(creat)(path, mode);             \
    }                                                                                                    \
    FILE* fopen(const char* restrict path, const char* restrict mode) {                                  \
        return stops(0, EMFILE, AT_FDCWD, path) ? NULL : REAL(fopen)(path, mode);                        \
    }
WRAP_OPEN(open, openat, creat, fopen)
WRAP_OPEN(open64, openat64, creat64, fopen64)

#define WRAP_STAT(stat, lstat, fstat, fstatat)                                                  \
    int stat(const char* restrict path, struct stat* restrict info) {                           \
        return stops(0, EIO, AT_FDCWD, path) ? -1 : REAL(stat)(path, info);                     \
    }                                                                                           \
    int lstat(const char* restrict path, struct stat* restrict info) {                          \
        return stops(0, EIO, AT_FDCWD, path) ? -1 : REAL(lstat)(path, info);                    \
    }                                                                                           \
    int fstat(int file, struct stat* info) {                                                    \
        return stops(0, EIO, file, NULL) ? -1 : REAL(fstat)(file, info);                        \
    }                                                                                           \
    int fstatat(int folder, const char* restrict path, struct stat* restrict info, int flags) { \
        return stops(0, EIO, folder, path) ? -1 : REAL(fstatat)(folder, path, info, flags);     \
    }
WRAP_STAT(stat, lstat, fstat, fstatat)
WRAP_STAT(stat64, lstat64, fstat64, fstatat64)

#define WRAP_ONE(result, failure, does, usual, name, parameters, arguments, file, path) \
    result name parameters {                                                            \
        return stops(does, usual, file, path) ? failure : REAL(name) arguments;         \
    }
#define WRAP_FD(does, usual, name, parameters, arguments) \
    WRAP_ONE(int, -1, does, usual, name, parameters, arguments, file, NULL)
#define WRAP_PATH(does, usual, name, parameters, arguments) \
    WRAP_ONE(int, -1, does, usual, name, parameters, arguments, AT_FDCWD, path)

WRAP_FD(NEEDS_ROOM | WAITS, EIO, fsync, (int file), (file))
WRAP_FD(NEEDS_ROOM | WAITS, EIO, fdatasync, (int file), (file))
WRAP_FD(NEEDS_ROOM, EIO, sync_file_range, (int file, off64_t at, off64_t bytes, unsigned flags),
        (file, at, bytes, flags))
WRAP_FD(NEEDS_ROOM | WAITS, EIO, ftruncate, (int file, off_t bytes), (file, bytes))
WRAP_FD(WAITS, ENOLCK, flock, (int file, int how), (file, how))
WRAP_FD(0, EPERM, fchmod, (int file, mode_t mode), (file, mode))
WRAP_FD(0, EPERM, fchown, (int file, uid_t owner, gid_t group), (file, owner, group))
WRAP_FD(REMOVES, EIO, unlinkat, (int file, const char* path, int flags), (file, path, flags))
WRAP_PATH(REMOVES, EIO, unlink, (const char* path), (path))
WRAP_PATH(NEEDS_ROOM, EIO, rename, (const char* path, const char* to), (path, to))
WRAP_PATH(NEEDS_ROOM, EIO, mkdir, (const char* path, mode_t mode), (path, mode))
WRAP_PATH(0, EIO, access, (const char* path, int how), (path, how))
WRAP_ONE(ssize_t, -1, 0, EIO, readlink, (const char* restrict path, char* restrict to, size_t bytes), (path, to, bytes),
         AT_FDCWD, path)
WRAP_ONE(DIR*, NULL, 0, EMFILE, opendir, (const char* path), (path), AT_FDCWD, path)
WRAP_ONE(struct dirent*, NULL, 0, EIO, readdir, (DIR * folder), (folder), dirfd(folder), NULL)
WRAP_ONE(ssize_t, -1, WAITS, EIO, read, (int file, void* to, size_t bytes), (file, to, shortened(bytes, file)), file,
         NULL)
WRAP_ONE(ssize_t, -1, WAITS, EIO, pread, (int file, void* to, size_t bytes, off_t at),
         (file, to, shortened(bytes, file), at), file, NULL)
WRAP_ONE(ssize_t, -1, NEEDS_ROOM | WAITS, EIO, write, (int file, const void* from, size_t bytes),
         (file, from, shortened(bytes, file)), file, NULL)
WRAP_ONE(ssize_t, -1, NEEDS_ROOM | WAITS, EIO, pwrite, (int file, const void* from, size_t bytes, off_t at),
         (file, from, shortened(bytes, file), at), file, NULL)
WRAP_ONE(ssize_t, -1, NEEDS_ROOM | WAITS, EIO, writev, (int file, const struct iovec* parts, int count),
         (file, parts, count), file, NULL)

/// A descriptor that could not be closed is closed nevertheless.
int close(int file) {
    const int is_hit = stops(WAITS, EIO, file, NULL), error = errno;
    const int result = REAL(close)(file);
    if (!is_hit) return result;
    errno = error;
    return -1;
}

void* mmap(void* at, size_t bytes, int access, int flags, int file, off_t offset) {
    if (file >= 0 && !(flags & MAP_ANONYMOUS) && stops(0, ENODEV, file, NULL)) return MAP_FAILED;
    return (void*)syscall(SYS_mmap, at, bytes, access, flags, file, offset);
}
