#include "control/design_plants.h"

#include <math.h>

#include "linear/linear.h"

#define WHOLE 200 // vibration modes up to which the complete model is used
#define RICHER 4  // default ratio of modes, larger plant to design

void gos__design_plants_free(gos_ctx *ctx, gos_design_plants *p) {
    gos__modal_form_free(ctx, &p->form);
    gos__plant_free(ctx, &p->own.plant);
    gos__plant_free(ctx, &p->rich.plant);
}

/* ---- ports ----------------------------------------------------------------------------------- */

/* -1: not given */
static gos_status find_one(gos_ctx *ctx, const gos_linear *l, bool is_input, const char *key,
                           const char *name, gos_arena *arena, int *at) {
    int *index, *unused, n;
    *at = -1;
    if (!name) {
        return GOS_OK;
    }
    GOS_TRY(gos__design_ports(ctx, l, is_input, 1, &name, arena, &index, &unused, &n));
    if (n > 1) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "`%s`: '%s' has several components; specify one, as in '%s'", key, name,
                         (is_input ? gos_linear_input : gos_linear_output)(l, index[0]).name);
    }
    *at = index[0];
    return GOS_OK;
}

static gos_status find_ports(gos_ctx *ctx, const gos_linear *l, const gos_design_options *o,
                             gos_arena *arena, gos_design_plants *p) {
    GOS_TRY(gos__design_ports(ctx, l, true, o->ninput, o->input, arena, &p->input_index,
                              &p->input_pattern, &p->own.nu));
    GOS_TRY(
        gos__design_signals(ctx, l, o, arena, &p->signal_index, &p->signal_pattern, &p->own.ny));
    GOS_TRY(find_one(ctx, l, false, "output", o->output, arena, &p->output));
    GOS_TRY(find_one(ctx, l, true, "disturbance", o->disturbance, arena, &p->disturbance));
    if (p->own.nu == 0) {
        return gos__fail(ctx, GOS_E_INPUT, "a controller needs at least one control input");
    }
    p->of_states = p->own.ny == 0;
    if (p->of_states && o->observer) {
        return gos__fail(ctx, GOS_E_INPUT, "an observer needs signals");
    }
    p->own.disturbed = p->disturbance >= 0;
    p->own.watched = p->output >= 0;
    if (p->own.watched) {
        const char *unit = l->output[p->output].unit;
        const size_t n = strlen(unit);
        p->output_is_rate = n > 2 && strcmp(unit + n - 2, "/s") == 0;
    }
    return GOS_OK;
}

/* ---- plants ---------------------------------------------------------------------------------- */

/* measure positions and rates of the first modes */
static gos_status measure_states(gos_ctx *ctx, int nstate, gos_design_plant *p) {
    gos_plant with;
    const gos_plant *from = &p->plant;
    const long n = from->n, half = nstate / 2;
    GOS_TRY(gos__plant_create(ctx, from->n, from->nu, nstate + from->ny, &with));
    memcpy(with.A, from->A, (size_t)n * n * sizeof *with.A);
    memcpy(with.B, from->B, (size_t)n * from->nu * sizeof *with.B);
    for (long j = 0; j < n; j++) {
        memcpy(with.C + j * with.ny + nstate, from->C + j * from->ny, from->ny * sizeof *with.C);
    }
    for (long i = 0; i < nstate; i++) {
        const long state = p->positions == 0 || i < half ? i : p->positions + i - half;
        with.C[state * with.ny + i] = 1;
    }
    for (long k = 0; k < from->nu; k++) {
        memcpy(with.D + k * with.ny + nstate, from->D + k * from->ny, from->ny * sizeof *with.D);
    }
    gos__plant_free(ctx, &p->plant);
    p->plant = with;
    p->ny = nstate;
    return GOS_OK;
}

