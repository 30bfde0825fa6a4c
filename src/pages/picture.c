/* Picture of a run: deformed shapes at several times, coloured by temperature, and paths of
   position probes; optionally a second run in dashes. The view is the plane of the two global axes
   with the largest motion, or oblique for deep surfaces. Chains of line cells are smooth curves.
   Invisible displacements are magnified, as stated in the title. */
#include <locale.h>
#include <math.h>

#include "base/base.h"
#include "base/units.h"
#include "gossamer/io.h"
#include "results/hermite.h"
#include "pages/picture_marks.h"
#include "pages/picture_surface.h"
#include "pages/picture_view.h"
#include "pages/report.h"
#include "results/results_parts.h"
#include "pages/svg.h"

enum { SHAPES = 9, LEVELS = 40, MAX_LINKS = 150, MAX_PATHS = 6, MAX_MARKS = 200 };
enum { GREY = -1, NONE = -2 }; // colour levels: no value, no line yet

#define VISIBLE 0.1           // drawn size of magnified displacements over the extent
#define MAX_MAGNIFICATION 1e6 // beyond this it is round-off
#define ONE_KELVIN 1.0        // scale of temperatures, for rounding of increments

static const double plot_width = 780, plot_height = 620, margin_left = 90, margin_top = 70;
static const double side_width = 290, margin_bottom = 66;

typedef struct run {
    gos_results *results;
    gos_results_info info;
    gos_mesh_info mesh;
    const double *time;   // of frames
    gos_node_fields f, g; // frames before and after a time
    double *reference;    // undeformed positions (nnodes, 3)
    double *x;            // drawn positions (nnodes, 3)
    double *temperature;
    double *level;     // colour values of surface nodes (nnodes)
    gos_faces surface; // cells with an area
    int most;          // number of shapes
    double magnify;    // magnification of displacements
} run;

typedef struct picture {
    gos_ctx *ctx;
    gos_arena *arena;
    FILE *out;
    gos_plot plot;
    gos_view view;
    gos_seen seen;
    bool by_temperature;
    double low, high; // colour range
    double magnify;   // magnification of displacements
} picture;

static const char *const path_colour[MAX_PATHS] = {"#0f766e", "#b45309", "#1d4ed8",
                                                   "#be123c", "#4d7c0f", "#7e22ce"};

/* ---- reading --------------------------------------------------------------------------------- */

static gos_status prepare_run(picture *p, gos_results *results, run *r) {
    r->results = results;
    gos_results_info_get(results, &r->info);
    gos_results_mesh(results, &r->mesh);
    r->time = gos_results_frame_times(results);
    double **vectors[] = {&r->f.position, &r->f.velocity, &r->g.position,
                          &r->g.velocity, &r->reference,  &r->x};
    double **scalars[] = {&r->f.temperature,      &r->f.temperature_rate, &r->g.temperature,
                          &r->g.temperature_rate, &r->temperature,        &r->level};
    for (int i = 0; i < GOS_COUNT(vectors); i++) {
        *vectors[i] = GOS_NEW(p->arena, double, 3 * r->mesh.nnodes + 1);
        if (!*vectors[i]) {
            return GOS_E_MEMORY;
        }
    }
    for (int i = 0; i < GOS_COUNT(scalars); i++) {
        *scalars[i] = GOS_NEW(p->arena, double, r->mesh.nnodes + 1);
        if (!*scalars[i]) {
            return GOS_E_MEMORY;
        }
    }
    if (r->info.nframes == 0) {
        return gos__fail(p->ctx, GOS_E_USE, "'%s' has no output times yet", r->info.name);
    }
    r->magnify = 1;
    const gos_node_fields first = {.position = r->reference, .displacement = r->x};
    GOS_TRY(gos_results_frame(results, 0, &first));
    for (int i = 0; i < 3 * r->mesh.nnodes; i++) {
        r->reference[i] -= r->x[i];
    }
    r->most = SHAPES;
    return gos__faces_make(p->arena, &r->mesh, r->reference, &r->surface);
}

