/* Deck materials: interpolation, component order. */
#include "deck/fe_parts.h"

#include <lapacke.h>
#include <math.h>

/* our index (xx yy zz xy yz zx) of the deck's components 11 22 33 12 13 23 */
static const signed char place[6] = {0, 1, 2, 3, 5, 4};

/* row below, and fraction to the next; clamped */
static int find_row(const gos_deck_table *t, double temperature, double *part) {
    int i = 0;
    *part = 0;
    while (i + 1 < t->n && temperature >= t->t[i + 1]) {
        i++;
    }
    if (i + 1 < t->n && temperature > t->t[i]) {
        *part = (temperature - t->t[i]) / (t->t[i + 1] - t->t[i]);
    }
    return i;
}

static double look_up(const gos_deck_table *t, int column, double temperature) {
    double part;
    const int i = find_row(t, temperature, &part);
    const double *row = t->v + (long)i * t->width + column;
    return part > 0 ? row[0] + part * (row[t->width] - row[0]) : row[0];
}

/* derivative: 0 beyond the ends; at a row that of the next interval */
static double slope(const gos_deck_table *t, int column, double temperature) {
    double part;
    const int i = find_row(t, temperature, &part);
    const double *row = t->v + (long)i * t->width + column;
    return i + 1 < t->n && temperature >= t->t[i]
               ? (row[t->width] - row[0]) / (t->t[i + 1] - t->t[i])
               : 0;
}

/* upper triangle by columns, or the nine orthotropic ones */
static void fill_stiffness(const gos_deck_table *t, bool all, double temperature, double H[6][6]) {
    int k = 0;
    memset(H, 0, 36 * sizeof(double));
    for (int j = 0; j < 6; j++) {
        for (int i = 0; i <= j; i++) {
            if (all || i == j || j < 3) {
                const int a = place[i], b = place[j];
                H[a][b] = H[b][a] = look_up(t, k++, temperature);
            }
        }
    }
}

static gos_status check_energy(gos_ctx *ctx, const gos_deck_table *t, const char *object,
                               double H[6][6]) {
    double L[36];
    memcpy(L, H, sizeof L);
    return LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', 6, L, 6) == 0
               ? GOS_OK
               : gos__fail_at(ctx, GOS_E_INPUT, t->loc, object,
                              "the strain energy of these elastic constants is not positive for "
                              "every strain; check their order");
}

static gos_status take_elastic(gos_ctx *ctx, const gos_deck_material *from, double T,
                               const char *object, gos_fe_material *to) {
    const gos_deck_table *t = &from->elastic;
    double c[9];
    for (int k = 0; k < t->width && k < 9; k++) {
        c[k] = look_up(t, k, T);
    }
    switch (from->elastic_law) {
    case GOS_DECK_ISOTROPIC:
        return gos__fe_isotropic(ctx, t->loc, object, c[0], c[1], to);
    case GOS_DECK_CONSTANTS:
        return gos__fe_orthotropic(ctx, t->loc, object, c, c + 3, c + 6, to);
    case GOS_DECK_LAMINA: // unused in plane stress
        return gos__fe_orthotropic(ctx, t->loc, object, (const double[3]){c[0], c[1], c[1]},
                                   (const double[3]){c[2], 0, 0}, c + 3, to);
    case GOS_DECK_ORTHOTROPIC:
    case GOS_DECK_ANISOTROPIC:
        break;
    }
    fill_stiffness(t, from->elastic_law == GOS_DECK_ANISOTROPIC, T, to->stiffness);
    return check_energy(ctx, t, object, to->stiffness);
}

/* Mean slope of a(T) (T - zero) - a(T0) (T0 - zero), or its derivative at T0. */
static double mean_expansion(const gos_deck_material *from, int column, double T0, double T) {
    const gos_deck_table *t = &from->expansion;
    const double a = look_up(t, column, T0), zero = from->zero;
    return T == T0 ? a + slope(t, column, T0) * (T0 - zero)
                   : (look_up(t, column, T) * (T - zero) - a * (T0 - zero)) / (T - T0);
}

