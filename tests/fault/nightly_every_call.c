/* The fault test of the disk at every single call. */
#define STRIDE 1
#include "test_disk.c"