static gos_status shape_at(run *r, double t) {
    gos_hermite h = gos__hermite(r->time, r->info.nframes, t);
    GOS_TRY(gos_results_frame(r->results, h.i, &r->f));
    GOS_TRY(gos_results_frame(r->results, h.j, &r->g));
    for (int i = 0; i < 3 * r->mesh.nnodes; i++) {
        const double x = gos__hermite_value(&h, r->f.position[i], r->f.velocity[i],
                                            r->g.position[i], r->g.velocity[i]);
        r->x[i] = r->reference[i] + r->magnify * (x - r->reference[i]);
    }
    for (int i = 0; i < r->mesh.nnodes; i++) {
        r->temperature[i] = gos__hermite_value(&h, r->f.temperature[i], r->f.temperature_rate[i],
                                               r->g.temperature[i], r->g.temperature_rate[i]);
    }
    gos__mask_athermal(r->results, r->temperature);
    return GOS_OK;
}

static int shape_count(const run *r) {
    return r->info.nframes < r->most ? (int)r->info.nframes : r->most;
}

/* evenly spaced: fields are interpolated */
static double shape_time(const run *r, int i) {
    const double first = r->time[0], last = r->time[r->info.nframes - 1];
    const int n = shape_count(r);
    return i < n - 1 ? first + (last - first) * i / (n - 1) : last;
}

/* as many surfaces as fit without overlap, at least the last one */
static gos_status count_shapes(const picture *p, run *r) {
    double lo[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, hi[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    const int n = shape_count(r), corners = r->surface.n > 0 ? r->surface.start[r->surface.n] : 0;
    double *last = GOS_NEW(p->arena, double, 3 * corners + 1), way = 0;
    GOS_TRY(last ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < n && corners > 0; i++) {
        GOS_TRY(shape_at(r, shape_time(r, i)));
        for (int k = 0; k < corners; k++) {
            const double *x = r->x + 3L * r->surface.node[k], *y = last + 3L * k;
            way += i > 0 ? hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]) / corners : 0;
            memcpy(last + 3L * k, x, 3 * sizeof *x);
            for (int c = 0; c < 3 && i == 0; c++) {
                lo[c] = fmin(lo[c], x[c]);
                hi[c] = fmax(hi[c], x[c]);
            }
        }
    }
    const double size = fmax(hi[0] - lo[0], fmax(hi[1] - lo[1], hi[2] - lo[2]));
    r->most = corners == 0 ? SHAPES : (int)fmin(SHAPES, 1 + floor(2 * way / fmax(size, 1e-300)));
    return GOS_OK;
}

static void widen(picture *p, const double *x, long n) {
    for (long i = 0; i < n; i++) {
        for (int c = 0; c < 3; c++) {
            if (isfinite(x[3 * i + c])) {
                p->seen.lo[c] = fmin(p->seen.lo[c], x[3 * i + c]);
                p->seen.hi[c] = fmax(p->seen.hi[c], x[3 * i + c]);
            }
        }
    }
}

static bool is_path(const gos_probe_info *probe) {
    return strcmp(probe->quantity, "position") == 0 && probe->ncomp == 3 &&
           strcmp(probe->components[0], "x") == 0;
}

/* 1, 2 or 5 times a power of ten; 1 if displacements are visible */
static gos_status choose_magnification(run *r) {
    double largest = 0;
    for (int i = 0; i < shape_count(r); i++) {
        GOS_TRY(shape_at(r, shape_time(r, i)));
        for (int k = 0; k < 3 * r->mesh.nnodes; k++) {
            largest = fmax(largest, fabs(r->x[k] - r->reference[k]));
        }
    }
    const double extent = r->info.sizes.extent;
    if (largest > 0 && extent > 0 && largest < VISIBLE * extent / 2) {
        r->magnify = fmin(gos__round_step(VISIBLE * extent / largest, 1), MAX_MAGNIFICATION);
    }
    return GOS_OK;
}

/* point k of a path, magnified about its start */
static void path_point(const picture *p, const double *v, long k, double x[3]) {
    for (int c = 0; c < 3; c++) {
        x[c] = v[c] + p->magnify * (v[3 * k + c] - v[c]);
    }
}

