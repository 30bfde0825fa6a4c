#include "control/modal_file.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "control/number_table.h"

/* n: required number, 0: any */
static gos_status check_vector(const gos_number_table *t, int n, const char *of) {
    char text[160];
    if (t->rows > 1 && t->columns > 1) {
        return gos__number_table_wrong(t, t->line[0], 1,
                                       "a single row or column of values is expected");
    }
    if (n > 0 && t->n != n) {
        (void)snprintf(text, sizeof text, "%d values for %d %s; use the same number", t->n, n, of);
        return gos__number_table_wrong(t, t->line[t->rows - 1], 1, text);
    }
    return GOS_OK;
}

enum { FREQUENCY, CENTRE, KUP, CAPACITANCE, TABLES };
static const char *const file_name[TABLES] = {"freq_hz.csv", "phi_centre.csv", "Kup.csv",
                                              "capacitance.csv"};

static gos_status read_table(gos_ctx *ctx, const char *folder, const char *name, gos_loc loc,
                             const char *object, gos_number_table *t) {
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) {
        return gos__fail_at(ctx, GOS_E_FILE, loc, object, "%s: the name is too long", folder);
    }
    return gos__number_table_read(ctx, path, loc, object, t);
}

static gos_status check_all(const gos_number_table t[TABLES]) {
    const int n = t[FREQUENCY].n;
    GOS_TRY(check_vector(&t[FREQUENCY], 0, NULL));
    GOS_TRY(check_vector(&t[CENTRE], n, "modes of freq_hz.csv"));
    for (int i = 0; i < n; i++) {
        const int line = t[FREQUENCY].line[t[FREQUENCY].rows > 1 ? i : 0];
        if (!(t[FREQUENCY].x[i] > 0)) {
            return gos__number_table_wrong(&t[FREQUENCY], line, 1,
                                           "frequencies must be positive; constrain the structure");
        }
        if (i > 0 && t[FREQUENCY].x[i] < t[FREQUENCY].x[i - 1]) {
            return gos__number_table_wrong(&t[FREQUENCY], line, 1,
                                           "frequencies must be in ascending order");
        }
    }
    if (t[KUP].rows != n) {
        char text[160];
        (void)snprintf(text, sizeof text,
                       "%d lines for %d modes of freq_hz.csv; give Kup.csv one line per mode and "
                       "one column per channel",
                       t[KUP].rows, n);
        return gos__number_table_wrong(&t[KUP], t[KUP].line[t[KUP].rows - 1], 1, text);
    }
    GOS_TRY(check_vector(&t[CAPACITANCE], t[KUP].columns, "columns of Kup.csv"));
    for (int i = 0; i < t[CAPACITANCE].n; i++) {
        if (!(t[CAPACITANCE].x[i] > 0)) {
            return gos__number_table_wrong(&t[CAPACITANCE],
                                           t[CAPACITANCE].line[t[CAPACITANCE].rows > 1 ? i : 0], 1,
                                           "capacitances must be positive");
        }
    }
    return GOS_OK;
}

gos_status gos__modal_read(gos_ctx *ctx, const char *folder, double damping, gos_loc loc,
                           const char *object, gos_modal *m) {
    *m = (gos_modal){0};
    gos_number_table t[TABLES] = {{.ctx = ctx}, {.ctx = ctx}, {.ctx = ctx}, {.ctx = ctx}};
    gos_status status = GOS_OK;
    for (int k = 0; k < TABLES && status == GOS_OK; k++) {
        status = read_table(ctx, folder, file_name[k], loc, object, &t[k]);
    }
    status = status == GOS_OK ? check_all(t) : status;
    status = status == GOS_OK ? gos__modal_create(ctx, t[FREQUENCY].n, t[KUP].columns, m) : status;
    for (long i = 0; i < m->n && status == GOS_OK; i++) {
        m->omega[i] = 2 * M_PI * t[FREQUENCY].x[i];
        m->zeta[i] = damping;
        m->phi[i] = t[CENTRE].x[i];
        for (long p = 0; p < m->np; p++) {
            m->Kup[p * m->n + i] = t[KUP].x[i * m->np + p];
        }
    }
    if (status == GOS_OK) {
        memcpy(m->capacitance, t[CAPACITANCE].x, m->np * sizeof *m->capacitance);
    }
    for (int k = 0; k < TABLES; k++) {
        gos__number_table_free(&t[k]);
    }
    return status;
}
