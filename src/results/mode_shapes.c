/* Mode shapes of a system at its nodes. */
#include "results/mode_shapes.h"

#include <math.h>
#include <stdio.h>

#include "gossamer/linearise.h"
#include "linear/response_modes.h"
#include "rom/rom.h"

enum { MAX_NODES = 20000, MAX_COORDINATES = 600 };

#define RIGID_RATIO 1e-7 // relative to the fastest mode: below, rigid except for rounding

/* none if the structure can move freely */
static gos_status residual_after_fields(gos_shapes *k, const gos_linear *linear) {
    double fastest = 0;
    for (int i = 0; i < k->modes; i++) {
        fastest = fmax(fastest, k->mode[i].omega);
    }
    k->held = k->modes > 0 && k->fields > 0;
    for (int i = 0; i < k->modes; i++) {
        k->held = k->held && !k->mode[i].rigid && k->mode[i].omega > RIGID_RATIO * fastest;
    }
    if (!k->held) {
        return GOS_OK;
    }
    gos_ctx *quiet = gos__ctx_quiet(k->ctx);
    GOS_TRY(quiet ? GOS_OK : GOS_E_MEMORY);
    const gos_status status =
        gos__linear_response_modes(quiet, linear, k->fields, k->field, k->deformation);
    gos_ctx_destroy(quiet);
    k->held = status == GOS_OK;
    return status == GOS_E_SINGULAR ? GOS_OK : status;
}

gos_status gos__shapes_find(gos_shapes *k, const gos_linear *linear, int n) {
    gos_linear_info info;
    gos_linear_info_get(linear, &info);
    const size_t count = (size_t)n, nq = (size_t)info.coordinates, nt = (size_t)info.temperatures;
    k->mode = gos__zalloc(k->ctx, count + 1, sizeof *k->mode);
    k->shape = gos__zalloc(k->ctx, count * nq + 1, sizeof *k->shape);
    k->rate = gos__zalloc(k->ctx, count + 1, sizeof *k->rate);
    k->field = gos__zalloc(k->ctx, count * nt + 1, sizeof *k->field);
    k->deformation = gos__zalloc(k->ctx, count * nq + 1, sizeof *k->deformation);
    k->at = gos__alloc(k->ctx, 3 * (size_t)k->sys->nnodes + 1, sizeof *k->at);
    GOS_TRY(k->mode && k->shape && k->rate && k->field && k->deformation && k->at ? GOS_OK
                                                                                  : GOS_E_MEMORY);
    if (nq > 0 && n > 0) {
        GOS_TRY(gos_linear_shapes(k->ctx, linear, n, k->mode, k->shape, &k->modes));
    }
    GOS_TRY(gos_linear_thermal_modes(k->ctx, linear, n, k->rate, k->field, &k->fields));
    return residual_after_fields(k, linear);
}

void gos__shapes_free(gos_shapes *k) {
    gos__free(k->ctx, k->mode);
    gos__free(k->ctx, k->shape);
    gos__free(k->ctx, k->rate);
    gos__free(k->ctx, k->field);
    gos__free(k->ctx, k->deformation);
    gos__free(k->ctx, k->at);
    gos_state_destroy(k->moved);
}

void gos__shapes_name(const gos_shapes *k, bool field, int i, char name[GOS_SHAPE_NAME]) {
    if (field) {
        gos__format(name, GOS_SHAPE_NAME, "temperature field %d: %.6g 1/s", i + 1, k->rate[i]);
    } else {
        double fastest = 0;
        for (int j = 0; j < k->modes; j++) {
            fastest = fmax(fastest, k->mode[j].omega);
        }
        const bool free = k->mode[i].rigid || k->mode[i].omega <= RIGID_RATIO * fastest;
        gos__format(name, GOS_SHAPE_NAME, "mode %d: %.6g Hz", i + 1,
                    free ? 0.0 : k->mode[i].frequency);
    }
}

void gos__shapes_motion(gos_shapes *k, const double *shape, double *at) {
    memcpy(k->moved->v, shape, (size_t)k->sys->nq * sizeof *shape);
    gos_system_nodes(k->sys, k->moved, NULL, at, NULL, NULL);
}

void gos__shapes_heat(gos_shapes *k, int i, double *at) {
    memcpy(k->moved->th, k->field + (size_t)i * (size_t)k->sys->nt,
           (size_t)k->sys->nt * sizeof *k->field);
    gos_system_nodes(k->sys, k->moved, NULL, NULL, at, NULL);
}