/* none if too many, as they would hide the bodies */
static int marks_of(const run *r) {
    return r->results->nmarks <= MAX_MARKS ? r->results->nmarks : 0;
}

static gos_status measure(picture *p, run *r) {
    r->magnify = p->magnify;
    for (int i = 0; i < shape_count(r); i++) {
        GOS_TRY(shape_at(r, shape_time(r, i)));
        widen(p, r->x, r->mesh.nnodes);
        gos__faces_area(&r->surface, r->x, p->seen.area);
        for (int k = 0; k < 3 * r->mesh.nnodes; k++) {
            p->seen.moved[k % 3] = fmax(p->seen.moved[k % 3], fabs(r->x[k] - r->reference[k]));
        }
        for (int k = 0; k < r->mesh.nnodes; k++) {
            p->low = fmin(p->low, r->temperature[k]);
            p->high = fmax(p->high, r->temperature[k]);
        }
    }
    widen(p, r->reference, r->mesh.nnodes);
    for (int i = 0; i < marks_of(r); i++) {
        widen(p, r->results->marks[i].location[0], r->results->marks[i].nlocation);
    }
    for (int i = 0; i < r->info.nprobes; i++) {
        gos_probe_info probe;
        const double *v;
        double x[3];
        gos_results_probe_info(r->results, i, &probe);
        if (!is_path(&probe)) {
            continue;
        }
        GOS_TRY(gos_results_probe(r->results, i, &v, NULL));
        for (long k = 0; k < r->info.nrows; k++) {
            path_point(p, v, k, x);
            widen(p, x, 1);
        }
    }
    return GOS_OK;
}

/* ---- drawing --------------------------------------------------------------------------------- */

static double px(const picture *p, const double *x) {
    return gos__view_x(&p->plot, &p->view, x);
}

static double py(const picture *p, const double *x) {
    return gos__view_y(&p->plot, &p->view, x);
}

/* GREY: without value */
static int level_of(const picture *p, const run *r, int a, int b, double t) {
    double v = p->by_temperature ? (r->temperature[a] + r->temperature[b]) / 2 : t;
    if (isnan(v)) {
        return GREY;
    }
    double s = gos__range_flat(p->low, p->high, 0) ? 0 : (v - p->low) / (p->high - p->low);
    return (int)fmin(LEVELS, fmax(0, floor(s * LEVELS + 0.5)));
}

static void level_colour(int level, char colour[8]) {
    if (level == GREY) {
        gos__format(colour, 8, GOS_SVG_GREY);
    } else {
        gos__svg_colour((double)level / LEVELS, colour);
    }
}

/* from b to c; tangents parallel to the chords a c and b d */
static void curve_to(const picture *p, const double *x, int a, int b, int c, int d) {
    double ax = px(p, x + 3 * a), ay = py(p, x + 3 * a), bx = px(p, x + 3 * b);
    double by = py(p, x + 3 * b), cx = px(p, x + 3 * c), cy = py(p, x + 3 * c);
    double dx = px(p, x + 3 * d), dy = py(p, x + 3 * d);
    (void)fprintf(p->out, "C%.1f %.1f %.1f %.1f %.1f %.1f", bx + (cx - ax) / 6, by + (cy - ay) / 6,
                  cx - (dx - bx) / 6, cy - (dy - by) / 6, cx, cy);
}

/* consecutive links of one colour form a path; `plain`: a single path */
static void draw_chain(const picture *p, const run *r, const int *node, int n, double t,
                       bool plain) {
    int stride = (n + MAX_LINKS - 1) / MAX_LINKS, last = NONE;
    for (int i = 0; i < n - 1; i += stride) {
        int before = node[i > stride ? i - stride : 0], a = node[i];
        int j = i + stride < n - 1 ? i + stride : n - 1;
        int b = node[j], after = node[j + stride < n - 1 ? j + stride : n - 1];
        int level = plain ? 0 : level_of(p, r, a, b, t);
        if (level != last) {
            char colour[8];
            level_colour(level, colour);
            (void)fprintf(p->out, "%s<path%s%s%s d=\"M%.1f %.1f", last != NONE ? "\"/>\n" : "",
                          plain ? "" : " stroke=\"", plain ? "" : colour, plain ? "" : "\"",
                          px(p, r->x + 3 * a), py(p, r->x + 3 * a));
            last = level;
        }
        curve_to(p, r->x, before, a, b, after);
    }
    if (last != NONE) {
        (void)fputs("\"/>\n", p->out);
    }
}

