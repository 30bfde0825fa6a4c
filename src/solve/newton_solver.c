/* Newton matrices, full and in parts (newton_solver.h). */
#include "solve/newton_solver.h"

#include <math.h>

#include "linalg/block_ldl.h"
#include "linalg/symmetric.h"
#include "solve/couple.h"

#define EVEN 1e-12           // relative asymmetry of entries that is rounding
#define EVEN_OF_COLUMN 1e-10 // ... of sums that a stiff neighbour may dominate

struct gos_newton_solver {
    gos_ctx *ctx;
    const gos_pattern *pattern;
    const unsigned char *heat;
    gos_solver *all;       // full matrix, NULL: not needed yet
    gos_block_ldl *motion; // NULL: not needed yet
    gos_solver *warm;      // heat, NULL: not needed yet
    gos_block_ldl *mild;   // ... if its matrix is symmetric, NULL likewise
    gos_symmetric *wide;   // ... and large
    bool even;             // it was symmetric in the last factorisation in parts
    unsigned char *cold;   // 1 for all but heat (n)
    int *across;           // positions of transposed entries (part.nnz), -1: none
    gos_pattern part;      // of heat (arrays owned)
    int *of;               // unknowns of heat (part.n)
    int *from;             // positions of its entries in the full matrix (part.nnz)
    double *values, *y;    // (part.nnz), right-hand side (part.n)
    gos_couple couple;     // K_qT
    int *at;               // positions of its entries, -1: zero (ncolumn, 3)
    bool whole;
    int *next;
    double *most; // scratch: magnitudes of columns (n)
    bool halved;  // the last factorisation is in parts and valid
};

static bool is_warm(const gos_newton_solver *s, int i) {
    return s->heat[i] != 0;
}

/* Heat columns in heat rows; counts only before allocation. */
static void list_heat(gos_newton_solver *s, const int *place) {
    const gos_pattern *a = s->pattern;
    int entries = 0;
    for (int c = 0; c < s->part.n; c++) {
        s->part.p[c] = entries;
        for (int k = a->p[s->of[c]]; k < a->p[s->of[c] + 1]; k++) {
            if (is_warm(s, a->i[k]) && s->from) {
                s->part.i[entries] = place[a->i[k]];
                s->from[entries] = k;
            }
            entries += is_warm(s, a->i[k]);
        }
    }
    s->part.p[s->part.n] = s->part.nnz = entries;
}

/* Positions of transposed heat entries, and the mask of other unknowns. */
static gos_status make_across(gos_newton_solver *s) {
    s->across = gos__alloc(s->ctx, s->part.nnz + 1L, sizeof *s->across);
    s->cold = gos__alloc(s->ctx, s->pattern->n + 1L, sizeof *s->cold);
    if (!s->across || !s->cold) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < s->pattern->n; i++) {
        s->cold[i] = !is_warm(s, i);
    }
    for (int j = 0; j < s->part.n; j++) {
        for (int k = s->part.p[j]; k < s->part.p[j + 1]; k++) {
            const int i = s->part.i[k];
            s->across[k] = -1;
            for (int l = s->part.p[i]; l < s->part.p[i + 1]; l++) {
                s->across[k] = s->part.i[l] == j ? l : s->across[k];
            }
        }
    }
    return GOS_OK;
}

static bool is_even(const gos_newton_solver *s) {
    for (int k = 0; k < s->part.nnz; k++) {
        const double x = s->values[k], y = s->across[k] < 0 ? 0 : s->values[s->across[k]];
        if (!(fabs(x - y) <= EVEN * (fabs(x) + fabs(y)))) {
            return false;
        }
    }
    return true;
}

