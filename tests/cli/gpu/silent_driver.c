// Stands for NVIDIA's driver, as libcuda.so.1: the device never answers, nor does the driver end.
#include <unistd.h>

static int hang(void) {
    while (1) pause();
    return 0;
}

int cuInit(unsigned flags) {
    (void)flags;
    return hang();
}

int cuDriverGetVersion(int* version) {
    *version = 99000;
    return 0;
}

int cuGetProcAddress(const char* name, void** function, int version, unsigned long flags) {
    (void)name, (void)function, (void)version, (void)flags;
    return hang();
}

int cuGetProcAddress_v2(const char* name, void** function, int version, unsigned long flags, int* status) {
    (void)name, (void)function, (void)version, (void)flags, (void)status;
    return hang();
}

__attribute__((destructor)) static void end(void) {
    hang();
}
