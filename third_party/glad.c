/* The generated loader compares the names of all extensions, also where it had no memory to copy one. */
#include <stddef.h>
#include <string.h>

static int differ(const char* name, const char* other) {
    return name == NULL || strcmp(name, other) != 0;
}
#define strcmp differ
#include "src/gl.c"
