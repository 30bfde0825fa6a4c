/* Error norms between two runs, see docs/command-line.md. Fields of B are interpolated at output
 * times of the reference A, with two frames of B in memory. RMS over time uses the trapezoidal
 * rule (uneven output times). */
#include <math.h>

#include "base/base.h"
#include "base/units.h"
#include "gossamer/io.h"
#include "results/compare.h"
#include "results/hermite.h"
#include "results/results_parts.h"

#define SAME_LOCATION 1e-6 // initial node distance in equal meshes, relative to the extent
#define SAME_END 1e-9      // relative difference of equal end times

/* Running maximum and mean square over time. */
typedef struct norm {
    double max, max_time;
    double integral; // of the square
    double first, last_time, last_square;
    long n;
} norm;

static void norm_add(norm *e, double time, double value) {
    double square = value * value;
    // a NaN becomes the maximum and remains it
    if (e->n == 0 || (!(value <= e->max) && !isnan(e->max))) {
        e->max = value;
        e->max_time = time;
    }
    if (e->n == 0) {
        e->first = time;
    } else {
        e->integral += (time - e->last_time) * (square + e->last_square) / 2;
    }
    e->last_time = time;
    e->last_square = square;
    e->n++;
}

static double norm_rms(const norm *e) {
    double span = e->last_time - e->first;
    return sqrt(span > 0 ? e->integral / span : e->last_square);
}

/* ---- fields ---------------------------------------------------------------------------------- */

typedef struct frame {
    long k; // -1: none
    gos_node_fields f;
} frame;

typedef struct job {
    gos_ctx *ctx;
    gos_arena *arena;
    gos_results *a, *b;
    gos_results_info info_a, info_b;
    int nnodes;
    gos_node_fields fa;
    frame held[2];
    double *x, *temperature; // B interpolated at a time of A: (nnodes, 3), (nnodes)
} job;

static bool allocate_fields(job *j, gos_node_fields *f) {
    f->position = GOS_NEW(j->arena, double, 3 * j->nnodes + 1);
    f->displacement = GOS_NEW(j->arena, double, 3 * j->nnodes + 1);
    f->velocity = GOS_NEW(j->arena, double, 3 * j->nnodes + 1);
    f->temperature = GOS_NEW(j->arena, double, j->nnodes + 1);
    f->temperature_rate = GOS_NEW(j->arena, double, j->nnodes + 1);
    return f->position && f->displacement && f->velocity && f->temperature && f->temperature_rate;
}

/* if not in memory, it replaces a frame other than k and `other` */
static gos_status get_frame(job *j, long k, long other, const gos_node_fields **f) {
    int slot = j->held[0].k == k || (j->held[1].k != k && j->held[0].k != other) ? 0 : 1;
    if (j->held[slot].k != k) {
        j->held[slot].k = -1;
        GOS_TRY(gos_results_frame(j->b, k, &j->held[slot].f));
        j->held[slot].k = k;
    }
    *f = &j->held[slot].f;
    return GOS_OK;
}

static gos_status fields_at(job *j, double t) {
    gos_hermite h = gos__hermite(gos_results_frame_times(j->b), j->info_b.nframes, t);
    const gos_node_fields *p, *q;
    GOS_TRY(get_frame(j, h.i, h.j, &p));
    GOS_TRY(get_frame(j, h.j, h.i, &q));
    for (int i = 0; i < 3 * j->nnodes; i++) {
        j->x[i] =
            gos__hermite_value(&h, p->position[i], p->velocity[i], q->position[i], q->velocity[i]);
    }
    for (int i = 0; i < j->nnodes; i++) {
        j->temperature[i] = gos__hermite_value(&h, p->temperature[i], p->temperature_rate[i],
                                               q->temperature[i], q->temperature_rate[i]);
    }
    return GOS_OK;
}

static bool same_cells(const gos_mesh_info *a, const gos_mesh_info *b) {
    if (a->nnodes != b->nnodes || a->ncells != b->ncells || a->nnodes == 0) {
        return false;
    }
    for (int i = 0; i < a->ncells; i++) {
        if (a->cell_offset[i + 1] != b->cell_offset[i + 1]) {
            return false;
        }
    }
    int nids = a->ncells > 0 ? a->cell_offset[a->ncells] : 0;
    return nids == 0 || memcmp(a->cell_nodes, b->cell_nodes, nids * sizeof(int)) == 0;
}

