/* gossamer response --srs: shock response spectra of the columns of a CSV file. */
#include <math.h>
#include <stdlib.h>

#include "base_drive.h"

#define STEP 1e-6 // relative differences of time steps, of rounded tables
#define OCTAVE 6  // frequencies per octave
#define MAX_FREQUENCIES 100000

typedef struct spectra {
    int n;
    double *frequency, *srs; // (n), (n, columns)
} spectra;

/* the constant time step */
static int find_step(const number_table *t, double *h) {
    const size_t m = t->columns;
    *h = (t->value[(t->n - 1) * m] - t->value[0]) / (t->n - 1);
    for (int k = 1; k < t->n; k++) {
        const double step = t->value[k * m] - t->value[(k - 1) * m];
        if (!(fabs(step - *h) <= STEP * (*h + fabs(t->value[k * m])))) {
            return complain("%s:%d: the time step is %g s, but %g s on average; a shock response "
                            "spectrum needs equal steps: resample the table",
                            t->path, t->line[k], step, *h);
        }
    }
    return EXIT_DONE;
}

/* the band, else 1 / duration to half of the sampling frequency over 5 */
static int choose_frequencies(const shock_wish *wish, const number_table *t, double h, spectra *s) {
    double band[2] = {0.5 / (h * t->n), 0.1 / h};
    const int code = wish->band != NULL ? parse_band("response", wish->band, band) : EXIT_DONE;
    if (code != EXIT_DONE) {
        return code;
    }
    const double octaves = log2(band[1] / band[0]);
    s->n =
        wish->points > 0 ? wish->points : (int)fmin(MAX_FREQUENCIES, floor(OCTAVE * octaves) + 1);
    s->frequency = calloc((size_t)s->n, sizeof *s->frequency);
    s->srs = calloc((size_t)s->n * t->columns, sizeof *s->srs);
    if (s->frequency == NULL || s->srs == NULL) {
        return EXIT_FAILED;
    }
    for (int k = 0; k < s->n; k++) {
        s->frequency[k] = wish->points > 1
                              ? band[0] * pow(band[1] / band[0], (double)k / (wish->points - 1))
                              : band[0] * exp2((double)k / OCTAVE);
    }
    return EXIT_DONE;
}

static gos_status solve(gos_ctx *ctx, const number_table *t, double h, double q, spectra *s) {
    double *a = calloc((size_t)t->n, sizeof *a);
    gos_status status = a != NULL ? GOS_OK : GOS_E_MEMORY;
    for (int c = 1; c < t->columns && status == GOS_OK; c++) {
        for (int k = 0; k < t->n; k++) {
            a[k] = t->value[(size_t)k * t->columns + c];
        }
        status = gos_srs(ctx, t->n, h, a, q, s->n, s->frequency, s->srs + (size_t)c * s->n);
    }
    free(a);
    return status;
}

static void print_spectra(const number_table *t, const spectra *s) {
    (void)fputs("frequency", stdout);
    for (int c = 1; c < t->columns; c++) {
        char name[300];
        (void)snprintf(name, sizeof name, "%.250s.srs",
                       t->name[c][0] != '\0' ? t->name[c] : "acceleration");
        (void)fputc(',', stdout);
        print_cell(stdout, name);
    }
    (void)fputc('\n', stdout);
    for (int k = 0; k < s->n; k++) {
        (void)printf("%.17g", s->frequency[k]);
        for (int c = 1; c < t->columns; c++) {
            (void)printf(",%.17g", s->srs[(size_t)c * s->n + k]);
        }
        (void)fputc('\n', stdout);
    }
}

int respond_to_shock(gos_ctx *ctx, const shock_wish *wish) {
    number_table table;
    spectra s = {0};
    double h = 0;
    if (!(wish->q > 0.5)) {
        return complain("response: --q needs a quality factor above 0.5, not %g", wish->q);
    }
    int code = read_table(wish->path, "time history", 2, &table);
    code = code == EXIT_DONE ? find_step(&table, &h) : code;
    code = code == EXIT_DONE ? choose_frequencies(wish, &table, h, &s) : code;
    code = code == EXIT_DONE ? exit_code(solve(ctx, &table, h, wish->q, &s), false) : code;
    if (code == EXIT_DONE) {
        print_spectra(&table, &s);
    }
    free_table(&table);
    free(s.frequency);
    free(s.srs);
    return code;
}
