/* Calls of a master in any order, of units of both versions and kinds: the first byte selects the
 * unit, the others the calls and their numbers. Nothing may crash or leak, each refusal has a
 * message, and a unit that is reset begins again. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* what the support of the tests requires of cmocka */
#define fail_msg(...) ((void)fprintf(stderr, __VA_ARGS__), abort())
#define require(holds) ((holds) ? (void)0 : fail_msg("line %d: %s\n", __LINE__, #holds))
#define assert_true(x) require(x)
#define assert_null(x) require((x) == NULL)
#define assert_non_null(x) require((x) != NULL)
#define assert_int_equal(a, b) require((long long)(a) == (long long)(b))

#include "support/fmu_master.h"

enum { KINDS = 4 };

unsigned long suite_seed(void); // of the tests' random numbers, which are not used

unsigned long suite_seed(void) {
    return 0;
}

static fmu unit[KINDS];

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void remove_units(void) {
    (void)folder_remove(NULL);
}

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count, (void)arguments;
    require(folder_make(NULL) == 0);
    (void)atexit(remove_units);
    for (int i = 0; i < KINDS; i++) {
        char name[20];
        (void)snprintf(name, sizeof name, "unit-%d", i);
        master_unit(name, i % 2 == 0 ? 2 : 3,
                    i / 2 == 0 ? GOS_FMU_MODEL_EXCHANGE : GOS_FMU_CO_SIMULATION, &unit[i]);
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) {
        return 0;
    }
    const int kind = data[0] % KINDS;
    const bool two = kind % 2 == 0;
    master m = {.u = &unit[kind], .exchange = kind / 2 == 0, .byte = data + 1, .nbyte = size - 1};
    master_begin(&m, two);
    while (m.nbyte > 0) {
        master_call(&m, two);
    }
    master_finish(&m, two);
    return 0;
}
