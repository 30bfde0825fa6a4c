/* A straight beam as a flexible body in the axes of a frame, for tests of what it is made of.
 * Include after cmocka. */
#ifndef GOS_TEST_FLEX_BEAM_H
#define GOS_TEST_FLEX_BEAM_H

#include <math.h>
#include <stdlib.h>

#include "fe/beam_frame.h"
#include "gossamer/linear.h"
#include "support/near.h"
#include "support/sparse.h"

#define MOST 64

/* a straight beam of ne elements from the origin along a unit vector, with axes that need not be
 * the body's */
typedef struct beam {
    gos_ctx *ctx;
    double x[MOST + 1][3];
    gos_fe_beam element[MOST];
    gos_fe_frame frame;
    gos_flex *flex;
} beam;

/* the hub-beam's data: L = 1.8 m, E = 68.95 GPa */
static const gos_fe_beam arm = {.line_mass = 2767 * 2.5e-4,
                                .inertia = {2767 * 1.302e-10, 2767 * 2e-10},
                                .EA = 6.895e10 * 2.5e-4,
                                .EI = {6.895e10 * 1.302e-10, 6.895e10 * 2e-10},
                                .GJ = 3.1};
/* unit data */
static const gos_fe_beam unit = {
    .line_mass = 1, .inertia = {1e-3, 2e-3}, .EA = 1e4, .EI = {1, 4}, .GJ = 2};

static const double along_x[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
/* rows of a rotation: unit vectors across each other */
static const double skew[3][3] = {
    {2.0 / 3, 2.0 / 3, 1.0 / 3}, {-2.0 / 3, 1.0 / 3, 2.0 / 3}, {1.0 / 3, -2.0 / 3, 2.0 / 3}};

static inline void make(beam *b, const gos_fe_beam *data, double length, int ne,
                        const double axis[3][3], bool rotary) {
    *b = (beam){.ctx = gos_ctx_create()};
    for (int i = 0; i <= ne; i++) {
        for (int c = 0; c < 3; c++) {
            b->x[i][c] = length * i / ne * axis[0][c];
        }
    }
    for (int e = 0; e < ne; e++) {
        b->element[e] = *data;
        b->element[e].node[0] = e;
        b->element[e].node[1] = e + 1;
        memcpy(b->element[e].axis, axis, sizeof b->element[e].axis);
    }
    b->frame = (gos_fe_frame){
        .nnode = ne + 1, .nbeam = ne, .x = b->x, .beam = b->element, .rotary = rotary};
    assert_int_equal(gos__fe_frame_make(b->ctx, &b->frame, &b->flex), GOS_OK);
}

static inline void hold(beam *b, gos_flex_condition condition) {
    assert_int_equal(gos__flex_hold(b->flex, condition, 0, b->frame.nnode - 1), GOS_OK);
    assert_int_equal(gos__fe_frame_stiffen(&b->frame, condition, false, b->flex), GOS_OK);
}

/* leave out all freedoms but those in `kept`, "01234 5" by number */
static inline void keep(beam *b, const char *kept) {
    bool dropped[6 * (MOST + 1)] = {false};
    for (int k = 0; k < b->flex->n; k++) {
        dropped[k] = !strchr(kept, '0' + k % 6);
    }
    assert_int_equal(gos__flex_drop(b->flex, dropped), GOS_OK);
}

static inline void end(beam *b) {
    gos__flex_destroy(b->flex);
    gos_ctx_destroy(b->ctx);
}

/* the lowest frequencies [rad/s] */
static inline void lowest(const beam *b, int n, double *omega) {
    gos_linear *l;
    gos_mode mode[16];
    int found;
    assert_int_equal(gos__flex_linear(b->flex, 0, NULL, 0, NULL, &l), GOS_OK);
    assert_int_equal(gos_linear_modes(b->ctx, l, n, false, mode, &found), GOS_OK);
    assert_int_equal(found, n);
    for (int i = 0; i < n; i++) {
        omega[i] = mode[i].omega;
    }
    gos_linear_destroy(l);
}

/* the body with loads as inputs, and with the outputs conjugate to loads */
static inline gos_linear *linear_of(const gos_flex *f, int nu, const gos_flex_input *in, int ny,
                                    const gos_flex_input *out) {
    gos_linear *l;
    gos_flex_port port[8];
    double *load = calloc((size_t)(f->n * 8), sizeof *load);
    for (int i = 0; i < nu + ny; i++) {
        port[i] = (gos_flex_port){"a", "", load + i * f->n, NULL};
        gos__flex_load(f, i < nu ? &in[i] : &out[i - nu], 1, load + i * f->n);
    }
    assert_int_equal(gos__flex_linear(f, nu, port, ny, port + nu, &l), GOS_OK);
    free(load);
    return l;
}

#endif