static void draw_dot(const picture *p, const run *r, int node, double t, bool plain) {
    char colour[8];
    level_colour(level_of(p, r, node, node, t), colour);
    (void)fprintf(p->out, "<path%s%s%s d=\"M%.1f %.1fh0.1\"/>\n", plain ? "" : " stroke=\"",
                  plain ? "" : colour, plain ? "" : "\"", px(p, r->x + 3 * node),
                  py(p, r->x + 3 * node));
}

static gos_status draw_surface(const picture *p, const run *r, double t, bool plain) {
    const double range = p->high - p->low;
    for (int i = 0; i < r->mesh.nnodes; i++) {
        const double v = p->by_temperature ? r->temperature[i] : t;
        r->level[i] = gos__range_flat(p->low, p->high, 0) ? 0 : (v - p->low) / range;
    }
    return gos__faces_draw(p->arena, &r->surface, &p->plot, &p->view, r->x,
                           plain ? NULL : r->level);
}

/* nodes without cells (shapeless rigid bodies), as dots */
static gos_status draw_points(const picture *p, const run *r, double t, bool plain) {
    const gos_mesh_info *m = &r->mesh;
    const bool *dot = gos__mesh_dots(p->arena, &r->mesh);
    if (!dot) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < m->nnodes; i++) {
        if (dot[i]) {
            draw_dot(p, r, i, t, plain);
        }
    }
    return GOS_OK;
}

/* consecutive line cells form a chain */
static gos_status draw_shape(const picture *p, run *r, double t, bool plain) {
    const gos_mesh_info *m = &r->mesh;
    int *chain = GOS_NEW(p->arena, int, m->ncells + 2);
    if (!chain) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < m->ncells;) {
        int n = 0;
        while (i < m->ncells && m->cell_offset[i + 1] - m->cell_offset[i] == 2 &&
               (n == 0 || m->cell_nodes[m->cell_offset[i]] == chain[n - 1])) {
            if (n == 0) {
                chain[n++] = m->cell_nodes[m->cell_offset[i]];
            }
            chain[n++] = m->cell_nodes[m->cell_offset[i++] + 1];
        }
        if (n > 0) {
            draw_chain(p, r, chain, n, t, plain);
            continue;
        }
        if (m->cell_offset[i + 1] - m->cell_offset[i] == 1) {
            draw_dot(p, r, m->cell_nodes[m->cell_offset[i]], t, plain);
        }
        i++;
    }
    GOS_TRY(r->surface.n > 0 ? draw_surface(p, r, t, plain) : GOS_OK);
    return draw_points(p, r, t, plain);
}

/* "0.5 s" beyond the end of a shape, unless labels overlap */
static void label_shape(const picture *p, const run *r, double t, double (*taken)[2], int *ntaken) {
    const gos_mesh_info *m = &r->mesh;
    if (m->ncells == 0) {
        return;
    }
    // away from the last cell
    const int *node = m->cell_nodes + m->cell_offset[m->ncells - 1];
    const int n = m->cell_offset[m->ncells] - m->cell_offset[m->ncells - 1];
    if (n == 0) {
        return;
    }
    const double *end = r->x + 3 * node[n - 1], *start = r->x + 3 * node[0];
    double dx = px(p, end) - px(p, start), dy = py(p, end) - py(p, start);
    const double length = hypot(dx, dy);
    dx = length > 0 ? dx / length : 1;
    dy = length > 0 ? dy / length : 0;
    const double x = px(p, end) + 12 * dx, y = py(p, end) + 14 * dy + 4;
    for (int i = 0; i < *ntaken; i++) {
        if (fabs(taken[i][0] - x) < 44 && fabs(taken[i][1] - y) < 15) {
            return;
        }
    }
    taken[*ntaken][0] = x;
    taken[(*ntaken)++][1] = y;
    char text[32];
    (void)snprintf(text, sizeof text, "%.3g s", t);
    gos__svg_text(p->out, x, y,
                  dx > 0.35    ? "start"
                  : dx < -0.35 ? "end"
                               : "middle",
                  "class=\"halo\"", text);
}

