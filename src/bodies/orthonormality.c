/* Orthonormality of body axes (natural coordinates). */
#include "bodies/orthonormality.h"
#include "parts/marker.h"
#include "parts/vec3.h"

static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

/* 1/2 (a_i . a_j - delta_ij) */
static void rigidity_eval(const gos_item *it, const gos_item_io *io) {
    GOS_UNUSED(it);
    for (int r = 0; r < 6; ++r) {
        int i = pair[r][0], j = pair[r][1];
        const double *ai = io->x + 3 * i, *aj = io->x + 3 * j;
        if (io->c) {
            io->c[r] = 0.5 * (gos__dot3(ai, aj) - (i == j));
        }
        for (int k = 0; io->cx && k < 3; ++k) {
            io->cx[9 * r + 3 * i + k] += 0.5 * aj[k];
            io->cx[9 * r + 3 * j + k] += 0.5 * ai[k];
        }
        if (io->H) {
            gos__addeye(io->H, 9, i, j, 0.5 * io->lam[r]);
            gos__addeye(io->H, 9, j, i, 0.5 * io->lam[r]);
        }
    }
}

static const unsigned short axes_of[6] = {1, 2, 4, 3, 5, 6}, all[3] = {7, 7, 7};
static const gos_structure structure = {.row = axes_of, .pair = all, .alike = true};

static const gos_item_type rigidity = {.name = "rigidity", .eval = rigidity_eval};

gos_status gos__add_rigidity(gos_builder *b, int axis, const char *name, gos_loc loc) {
    gos_item item = {
        .type = &rigidity, .name = name, .loc = loc, .nm = 3, .nc = 6, .structure = &structure};
    const double one = 1.0;
    for (int j = 0; j < 3; ++j) {
        const int v = axis + j;
        GOS_TRY(gos__marker_make(b->arena, 1, &v, &one, NULL, &item.m[j]));
    }
    return gos__add_item(b, &item, NULL);
}
