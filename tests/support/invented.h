/* Results of invented numbers, distinguishable from damaged ones. */
#ifndef SUPPORT_INVENTED_H
#define SUPPORT_INVENTED_H

#include <math.h>
#include <stdio.h>

#include "gossamer/io.h"
#include "results/results.h"

enum { NODES = 5, CELLS = 4, COMPONENTS = 5 };

static const char *const xyz[] = {"x", "y", "z"};
static const char *const tt[] = {"T", "T_y"};
static const gos_probe_info probes[] = {{"tip", "position", "m", 3, xyz, 0, true},
                                        {"tip_temperature", "temperature", "K", 2, tt, 0, true}};
static const int cell_offset[] = {0, 2, 4, 6, 8}, cell_nodes[] = {0, 1, 1, 2, 2, 3, 3, 4};
static const int cell_body[] = {0, 0, 0, 0}, first_node[] = {0, NODES};
static const char *const bodies[] = {"rod"};

static gos_writer_layout layout(double *reference) {
    for (int i = 0; i < NODES; i++) {
        reference[3 * i] = 0.25 * i;
        reference[3 * i + 1] = reference[3 * i + 2] = 0;
    }
    return (gos_writer_layout){
        .name = "invented",
        .text = "name: invented # \xc3\xa4\n",
        .options = "end: 1\n",
        .sizes = {.bodies = 1, .nodes = NODES, .elements = CELLS, .mass = 2, .extent = 1},
        .probes = probes,
        .nprobes = 2,
        .mesh = {NODES, CELLS, 1, cell_offset, cell_nodes, cell_body, bodies, first_node},
        .reference = reference,
        .thermal = true};
}

/* Everything moves as a cubic of time, which Hermite interpolation meets exactly. */
static double cubic(double t, int c) {
    return c + t - 2 * t * t + 0.5 * (c + 1) * t * t * t;
}
static double cubic_rate(double t, int c) {
    return 1 - 4 * t + 1.5 * (c + 1) * t * t;
}

static gos_status add_row(gos_writer *w, double t) {
    double v[COMPONENTS], d[COMPONENTS];
    for (int c = 0; c < COMPONENTS; c++) {
        v[c] = cubic(t, c);
        d[c] = cubic_rate(t, c);
    }
    return gos__writer_row(w, t, v, d);
}

static gos_status add_frame(gos_writer *w, double t) {
    double x[3 * NODES], v[3 * NODES], temperature[NODES], rate[NODES];
    for (int i = 0; i < NODES; i++) {
        for (int c = 0; c < 3; c++) {
            x[3 * i + c] = cubic(t, c) + (c == 0 ? 0.25 * i : 0);
            v[3 * i + c] = cubic_rate(t, c);
        }
        temperature[i] = 10 * t + i;
        rate[i] = 10;
    }
    gos_frame frame = {t, x, v, temperature, rate, {.kinetic = t}, {.stored = 2 * t}, NULL};
    return gos__writer_frame(w, &frame);
}

/* Rows and frames up to t = n / 100, a frame every tenth row. */
static gos_status add_many(gos_writer *w, int first, int n, bool flush) {
    gos_statistics stats = {.steps = n, .time_total = 0.25};
    gos_status status = GOS_OK;
    for (int i = first; i < n && status == GOS_OK; i++) {
        status = add_row(w, i / 100.0);
        if (status == GOS_OK && i % 10 == 0) {
            status = add_frame(w, i / 100.0);
        }
        if (status == GOS_OK) {
            status = gos__writer_flush(w, &stats, flush);
        }
    }
    return status;
}

static void check_contents(gos_ctx *ctx, const char *path, long nrows, long nframes,
                           const char *status) {
    gos_results *r;
    gos_results_info info;
    if (gos_results_open(ctx, path, &r) != GOS_OK) {
        fail_msg("%s", gos_ctx_message(ctx));
    }
    gos_results_info_get(r, &info);
    assert_string_equal(info.name, "invented");
    assert_string_equal(info.text, "name: invented # \xc3\xa4\n");
    if (status) {
        assert_string_equal(info.status, status);
    }
    if (nrows >= 0) {
        assert_int_equal(info.nrows, nrows);
        assert_int_equal(info.nframes, nframes);
    }
    assert_int_equal(info.sizes.elements, CELLS);
    assert_true(info.thermal);
    const double *value, *rate, *time = gos_results_time(r);
    for (int i = 0, at = 0; i < 2; i++) {
        gos_probe_info probe;
        gos_results_probe_info(r, i, &probe);
        assert_string_equal(probe.name, probes[i].name);
        assert_string_equal(probe.unit, probes[i].unit);
        assert_int_equal(probe.ncomp, probes[i].ncomp);
        assert_string_equal(probe.components[1], probes[i].components[1]);
        assert_int_equal(gos_results_probe(r, i, &value, &rate), GOS_OK);
        for (long k = 0; k < info.nrows; k++) {
            assert_true(time[k] == (double)k / 100);
            for (int c = 0; c < probe.ncomp; c++) {
                assert_true(value[k * probe.ncomp + c] == cubic(time[k], at + c));
                assert_true(rate[k * probe.ncomp + c] == cubic_rate(time[k], at + c));
            }
        }
        at += probe.ncomp;
    }
    for (long k = 0; k < info.nframes; k++) {
        double x[3 * NODES], u[3 * NODES], temperature[NODES], t = gos_results_frame_times(r)[k];
        gos_energy energy;
        gos_heat heat;
        gos_node_fields fields = {.position = x, .displacement = u, .temperature = temperature};
        assert_int_equal(gos_results_frame(r, k, &fields), GOS_OK);
        assert_true(t == (double)k / 10);
        assert_true(x[3 * (NODES - 1)] == cubic(t, 0) + 0.25 * (NODES - 1));
        assert_true(fabs(u[3] - cubic(t, 0)) < 1e-15);
        assert_true(temperature[2] == 10 * t + 2);
        assert_int_equal(gos_results_balance(r, k, &energy, &heat), GOS_OK);
        assert_true(energy.kinetic == t || isnan(energy.kinetic));
        assert_true(heat.stored == 2 * t || isnan(heat.stored));
    }
    gos_results_close(r);
}

#endif