/* ---- for results files ----------------------------------------------------------------------- */

/* at the initial state, or at `state` */
static gos_status find(gos_shapes *k, const gos_state *state, const gos_linear *linear, int n) {
    gos_linear *own = NULL;
    GOS_TRY(gos_state_create(k->ctx, k->sys, &k->moved));
    GOS_TRY(state ? gos_state_copy(k->moved, state) : GOS_OK);
    GOS_TRY(linear ? GOS_OK : gos_linearise(k->ctx, k->sys, k->moved, &own));
    const gos_status status = gos__shapes_find(k, linear ? linear : own, n);
    gos_linear_destroy(own);
    return status;
}

static void put(const double *from, size_t n, float *to) {
    for (size_t i = 0; i < n; i++) {
        to[i] = (float)from[i];
    }
}

static gos_status take(gos_arena *a, gos_shapes *k, gos_mode_pictures *p) {
    const size_t nodes = (size_t)k->sys->nnodes, n = (size_t)(k->modes + k->fields);
    char *end = p->names = GOS_NEW(a, char, n *GOS_SHAPE_NAME + 1);
    p->displacement = GOS_NEW(a, float, 3 * n * nodes + 1);
    p->temperature = GOS_NEW(a, float, n *nodes + 1);
    GOS_TRY(p->names && p->displacement && p->temperature ? GOS_OK : GOS_E_MEMORY);
    for (size_t i = 0; i < n; i++) {
        const bool field = i >= (size_t)k->modes;
        const int own = (int)i - (field ? k->modes : 0);
        const double *shape = field ? k->deformation : k->shape;
        char name[GOS_SHAPE_NAME];
        gos__shapes_name(k, field, own, name);
        end += sprintf(end, "%s\n", name);
        if (!field || k->held) {
            gos__shapes_motion(k, shape + (size_t)own * (size_t)k->sys->nq, k->at);
            put(k->at, 3 * nodes, p->displacement + 3 * i * nodes);
        }
        if (field) {
            gos__shapes_heat(k, own, k->at);
            put(k->at, nodes, p->temperature + i * nodes);
        }
    }
    p->n = (int)n;
    return GOS_OK;
}

static gos_status make_pictures(gos_ctx *ctx, gos_arena *a, const gos_system *sys,
                                const gos_state *state, const gos_linear *linear, int n,
                                gos_mode_pictures *p) {
    gos_ctx *quiet = gos__ctx_quiet(ctx);
    GOS_TRY(quiet ? GOS_OK : GOS_E_MEMORY);
    gos_shapes k = {.ctx = quiet, .sys = sys};
    gos_status status = find(&k, state, linear, n);
    if (status == GOS_OK) {
        status = take(a, &k, p);
    } else if (status != GOS_E_MEMORY) {
        status = GOS_OK; // no pictures without a linear model
    }
    gos__shapes_free(&k);
    gos_ctx_destroy(quiet);
    return status == GOS_E_MEMORY ? gos__fail(ctx, GOS_E_MEMORY, "out of memory") : GOS_OK;
}

gos_status gos__mode_pictures(gos_ctx *ctx, gos_arena *a, const gos_system *sys,
                              gos_mode_pictures *p) {
    *p = (gos_mode_pictures){0};
    if (!(sys->full || sys->reduced_bodies) || sys->nnodes > MAX_NODES || sys->nnodes == 0 ||
        sys->nq + sys->nt > MAX_COORDINATES) {
        return GOS_OK;
    }
    const gos_rom_pictures *stored = sys->rom && !sys->full->foreign ? sys->rom->pictures : NULL;
    if (stored && stored->of == gos__pictured(sys)) {
        *p = stored->p;
        return GOS_OK;
    }
    return make_pictures(ctx, a, sys, NULL, NULL, GOS_PICTURES, p);
}

uint64_t gos__pictured(const gos_system *sys) {
    // of this algorithm
    static const char version[] = GOS_VERSION " modes 1";
    return gos__hash(gos__system_hash(sys), version, sizeof version);
}

gos_status gos__mode_pictures_at(gos_ctx *ctx, gos_arena *a, const gos_system *sys,
                                 const gos_state *state, const gos_linear *linear, int n,
                                 gos_mode_pictures *p) {
    *p = (gos_mode_pictures){0};
    return sys->nnodes > 0 && sys->nnodes <= MAX_NODES && n > 0
               ? make_pictures(ctx, a, sys, state, linear, n, p)
               : GOS_OK;
}
