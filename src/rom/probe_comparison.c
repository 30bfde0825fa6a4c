/* Probes of a reduced run against those of the full one. Errors of reduced models are defined by
   positions and temperatures, to which stresses, reactions and small motions contribute little. */
#include <math.h>

#include "base/units.h"
#include "probes/probe.h"
#include "rom/auto.h"

#define SMALLEST 1e-12        // range [SI unit] below which values are rounding
#define NEGLIGIBLE_SHARE 1e-6 // ... likewise, relative to the values

void gos__trial_runs_sample_probes(const gos_system *sys, const gos_state *x, gos_trial_runs *track,
                                   int sample) {
    double *to = track->P + (size_t)sample * track->width;
    int at = 0;
    for (int i = 0; i < sys->nprobe && at + sys->probe[i]->ncomp <= track->width; i++) {
        double y[GOS_PROBE_MAX];
        gos__probe_evaluate(sys, x, sys->probe[i], y);
        memcpy(to + at, y, sys->probe[i]->ncomp * sizeof *y);
        at += sys->probe[i]->ncomp;
    }
}

/* sums and balances over the model, with rounding of their own */
static bool is_balance(const gos_probe *p) {
    static const char *const name[] = {"energy", "constraint_violation", "load_factor"};
    for (int i = 0; i < GOS_COUNT(name); i++) {
        if (strcmp(gos__probe_quantity(p), name[i]) == 0) {
            return true;
        }
    }
    return false;
}

typedef struct column {
    double range, size, difference;
} column;

static column column_of(const gos_trial_runs *a, const gos_trial_runs *b, int at) {
    column k = {0};
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (long i = 0; i < b->samples; i++) {
        const double y = b->P[i * b->width + at];
        low = fmin(low, y);
        high = fmax(high, y);
        k.size = fmax(k.size, fabs(y));
        k.difference = fmax(k.difference, fabs(a->P[i * b->width + at] - y));
    }
    k.range = b->samples > 1 ? high - low : k.size;
    return k;
}

static void add_probe(const gos_probe *p, int first, const gos_trial_runs *a,
                      const gos_trial_runs *b, int number, gos_probe_difference *d) {
    column k[GOS_PROBE_MAX];
    char unit[2][GOS_UNIT_MAX];
    for (int c = 0; c < p->ncomp; c++) {
        k[c] = column_of(a, b, first + c);
    }
    for (int c = 0; c < p->ncomp; c++) {
        double range = 0, size = 0;
        for (int j = 0; j < p->ncomp; j++) {
            const bool same =
                strcmp(gos__unit_at(p->unit, c, unit[0]), gos__unit_at(p->unit, j, unit[1])) == 0;
            range = same ? fmax(range, k[j].range) : range;
            size = same ? fmax(size, k[j].size) : size;
        }
        if (!(range > SMALLEST && range > NEGLIGIBLE_SHARE * size) || !isfinite(k[c].difference)) {
            continue;
        }
        d->all++;
        d->many += k[c].difference > GOS_NOTED_DIFFERENCE * range;
        if (k[c].difference > d->error * range) {
            d->error = k[c].difference / range;
            d->probe = number;
            d->component = c;
        }
    }
}

gos_probe_difference gos__trial_runs_probes(const gos_system *full, const gos_trial_runs *a,
                                            const gos_trial_runs *b) {
    gos_probe_difference d = {0};
    int first = 0;
    for (int i = 0; i < full->nprobe && a->width == b->width && !a->failed && !b->failed; i++) {
        const gos_probe *p = full->probe[i];
        if (!is_balance(p)) {
            add_probe(p, first, a, b, i, &d);
        }
        first += p->ncomp;
    }
    return d;
}

void gos__probe_difference_note(gos_ctx *ctx, const gos_system *full,
                                const gos_probe_difference *d) {
    char text[400];
    if (!(d->error > GOS_NOTED_DIFFERENCE)) {
        return;
    }
    const gos_probe *p = full->probe[d->probe];
    const bool several = p->ncomp > 1;
    gos__format(text, sizeof text,
                "in the training run probe %s%s%s differs from the full model by up to %.2g of its "
                "range, %d of %d values by more than %g: the predicted error and the tolerance are "
                "those of positions and temperatures; where these values matter use a smaller "
                "`tolerance`, or more fields",
                p->name, several ? "." : "", several ? p->components[d->component] : "", d->error,
                d->many, d->all, GOS_NOTED_DIFFERENCE);
    gos__note(ctx, "reduction", text);
}