/* equal cells and initial positions */
static gos_status same_mesh(job *j, bool *same) {
    gos_mesh_info a, b;
    gos_results_mesh(j->a, &a);
    gos_results_mesh(j->b, &b);
    *same = same_cells(&a, &b) && j->info_a.nframes > 0 && j->info_b.nframes > 0;
    if (!*same) {
        return GOS_OK;
    }
    const gos_node_fields *f;
    GOS_TRY(gos_results_frame(j->a, 0, &j->fa));
    GOS_TRY(get_frame(j, 0, 0, &f));
    double allowed = SAME_LOCATION * j->info_a.sizes.extent;
    for (int i = 0; i < 3 * j->nnodes && *same; i++) {
        double start_a = j->fa.position[i] - j->fa.displacement[i];
        double start_b = f->position[i] - f->displacement[i];
        *same = fabs(start_a - start_b) <= allowed;
    }
    return GOS_OK;
}

/* at node i and equal times */
static double distance_of(const job *j, int i) {
    double dx = j->x[3 * i] - j->fa.position[3 * i];
    double dy = j->x[3 * i + 1] - j->fa.position[3 * i + 1];
    double dz = j->x[3 * i + 2] - j->fa.position[3 * i + 2];
    return sqrt(dx * dx + dy * dy + dz * dz);
}

static double hotter_by(const job *j, int i) {
    return fabs(j->temperature[i] - j->fa.temperature[i]);
}

static void compare_frame(job *j, double t, gos_comparison *c, norm *position, norm *temperature,
                          double range[2]) {
    double sum = 0, sum_t = 0;
    for (int i = 0; i < j->nnodes; i++) {
        double distance = distance_of(j, i);
        double dt = hotter_by(j, i);
        sum += distance * distance;
        sum_t += dt * dt;
        if (!(distance <= c->position.worst) && !isnan(c->position.worst)) {
            c->position.worst = distance;
            c->position.worst_node = i;
            c->position.worst_time = t;
        }
        if (!(dt <= c->temperature.worst) && !isnan(c->temperature.worst)) {
            c->temperature.worst = dt;
            c->temperature.worst_node = i;
            c->temperature.worst_time = t;
        }
        range[0] = fmin(range[0], j->fa.temperature[i]);
        range[1] = fmax(range[1], j->fa.temperature[i]);
    }
    norm_add(position, t, sqrt(sum / j->nnodes));
    norm_add(temperature, t, sqrt(sum_t / j->nnodes));
}

static void take_norm(const norm *e, gos_field_error *out) {
    out->max = e->max;
    out->max_time = e->max_time;
    out->rms = norm_rms(e);
}

/* two static runs have one state each, whatever its time */
static bool is_compared(const job *j, const gos_comparison *c, long k) {
    const double t = gos_results_frame_times(j->a)[k];
    return (j->info_a.nframes == 1 && j->info_b.nframes == 1) || (t >= c->from && t <= c->to);
}

/* the compared times and the time histories share one block */
static gos_status allocate_histories(job *j, gos_comparison *c, size_t probes) {
    for (long k = 0; k < j->info_a.nframes; k++) {
        c->ntimes += is_compared(j, c, k) ? 1 : 0;
    }
    if (c->ntimes == 0) {
        return GOS_OK;
    }
    c->times = gos__zalloc(j->ctx, c->ntimes * (3 + probes), sizeof *c->times);
    if (!c->times) {
        return GOS_E_MEMORY;
    }
    int n = 0;
    for (long k = 0; k < j->info_a.nframes; k++) {
        if (is_compared(j, c, k)) {
            c->times[n++] = gos_results_frame_times(j->a)[k];
        }
    }
    c->position_history = c->same_mesh ? c->times + c->ntimes : NULL;
    c->temperature_history = c->same_mesh && c->thermal ? c->times + 2L * c->ntimes : NULL;
    return GOS_OK;
}

static gos_status compare_fields(job *j, gos_comparison *c) {
    norm position = {0}, temperature = {0};
    double range[2] = {HUGE_VAL, -HUGE_VAL};
    const double *time = gos_results_frame_times(j->a);
    for (long k = 0; k < j->info_a.nframes; k++) {
        if (!is_compared(j, c, k)) {
            continue;
        }
        GOS_TRY(gos_results_frame(j->a, k, &j->fa));
        GOS_TRY(fields_at(j, time[k]));
        const long n = position.n;
        compare_frame(j, time[k], c, &position, &temperature, range);
        c->position_history[n] = sqrt(position.last_square);
        if (c->temperature_history) {
            c->temperature_history[n] = sqrt(temperature.last_square);
        }
    }
    if (position.n == 0) {
        return gos__fail(j->ctx, GOS_E_USE, "the two runs have no common output time");
    }
    take_norm(&position, &c->position);
    c->position.scale = j->info_a.sizes.extent;
    if (c->thermal) {
        take_norm(&temperature, &c->temperature);
        c->temperature.scale = range[1] - range[0];
    } else {
        c->temperature = (gos_field_error){0};
    }
    return GOS_OK;
}

