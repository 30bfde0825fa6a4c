/* gossamer modes --spin AXIS:FROM:TO: Campbell diagram as a table. In rotating axes a whirl with
   the rate w in fixed axes (positive: forward) appears with w - rate of rotation. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

#define SPEEDS 21
#define ROUNDS 3
#define BESIDE 1e-5 // relative distance from a critical speed, where modes are not yet rigid

typedef struct whirl {
    double rate; // in fixed axes, positive: forward [rad/s]
    int whirl;   // 0: does not whirl
} whirl;

typedef struct campbell {
    gos_ctx *ctx;
    const campbell_wish *wish;
    point p;
    char axis[80];
    double speed[SPEEDS];
    whirl *mode; // (SPEEDS, n)
    int found[SPEEDS];
    double *critical; // (n SPEEDS)
    int ncritical;
} campbell;

static int by_rate(const void *a, const void *b) {
    const double x = ((const whirl *)a)->rate, y = ((const whirl *)b)->rate;
    return (x > y) - (x < y);
}

/* modes at one rate of rotation, by rate */
static int solve_at(campbell *k, double speed, whirl *mode, int *found) {
    char spin[120];
    gos_state *state = NULL;
    gos_linear *linear = NULL;
    gos_mode *list = calloc((size_t)k->wish->n, sizeof *list);
    int n = 0;
    (void)snprintf(spin, sizeof spin, "%s:%.17g", k->axis, speed);
    const linear_point where = {.spin = spin, .spin_given = true, .open_loops = true};
    int code = list != NULL ? make_state(k->ctx, k->p.sys, &where, &state) : EXIT_FAILED;
    code = code == EXIT_DONE ? make_linear(k->ctx, k->p.sys, &where, state, &linear) : code;
    if (code == EXIT_DONE) {
        code = exit_code(gos_linear_modes(k->ctx, linear, k->wish->n, false, list, &n), false);
    }
    if (code == EXIT_DONE) { // warnings of supercritical rotation: the table shows it
        gos_ctx_clear(k->ctx);
    }
    *found = 0;
    for (int i = 0; i < n && code == EXIT_DONE; i++) {
        if (!list[i].rigid && list[i].omega > 0) {
            mode[(*found)++] = (whirl){
                .rate = list[i].whirl != 0 ? list[i].whirl * list[i].im + speed : list[i].omega,
                .whirl = list[i].whirl};
        }
    }
    qsort(mode, (size_t)*found, sizeof *mode, by_rate);
    gos_linear_destroy(linear);
    gos_state_destroy(state);
    free(list);
    return code;
}

/* At a critical speed itself there is no equilibrium: another one beside it is taken. */
static int modes_at(campbell *k, double speed, whirl *mode, int *found) {
    int code = solve_at(k, speed, mode, found);
    if (code == EXIT_FAILED) {
        gos_ctx_clear(k->ctx);
        code = solve_at(k, speed * (1 + BESIDE), mode, found);
    }
    return code;
}

/* rate of the j-th forward whirl, NAN: none */
static double forward(const whirl *mode, int found, int j) {
    for (int i = 0; i < found; i++) {
        if (mode[i].whirl != 0 && mode[i].rate > 0 && j-- == 0) {
            return mode[i].rate;
        }
    }
    return (double)NAN;
}

/* g = rate of the j-th forward whirl less that of the rotation */
static int excess(campbell *k, int j, double speed, whirl *mode, double *g) {
    int found = 0;
    const int code = modes_at(k, speed, mode, &found);
    *g = code == EXIT_DONE ? forward(mode, found, j) - speed : (double)NAN;
    return code;
}

/* The zero of g between a and b by linear interpolation in intervals that shrink tenfold. At the
   zero itself the mode is not found: it has no stiffness in rotating axes. */
static int refine(campbell *k, int j, double a, double ga, double b, double gb) {
    whirl *mode = calloc((size_t)k->wish->n, sizeof *mode);
    int code = mode != NULL ? EXIT_DONE : EXIT_FAILED;
    double at = a - ga * (b - a) / (gb - ga);
    for (int i = 0; i < ROUNDS && code == EXIT_DONE; i++) {
        const double half = 0.05 * (b - a);
        double g[2];
        code = excess(k, j, at - half, mode, &g[0]);
        code = code == EXIT_DONE ? excess(k, j, at + half, mode, &g[1]) : code;
        if (code != EXIT_DONE || !(g[0] * g[1] < 0)) {
            break;
        }
        a = at - half;
        b = at + half;
        at = a - g[0] * (b - a) / (g[1] - g[0]);
    }
    k->critical[k->ncritical++] = at;
    free(mode);
    return code;
}

