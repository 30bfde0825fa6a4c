/* Instances of a unit made, stepped and freed, many times: nothing is left behind. Include after
 * cmocka. */
#ifndef GOS_TEST_FMU_CYCLES_H
#define GOS_TEST_FMU_CYCLES_H

#include <dlfcn.h>
#include <malloc.h>
#include <stdlib.h>

#include "fmi/fmi2.h"

/* what of its functions is called */
typedef struct unit {
    void *library;
#define X(type, name, arguments) type(*name) arguments;
    FMI2_FUNCTIONS(X)
#undef X
} unit;

static inline void load_unit(unit *u, const char *path) {
    u->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(u->library);
#define X(type, name, arguments)                                                                   \
    *(void **)&u->name = dlsym(u->library, #name);                                                 \
    assert_non_null(u->name);
    FMI2_FUNCTIONS(X)
#undef X
}

static inline void hear_nothing(fmi2ComponentEnvironment user, fmi2String name, fmi2Status status,
                                fmi2String category, fmi2String text, ...) {
    (void)user, (void)name, (void)status, (void)category, (void)text;
}

static inline void one_cycle(const unit *u, const char *token, const char *place, bool run) {
    const fmi2CallbackFunctions call = {hear_nothing, calloc, free, NULL, NULL};
    fmi2FMUstate kept = NULL;
    const fmi2Component c =
        u->fmi2Instantiate("c", fmi2CoSimulation, token, place, &call, fmi2False, fmi2False);
    assert_non_null(c);
    if (run) { // others are freed as they are made
        assert_int_equal(u->fmi2EnterInitializationMode(c), fmi2OK);
        assert_int_equal(u->fmi2ExitInitializationMode(c), fmi2OK);
        assert_int_equal(u->fmi2DoStep(c, 0, 0.02, fmi2True), fmi2OK);
        assert_int_equal(u->fmi2GetFMUstate(c, &kept), fmi2OK);
        assert_int_equal(u->fmi2SetFMUstate(c, kept), fmi2OK);
        assert_int_equal(u->fmi2FreeFMUstate(c, &kept), fmi2OK);
    }
    u->fmi2FreeInstance(c);
    assert_null(
        u->fmi2Instantiate("c", fmi2CoSimulation, "{other}", place, &call, fmi2False, fmi2False));
}

/* of the unit unpacked in `cycles` of the test's folder */
static inline void run_cycles(const char *token_text, int cycles) {
    char path[200], token[60], place[200];
    unit u;
    size_t before = 0;
    (void)snprintf(token, sizeof token, "%.38s", token_text);
    (void)snprintf(path, sizeof path, "%s/cycles/binaries/linux64/cycles.so", folder);
    (void)snprintf(place, sizeof place, "file://%s/cycles/resources", folder);
    load_unit(&u, path);
    for (int k = 0; k < cycles; k++) {
        one_cycle(&u, token, place, k % 3 != 0);
        // with sanitizers it is 0, and they look for leaks themselves
        before = k == cycles / 3 ? (size_t)mallinfo2().uordblks : before;
    }
    const size_t after = (size_t)mallinfo2().uordblks;
    // What malloc keeps for itself grows less and less: by 1.3 kB in the first hundred cycles, 0.5
    // kB in the twelfth. The smallest object that an instance might leave behind is larger than 32
    // bytes a cycle
    if (after > before + 32 * ((size_t)cycles * 2 / 3)) {
        fail_msg("the heap grew by %zu bytes in %d cycles", after - before, cycles * 2 / 3);
    }
    (void)dlclose(u.library);
}

#endif
