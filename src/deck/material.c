/* *MATERIAL and the cards that follow it. */
#include "deck/reader.h"

gos_status gos__deck_card_material(gos_deck_reader *r) {
    const char *label;
    gos_deck *d = r->deck;
    gos_deck_material *m;
    r->material = -1;
    GOS_TRY(gos__deck_need(r, "NAME", &label));
    const char *kept;
    GOS_TRY(gos__deck_name(r, &r->materials, "material", label, d->nmaterial, &kept));
    GOS_TRY(gos__deck_add(r, &d->material, &d->nmaterial, sizeof *m, &m));
    m->name = kept;
    m->loc = r->card_loc;
    r->material = d->nmaterial - 1;
    return GOS_OK;
}

static gos_status current(gos_deck_reader *r, gos_deck_material **m) {
    if (r->material < 0) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, r->card_loc, r->object,
                            "this card belongs to a material; begin one with *MATERIAL, NAME=...");
    }
    *m = &r->deck->material[r->material];
    return GOS_OK;
}

/* rows of `width` values and a temperature */
static gos_status read_rows(gos_deck_reader *r, const char *what, int width, int *n, double **row) {
    for (bool more = true;;) {
        double *to;
        GOS_TRY(gos__deck_data(r, &more));
        if (!more) {
            return GOS_OK;
        }
        const gos_loc loc = r->loc;
        GOS_TRY(gos__deck_add(r, row, n, (size_t)(width + 1) * sizeof **row, &to));
        GOS_TRY(gos__deck_reals(r, what, width, to));
        GOS_TRY(gos__deck_next_real(r, "temperature", 0.0, &to[width]));
        GOS_TRY(gos__deck_end(r));
        if (*n > 1 && !(to[width] > to[-1])) {
            return gos__fail_at(r->ctx, GOS_E_INPUT, loc, r->object,
                                "temperatures must ascend, but %g follows %g", to[width], to[-1]);
        }
    }
}

static gos_status read_table(gos_deck_reader *r, const char *what, int width, gos_deck_table *t) {
    double *row = NULL;
    int n = 0;
    if (t->n > 0) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, r->card_loc, r->object,
                            "the material already has this card, in line %d", t->loc.line);
    }
    GOS_TRY(read_rows(r, what, width, &n, &row));
    if (n == 0) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, r->card_loc, r->object,
                            "the line with the %s is missing below this card", what);
    }
    *t = (gos_deck_table){.width = width,
                          .t = GOS_NEW(r->arena, double, n),
                          .v = GOS_NEW(r->arena, double, (size_t)n *width),
                          .loc = r->card_loc};
    GOS_TRY(t->t && t->v ? GOS_OK : GOS_E_MEMORY);
    t->n = n;
    for (int i = 0; i < n; i++) {
        const double *from = row + (size_t)i * (width + 1);
        memcpy(t->v + (size_t)i * width, from, width * sizeof *from);
        t->t[i] = from[width];
    }
    return GOS_OK;
}

/* column k is in (lo, hi) */
static gos_status check_column(gos_deck_reader *r, const gos_deck_table *t, int k, const char *what,
                               double lo, double hi) {
    for (int i = 0; i < t->n; i++) {
        const double v = t->v[i * t->width + k];
        if (!(v > lo) || !(v < hi)) {
            return hi < GOS_LIMIT_NUMBER
                       ? gos__fail_at(r->ctx, GOS_E_INPUT, t->loc, r->object,
                                      "the %s %g is not between %g and %g", what, v, lo, hi)
                       : gos__fail_at(r->ctx, GOS_E_INPUT, t->loc, r->object,
                                      "the %s %g is not above %g", what, v, lo);
        }
    }
    return GOS_OK;
}

/* in the order of gos_deck_law, short and long */
static gos_status read_law(gos_deck_reader *r, const char *words, gos_deck_law *law) {
    static const gos_deck_law laws[] = {
        GOS_DECK_ISOTROPIC,   GOS_DECK_ISOTROPIC,   GOS_DECK_ORTHOTROPIC, GOS_DECK_ORTHOTROPIC,
        GOS_DECK_ANISOTROPIC, GOS_DECK_ANISOTROPIC, GOS_DECK_CONSTANTS,   GOS_DECK_LAMINA};
    int choice;
    GOS_TRY(gos__deck_param_choice(r, "TYPE", words, &choice));
    *law = laws[choice];
    return GOS_OK;
}

#define LAWS "ISO ISOTROPIC ORTHO ORTHOTROPIC ANISO ANISOTROPIC"