static gos_status draw_shapes(const picture *p, run *r, const run *times, bool plain) {
    double taken[SHAPES][2];
    int n = shape_count(times), ntaken = 0;
    for (int i = 0; i < n; i++) {
        double t = shape_time(times, i);
        GOS_TRY(shape_at(r, t));
        GOS_TRY(draw_shape(p, r, t, plain));
    }
    for (int i = 0; i < n && n > 1 && !plain; i++) {
        double t = shape_time(times, i);
        GOS_TRY(shape_at(r, t));
        label_shape(p, r, t, taken, &ntaken);
    }
    return GOS_OK;
}

/* Undeformed, if the run begins elsewhere or only final surfaces are drawn. */
static gos_status draw_reference(const picture *p, run *r) {
    double largest = 0;
    GOS_TRY(shape_at(r, r->time[0]));
    for (int i = 0; i < 3 * r->mesh.nnodes; i++) {
        largest = fmax(largest, fabs(r->x[i] - r->reference[i]));
    }
    const bool alone = r->surface.n > 0 && r->info.nframes > 1 && shape_count(r) == 1;
    if (!(largest > 1e-3 * r->info.sizes.extent) && !alone) {
        return GOS_OK;
    }
    memcpy(r->x, r->reference, 3L * r->mesh.nnodes * sizeof(double));
    (void)fputs("<g fill=\"none\" stroke=\"#c3c9d1\" stroke-width=\"3\">\n", p->out);
    const gos_status status = draw_shape(p, r, 0, true);
    (void)fputs("</g>\n", p->out);
    return status;
}

/* At the start, with lines from shapeless rigid bodies to their joints. */
static gos_status draw_marks(const picture *p, run *r) {
    const bool *dot = gos__mesh_dots(p->arena, &r->mesh);
    if (!dot) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(shape_at(r, r->time[0]));
    for (int i = 0; i < 2 * marks_of(r); i++) {
        const gos_mark *m = &r->results->marks[i / 2];
        const int node = m->node[i % 2];
        if (node >= 0 && dot[node]) {
            const double *from = r->x + 3 * node, *to = m->location[0];
            (void)fprintf(p->out, "<path stroke=\"#9ca3af\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n",
                          px(p, from), py(p, from), px(p, to), py(p, to));
        }
    }
    gos__picture_marks(&p->plot, &p->view, marks_of(r), r->results->marks);
    return GOS_OK;
}

/* without points closer than half a pixel */
static gos_status draw_path(const picture *p, run *r, int probe) {
    const double *v;
    GOS_TRY(gos_results_probe(r->results, probe, &v, NULL));
    double last_x = 0, last_y = 0;
    for (long k = 0; k < r->info.nrows; k++) {
        double at[3];
        path_point(p, v, k, at);
        const double x = px(p, at), y = py(p, at);
        const bool end = k == r->info.nrows - 1;
        if (k == 0 || end || fabs(x - last_x) + fabs(y - last_y) > 0.5) {
            (void)fprintf(p->out, "%s%.1f %.1f", k == 0 ? "M" : "L", x, y);
            last_x = x;
            last_y = y;
        }
    }
    return GOS_OK;
}

static gos_status draw_paths(const picture *p, run *r, bool over) {
    int drawn = 0;
    for (int i = 0; i < r->info.nprobes && drawn < MAX_PATHS; i++) {
        gos_probe_info probe;
        gos_results_probe_info(r->results, i, &probe);
        if (!is_path(&probe) || r->info.nrows == 0) {
            continue;
        }
        (void)fprintf(p->out, "<path fill=\"none\" stroke=\"%s\" %s d=\"", path_colour[drawn++],
                      over ? "stroke-width=\"1.6\" stroke-dasharray=\"6 4\""
                           : "stroke-width=\"3.2\" stroke-opacity=\"0.4\"");
        GOS_TRY(draw_path(p, r, i));
        (void)fputs("\"/>\n", p->out);
    }
    return GOS_OK;
}