/* select the ports of the design */
static gos_status take_ports(gos_ctx *ctx, const gos_design_plants *p, const gos_plant *all,
                             gos_arena *arena, gos_design_plant *to) {
    const int nu = p->own.nu, ny = p->of_states ? 0 : p->own.ny;
    int *input = GOS_NEW(arena, int, nu + 1), *output = GOS_NEW(arena, int, ny + 1);
    if (!input || !output) {
        return GOS_E_MEMORY;
    }
    memcpy(input, p->input_index, nu * sizeof *input);
    memcpy(output, p->signal_index, ny * sizeof *output);
    input[nu] = p->disturbance;
    output[ny] = p->output;
    to->nu = nu;
    to->ny = ny;
    to->disturbed = p->disturbance >= 0;
    to->watched = p->output >= 0;
    return gos__plant_part(ctx, all, nu + to->disturbed, input, ny + to->watched, output,
                           &to->plant);
}

static gos_status make_one(gos_ctx *ctx, int n, gos_design_plants *p, gos_arena *arena,
                           gos_design_plant *to) {
    gos_plant all = {0};
    gos_status status = gos__modal_form_plant(ctx, &p->form, n, &all);
    to->positions = n;
    to->rigid = p->form.nrigid;
    status = status == GOS_OK ? take_ports(ctx, p, &all, arena, to) : status;
    gos__plant_free(ctx, &all);
    return status;
}

/* the complete model for both plants */
static gos_status make_first_order(gos_ctx *ctx, const gos_linear *l, gos_design_plants *p,
                                   gos_arena *arena) {
    gos_plant all = {0};
    gos_status status = gos__plant_make(ctx, l, &all);
    status = status == GOS_OK ? take_ports(ctx, p, &all, arena, &p->own) : status;
    status = status == GOS_OK ? take_ports(ctx, p, &all, arena, &p->rich) : status;
    gos__plant_free(ctx, &all);
    return status;
}

static gos_status make_modal(gos_ctx *ctx, const gos_linear *l, const gos_design_options *o,
                             gos_design_plants *p, gos_arena *arena) {
    const int own = o->design_modes > 0 ? o->design_modes : 0;
    const int rich = own == 0 ? 0 : o->plant_modes > 0 ? o->plant_modes : RICHER * own;
    if (rich > 0 && rich < own) {
        return gos__fail(
            ctx, GOS_E_INPUT,
            "the plant has %d modes, but the design has %d: give plant_modes of at least that",
            rich, own);
    }
    GOS_TRY(gos__modal_form_make(ctx, l, rich, o->zeta, &p->form));
    int n = 0, *seen = GOS_NEW(arena, int, p->own.ny + 1);
    if (!seen) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < p->own.ny; i++) {
        seen[n++] = p->signal_index[i];
    }
    if (p->output >= 0 && n > 0) {
        seen[n++] = p->output;
    }
    GOS_TRY(gos__modal_form_see(ctx, &p->form, n, seen));
    const int vibrations = p->form.n - p->form.nrigid;
    if (own == 0 && vibrations > WHOLE) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "the model has %d vibration modes: give design_modes, the number used in "
                         "the controller design",
                         vibrations);
    }
    const int known = own > 0 && own < vibrations ? own : vibrations;
    GOS_TRY(make_one(ctx, p->form.nrigid + known, p, arena, &p->own));
    return make_one(ctx, p->form.n, p, arena, &p->rich);
}

gos_status gos__design_plants_make(gos_ctx *ctx, const gos_linear *l, const gos_design_options *o,
                                   gos_arena *arena, gos_design_plants *p) {
    *p = (gos_design_plants){0};
    GOS_TRY(find_ports(ctx, l, o, arena, p));
    GOS_TRY(l->nq > 0 ? make_modal(ctx, l, o, p, arena) : make_first_order(ctx, l, p, arena));
    if (p->of_states) {
        const int n = p->own.plant.n;
        GOS_TRY(measure_states(ctx, n, &p->own));
        GOS_TRY(measure_states(ctx, n, &p->rich));
    }
    return GOS_OK;
}
