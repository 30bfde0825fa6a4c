/* Coordinates by name, created on demand: large meshes have too many. Vectors precede
   temperatures. */
#include <math.h>

#include "system/system.h"

int gos_system_ncoordinates(const gos_system *s) {
    return s->nv + s->nt;
}

/* last node with first coordinate at or before c */
static int node_of(const gos_body *b, const int *first, int c) {
    int node = 0;
    for (int j = 0; j < b->nnode; j++) {
        node = first[j] <= c && first[j] >= first[node] ? j : node;
    }
    return node;
}

static void name_of(const gos_system *s, const gos_body *b, bool vector, int c, char *buf,
                    size_t size) {
    const int *first = vector ? b->node_v : b->node_t;
    const int base = vector ? b->v0 : b->t0;
    const char *const *label = b->ops->coordinates;
    const bool named = b->nnode > 0 && first && (!vector || label);
    const int node = named ? node_of(b, first, c) : 0, k = named ? c - first[node] : 0;
    int labels = 0;
    while (named && vector && labels <= k && label[labels]) {
        labels++;
    }
    if (!named || (vector && k >= labels)) { // after nodal coordinates
        gos__format(buf, size, "%s.%s(%d)", b->name, vector ? "coordinate" : "temperature",
                    c - base + 1);
        return;
    }
    char family[16] = "T", at[32] = "";
    if (k > 0) {
        gos__format(family, sizeof family, "T_%d", k + 1);
    }
    if (b->nnode > 1) {
        gos__format(at, sizeof at, "node(%d).", node);
    }
    GOS_UNUSED(s);
    gos__format(buf, size, "%s.%s%s", b->name, at, vector ? label[k] : family);
}

void gos_system_coordinate_info(const gos_system *s, int i, gos_coordinate_info *info) {
    const bool vector = i < s->nv;
    const int c = vector ? i : i - s->nv;
    info->temperature = !vector;
    info->ncomp = vector ? 3 : 1;
    gos__format(info->name, sizeof info->name, "%samplitude(%d)", vector ? "" : "temperature_",
                c + 1);
    for (int k = 0; k < s->nbody && !s->reduced; k++) {
        const gos_body *b = s->body[k];
        const int from = vector ? b->v0 : b->t0, n = vector ? b->nv : b->nt;
        if (c >= from && c < from + n) {
            name_of(s, b, vector, c, info->name, sizeof info->name);
            return;
        }
    }
}

int gos_system_coordinate_find(const gos_system *s, const char *name) {
    gos_coordinate_info info;
    for (int i = 0; i < gos_system_ncoordinates(s); i++) {
        gos_system_coordinate_info(s, i, &info);
        if (strcmp(info.name, name) == 0) {
            return i;
        }
    }
    return -1;
}

void gos_state_coordinate(const gos_state *x, int i, double *value, double *rate) {
    const gos_system *s = x->sys;
    const bool vector = i < s->nv;
    const size_t at = vector ? 3 * (size_t)i : (size_t)(i - s->nv);
    const size_t size = (vector ? 3 : 1) * sizeof(double);
    if (value) {
        memcpy(value, (vector ? x->q : x->th) + at, size);
    }
    if (rate) {
        memcpy(rate, (vector ? x->v : x->thd) + at, size);
    }
}

static bool all_finite(const double *y, int n) {
    double nought = 0;
    for (int k = 0; k < n && y; k++) {
        nought += 0 * y[k];
    }
    return nought == 0;
}

gos_status gos_state_set_coordinate(gos_ctx *ctx, gos_state *x, int i, const double *value,
                                    const double *rate) {
    const gos_system *s = x->sys;
    const bool vector = i < s->nv;
    const int n = vector ? 3 : 1;
    if (i < 0 || i >= gos_system_ncoordinates(s)) {
        return gos__fail(ctx, GOS_E_USE, "there is no coordinate %d: the system has %d", i,
                         gos_system_ncoordinates(s));
    }
    gos_coordinate_info info;
    gos_system_coordinate_info(s, i, &info);
    if (!all_finite(value, n) || !all_finite(rate, n)) {
        return gos__fail(ctx, GOS_E_USE, "values for '%s' are not finite", info.name);
    }
    if (s->stepper) {
        return gos__fail(ctx, GOS_E_USE,
                         "%s depends on the preceding motion; writing '%s' requires another method",
                         s->reduction.type->name, info.name);
    }
    const size_t at = vector ? 3 * (size_t)i : (size_t)(i - s->nv);
    if (value) {
        memcpy((vector ? x->q : x->th) + at, value, (size_t)n * sizeof *value);
    }
    if (rate) {
        memcpy((vector ? x->v : x->thd) + at, rate, (size_t)n * sizeof *rate);
    }
    x->h = 0; // invalidates accelerations of previous steps
    x->npast = 0;
    x->sets++;
    return GOS_OK;
}
