/* Random numbers that are the same on every machine, at any place of any sequence. */
#ifndef GOS_MATH_RANDOM_H
#define GOS_MATH_RANDOM_H

#include <stdint.h>

/** Number `index` of sequence `stream` of a seed, 64 bits: a mixed counter (the finaliser of
 * Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014), so that no
 * number waits for those before it. */
uint64_t gos__random_bits(uint64_t seed, uint64_t stream, uint64_t index);
/** The same as a number in (0, 1), neither end included, 52 bits fine. */
double gos__random_unit(uint64_t seed, uint64_t stream, uint64_t index);
/** x with a share p of the standard normal distribution below it, 0 < p < 1, to rounding:
 * Abramowitz and Stegun 26.2.23, then Halley's steps on erfc. */
double gos__normal_quantile(double p);

#endif
