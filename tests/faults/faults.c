// Preloaded into the program: makes the Nth call of a kind fail, once or from then on.
//
//   FAULT_KIND   allocation (malloc and what stands on it), thread (pthread_create)
//   FAULT_AT     the call that fails, counted from 1; 0 or unset: none
//   FAULT_ON     set: those after it fail too
//   FAULT_COUNT  a file descriptor: the numbers of calls and of those that failed are written there when the program
//                ends by itself
//
// A further kind is a row in `kinds` and a wrapper that asks fails(). Calls of the dynamic linker and of libraries'
// initialization are counted too. Nothing here allocates.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum Kind { ALLOCATION, THREAD, KIND_COUNT };
static const char* const kinds[KIND_COUNT] = {"allocation", "thread"};

static int kind = -1, for_good;
static long fault_at;
static atomic_long calls, failed;
static atomic_int ready;

static void read_settings(void) {
    const char* name = getenv("FAULT_KIND");
    const char* at = getenv("FAULT_AT");
    for (int k = 0; name != NULL && k < KIND_COUNT; ++k)
        if (strcmp(name, kinds[k]) == 0) kind = k;
    for_good = getenv("FAULT_ON") != NULL;
    fault_at = at == NULL ? 0 : atol(at);
    atomic_store(&ready, 1);
}

/// Counts a call; whether it is to fail.
static int fails(enum Kind called) {
    if (!atomic_load(&ready)) read_settings();
    if ((int)called != kind) return 0;
    const long n = atomic_fetch_add(&calls, 1) + 1;
    const int is_hit = fault_at > 0 && (n == fault_at || (for_good && n > fault_at));
    if (is_hit) atomic_fetch_add(&failed, 1);
    return is_hit;
}

__attribute__((destructor)) static void report(void) {
    const char* to = getenv("FAULT_COUNT");
    if (to == NULL) return;
    char text[64];
    const int length = snprintf(text, sizeof text, "%ld %ld\n", atomic_load(&calls), atomic_load(&failed));
    if (write(atoi(to), text, (size_t)length) < 0) _exit(99);
}

// What glibc's own functions are called beside malloc: dlsym() would allocate.
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);

static void* no_memory(void) {
    errno = ENOMEM;
    return NULL;
}

void* malloc(size_t bytes) {
    return fails(ALLOCATION) ? no_memory() : __libc_malloc(bytes);
}
void* calloc(size_t count, size_t bytes) {
    return fails(ALLOCATION) ? no_memory() : __libc_calloc(count, bytes);
}
void* realloc(void* block, size_t bytes) {
    return fails(ALLOCATION) ? no_memory() : __libc_realloc(block, bytes);
}
void* memalign(size_t alignment, size_t bytes) {
    return fails(ALLOCATION) ? no_memory() : __libc_memalign(alignment, bytes);
}
void* aligned_alloc(size_t alignment, size_t bytes) {
    return fails(ALLOCATION) ? no_memory() : __libc_memalign(alignment, bytes);
}
int posix_memalign(void** block, size_t alignment, size_t bytes) {
    if (fails(ALLOCATION)) return ENOMEM;
    *block = __libc_memalign(alignment, bytes);
    return *block == NULL ? ENOMEM : 0;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument) {
    typedef int (*Create)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
    if (fails(THREAD)) return EAGAIN;
    return ((Create)dlsym(RTLD_NEXT, "pthread_create"))(thread, attributes, run, argument);
}