/* ---- probes ---------------------------------------------------------------------------------- */

/* x, y, z of one unit form a vector; T, T_y do not */
static bool is_vector(const gos_probe_info *p) {
    return p->ncomp == 3 && strcmp(p->components[0], "x") == 0;
}

static bool is_position(const gos_probe_info *p) {
    return strcmp(p->quantity, "position") == 0 || strcmp(p->quantity, "displacement") == 0;
}

/* of one component of the reference, or the largest of a vector */
static double range_of(const double *v, long n, int width, int component) {
    double largest = 0;
    for (int c = 0; c < width; c++) {
        if (component >= 0 && c != component) {
            continue;
        }
        double lo = HUGE_VAL, hi = -HUGE_VAL;
        for (long k = 0; k < n; k++) {
            lo = fmin(lo, v[k * width + c]);
            hi = fmax(hi, v[k * width + c]);
        }
        largest = fmax(largest, hi - lo);
    }
    return largest;
}

/* skip reactions that are undetermined in a run (NaN from the first row on) */
static void find_open(gos_ctx *ctx, const gos_probe_info *p, const double *va, const double *vb,
                      bool open[]) {
    const bool reaction = strncmp(p->quantity, "joint_", 6) == 0;
    bool any = false;
    for (int i = 0; i < p->ncomp; i++) {
        open[i] = reaction && (isnan(va[i]) || isnan(vb[i]));
        any = any || open[i];
    }
    if (any) {
        gos__warn(ctx, (gos_loc){0}, NULL, "undetermined components of probe '%s' are not compared",
                  p->name);
    }
}

/* Time history of an entry: maximum up to the next output time. Intervals without a step get the
 * value of the next step. */
static void history_add(const gos_comparison *c, int entry, int *at, double t, double value) {
    if (c->ntimes == 0) {
        return;
    }
    double *history = c->times + (3L + entry) * c->ntimes;
    bool begins = *at < 0;
    *at = begins ? 0 : *at;
    for (; *at + 1 < c->ntimes && c->times[*at] < t; (*at)++) {
        history[*at] = begins ? value : history[*at];
        begins = true;
    }
    if (begins || (!(value <= history[*at]) && !isnan(history[*at]))) {
        history[*at] = value;
    }
}

/* one entry per vector, else one per component */
static gos_status compare_probe(job *j, gos_comparison *c, int ia, int ib) {
    gos_probe_info p;
    gos_results_probe_info(j->a, ia, &p);
    const double *va, *vb, *ta = gos_results_time(j->a);
    gos_time_history b;
    GOS_TRY(gos_results_probe(j->a, ia, &va, NULL));
    GOS_TRY(gos_results_probe(j->b, ib, &vb, NULL));
    GOS_TRY(gos__results_history(j->b, ib, &b));
    bool vector = is_vector(&p);
    bool single = j->info_a.nrows == 1 && j->info_b.nrows == 1;
    norm e[GOS_PROBE_MAX] = {0};
    bool open[GOS_PROBE_MAX] = {false};
    int at[GOS_PROBE_MAX]; // positions in the time histories
    memset(at, -1, sizeof at);
    find_open(j->ctx, &p, va, vb, open);
    for (long k = 0; k < j->info_a.nrows; k++) {
        if (!single && !(ta[k] >= c->from && ta[k] <= c->to)) {
            continue;
        }
        double sum = 0, y[GOS_PROBE_MAX];
        gos_time_history_at(&b, ta[k], y);
        for (int i = 0; i < p.ncomp; i++) {
            const double d = open[i] ? 0 : y[i] - va[k * p.ncomp + i];
            sum += d * d;
            if (!vector) {
                norm_add(&e[i], ta[k], fabs(d));
                history_add(c, c->nprobes + i, &at[i], ta[k], fabs(d));
            }
        }
        if (vector) {
            norm_add(&e[0], ta[k], sqrt(sum));
            history_add(c, c->nprobes, &at[0], ta[k], sqrt(sum));
        }
    }
    for (int i = 0; i < (vector ? 1 : p.ncomp); i++) {
        double range = range_of(va, j->info_a.nrows, p.ncomp, vector ? -1 : i);
        const double *history = c->times ? c->times + (3L + c->nprobes) * c->ntimes : NULL;
        gos_probe_error *one = &c->probe[c->nprobes++];
        *one = (gos_probe_error){.history = history,
                                 .name = p.name,
                                 .component = vector ? NULL : p.components[i],
                                 .max = e[i].max,
                                 .max_time = e[i].max_time,
                                 .rms = norm_rms(&e[i]),
                                 .scale = is_position(&p) ? j->info_a.sizes.extent : range};
        gos__unit_at(p.unit, i, one->unit);
    }
    return GOS_OK;
}

