/* Portable random numbers with direct access to any element of any sequence. */
#ifndef GOS_MATH_RANDOM_H
#define GOS_MATH_RANDOM_H

#include <stdint.h>

#define GOS_XORSHIFT_START 88172645463325252u

/** Number `index` of sequence `stream` of a seed, 64 bits, by the finaliser of Steele, Lea, Flood:
 * Fast splittable pseudorandom number generators, OOPSLA 2014. */
uint64_t gos__random_bits(uint64_t seed, uint64_t stream, uint64_t index);
/** ... as a number in the open interval (0, 1), 52 bits. */
double gos__random_unit(uint64_t seed, uint64_t stream, uint64_t index);
/** Quantile p of the standard normal distribution, 0 < p < 1, to rounding: Abramowitz and Stegun
 * 26.2.23, then Halley iteration on erfc. */
double gos__normal_quantile(double p);

/** Mixes all bits: the finaliser of SplitMix64. */
static inline uint64_t gos__mix_bits(uint64_t x) {
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/** Next number of Marsaglia's xorshift generator (J. Stat. Softw. 8 (2003) 14), for data without
 * meaning, such as start vectors. *x starts at GOS_XORSHIFT_START. */
static inline uint64_t gos__xorshift(uint64_t *x) {
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x;
}
/** ... as a number in [-0.5, 0.5), 53 bits. */
static inline double gos__xorshift_unit(uint64_t *x) {
    return (double)(gos__xorshift(x) >> 11) * 0x1p-53 - 0.5;
}

#endif
