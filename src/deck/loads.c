/* Pressure, gravity, rotation, heat, films and radiation. */
#include "deck/reader.h"

#include <math.h>

/* letter before the face number; count of numbers */
static const struct {
    char letter;
    bool surface;
    gos_deck_load_kind kind;
    int values;
    const char *what;
} specs[] = {
    [GOS_DECK_CARD_DLOAD] = {'P', false, GOS_DECK_PRESSURE, 1, "pressure"},
    [GOS_DECK_CARD_DSLOAD] = {'P', true, GOS_DECK_PRESSURE, 1, "pressure"},
    [GOS_DECK_CARD_DFLUX] = {'S', false, GOS_DECK_FLUX, 1, "flux"},
    [GOS_DECK_CARD_DSFLUX] = {'S', true, GOS_DECK_FLUX, 1, "flux"},
    [GOS_DECK_CARD_FILM] = {'F', false, GOS_DECK_FILM, 2, "sink temperature or film coefficient"},
    [GOS_DECK_CARD_SFILM] = {'F', true, GOS_DECK_FILM, 2, "sink temperature or film coefficient"},
    [GOS_DECK_CARD_RADIATE] = {'R', false, GOS_DECK_RADIATION, 2, "sink temperature or emissivity"},
    [GOS_DECK_CARD_SRADIATE] = {'R', true, GOS_DECK_RADIATION, 2, "sink temperature or emissivity"},
};

/* cells of the first field; empty: all */
static gos_status read_cells(gos_deck_reader *r, gos_deck_faces *on) {
    gos_deck_field f = {r->end, 0};
    (void)gos__deck_field(r, &f);
    on->face = NULL;
    if (f.n > 0) {
        return gos__deck_cells(r, &f, &on->n, &on->cell);
    }
    GOS_TRY(gos__deck_count(r, r->mesh->ncell));
    int *all = GOS_NEW(r->arena, int, r->mesh->ncell + 1L);
    GOS_TRY(all ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < r->mesh->ncell; i++) {
        all[i] = i;
    }
    on->n = r->mesh->ncell;
    on->cell = all;
    return GOS_OK;
}

static gos_status read_surface(gos_deck_reader *r, gos_deck_faces *on) {
    gos_deck_field f;
    char label[GOS_DECK_LABEL + 1];
    int number;
    (void)gos__deck_field(r, &f);
    GOS_TRY(gos__deck_label(r, &f, label));
    GOS_TRY(gos__deck_named(r, &r->surfaces, "surface", label, &number));
    const gos_deck_surface *s = &r->deck->surface[number];
    if (s->of_nodes) {
        return gos__deck_fail(r, &f, "surface '%s' is made of nodes; use one of faces", label);
    }
    *on = s->faces;
    return GOS_OK;
}

static gos_status read_direction(gos_deck_reader *r, double d[3]) {
    for (int c = 0; c < 3; c++) {
        GOS_TRY(gos__deck_next_real(r, "direction", 0.0, &d[c]));
    }
    const double size = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    if (!(size > 0.0)) {
        return gos__deck_fail(r, NULL, "the direction has no length");
    }
    for (int c = 0; c < 3; c++) {
        d[c] /= size;
    }
    return GOS_OK;
}

/* loads on cells (GRAV, CENTRIF, BF); *done false: another label */
static gos_status read_volume(gos_deck_reader *r, char letter, const char *label, gos_deck_load *l,
                              bool *done) {
    *done = true;
    if (letter == 'P' && strcmp(label, "GRAV") == 0) {
        l->kind = GOS_DECK_GRAVITY;
        GOS_TRY(gos__deck_next_real(r, "acceleration", (double)NAN, &l->value[0]));
        return read_direction(r, l->value + 1);
    }
    if (letter == 'P' && strcmp(label, "CENTRIF") == 0) {
        l->kind = GOS_DECK_CENTRIFUGAL;
        GOS_TRY(
            gos__deck_next_real(r, "square of the angular velocity", (double)NAN, &l->value[0]));
        if (!(l->value[0] >= 0.0)) {
            return gos__deck_fail(
                r, NULL, "the square of the angular velocity is %g; it must not be below 0",
                l->value[0]);
        }
        for (int c = 0; c < 3; c++) {
            GOS_TRY(gos__deck_next_real(r, "point of the axis", 0.0, &l->value[1 + c]));
        }
        return read_direction(r, l->value + 4);
    }
    if (letter == 'S' && strcmp(label, "BF") == 0) {
        l->kind = GOS_DECK_SOURCE;
        return gos__deck_next_real(r, "heat per volume", (double)NAN, &l->value[0]);
    }
    *done = false;
    return GOS_OK;
}

static gos_status read_load(gos_deck_reader *r, int card, gos_deck_load *l) {
    gos_deck_field f;
    char label[GOS_DECK_LABEL + 1];
    bool done = false;
    GOS_TRY(specs[card].surface ? read_surface(r, &l->on) : read_cells(r, &l->on));
    f = (gos_deck_field){r->end, 0};
    (void)gos__deck_field(r, &f);
    GOS_TRY(gos__deck_label(r, &f, label));
    if (!specs[card].surface) {
        GOS_TRY(read_volume(r, specs[card].letter, label, l, &done));
    }
    if (done) {
        return GOS_OK;
    }
    if (label[0] != specs[card].letter || (specs[card].surface && label[1] != '\0')) {
        return gos__deck_fail(r, &f, "the label '%s' is not supported here", label);
    }
    if (!specs[card].surface) {
        // shells: pressure along the normal is against the lower face
        const bool along = specs[card].letter == 'P' && label[1] == '\0';
        GOS_TRY(gos__deck_faces(r, &f, along ? "NEG" : label + 1, l->on.n, l->on.cell, &l->on));
    }
    for (int k = 0; k < specs[card].values; k++) {
        GOS_TRY(gos__deck_next_real(r, specs[card].what, (double)NAN, &l->value[k]));
    }
    return GOS_OK;
}