/* ---- beside the plot ------------------------------------------------------------------------- */

static void run_name(const run *r, char *buf, size_t size) {
    int n = r->info.sizes.coordinates + r->info.sizes.temperatures;
    (void)snprintf(buf, size, "%s model, %d unknowns", r->info.sizes.reduced ? "reduced" : "full",
                   n);
}

static void legend_line(const picture *p, double x, double y, const char *style, const char *text) {
    (void)fprintf(p->out, "<path d=\"M%.1f %.1fh38\" fill=\"none\" %s/>\n", x, y - 5, style);
    gos__svg_text(p->out, x + 48, y, "start", "class=\"tick\"", text);
}

static void draw_legend(const picture *p, run *a, run *b) {
    double x = p->plot.left + p->plot.width + 34, y = p->plot.top + 14;
    char text[160], colour[8];
    // of a static shape, or a middle one
    gos__svg_colour(a->info.nframes > 1 ? 0.55 : 0, colour);
    (void)snprintf(text, sizeof text, "stroke=\"%s\" stroke-width=\"5\"", colour);
    char name[96];
    run_name(a, name, sizeof name);
    legend_line(p, x, y, text, name);
    if (b) {
        y += 25;
        run_name(b, name, sizeof name);
        legend_line(p, x, y, "stroke=\"#111827\" stroke-width=\"1.4\" stroke-dasharray=\"5 4\"",
                    name);
    }
    int drawn = 0;
    for (int i = 0; i < a->info.nprobes && drawn < MAX_PATHS; i++) {
        gos_probe_info probe;
        gos_results_probe_info(a->results, i, &probe);
        if (is_path(&probe) && a->info.nrows > 1) {
            y += 25;
            (void)snprintf(text, sizeof text,
                           "stroke=\"%s\" stroke-width=\"3.2\" stroke-opacity=\"0.55\"",
                           path_colour[drawn++]);
            (void)snprintf(name, sizeof name, "path of %s", probe.name);
            legend_line(p, x, y, text, name);
        }
    }
    y = gos__picture_marks_legend(p->out, x, y, marks_of(a), a->results->marks);
    if (!gos__range_flat(p->low, p->high, 0) && a->mesh.ncells > 0) {
        double top = y + 62, height = fmin(320, p->plot.top + p->plot.height - top);
        gos__svg_bar(p->out, x, top, 18, fmax(height, 80), p->low, p->high,
                     p->by_temperature ? "temperature increment [K]" : "time [s]");
    }
}

/* ---- complete picture ------------------------------------------------------------------------ */

static gos_status measure_all(picture *p, run *a, run *b) {
    p->low = HUGE_VAL;
    p->high = -HUGE_VAL;
    for (int c = 0; c < 3; c++) {
        p->seen.lo[c] = HUGE_VAL;
        p->seen.hi[c] = -HUGE_VAL;
    }
    GOS_TRY(choose_magnification(a));
    p->magnify = a->magnify;
    GOS_TRY(count_shapes(p, a));
    GOS_TRY(measure(p, a));
    if (b) {
        GOS_TRY(measure(p, b));
    }
    if (!(p->seen.hi[0] >= p->seen.lo[0])) {
        return gos__fail(p->ctx, GOS_E_USE, "'%s' has nothing to draw", a->info.name);
    }
    p->by_temperature = a->info.thermal && !gos__range_flat(p->low, p->high, ONE_KELVIN);
    if (!p->by_temperature) {
        p->low = a->time[0];
        p->high = a->time[a->info.nframes - 1];
    }
    p->seen.surfaces = a->surface.n > 0;
    gos__view_choose(&p->seen, &p->view);
    gos__view_fit(&p->view, &p->seen, plot_width, plot_height, &p->plot);
    p->plot.left = margin_left;
    p->plot.top = margin_top;
    p->plot.out = p->out;
    return GOS_OK;
}

