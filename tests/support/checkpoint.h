/* A good checkpoint in memory, and trying to continue from a changed one: for the tests and the
   fuzzing of hostile bytes. */
#ifndef GOS_TEST_CHECKPOINT_H
#define GOS_TEST_CHECKPOINT_H

#include <stdio.h>
#include <unistd.h>

#include "results/checkpoint.h"
#include "steppers/alpha/generalised_alpha.h"
#include "solve/integrator.h"

/* the temperature held; a constant is not searched for narrow parts, half of the time of a resume
 * here */
#ifndef CHECKPOINT_HELD
#define CHECKPOINT_HELD "3*t"
#endif

/* few coordinates of every kind: positions, temperatures, both kinds of multipliers; a memory */
static const char checkpoint_model[] =
    "materials: {m: {density: 1000, young: 1.0e7, poisson: 0.3, conductivity: 1, specific_heat: "
    "200,\n"
    "  expansion: 1.0e-4, damping: {normal: 2.0e-3}, absorptivity: 1}}\n"
    "sections: {s: {type: rectangle, height: 0.02, width: 0.02}}\n"
    "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0], "
    "elements: 2}}\n"
    "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n"
    "loads: {hinge: {type: torsion_spring, between: [ground, rod.start], axis: [0, 0, 1],\n"
    "  damping: 1.0e-6, latch: {angle: -1, stiffness: 1.0e-3}}}\n"
    "gravity: [0, -9.81, 0]\n"
    // heat that follows another temperature: its matrix is not symmetric, so that pivots of KLU are
    // kept beside those of motion
    "heat: {warm: {type: temperature, on: rod.start, value: " CHECKPOINT_HELD "},\n"
    "  fed: {type: heat_flow, on: rod.end, value: 0.01*middle.T}}\n"
    "probes: {middle: {at: rod.node(1), quantity: temperature}}\n"
    "analysis: {end: 1}\n";

typedef struct checkpoint_bench {
    gos_ctx *ctx;
    gos_model *model;
    gos_system *sys;
    gos_state *state;
    char *bytes; // of a good checkpoint (n)
    size_t n;
} checkpoint_bench;

/* false when anything fails */
static inline bool checkpoint_bench_make(checkpoint_bench *b) {
    char path[64];
    gos_options options;
    gos_integrator *g = NULL;
    gos_checkpoint c = {.rows = 6, .frames = 1};
    gos_checkpoint_view view;
    char why[GOS_WHY];
    *b = (checkpoint_bench){.ctx = gos_ctx_create()};
    bool good = b->ctx && gos_model_parse(b->ctx, checkpoint_model, strlen(checkpoint_model),
                                          "test", NULL, &b->model) == GOS_OK;
    good = good && gos_system_create(b->ctx, b->model, &b->sys) == GOS_OK &&
           gos_state_create(b->ctx, b->sys, &b->state) == GOS_OK;
    if (!good) {
        return false;
    }
    gos_options_get(b->sys, &options);
    good = gos_integrator_create(b->ctx, b->sys, &options, b->state, &g) == GOS_OK;
    bool old = false; // pivots are older than the factorisation, which has been turned
    for (int i = 0; i < 400 && good && !old; i++) {
        good = gos_integrator_step(g, options.end) == GOS_OK;
        const gos_alpha *run = (const gos_alpha *)g;
        old = i >= 40 && !run->own_pivots && gos__corotation_updated_at(run->turned);
    }
    good = good && old && gos_integrator_store_history(g) == GOS_OK;
    if (good) {
        c.options = options;
        c.row_time = gos_state_time(b->state);
        (void)snprintf(path, sizeof path, "/tmp/gossamer_checkpoint_%ld", (long)getpid());
        good = gos__checkpoint_write(path, b->sys, b->state, &c) == 0 &&
               gos__checkpoint_load(b->ctx, path, false, &b->bytes, &view, why) == GOS_OK;
        for (int i = 0; i < GOS_CHECKPOINT_SECTIONS && good; i++) {
            const char *end = (const char *)(view.section[i].v + view.section[i].n);
            b->n = (size_t)(end - b->bytes);
        }
        gos__checkpoint_remove(path);
    }
    gos_integrator_destroy(g);
    return good;
}

static inline void checkpoint_bench_free(checkpoint_bench *b) {
    gos__free(b->ctx, b->bytes);
    gos_state_destroy(b->state);
    gos_system_destroy(b->sys);
    gos_model_destroy(b->model);
    gos_ctx_destroy(b->ctx);
}

/* Go on from these bytes for some steps as far as they let us; why they do not, or NULL. */
static inline const char *checkpoint_bench_try(checkpoint_bench *b, const char *bytes, size_t n) {
    gos_checkpoint_view view;
    gos_checkpoint c;
    gos_integrator *g = NULL;
    const char *why = gos__checkpoint_parse(bytes, n, &view);
    why = why ? why : gos__checkpoint_take(&view, b->state, &c);
    if (why) {
        return why;
    }
    if (gos_integrator_create(b->ctx, b->sys, &c.options, b->state, &g) != GOS_OK) {
        return "the integrator refuses it";
    }
    for (int i = 0; i < 3 && !why && gos_state_time(b->state) < c.options.end; i++) {
        why = gos_integrator_step(g, c.options.end) == GOS_OK ? NULL : "a step fails";
    }
    gos_integrator_destroy(g);
    return why;
}

#endif