/* upper bound */
static size_t count_entries(const job *j) {
    size_t total = 1;
    for (int i = 0; i < j->info_a.nprobes; i++) {
        gos_probe_info p;
        gos_results_probe_info(j->a, i, &p);
        total += p.ncomp;
    }
    return total;
}

static gos_status compare_probes(job *j, gos_comparison *c) {
    const size_t total = count_entries(j);
    c->probe = gos__zalloc(j->ctx, total, sizeof *c->probe);
    if (!c->probe) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < j->info_a.nprobes && j->info_a.nrows > 0 && j->info_b.nrows > 0; i++) {
        gos_probe_info p, q;
        gos_results_probe_info(j->a, i, &p);
        int k = gos_results_probe_find(j->b, p.name);
        gos_results_probe_info(j->b, k, &q);
        if (k < 0) {
            gos__warn(j->ctx, (gos_loc){0}, NULL, "probe '%s' is missing in the second run",
                      p.name);
        } else if (q.ncomp != p.ncomp || strcmp(q.quantity, p.quantity) != 0) {
            gos__warn(j->ctx, (gos_loc){0}, NULL,
                      "probe '%s' has different quantities in the two runs", p.name);
        } else {
            GOS_TRY(compare_probe(j, c, i, k));
        }
    }
    return GOS_OK;
}

/* ---- comparison ------------------------------------------------------------------------------ */

/* ends that differ by round-off count as equal */
static void common_time(const job *j, gos_comparison *c) {
    const double *ta = gos_results_time(j->a), *tb = gos_results_time(j->b);
    long na = j->info_a.nrows, nb = j->info_b.nrows;
    if (na == 0 || nb == 0) {
        return;
    }
    double end_a = ta[na - 1], end_b = tb[nb - 1];
    c->from = fmax(ta[0], tb[0]);
    c->to = end_a <= end_b + SAME_END * fabs(end_b) ? end_a : end_b;
    if (c->to < end_a) {
        gos__warn(
            j->ctx, (gos_loc){0}, NULL,
            "the second run ends at %g s, the first at %g s; only the common part is compared",
            end_b, end_a);
    }
}

static gos_status begin(job *j, gos_comparison *c) {
    gos_results_info_get(j->a, &j->info_a);
    gos_results_info_get(j->b, &j->info_b);
    if (strcmp(j->info_a.units, j->info_b.units) != 0) {
        return gos__fail(j->ctx, GOS_E_USE,
                         "the runs have different units, %s and %s; run one model with the units "
                         "of the other one",
                         j->info_a.units, j->info_b.units);
    }
    gos_mesh_info mesh, other;
    gos_results_mesh(j->a, &mesh);
    gos_results_mesh(j->b, &other);
    j->nnodes = mesh.nnodes;
    j->held[0].k = j->held[1].k = -1;
    c->time_a = j->info_a.statistics.time_total;
    c->time_b = j->info_b.statistics.time_total;
    c->setup_a = j->info_a.statistics.time_setup;
    c->setup_b = j->info_b.statistics.time_setup;
    common_time(j, c);
    if (other.nnodes == mesh.nnodes) {
        j->x = GOS_NEW(j->arena, double, 3 * j->nnodes + 1);
        j->temperature = GOS_NEW(j->arena, double, j->nnodes + 1);
        if (!j->x || !j->temperature || !allocate_fields(j, &j->fa) ||
            !allocate_fields(j, &j->held[0].f) || !allocate_fields(j, &j->held[1].f)) {
            return GOS_E_MEMORY;
        }
        GOS_TRY(same_mesh(j, &c->same_mesh));
    }
    c->thermal = c->same_mesh && j->info_a.thermal && j->info_b.thermal;
    return GOS_OK;
}