static gos_status make_heat(gos_newton_solver *s) {
    const size_t n = s->pattern->n;
    int *place = gos__alloc(s->ctx, n + 1, sizeof *place);
    s->of = gos__alloc(s->ctx, n + 1, sizeof *s->of);
    if (!place || !s->of) {
        gos__free(s->ctx, place);
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < s->pattern->n; i++) {
        if (is_warm(s, i)) {
            place[i] = s->part.n;
            s->of[s->part.n++] = i;
        }
    }
    const size_t m = s->part.n;
    s->part.p = gos__alloc(s->ctx, m + 1, sizeof *s->part.p);
    s->y = gos__alloc(s->ctx, m + 1, sizeof *s->y);
    gos_status status = s->part.p && s->y ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        list_heat(s, place);
        const size_t entries = s->part.nnz;
        s->part.i = gos__alloc(s->ctx, entries + 1, sizeof *s->part.i);
        s->values = gos__alloc(s->ctx, entries + 1, sizeof *s->values);
        s->from = gos__alloc(s->ctx, entries + 1, sizeof *s->from);
        status = s->part.i && s->values && s->from ? GOS_OK : GOS_E_MEMORY;
    }
    if (status == GOS_OK) {
        list_heat(s, place);
    }
    gos__free(s->ctx, place);
    return status == GOS_OK ? make_across(s) : status;
}

/* First row of the vector of row i, or i. */
static int group_of(const gos_newton_solver *s, int i) {
    return i < 3 * s->pattern->vectors ? i - i % 3 : i;
}

/* Entries of K_qT by groups of rows; next (n): position of a group's next column, counted first. */
static void list_couple(gos_newton_solver *s, int *next) {
    const gos_pattern *a = s->pattern;
    for (int c = 0; c < s->part.n; c++) {
        for (int k = a->p[s->of[c]], last = -1; k < a->p[s->of[c] + 1]; k++) {
            const int i = a->i[k], group = group_of(s, i);
            if (is_warm(s, i)) {
                continue;
            }
            next[group] += group != last;
            last = group;
            if (s->at) {
                const int e = next[group] - 1;
                s->couple.of[e] = c;
                s->at[3L * e + i - group] = k;
            }
        }
    }
}

static gos_status make_couple(gos_newton_solver *s) {
    const int n = s->pattern->n;
    gos_couple *k = &s->couple;
    int *next = gos__zalloc(s->ctx, n + 1L, sizeof *next), columns = 0;
    k->row = gos__alloc(s->ctx, n + 1L, sizeof *k->row);
    k->first = gos__alloc(s->ctx, n + 1L, sizeof *k->first);
    if (!next || !k->row || !k->first) {
        gos__free(s->ctx, next);
        return GOS_E_MEMORY;
    }
    list_couple(s, next);
    for (int i = 0; i < n; i++) {
        const int count = next[i];
        next[i] = columns;
        if (count > 0) {
            k->nvector += i < 3 * s->pattern->vectors;
            k->row[k->n] = i;
            k->first[k->n++] = columns;
        }
        columns += count;
    }
    k->first[k->n] = columns;
    k->of = gos__alloc(s->ctx, columns + 1L, sizeof *k->of);
    k->value = gos__zalloc(s->ctx, 3L * columns + 1, sizeof *k->value);
    s->at = gos__alloc(s->ctx, 3L * columns + 1, sizeof *s->at);
    const gos_status status = k->of && k->value && s->at ? GOS_OK : GOS_E_MEMORY;
    for (int e = 0; e < 3 * columns && status == GOS_OK; e++) {
        s->at[e] = -1;
    }
    if (status == GOS_OK) {
        list_couple(s, next);
    }
    gos__free(s->ctx, next);
    return status;
}

static gos_status make_parts(gos_newton_solver *s) {
    if (s->next) {
        return GOS_OK;
    }
    s->next = gos__alloc(s->ctx, s->pattern->n + 1L, sizeof *s->next);
    s->most = gos__alloc(s->ctx, s->pattern->n + 1L, sizeof *s->most);
    if (!s->next || !s->most) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(make_heat(s));
    if (s->part.n == s->pattern->n) {
        return GOS_OK; // no motion
    }
    GOS_TRY(gos__block_ldl_create(s->ctx, s->pattern, s->heat, GOS_LDL_FASTER, &s->motion));
    return make_couple(s);
}

/* trailing rows of prescribed temperatures, which have no diagonal */
static int count_rows(const gos_pattern *a) {
    int n = 0;
    for (int j = a->n - 1; j >= 0; j--, n++) {
        for (int k = a->p[j]; k < a->p[j + 1]; k++) {
            if (a->i[k] == j) {
                return n;
            }
        }
    }
    return n;
}

