/* Two numbers are equal within a tolerance; NaN fails. Include after cmocka. */
#ifndef GOS_TEST_NEAR_H
#define GOS_TEST_NEAR_H

#include <math.h>

static inline void near_check(const char *what, double value, double wanted, double relative,
                              double absolute, const char *file, int line) {
    const double bound = relative * fabs(wanted) + absolute;
    if (!(fabs(value - wanted) <= bound)) {
        print_error("%s: got %.17g, expected %.17g; difference %.3g exceeds %.3g\n", what, value,
                    wanted, value - wanted, bound);
        _fail(file, line);
    }
}

/* |value - wanted| <= tolerance */
#define near_abs(value, wanted, tolerance) near_abs_named(#value, value, wanted, tolerance)
/* |value - wanted| <= tolerance |wanted| */
#define near_rel(value, wanted, tolerance) near_rel_named(#value, value, wanted, tolerance)
/* |value - wanted| <= relative |wanted| + absolute */
#define near_mixed(value, wanted, relative, absolute)                                              \
    near_check(#value, value, wanted, relative, absolute, __FILE__, __LINE__)

/* the same with a text for the message, for values in loops */
#define near_abs_named(what, value, wanted, tolerance)                                             \
    near_check(what, value, wanted, 0, tolerance, __FILE__, __LINE__)
#define near_rel_named(what, value, wanted, tolerance)                                             \
    near_check(what, value, wanted, tolerance, 0, __FILE__, __LINE__)

#endif
