/* Models of decks whose numbers CalculiX has printed (tests/reference/calculix.py): opening them,
 * and what was printed. */
#ifndef GOS_TEST_CALCULIX_H
#define GOS_TEST_CALCULIX_H

#include "support/verify.h"

#define CALCULIX GOS_SOURCE_DIR "/tests/reference/calculix"

/* a model, its files below `at`; the status of making its system */
static inline gos_status calculix_try(verify *v, const char *text, const char *at) {
    *v = (verify){.ctx = gos_ctx_create()};
    assert_non_null(v->ctx);
    verify_good(v, gos_model_parse(v->ctx, text, strlen(text), "test", at, &v->model));
    return gos_system_create(v->ctx, v->model, &v->sys);
}

static inline void calculix_open(verify *v, const char *text, const char *at) {
    verify_good(v, calculix_try(v, text, at));
    verify_good(v, gos_state_create(v->ctx, v->sys, &v->state));
    gos_options_get(v->sys, &v->opt);
}

/* rows of `width` numbers of NAME.csv; their number */
static inline int calculix_read(const char *name, int width, int most, double *x) {
    char path[300], line[300];
    int n = 0;
    (void)snprintf(path, sizeof path, CALCULIX "/%s.csv", name);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    while (n < most && fgets(line, sizeof line, f)) {
        char *s = line;
        for (int k = 0; line[0] >= '0' && line[0] <= '9' && k < width; k++) {
            x[n * width + k] = strtod(s, &s);
            s += *s == ',';
            n += k + 1 == width;
        }
    }
    assert_int_equal(fclose(f), 0);
    return n;
}

/* Largest difference of what is printed at one node in `every`, relative to the largest value of
   all: temperatures (width 3), or displacements (5) in the axes of the mesh, which has turned by a
   quarter about x where `turned`; `body` is what else the body says, `rest` entries of the model.
   Nodes with rotations in CalculiX, `skip` (0: none), are left out. */
static inline double calculix_compare(const char *name, int width, int every, const char *body,
                                      const char *rest, bool turned, int skip) {
    enum { MOST = 1400 };
    static double row[MOST * 5];
    static char text[60000];
    const int n = calculix_read(name, width, MOST, row);
    double worst = 0, most = 0;
    verify v;
    int used = snprintf(text, sizeof text,
                        "meshes: {m: {type: deck, file: %s.inp}}\n"
                        "bodies: {body: {type: floating, mesh: m, reference: clamped%s}}\n"
                        "joints: {hold: {type: clamp, between: [ground, body.frame]}}\n"
                        "%sanalysis: {type: static}\nprobes:\n",
                        name, body, rest);
    for (int i = 0; i < n; i += every) {
        if ((int)row[width * i + 1] != skip) {
            used += snprintf(text + used, sizeof text - used,
                             "  P%d: {at: body.node(%d), quantity: %s}\n", i,
                             (int)row[width * i + 1], width == 3 ? "temperature" : "displacement");
        }
    }
    assert_true(n > 0 && used < (int)sizeof text);
    calculix_open(&v, text, CALCULIX);
    verify_static(&v);
    for (int i = 0; i < n; i += every) {
        char probe[20];
        double y[GOS_PROBE_MAX];
        if ((int)row[width * i + 1] == skip) {
            continue;
        }
        (void)snprintf(probe, sizeof probe, "P%d", i);
        verify_probe(&v, v.state, probe, y);
        const double own[3] = {y[0], turned ? y[2] : y[1], turned ? -y[1] : y[2]};
        for (int c = 0; c < width - 2; c++) {
            worst = fmax(worst, fabs(own[c] - row[width * i + 2 + c]));
            most = fmax(most, fabs(row[width * i + 2 + c]));
        }
    }
    verify_close(&v);
    return worst / most;
}

#endif
