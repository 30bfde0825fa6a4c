/* Functions, constants, comparisons and parameters of expressions. A function that jumps or has a
 * kink selects its branch through `branch`, which allows switching times and one-sided
 * derivatives. Its first argument is its number, inserted at compilation. */
#include "model/private.h"

#include <math.h>

#define E 2.71828182845904523536

/* ---- smooth functions ------------------------------------------------------------------------ */

static double deg(double x) {
    return x * (M_PI / 180.0);
}

static double rad(double x) {
    return x;
}

/* ---- functions with branches ----------------------------------------------------------------- */

/* record the branch of switching function k; returns the branch to use */
static double branch(void *branches, double k, double state) {
    const gos_branches *b = branches;
    const int i = (int)k;
    if (!b->hold) {
        b->state[i] = state;
    }
    return b->state[i];
}

static double f_abs(void *branches, const double *v, int n) {
    GOS_UNUSED(n);
    return branch(branches, v[0], v[1] < 0.0 ? -1.0 : 1.0) * v[1];
}

static double f_sign(void *branches, const double *v, int n) {
    GOS_UNUSED(n);
    return branch(branches, v[0], (double)((v[1] > 0.0) - (v[1] < 0.0)));
}

static double f_floor(void *branches, const double *v, int n) {
    GOS_UNUSED(n);
    return branch(branches, v[0], floor(v[1]));
}

static double f_ceil(void *branches, const double *v, int n) {
    GOS_UNUSED(n);
    return branch(branches, v[0], ceil(v[1]));
}

static double f_round(void *branches, const double *v, int n) {
    GOS_UNUSED(n);
    return branch(branches, v[0], round(v[1]));
}

static double f_mod(void *branches, const double *v, int n) {
    GOS_UNUSED(n);
    return v[1] - v[2] * branch(branches, v[0], floor(v[1] / v[2]));
}

/* branch: index of the selected argument */
static double f_min(void *branches, const double *v, int n) {
    int best = 1;
    for (int i = 2; i < n; i++) {
        best = v[i] < v[best] ? i : best;
    }
    return v[(int)branch(branches, v[0], (double)best)];
}

static double f_max(void *branches, const double *v, int n) {
    int best = 1;
    for (int i = 2; i < n; i++) {
        best = v[i] > v[best] ? i : best;
    }
    return v[(int)branch(branches, v[0], (double)best)];
}

static const gos_function functions[] = {
    {"sin", 1, 1, false, sin, NULL, NULL},      {"cos", 1, 1, false, cos, NULL, NULL},
    {"tan", 1, 1, false, tan, NULL, NULL},      {"asin", 1, 1, false, asin, NULL, NULL},
    {"acos", 1, 1, false, acos, NULL, NULL},    {"atan", 1, 1, false, atan, NULL, NULL},
    {"atan2", 2, 2, false, NULL, atan2, NULL},  {"sinh", 1, 1, false, sinh, NULL, NULL},
    {"cosh", 1, 1, false, cosh, NULL, NULL},    {"tanh", 1, 1, false, tanh, NULL, NULL},
    {"asinh", 1, 1, false, asinh, NULL, NULL},  {"acosh", 1, 1, false, acosh, NULL, NULL},
    {"atanh", 1, 1, false, atanh, NULL, NULL},  {"exp", 1, 1, false, exp, NULL, NULL},
    {"ln", 1, 1, false, log, NULL, NULL},       {"log", 1, 1, false, log, NULL, NULL},
    {"log2", 1, 1, false, log2, NULL, NULL},    {"log10", 1, 1, false, log10, NULL, NULL},
    {"sqrt", 1, 1, false, sqrt, NULL, NULL},    {"cbrt", 1, 1, false, cbrt, NULL, NULL},
    {"pow", 2, 2, false, NULL, pow, NULL},      {"hypot", 2, 2, false, NULL, hypot, NULL},
    {"deg", 1, 1, false, deg, NULL, NULL},      {"rad", 1, 1, false, rad, NULL, NULL},
    {"abs", 1, 1, true, NULL, NULL, f_abs},     {"sign", 1, 1, true, NULL, NULL, f_sign},
    {"floor", 1, 1, true, NULL, NULL, f_floor}, {"ceil", 1, 1, true, NULL, NULL, f_ceil},
    {"round", 1, 1, true, NULL, NULL, f_round}, {"mod", 2, 2, true, NULL, NULL, f_mod},
    {"min", 1, 0, true, NULL, NULL, f_min},     {"max", 1, 0, true, NULL, NULL, f_max},
};

const gos_function *gos__functions(int *n) {
    *n = GOS_COUNT(functions);
    return functions;
}

/* ---- comparisons ----------------------------------------------------------------------------- */

static double f_lt(void *branches, const double *v, int n) {
    GOS_UNUSED(n);
    return branch(branches, v[0], v[1] < v[2]);
}

static double f_gt(void *branches, const double *v, int n) {
    GOS_UNUSED(n);
    return branch(branches, v[0], v[1] > v[2]);
}

static double f_le(void *branches, const double *v, int n) {
    GOS_UNUSED(n);
    return branch(branches, v[0], v[1] <= v[2]);
}

static double f_ge(void *branches, const double *v, int n) {
    GOS_UNUSED(n);
    return branch(branches, v[0], v[1] >= v[2]);
}

static double f_eq(void *branches, const double *v, int n) {
    GOS_UNUSED(n);
    return branch(branches, v[0], v[1] == v[2]);
}

static double f_ne(void *branches, const double *v, int n) {
    GOS_UNUSED(n);
    return branch(branches, v[0], v[1] != v[2]);
}

const gos_function *gos__comparison(const char *op, int len) {
    // users cannot write names with @
    static const gos_function lt = {"@lt", 2, 2, true, NULL, NULL, f_lt};
    static const gos_function gt = {"@gt", 2, 2, true, NULL, NULL, f_gt};
    static const gos_function le = {"@le", 2, 2, true, NULL, NULL, f_le};
    static const gos_function ge = {"@ge", 2, 2, true, NULL, NULL, f_ge};
    static const gos_function eq = {"@eq", 2, 2, true, NULL, NULL, f_eq};
    static const gos_function ne = {"@ne", 2, 2, true, NULL, NULL, f_ne};
    if (len == 1) {
        return op[0] == '<' ? &lt : &gt;
    }
    return op[0] == '<' ? &le : op[0] == '>' ? &ge : op[0] == '=' ? &eq : &ne;
}

/* ---- constants ------------------------------------------------------------------------------- */

bool gos__constant(const char *name, int len, double *value) {
    if (len == 2 && name[0] == 'p' && name[1] == 'i') {
        *value = M_PI;
        return true;
    }
    if (len == 1 && name[0] == 'e') {
        *value = E;
        return true;
    }
    return false;
}

const gos_parameter *gos__parameter_get(const gos_model *m, const char *name, int n) {
    int lo = 0, hi = m->npar;
    while (lo < hi) {
        const int mid = lo + (hi - lo) / 2;
        const gos_parameter *p = &m->par[m->par_sorted[mid]];
        int c = strncmp(p->name, name, n);
        c = c == 0 && p->name[n] != '\0' ? 1 : c;
        if (c == 0) {
            return p;
        }
        if (c < 0) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return NULL;
}
