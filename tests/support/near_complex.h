/* Two complex numbers are equal within a tolerance; NaN fails. Include after cmocka. */
#ifndef GOS_TEST_NEAR_COMPLEX_H
#define GOS_TEST_NEAR_COMPLEX_H

#include <complex.h>

static inline void near_complex_check(const char *what, double complex value, double complex wanted,
                                      double relative, double absolute, const char *file,
                                      int line) {
    const double bound = relative * cabs(wanted) + absolute;
    if (!(cabs(value - wanted) <= bound)) {
        print_error("%s: %.17g + %.17g i is not %.17g + %.17g i within %.3g\n", what, creal(value),
                    cimag(value), creal(wanted), cimag(wanted), bound);
        _fail(file, line);
    }
}

/* |value - wanted| <= tolerance */
#define near_complex_abs(value, wanted, tolerance)                                                 \
    near_complex_check(#value, value, wanted, 0, tolerance, __FILE__, __LINE__)
/* |value - wanted| <= tolerance |wanted| */
#define near_complex_rel(value, wanted, tolerance)                                                 \
    near_complex_check(#value, value, wanted, tolerance, 0, __FILE__, __LINE__)

#endif
