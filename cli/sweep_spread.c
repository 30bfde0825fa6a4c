/* Quantiles of the runs of random samples: a table on standard output, time histories as CSV. */
#include <math.h>

#include "sweep.h"

static const char *const column[GOS_SPREAD_COLUMNS] = {"mean", "deviation", "q05", "q25",
                                                       "q50",  "q75",       "q95"};

/* the spread with most curves, which defines the columns */
static const gos_spread *head_of(const sweep_job *job) {
    const gos_spread *head = &job->spread[0];
    for (int i = 1; i < job->nspreads; i++) {
        head = job->spread[i].ncurves > head->ncurves ? &job->spread[i] : head;
    }
    return head;
}

/* ---- over time ------------------------------------------------------------------------------- */

static void put_head(FILE *csv, const sweep_job *job, const gos_spread *head) {
    (void)fputs("runs", csv);
    for (int k = 0; k < gos_sweep_nparameters(job->sweep); k++) {
        if (head->value[k] != NULL) {
            sweep_put_cell(csv, gos_sweep_parameter(job->sweep, k));
        }
    }
    (void)fputs(",time", csv);
    for (int k = 0; k < head->ncurves; k++) {
        for (int c = 0; c < GOS_SPREAD_COLUMNS; c++) {
            char name[512];
            (void)snprintf(name, sizeof name, "%s.%s.%s", head->curve[k].probe,
                           head->curve[k].component, column[c]);
            sweep_put_cell(csv, name);
        }
    }
    (void)fputc('\n', csv);
}

static void put_quantiles(FILE *csv, const sweep_job *job) {
    const gos_spread *head = head_of(job);
    put_head(csv, job, head);
    for (int i = 0; i < job->nspreads; i++) {
        const gos_spread *s = &job->spread[i];
        for (int t = 0; t < s->ntimes; t++) {
            (void)fprintf(csv, "%d", s->nruns);
            for (int k = 0; k < gos_sweep_nparameters(job->sweep); k++) {
                if (s->value[k] != NULL) {
                    sweep_put_cell(csv, s->value[k]);
                }
            }
            sweep_put_number(csv, "%.17g", s->time[t]);
            for (int k = 0; k < head->ncurves; k++) {
                for (int c = 0; c < GOS_SPREAD_COLUMNS; c++) {
                    const bool known = k < s->ncurves;
                    sweep_put_number(csv, "%.17g",
                                     known ? s->v[((size_t)k * (size_t)s->ntimes + (size_t)t) *
                                                      GOS_SPREAD_COLUMNS +
                                                  (size_t)c]
                                           : (double)NAN);
                }
            }
            (void)fputc('\n', csv);
        }
    }
}

/* ---- last and extreme values ----------------------------------------------------------------- */

static void print_point(const sweep_job *job, const gos_spread *s) {
    for (int k = 0; k < gos_sweep_nparameters(job->sweep); k++) {
        if (s->value[k] != NULL) {
            (void)printf("%s = %s, ", plain(gos_sweep_parameter(job->sweep, k)),
                         plain(s->value[k]));
        }
    }
    (void)printf("%d of %d samples complete\n", s->nruns, s->nall);
}

static void print_spread(const gos_spread *s) {
    static const char *const what[] = {"last", "min", "max"};
    (void)printf("%-32s", "");
    for (int c = 0; c < GOS_SPREAD_COLUMNS; c++) {
        (void)printf(" %13s", column[c]);
    }
    (void)putchar('\n');
    for (int k = 0; k < s->ncurves; k++) {
        for (int i = 0; i < 3; i++) {
            char name[128];
            (void)snprintf(name, sizeof name, "%.60s.%.20s %s", s->curve[k].probe,
                           s->curve[k].component, what[i]);
            (void)printf("%-32s", plain(name));
            for (int c = 0; c < GOS_SPREAD_COLUMNS; c++) {
                (void)printf(" %13.6g", s->extreme[(3 * k + i) * GOS_SPREAD_COLUMNS + c]);
            }
            (void)putchar('\n');
        }
    }
}

void sweep_json_spreads(json *j, const sweep_job *job) {
    static const char *const what[] = {"last", "min", "max"};
    json_open(j, "quantiles", '[');
    for (int i = 0; i < job->nspreads; i++) {
        const gos_spread *s = &job->spread[i];
        json_open(j, NULL, '{');
        json_open(j, "values", '{');
        for (int k = 0; k < gos_sweep_nparameters(job->sweep); k++) {
            if (s->value[k] != NULL) {
                json_text(j, gos_sweep_parameter(job->sweep, k), s->value[k]);
            }
        }
        json_close(j, '}');
        json_number(j, "complete", s->nruns);
        json_number(j, "samples", s->nall);
        json_open(j, "probes", '{');
        for (int k = 0; k < s->ncurves; k++) {
            char name[256];
            (void)snprintf(name, sizeof name, "%.120s.%.60s", s->curve[k].probe,
                           s->curve[k].component);
            json_open(j, name, '{');
            for (int m = 0; m < 3; m++) {
                const double *x = s->extreme + (3 * k + m) * GOS_SPREAD_COLUMNS;
                json_numbers(j, what[m], x, GOS_SPREAD_COLUMNS, 1);
            }
            json_close(j, '}');
        }
        json_close(j, '}');
        json_close(j, '}');
    }
    json_close(j, ']');
}

int sweep_write_spread(const sweep_job *job) {
    for (int i = 0; i < job->nspreads && !job->as_json; i++) {
        print_point(job, &job->spread[i]);
        if (job->spread[i].ncurves > 0) {
            print_spread(&job->spread[i]);
        }
    }
    return job->nspreads > 0 ? sweep_write_csv(job, "quantiles.csv", put_quantiles) : EXIT_DONE;
}
