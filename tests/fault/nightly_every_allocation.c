/* The fault test of memory at every single allocation. */
#define STRIDE 1
#include "test_memory.c"
