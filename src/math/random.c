/* Counter-based random numbers, and quantiles of the normal distribution. */
#include "math/random.h"

#include <math.h>

#include "base/base.h"

uint64_t gos__random_bits(uint64_t seed, uint64_t stream, uint64_t index) {
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
    const uint64_t start = gos__mix_bits(gos__mix_bits(seed + golden) + (stream + 1) * golden);
    return gos__mix_bits(start + (index + 1) * golden);
}

double gos__random_unit(uint64_t seed, uint64_t stream, uint64_t index) {
    return ((double)(gos__random_bits(seed, stream, index) >> 12) + 0.5) * 0x1p-52;
}

double gos__normal_quantile(double p) {
    const double root_two = 1.41421356237309504880, root_two_pi = 2.50662827463100050242;
    const bool low = p < 0.5;
    const double tail = low ? p : 1 - p, t = sqrt(-2 * log(tail));
    double x = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                       (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    for (int k = 0; k < 3; k++) { // refine x to the upper tail probability `tail`
        const double off = (tail - 0.5 * erfc(x / root_two)) * root_two_pi * exp(x * x / 2);
        x -= off / (1 + x * off / 2);
    }
    return low ? -x : x;
}