gos_status gos__deck_card_elastic(gos_deck_reader *r) {
    static const int width[] = {2, 9, 9, 21, 6};
    static const char *const what[] = {
        [GOS_DECK_ISOTROPIC] = "elastic constants (E, nu)",
        [GOS_DECK_CONSTANTS] = "elastic constants (E1, E2, E3, nu12, nu13, nu23, G12, G13, G23)",
        [GOS_DECK_ORTHOTROPIC] = ("elastic constants (D1111, D1122, D2222, D1133, D2233, D3333, "
                                  "D1212, D1313, D2323)"),
        [GOS_DECK_ANISOTROPIC] = "21 elastic constants",
        [GOS_DECK_LAMINA] = "elastic constants (E1, E2, nu12, G12, G13, G23)"};
    gos_deck_material *m = NULL;
    GOS_TRY(current(r, &m));
    GOS_TRY(read_law(r, LAWS " ENGINEERINGCONSTANTS LAMINA", &m->elastic_law));
    GOS_TRY(read_table(r, what[m->elastic_law], width[m->elastic_law], &m->elastic));
    if (m->elastic_law == GOS_DECK_ISOTROPIC) {
        GOS_TRY(check_column(r, &m->elastic, 0, "Young's modulus", 0.0, GOS_LIMIT_NUMBER));
        return check_column(r, &m->elastic, 1, "Poisson's ratio", -1.0, 0.5);
    }
    for (int k = 0; m->elastic_law == GOS_DECK_CONSTANTS && k < 9; k++) {
        if (k < 3 || k > 5) {
            GOS_TRY(check_column(r, &m->elastic, k, "modulus", 0.0, GOS_LIMIT_NUMBER));
        }
    }
    for (int k = 0; m->elastic_law == GOS_DECK_LAMINA && k < 6; k++) {
        GOS_TRY(k == 2 ? GOS_OK
                       : check_column(r, &m->elastic, k, "modulus", 0.0, GOS_LIMIT_NUMBER));
    }
    return GOS_OK;
}

static const int width_of[] = {
    [GOS_DECK_ISOTROPIC] = 1, [GOS_DECK_ORTHOTROPIC] = 3, [GOS_DECK_ANISOTROPIC] = 6};

gos_status gos__deck_card_expansion(gos_deck_reader *r) {
    gos_deck_material *m = NULL;
    GOS_TRY(current(r, &m));
    GOS_TRY(read_law(r, LAWS, &m->expansion_law));
    GOS_TRY(gos__deck_param_real(r, "ZERO", 0.0, &m->zero));
    return read_table(r, "coefficients of expansion", width_of[m->expansion_law], &m->expansion);
}

gos_status gos__deck_card_conductivity(gos_deck_reader *r) {
    gos_deck_material *m = NULL;
    GOS_TRY(current(r, &m));
    GOS_TRY(read_law(r, LAWS, &m->conductivity_law));
    GOS_TRY(read_table(r, "conductivity", width_of[m->conductivity_law], &m->conductivity));
    for (int k = 0; k < m->conductivity.width && k < 3; k++) {
        GOS_TRY(check_column(r, &m->conductivity, k, "conductivity", 0.0, GOS_LIMIT_NUMBER));
    }
    return GOS_OK;
}

gos_status gos__deck_card_density(gos_deck_reader *r) {
    gos_deck_material *m = NULL;
    GOS_TRY(current(r, &m));
    GOS_TRY(read_table(r, "density", 1, &m->density));
    return check_column(r, &m->density, 0, "density", 0.0, GOS_LIMIT_NUMBER);
}

gos_status gos__deck_card_specific_heat(gos_deck_reader *r) {
    gos_deck_material *m = NULL;
    GOS_TRY(current(r, &m));
    GOS_TRY(read_table(r, "specific heat", 1, &m->specific_heat));
    return check_column(r, &m->specific_heat, 0, "specific heat", 0.0, GOS_LIMIT_NUMBER);
}

gos_status gos__deck_card_damping(gos_deck_reader *r) {
    gos_deck_material *m = NULL;
    GOS_TRY(current(r, &m));
    GOS_TRY(gos__deck_param_real(r, "ALPHA", 0.0, &m->damping[0]));
    return gos__deck_param_real(r, "BETA", 0.0, &m->damping[1]);
}

gos_status gos__deck_card_inactive(gos_deck_reader *r) {
    gos_deck_material *m = NULL;
    GOS_TRY(current(r, &m));
    gos__warn(
        r->ctx, r->card_loc, r->object,
        "this law is not supported: material '%s' stays elastic, without the inelastic strain",
        m->name);
    m->inactive = m->inactive ? m->inactive : gos__arena_strdup(r->arena, r->object);
    GOS_TRY(m->inactive ? GOS_OK : GOS_E_MEMORY);
    return gos__deck_skip(r);
}
