/* Frequency grid of a response: equal ratios, refined around peaks that are narrower than the
 * spacing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "response.h"

#define ROUNDS 12        // maximum number of bisections beside a peak
#define SHARP 1.05       // refine if a peak exceeds a neighbour by this factor
#define NEGLIGIBLE 1e-11 // pairs below this fraction of the largest response are not refined

static double size_at(const response_grid *g, size_t pairs, long k, size_t pair) {
    const double *h = g->H + 2 * (k * pairs + pair);
    return hypot(h[0], h[1]);
}

static double most_of(const response_grid *g, size_t pairs, size_t pair) {
    double most = 0;
    for (int k = 0; k < g->n; k++) {
        const double size = size_at(g, pairs, k, pair);
        most = size > most && isfinite(size) ? size : most;
    }
    return most;
}

/* Mark the intervals k .. k + 1 beside sharp peaks of a pair. */
static void mark_peaks(const response_grid *g, size_t pairs, size_t pair, bool *split) {
    for (int k = 1; k + 1 < g->n; k++) {
        const double left = size_at(g, pairs, k - 1, pair), here = size_at(g, pairs, k, pair);
        const double right = size_at(g, pairs, k + 1, pair);
        // both sides: with flanks of equal height the peak may be on either side
        if (here > left && here >= right && (here > SHARP * left || here > SHARP * right)) {
            split[k - 1] = split[k] = true;
        }
    }
}

/* Mark at most `room` intervals to bisect. @return their number */
static int find_splits(const grid_source *p, const response_grid *g, bool *split, int room) {
    const size_t pairs = (size_t)p->inputs * p->outputs;
    double largest = 0;
    memset(split, 0, (size_t)g->n * sizeof *split);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < p->nout; i++) {
            for (int j = 0; j < p->nin; j++) {
                const size_t pair = (size_t)p->out[i] * p->inputs + p->in[j];
                const double most = most_of(g, pairs, pair);
                if (pass == 0) {
                    largest = most > largest ? most : largest;
                } else if (most > NEGLIGIBLE * largest) {
                    mark_peaks(g, pairs, pair, split);
                }
            }
        }
    }
    int n = 0;
    for (int k = 0; k + 1 < g->n; k++) {
        split[k] = split[k] && n < room;
        n += split[k];
    }
    return n;
}

/* Insert the geometric means of the marked intervals and their responses. */
static gos_status halve(const grid_source *p, const bool *split, int more, response_grid *g) {
    const size_t row = 2 * (size_t)p->inputs * p->outputs;
    const int n = g->n + more;
    response_grid fresh = {.n = n, .omega = calloc(n + 1L, sizeof *fresh.omega)};
    fresh.H = calloc(row * n + 1, sizeof *fresh.H);
    double *omega = calloc(more + 1L, sizeof *omega), *H = calloc(row * more + 1, sizeof *H);
    gos_status status = fresh.omega && fresh.H && omega && H ? GOS_OK : GOS_E_MEMORY;
    for (int k = 0, m = 0; status == GOS_OK && k + 1 < g->n; k++) {
        if (split[k]) {
            omega[m++] = sqrt(g->omega[k] * g->omega[k + 1]);
        }
    }
    if (status == GOS_OK) {
        status = p->respond(p->of, more, omega, H);
    }
    for (int k = 0, m = 0, at = 0; status == GOS_OK && k < g->n; k++) {
        fresh.omega[at] = g->omega[k];
        memcpy(fresh.H + row * at++, g->H + row * k, row * sizeof *H);
        if (k + 1 < g->n && split[k]) {
            fresh.omega[at] = omega[m];
            memcpy(fresh.H + row * at++, H + row * m++, row * sizeof *H);
        }
    }
    if (status == GOS_OK) {
        free_grid(g);
        *g = fresh;
    } else {
        free_grid(&fresh);
    }
    free(omega);
    free(H);
    return status;
}

gos_status refine_grid(const grid_source *source, response_grid *g) {
    const int most = 2 * g->n;
    gos_status status = GOS_OK;
    for (int round = 0; round < ROUNDS && status == GOS_OK && g->n > 2; round++) {
        bool *split = calloc((size_t)g->n, sizeof *split);
        if (split == NULL) {
            return GOS_E_MEMORY;
        }
        const int more = find_splits(source, g, split, most - g->n);
        status = more > 0 ? halve(source, split, more, g) : GOS_OK;
        free(split);
        if (more == 0) {
            break;
        }
    }
    return status;
}

void free_grid(response_grid *g) {
    free(g->omega);
    free(g->H);
    *g = (response_grid){0};
}
