/* Portable random numbers with direct access to any element of any sequence. */
#ifndef GOS_MATH_RANDOM_H
#define GOS_MATH_RANDOM_H

#include <stdint.h>

/** Number `index` of sequence `stream` of a seed, 64 bits, by the finaliser of Steele, Lea, Flood:
 * Fast splittable pseudorandom number generators, OOPSLA 2014. */
uint64_t gos__random_bits(uint64_t seed, uint64_t stream, uint64_t index);
/** ... as a number in the open interval (0, 1), 52 bits. */
double gos__random_unit(uint64_t seed, uint64_t stream, uint64_t index);
/** Quantile p of the standard normal distribution, 0 < p < 1, to rounding: Abramowitz and Stegun
 * 26.2.23, then Halley iteration on erfc. */
double gos__normal_quantile(double p);

#endif