static int find_critical(campbell *k) {
    int code = EXIT_DONE;
    const size_t n = k->wish->n;
    for (int s = 0; s + 1 < SPEEDS; s++) {
        for (int j = 0; j < k->wish->n && code == EXIT_DONE; j++) {
            const double a = k->speed[s], b = k->speed[s + 1];
            const double ga = forward(k->mode + s * n, k->found[s], j) - a,
                         gb = forward(k->mode + (s + 1) * n, k->found[s + 1], j) - b;
            if (isfinite(ga) && isfinite(gb) && (ga > 0) != (gb > 0)) {
                code = refine(k, j, a, ga, b, gb);
            }
        }
    }
    return code;
}

static const char *direction(const whirl *mode) {
    return mode->whirl == 0 ? "none" : mode->rate > 0 ? "forward" : "backward";
}

static void print_table(const campbell *k) {
    (void)puts("speed [rad/s]  frequency [Hz]  whirl");
    for (int s = 0; s < SPEEDS; s++) {
        for (int i = 0; i < k->found[s]; i++) {
            const whirl *m = &k->mode[(size_t)s * k->wish->n + i];
            (void)printf("%13.7g  %14.7g  %s\n", k->speed[s], fabs(m->rate) / (2 * M_PI),
                         direction(m));
        }
    }
    for (int i = 0; i < k->ncritical; i++) {
        (void)printf("critical speed %.7g rad/s, %.7g rpm\n", k->critical[i],
                     k->critical[i] * 30 / M_PI);
    }
    if (k->ncritical == 0) {
        (void)puts("no critical speed of a forward whirl in this range");
    }
}

static void json_table(const campbell *k) {
    json j = {.out = stdout};
    json_open(&j, NULL, '{');
    json_open(&j, "speeds", '[');
    for (int s = 0; s < SPEEDS; s++) {
        json_open(&j, NULL, '{');
        json_number(&j, "speed", k->speed[s]);
        json_open(&j, "modes", '[');
        for (int i = 0; i < k->found[s]; i++) {
            const whirl *m = &k->mode[(size_t)s * k->wish->n + i];
            json_open(&j, NULL, '{');
            json_number(&j, "frequency", fabs(m->rate) / (2 * M_PI));
            json_text(&j, "whirl", direction(m));
            json_close(&j, '}');
        }
        json_close(&j, ']');
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_open(&j, "critical_speeds", '[');
    for (int i = 0; i < k->ncritical; i++) {
        json_number(&j, NULL, k->critical[i]);
    }
    json_close(&j, ']');
    json_messages(&j, k->ctx);
    json_close(&j, '}');
}

/* AXIS:FROM:TO */
static int parse_range(campbell *k) {
    const char *text = k->wish->spin, *second = strrchr(text, ':'), *first = second;
    double from = 0, to = 0;
    char low[80];
    while (first > text && first[-1] != ':') {
        first--;
    }
    (void)snprintf(k->axis, sizeof k->axis, "%.*s", (int)(first - text) - 1, text);
    (void)snprintf(low, sizeof low, "%.*s", (int)(second - first), first);
    char spin[120];
    (void)snprintf(spin, sizeof spin, "%s:1", k->axis);
    const linear_point where = {.spin = spin, .spin_given = true};
    if (!parse_number(low, &from) || !parse_number(second + 1, &to) || !(from > 0) ||
        !(to > from)) {
        return complain("modes: --spin needs AXIS:RATE or AXIS:FROM:TO with 0 < FROM < TO in "
                        "rad/s, for example z:1:200, not '%s'",
                        text);
    }
    for (int s = 0; s < SPEEDS; s++) {
        k->speed[s] = from + (to - from) * s / (SPEEDS - 1);
    }
    const int code = check_linear_point("modes", &where);
    return code < 0 ? EXIT_DONE : code;
}

int show_campbell(gos_ctx *ctx, const campbell_wish *wish) {
    campbell k = {.ctx = ctx, .wish = wish};
    const size_t n = wish->n;
    k.mode = calloc(SPEEDS * n, sizeof *k.mode);
    k.critical = calloc(SPEEDS * n, sizeof *k.critical);
    int code = k.mode != NULL && k.critical != NULL ? parse_range(&k) : EXIT_FAILED;
    const linear_point still = {.open_loops = true};
    if (code == EXIT_DONE) {
        watch_progress(ctx, false);
        code = load_point(ctx, wish->path, wish->settings, &still, &k.p);
    }
    if (code == EXIT_DONE) {
        show_messages(ctx, 0);
    }
    for (int s = 0; s < SPEEDS && code == EXIT_DONE; s++) {
        code = modes_at(&k, k.speed[s], k.mode + s * n, &k.found[s]);
    }
    code = code == EXIT_DONE ? find_critical(&k) : code;
    end_progress();
    if (code != EXIT_DONE) {
        show_messages(ctx, 0);
    } else {
        (wish->as_json ? json_table : print_table)(&k);
    }
    free_point(&k.p);
    free(k.mode);
    free(k.critical);
    return code;
}