static gos_deck_load_kind family_of(gos_deck_load_kind kind) {
    return kind == GOS_DECK_GRAVITY || kind == GOS_DECK_CENTRIFUGAL ? GOS_DECK_PRESSURE
           : kind == GOS_DECK_SOURCE                                ? GOS_DECK_FLUX
                                                                    : kind;
}

/* OP=NEW would remove loads of the same step */
static gos_status check_op(gos_deck_reader *r, int card) {
    int op;
    GOS_TRY(gos__deck_param_choice(r, "OP", "MOD NEW", &op));
    for (int i = 0; op == 1 && i < r->deck->nload; i++) {
        const gos_deck_load *before = &r->deck->load[i];
        if (family_of(before->kind) == specs[card].kind) {
            return gos__fail_at(
                r->ctx, GOS_E_INPUT, r->card_loc, r->object,
                "OP=NEW would remove the load of line %d; remove that line, or write OP=MOD",
                before->loc.line);
        }
    }
    return GOS_OK;
}

gos_status gos__deck_card_load(gos_deck_reader *r) {
    const int card = r->card->kind;
    const char *factor = specs[card].letter == 'F' ? "FILMAMPLITUDE" : "RADIATIONAMPLITUDE";
    int amplitude, factor_amplitude;
    GOS_TRY(check_op(r, card));
    GOS_TRY(gos__deck_param_named(r, &r->amplitudes, "amplitude", "AMPLITUDE", &amplitude));
    GOS_TRY(gos__deck_param_named(r, &r->amplitudes, "amplitude", factor, &factor_amplitude));
    for (bool more = true;;) {
        GOS_TRY(gos__deck_data(r, &more));
        if (!more) {
            return GOS_OK;
        }
        gos_deck_load l = {.kind = specs[card].kind,
                           .amplitude = amplitude,
                           .factor_amplitude = factor_amplitude,
                           .loc = r->loc},
                      *to;
        GOS_TRY(read_load(r, card, &l));
        GOS_TRY(gos__deck_end(r));
        GOS_TRY(gos__deck_add(r, &r->deck->load, &r->deck->nload, sizeof l, &to));
        *to = l;
    }
}

gos_status gos__deck_card_constants(gos_deck_reader *r) {
    gos_deck *d = r->deck;
    const char *given;
    GOS_TRY(gos__deck_need(r, "ABSOLUTEZERO", &given));
    GOS_TRY(gos__deck_need(r, "STEFANBOLTZMANN", &given));
    GOS_TRY(gos__deck_param_real(r, "ABSOLUTEZERO", 0.0, &d->absolute_zero));
    GOS_TRY(gos__deck_param_real(r, "STEFANBOLTZMANN", 0.0, &d->stefan_boltzmann));
    d->has_constants = true;
    return GOS_OK;
}

/* drop faces that later loads have; one bit per cell and face */
static gos_status keep_last(gos_deck_reader *r, gos_deck_load *l, unsigned char *seen) {
    GOS_TRY(gos__deck_count(r, l->on.n));
    int *cell = GOS_NEW(r->arena, int, l->on.n + 1L);
    signed char *face = GOS_NEW(r->arena, signed char, l->on.n + 1L);
    int n = 0;
    GOS_TRY(cell && face ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < l->on.n; i++) {
        const int c = l->on.cell[i], f = l->on.face[i];
        const unsigned bit = 1u << (f >= 0 ? f : GOS_CELL_SIDES - 1 - f);
        if ((seen[c] & bit) == 0) {
            seen[c] = (unsigned char)(seen[c] | bit);
            cell[n] = c;
            face[n++] = l->on.face[i];
        }
    }
    l->on = (gos_deck_faces){.n = n, .cell = cell, .face = face};
    return GOS_OK;
}

/* as in CalculiX, later films replace; fluxes and pressures add up */
static gos_status replace(gos_deck_reader *r, gos_deck_load_kind kind) {
    gos_deck *d = r->deck;
    int count = 0;
    for (int i = 0; i < d->nload; i++) {
        count += d->load[i].kind == kind;
    }
    if (count < 2) {
        return GOS_OK;
    }
    unsigned char *seen = gos__zalloc(r->ctx, d->mesh->ncell, 1);
    gos_status status = seen ? GOS_OK : GOS_E_MEMORY;
    for (int i = d->nload - 1; i >= 0 && status == GOS_OK; i--) {
        if (d->load[i].kind == kind) {
            status = keep_last(r, &d->load[i], seen);
        }
    }
    gos__free(r->ctx, seen);
    return status;
}

gos_status gos__deck_loads_finish(gos_deck_reader *r) {
    const gos_deck *d = r->deck;
    for (int i = 0; i < d->nload && !d->has_constants; i++) {
        if (d->load[i].kind == GOS_DECK_RADIATION) {
            return gos__fail_at(
                r->ctx, GOS_E_INPUT, d->load[i].loc, NULL,
                "radiation needs *PHYSICAL CONSTANTS, ABSOLUTE ZERO=..., STEFAN BOLTZMANN=...");
        }
    }
    GOS_TRY(replace(r, GOS_DECK_FILM));
    return replace(r, GOS_DECK_RADIATION);
}
