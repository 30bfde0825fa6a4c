/* A small run whose files tests watch: nine steps of a hot pendulum, compiled. */
#ifndef GOS_TEST_SMALL_RUN_H
#define GOS_TEST_SMALL_RUN_H

#include <string.h>

#include "gossamer/gossamer.h"

static const char small_run_model[] =
    "name: small\n"
    "materials: {m: {density: 1000, young: 1.0e6, poisson: 0.3, conductivity: 1, specific_heat: "
    "200,\n"
    "  expansion: 1.0e-4, damping: {normal: 2.0e-3}, absorptivity: 1}}\n"
    "sections: {s: {type: rectangle, height: 0.02, width: 0.02}}\n"
    "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0], "
    "elements: 2}}\n"
    "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n"
    "gravity: [0, -9.81, 0]\n"
    "heat: {sun: {type: flux, value: 1.0e3, direction: [0, -1, 0], on: rod}}\n"
    "probes: {tip: {at: rod.end, quantity: position}, warm: {at: rod.end, quantity: temperature}}\n"
    "analysis: {end: 0.04, step: 5.0e-3}\n"
    "output: {every: 0.01}\n";

typedef struct small_run {
    gos_ctx *ctx;
    gos_model *model;
    gos_system *sys;
} small_run;

static inline void small_run_begin(small_run *b) {
    b->ctx = gos_ctx_create();
    assert_non_null(b->ctx);
    assert_int_equal(
        gos_model_parse(b->ctx, small_run_model, strlen(small_run_model), "test", NULL, &b->model),
        GOS_OK);
    assert_int_equal(gos_system_create(b->ctx, b->model, &b->sys), GOS_OK);
}

static inline void small_run_end(small_run *b) {
    gos_system_destroy(b->sys);
    gos_model_destroy(b->model);
    gos_ctx_destroy(b->ctx);
}

#endif