static gos_status compare_all(job *j, gos_comparison *c) {
    GOS_TRY(begin(j, c));
    GOS_TRY(allocate_histories(j, c, count_entries(j)));
    GOS_TRY(c->same_mesh ? compare_fields(j, c) : GOS_OK);
    GOS_TRY(compare_probes(j, c));
    if (!c->same_mesh && c->nprobes == 0) {
        return gos__fail(j->ctx, GOS_E_USE,
                         "nothing to compare: the meshes differ and the runs have no common probe");
    }
    return GOS_OK;
}

gos_status gos_compare(gos_ctx *ctx, gos_results *a, gos_results *b, gos_comparison *comparison) {
    gos_comparison c = {0};
    job j = {.ctx = ctx, .a = a, .b = b, .arena = gos__arena_create(ctx)};
    if (!j.arena) {
        return GOS_E_MEMORY;
    }
    gos_status status = compare_all(&j, &c);
    gos__arena_destroy(j.arena);
    if (status != GOS_OK) {
        gos_comparison_free(ctx, &c);
        return status;
    }
    *comparison = c;
    return GOS_OK;
}

/* ---- differences at nodes -------------------------------------------------------------------- */

struct gos_apart {
    job j;
    gos_comparison c;
};

static gos_status open_apart(gos_apart *p) {
    GOS_TRY(begin(&p->j, &p->c));
    if (!p->c.same_mesh) {
        return gos__fail(p->j.ctx, GOS_E_USE,
                         "the meshes of the two runs differ, so nodes cannot be compared; "
                         "`gossamer compare` compares their probes");
    }
    GOS_TRY(allocate_histories(&p->j, &p->c, 0));
    return compare_fields(&p->j, &p->c);
}

gos_status gos__apart_open(gos_ctx *ctx, gos_results *a, gos_results *b, gos_apart **apart) {
    gos_arena *arena = gos__arena_create(ctx);
    gos_apart *p = arena ? GOS_NEW(arena, gos_apart, 1) : NULL;
    if (!p) {
        gos__arena_destroy(arena);
        return GOS_E_MEMORY;
    }
    p->j = (job){.ctx = ctx, .a = a, .b = b, .arena = arena};
    const gos_status status = open_apart(p);
    if (status != GOS_OK) {
        gos__apart_close(p);
        return status;
    }
    *apart = p;
    return GOS_OK;
}

void gos__apart_close(gos_apart *apart) {
    if (apart) {
        gos_comparison_free(apart->j.ctx, &apart->c);
        gos__arena_destroy(apart->j.arena);
    }
}

const gos_comparison *gos__apart_worst(const gos_apart *apart) {
    return &apart->c;
}

gos_status gos__apart_at(gos_apart *apart, long k, bool heat, double *value) {
    job *j = &apart->j;
    const double t = gos_results_frame_times(j->a)[k];
    const bool common = is_compared(j, &apart->c, k);
    if (common) {
        GOS_TRY(gos_results_frame(j->a, k, &j->fa));
        GOS_TRY(fields_at(j, t));
    }
    for (int i = 0; i < j->nnodes; i++) {
        value[i] = !common ? (double)NAN : heat ? hotter_by(j, i) : distance_of(j, i);
    }
    return GOS_OK;
}

void gos_comparison_free(gos_ctx *ctx, gos_comparison *comparison) {
    gos__free(ctx, comparison->probe);
    gos__free(ctx, comparison->times);
    comparison->probe = NULL;
    comparison->times = comparison->position_history = comparison->temperature_history = NULL;
    comparison->nprobes = comparison->ntimes = 0;
}

/* infinite if nothing moves in the reference */
static double relative(double error, double scale) {
    if (isnan(error)) {
        return HUGE_VAL;
    }
    return error > 0 ? error / scale : 0;
}

double gos_comparison_worst(const gos_comparison *c) {
    if (c->same_mesh) {
        double position = relative(c->position.max, c->position.scale);
        double temperature = c->thermal ? relative(c->temperature.max, c->temperature.scale) : 0;
        return fmax(position, temperature);
    }
    double worst = 0;
    for (int i = 0; i < c->nprobes; i++) {
        worst = fmax(worst, relative(c->probe[i].max, c->probe[i].scale));
    }
    return worst;
}