/* Temperatures are single unknowns, for which blocks of three waste memory. */
static gos_status factor_even(gos_newton_solver *s, const double *values) {
    const bool large = s->part.n >= GOS_SYMMETRIC_LARGE;
    if (large && !s->wide) {
        const gos_symmetric_def def = {.pattern = &s->part, .nlast = count_rows(&s->part)};
        GOS_TRY(gos__symmetric_create(s->ctx, &def, &gos__symmetric_mumps, &s->wide));
    }
    if (!large && !s->mild) {
        GOS_TRY(gos__block_ldl_create(s->ctx, s->pattern, s->cold, GOS_LDL_FASTER, &s->mild));
    }
    return large ? gos__symmetric_factor(s->wide, s->values, true, NULL)
                 : gos__block_ldl_factor(s->mild, values, NULL);
}

/* Conduction and radiation matrices are symmetric; others use KLU. Pivots are not reused when they
 * alternate. */
static gos_status factor_heat(gos_newton_solver *s, const double *values) {
    const bool before = s->even;
    s->even = is_even(s);
    if (s->even) {
        const gos_status status = factor_even(s, values);
        if (status != GOS_E_SINGULAR) {
            return status;
        }
        s->even = false;
    }
    if (!s->warm) {
        GOS_TRY(gos__solver_create(s->ctx, &s->part, &s->warm));
    } else if (before) {
        gos__solver_repivot(s->warm);
    }
    return gos__solver_factor(s->warm, s->values, NULL);
}

static gos_status factor_parts(gos_newton_solver *s, const double *values) {
    s->halved = false;
    GOS_TRY(make_parts(s));
    GOS_TRY(s->motion ? gos__block_ldl_factor(s->motion, values, NULL) : GOS_OK);
    for (int k = 0; k < s->part.nnz; k++) {
        s->values[k] = values[s->from[k]];
    }
    for (int k = 0; s->motion && k < 3 * s->couple.first[s->couple.n]; k++) {
        s->couple.value[k] = s->at[k] >= 0 ? values[s->at[k]] : 0;
    }
    GOS_TRY(s->part.n > 0 ? factor_heat(s, values) : GOS_OK);
    s->halved = true;
    return GOS_OK;
}

static void solve_parts(gos_newton_solver *s, double *x) {
    const bool large = s->even && s->part.n >= GOS_SYMMETRIC_LARGE;
    if (s->even && !large && s->part.n > 0) {
        gos__block_ldl_solve(s->mild, x);
    }
    for (int c = 0; c < s->part.n; c++) {
        s->y[c] = x[s->of[c]];
    }
    if (large && gos__symmetric_solve(s->wide, 1, s->y) != GOS_OK) {
        s->y[0] = (double)NAN; // out of memory: the iteration detects the failure
    } else if (!s->even && s->part.n > 0) {
        gos__solver_solve(s->warm, s->y);
    }
    for (int c = 0; c < s->part.n; c++) {
        x[s->of[c]] = s->y[c];
    }
    if (s->motion) {
        gos__kernel_couple(&s->couple, s->y, x);
        gos__block_ldl_solve(s->motion, x);
    }
}

gos_status gos__newton_solver_create(gos_ctx *ctx, const gos_pattern *pattern,
                                     const unsigned char *heat, gos_newton_solver **solver) {
    gos_newton_solver *s = gos__zalloc(ctx, 1, sizeof *s);
    if (!s) {
        return GOS_E_MEMORY;
    }
    *s = (gos_newton_solver){.ctx = ctx, .pattern = pattern, .heat = heat, .whole = !heat};
    const gos_status status = heat ? GOS_OK : gos__solver_create(ctx, pattern, &s->all);
    if (status != GOS_OK) {
        gos__newton_solver_destroy(s);
        return status;
    }
    *solver = s;
    return GOS_OK;
}