static gos_status draw_all(picture *p, run *a, run *b) {
    GOS_TRY(measure_all(p, a, b));
    double width = margin_left + p->plot.width + side_width;
    double height = margin_top + fmax(p->plot.height, 250) + margin_bottom;
    (void)fprintf(p->out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
                  "width=\"%.0f\" height=\"%.0f\" "
                  "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n"
                  "<!-- made by gossamer -->\n"
                  "<style>.grid{stroke:#e8ebef;fill:none}.tick{font-size:13px;fill:#374151}"
                  ".label{font-size:14px;fill:#111827}.title{font-size:19px;fill:#111827;"
                  "font-weight:600}.halo{font-size:12px;fill:#374151;stroke:#fff;stroke-width:3px;"
                  "paint-order:stroke}.face{fill:currentColor;stroke:currentColor;stroke-width:.7}"
                  ".edge{stroke-width:1}.shape .edge{stroke:#111827;stroke-opacity:.55}</style>\n"
                  "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
                  width, height, width, height);
    char title[256], when[40] = "";
    if (a->surface.n > 0 && a->info.nframes > 1 && shape_count(a) == 1) {
        (void)snprintf(when, sizeof when, " at %.4g s", a->time[a->info.nframes - 1]);
    }
    (void)snprintf(title, sizeof title, p->magnify > 1 ? "%s%s, displacements \303\227 %g" : "%s%s",
                   a->info.name, when, p->magnify);
    gos__svg_text(p->out, margin_left, margin_top - 26, "start", "class=\"title\"", title);
    gos__view_axes(&p->plot, &p->view, gos_unit_name(a->info.units, "m", GOS_UNIT_BUFFER));
    (void)fprintf(p->out,
                  "<clipPath id=\"area\"><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                  "height=\"%.1f\"/></clipPath>\n<g clip-path=\"url(#area)\" "
                  "stroke-linecap=\"round\" stroke-linejoin=\"round\">\n",
                  p->plot.left, p->plot.top, p->plot.width, p->plot.height);
    GOS_TRY(draw_reference(p, a));
    GOS_TRY(draw_paths(p, a, false));
    if (b) {
        GOS_TRY(draw_paths(p, b, true));
    }
    (void)fputs("<g class=\"shape\" fill=\"none\" stroke-width=\"5\">\n", p->out);
    GOS_TRY(draw_shapes(p, a, a, false));
    (void)fputs("</g>\n", p->out);
    if (b) {
        // alternating dark and light dashes, visible on any colour
        (void)fputs("<defs><g id=\"over\" fill=\"none\" stroke-width=\"1.5\" "
                    "stroke-dasharray=\"5 5\" stroke-linecap=\"butt\">\n",
                    p->out);
        GOS_TRY(draw_shapes(p, b, a, true));
        (void)fputs("</g></defs>\n<use href=\"#over\" stroke=\"#111827\"/>\n"
                    "<use href=\"#over\" stroke=\"#fff\" stroke-dashoffset=\"5\"/>\n",
                    p->out);
    }
    GOS_TRY(draw_marks(p, a));
    (void)fputs("</g>\n", p->out);
    draw_legend(p, a, b);
    (void)fputs("</svg>\n", p->out);
    return ferror(p->out) ? gos__fail(p->ctx, GOS_E_FILE, "cannot write the picture") : GOS_OK;
}

gos_status gos_picture(gos_ctx *ctx, gos_results *results, gos_results *other, FILE *out) {
    picture p = {.ctx = ctx, .out = out, .arena = gos__arena_create(ctx)};
    run a = {0}, b = {0};
    if (!p.arena) {
        return GOS_E_MEMORY;
    }
    gos_status status = prepare_run(&p, results, &a);
    if (status == GOS_OK && other) {
        status = prepare_run(&p, other, &b);
    }
    if (status == GOS_OK) {
        const locale_t before = uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
        status = draw_all(&p, &a, other ? &b : NULL);
        (void)uselocale(before);
    }
    gos__arena_destroy(p.arena);
    return status;
}
