/* The random numbers of the tests: SplitMix64 (Steele, Lea and Flood 2014), keyed by GOS_TEST_SEED.
   Initialise the state with any number. The sequence is the same in every run unless GOS_TEST_SEED
   changes. */
#ifndef GOS_TEST_RANDOM_H
#define GOS_TEST_RANDOM_H

#include <stdint.h>

#include "support/suite.h"

static inline uint64_t random_mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline uint64_t random_bits(uint64_t *state) {
    *state += 0x9e3779b97f4a7c15u;
    return random_mix(*state ^ random_mix(suite_seed()));
}

/* in [-1, 1) */
static inline double random_uniform(uint64_t *state) {
    return (double)(random_bits(state) >> 11) * 0x1p-52 - 1;
}

/* 0 .. n - 1 */
static inline int random_below(uint64_t *state, int n) {
    return (int)(random_bits(state) % (uint64_t)n);
}

/* x[n] in [-size, size) */
static inline void random_fill(uint64_t *state, int n, double size, double *x) {
    for (int i = 0; i < n; i++) {
        x[i] = size * random_uniform(state);
    }
}

#endif