void gos__newton_solver_destroy(gos_newton_solver *s) {
    if (s) {
        gos__solver_destroy(s->all);
        gos__solver_destroy(s->warm);
        gos__block_ldl_destroy(s->motion);
        gos__block_ldl_destroy(s->mild);
        gos__symmetric_destroy(s->wide);
        void *const lists[] = {
            s->part.p, s->part.i,    s->of,         s->from,         s->values,       s->y,
            s->at,     s->couple.of, s->couple.row, s->couple.first, s->couple.value, s->cold,
            s->across, s->next,      s->most};
        for (int i = 0; i < GOS_COUNT(lists); i++) {
            gos__free(s->ctx, lists[i]);
        }
        gos__free(s->ctx, s);
    }
}

/* Discards pivots when full and partial factorisations alternate, because stored histories contain
 * one kind only. */
static void turn_to(gos_newton_solver *s, bool whole) {
    if (s->whole != whole) {
        gos__newton_solver_repivot(s);
    }
    s->whole = whole;
}

gos_status gos__newton_solver_factor(gos_newton_solver *s, const double *values, bool whole) {
    if (s->heat && !whole) {
        turn_to(s, false);
        const gos_status status = factor_parts(s, values);
        if (status != GOS_E_SINGULAR) {
            return status;
        }
    }
    turn_to(s, true);
    if (!s->all) {
        GOS_TRY(gos__solver_create(s->ctx, s->pattern, &s->all));
    }
    return gos__solver_factor(s->all, values, NULL);
}

gos_status gos__newton_solver_parts(gos_newton_solver *s, const double *values) {
    turn_to(s, false);
    return factor_parts(s, values);
}

bool gos__newton_solver_in_parts(const gos_newton_solver *s) {
    return s->halved && !s->whole;
}

void gos__newton_solver_forget(gos_newton_solver *s) {
    s->halved = false;
}

bool gos__newton_solver_whole(const gos_newton_solver *s) {
    return s->whole;
}

/* Transposed entry of entry k in column j; columns must ascend, each is read once. */
static double transposed(gos_newton_solver *s, const double *values, int k, int j) {
    const gos_pattern *a = s->pattern;
    const int i = a->i[k];
    while (s->next[i] < a->p[i + 1] && a->i[s->next[i]] < j) {
        s->next[i]++;
    }
    const bool there = s->next[i] < a->p[i + 1] && a->i[s->next[i]] == j;
    return there ? values[s->next[i]] : 0;
}

bool gos__newton_solver_complete(gos_newton_solver *s, const double *values) {
    const gos_pattern *a = s->pattern;
    if (s->whole) {
        return false;
    }
    for (int j = 0; j < a->n; j++) {
        s->next[j] = a->p[j];
        s->most[j] = 0;
        for (int k = a->p[j]; k < a->p[j + 1]; k++) {
            s->most[j] = fmax(s->most[j], is_warm(s, a->i[k]) ? 0 : fabs(values[k]));
            if (!is_warm(s, j) && is_warm(s, a->i[k]) && values[k] != 0) {
                return false;
            }
        }
    }
    for (int j = 0; j < a->n; j++) {
        for (int k = a->p[j]; k < a->p[j + 1] && !is_warm(s, j); k++) {
            const int i = a->i[k];
            const double odd = is_warm(s, i) ? 0 : fabs(values[k] - transposed(s, values, k, j));
            if (odd > EVEN_OF_COLUMN * fmin(s->most[i], s->most[j])) {
                return false;
            }
        }
    }
    return true;
}

bool gos__newton_solver_kept_pivots(const gos_newton_solver *s) {
    const gos_solver *last = s->whole ? s->all : s->even ? NULL : s->warm;
    return last && gos__solver_kept_pivots(last);
}

void gos__newton_solver_repivot(gos_newton_solver *s) {
    if (s->all) {
        gos__solver_repivot(s->all);
    }
    if (s->warm) {
        gos__solver_repivot(s->warm);
    }
}

void gos__newton_solver_invert(gos_newton_solver *s) {
    if (s->whole && s->all) {
        gos__solver_invert(s->all);
    }
}

void gos__newton_solver_solve(gos_newton_solver *s, double *x) {
    if (s->whole) {
        gos__solver_solve(s->all, x);
    } else {
        solve_parts(s, x);
    }
}