static void take_expansion(const gos_deck_material *from, double T0, double T,
                           gos_fe_material *to) {
    const gos_deck_table *t = &from->expansion;
    for (int k = 0; k < 6 && t->n > 0; k++) {
        const int column = t->width == 1 ? 0 : k;
        if (k < 3 || t->width == 6) {
            // tensor components to engineering shears
            to->expansion[place[k]] = (k < 3 ? 1 : 2) * mean_expansion(from, column, T0, T);
        }
    }
}

static void take_conductivity(const gos_deck_material *from, double T, gos_fe_material *to) {
    static const signed char row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    const gos_deck_table *t = &from->conductivity;
    for (int k = 0; k < 6 && t->n > 0; k++) {
        if (k < 3 || t->width == 6) {
            const int i = row[k], j = column[k];
            to->conductivity[i][j] = to->conductivity[j][i] = look_up(t, t->width == 1 ? 0 : k, T);
        }
    }
}

gos_status gos__deck_material(gos_ctx *ctx, const gos_deck_material *from, double T0,
                              double temperature, bool still, const char *object,
                              gos_fe_material *to) {
    memset(to, 0, sizeof *to);
    const bool soft = from->elastic.n == 0 && !still;
    if (soft || from->density.n == 0) {
        return gos__fail_at(ctx, GOS_E_INPUT, from->loc, object,
                            "material '%s' of the deck has no *%s; add it%s, or give the body a "
                            "`material` of the model",
                            from->name, soft ? "ELASTIC" : "DENSITY",
                            soft && from->conductivity.n > 0
                                ? ", give `motion: none` if only temperatures are wanted"
                                : "");
    }
    GOS_TRY(from->elastic.n > 0 ? take_elastic(ctx, from, temperature, object, to) : GOS_OK);
    take_expansion(from, T0, temperature, to);
    take_conductivity(from, temperature, to);
    to->density = look_up(&from->density, 0, temperature);
    to->heat = from->specific_heat.n > 0 ? look_up(&from->specific_heat, 0, temperature) : 0;
    return GOS_OK;
}

bool gos__deck_isotropic(const gos_deck_material *from) {
    return from->elastic_law == GOS_DECK_ISOTROPIC && from->expansion.width <= 1 &&
           from->conductivity.width <= 1;
}

bool gos__deck_material_varies(const gos_deck_material *m) {
    return m->elastic.n > 1 || m->expansion.n > 1 || m->conductivity.n > 1 || m->density.n > 1 ||
           m->specific_heat.n > 1;
}

static void compare(const gos_deck_material *m, const gos_deck_table *t, int column,
                    const char *what, double T0, double taken, double T, gos_deck_change *c) {
    const bool grows = t == &m->expansion;
    const double before = grows ? mean_expansion(m, column, T0, taken) : look_up(t, column, taken);
    const double now = grows ? mean_expansion(m, column, T0, T) : look_up(t, column, T);
    const double change = now == before ? 0 : fabs(now - before) / fabs(before);
    if (!(change <= c->change)) {
        *c = (gos_deck_change){.change = change,
                               .T = T,
                               .value = now,
                               .taken = before,
                               .what = what,
                               .material = m->name,
                               .loc = t->loc};
    }
}

#define SAMPLES 5 // temperatures sampled

void gos__deck_material_change(const gos_deck_material *m, double T0, double taken,
                               const double T[2], gos_deck_change *c) {
    static const char *const isotropic[] = {"Young's modulus", "Poisson's ratio"};
    const gos_deck_table *const table[] = {&m->elastic, &m->expansion, &m->conductivity,
                                           &m->specific_heat};
    static const char *const what[] = {"an elastic constant", "the expansion", "the conductivity",
                                       "the specific heat"};
    for (int i = 0; i < GOS_COUNT(table); i++) {
        const gos_deck_table *t = table[i];
        for (int k = 0; t->n > 1 && k < t->width * SAMPLES; k++) {
            const int column = k / SAMPLES;
            const double at = T[0] + k % SAMPLES * (T[1] - T[0]) / (SAMPLES - 1);
            compare(m, t, column,
                    i == 0 && m->elastic_law == GOS_DECK_ISOTROPIC ? isotropic[column] : what[i],
                    T0, taken, at, c);
        }
    }
}
