/* Shapes in a report: a thinned mesh with displacements and temperatures. Chains of line cells
 * keep every n-th node; nodes of other cells are clustered in boxes, per body. Displacements
 * instead of positions allow magnification. */
#include <math.h>

#include "pages/report.h"
#include "pages/view.h"
#include "results/results_parts.h"

/* Stress and strain fields for colouring: von Mises stress, largest and smallest principal values
   per face. A picture does not show the axes of components. */

/* a number per node */
typedef struct coloured {
    int field, component, ncomp;
    char name[64];
    const char *unit;
} coloured;

enum { MOST = 12 };

/* from "von_mises_upper" and component to "von Mises stress, upper faces" */
static void name_it(const gos_field_info *f, int component, char name[64]) {
    static const char *const order[] = {"first", "second", "third"};
    const bool mises = strncmp(f->name, "von_mises", 9) == 0;
    const bool strain = strncmp(f->name, "principal_strain", 16) == 0;
    const char *face = strstr(f->name, "_upper")   ? ", upper faces"
                       : strstr(f->name, "_lower") ? ", lower faces"
                                                   : "";
    if (mises) {
        gos__format(name, 64, "von Mises stress%s", face);
    } else {
        gos__format(name, 64, "%s principal %s%s", order[component], strain ? "strain" : "stress",
                    face);
    }
}

static int choose(const gos_results *run, coloured list[MOST]) {
    gos_results_info info;
    gos_results_info_get(run, &info);
    int n = 0;
    for (int i = 0; i < info.nfields; i++) {
        gos_field_info f;
        gos_results_field_info(run, i, &f);
        const bool known = strncmp(f.name, "von_mises", 9) == 0
                               ? f.ncomp == 1
                               : strncmp(f.name, "principal_", 10) == 0 && f.ncomp == 3;
        for (int c = 0; c < f.ncomp && known && n < MOST; c += 2) {
            list[n] = (coloured){.field = i, .component = c, .ncomp = f.ncomp, .unit = f.unit};
            name_it(&f, c, list[n++].name);
        }
    }
    return n;
}

/* Colour fields besides displacement and temperature. */
static int report_nfields(const gos_results *run) {
    coloured list[MOST];
    return choose(run, list);
}

/* over all nodes, also thinned ones */
static void widen(const double *v, int nodes, int ncomp, double *lo, double *hi) {
    for (long i = 0; i < nodes; i++) {
        *lo = fmin(*lo, v[i * ncomp]);
        *hi = fmax(*hi, v[i * ncomp]);
    }
}

/* Names, units, ranges over all nodes, values at n output times: list "fields". */
static gos_status report_fields(gos_page *p, gos_arena *arena, gos_results *run,
                                const gos_thin_mesh *thin, int n, const long *frame) {
    coloured list[MOST];
    gos_mesh_info mesh;
    gos_results_mesh(run, &mesh);
    const int count = choose(run, list);
    double *all = GOS_NEW(arena, double, 3L * mesh.nnodes + 1);
    double *shown = GOS_NEW(arena, double, (long)n * thin->nnodes + 1);
    GOS_TRY(all && shown ? GOS_OK : GOS_E_MEMORY);
    gos__page_open(p, "fields", '[');
    for (int k = 0; k < count; k++) {
        double lo = HUGE_VAL, hi = -HUGE_VAL;
        for (int i = 0; i < n; i++) {
            GOS_TRY(gos_results_field(run, list[k].field, frame[i], all));
            widen(all + list[k].component, mesh.nnodes, list[k].ncomp, &lo, &hi);
            for (int j = 0; j < thin->nnodes; j++) {
                shown[(long)i * thin->nnodes + j] =
                    all[(long)thin->node[j] * list[k].ncomp + list[k].component];
            }
        }
        gos__page_open(p, NULL, '{');
        gos__page_text(p, "name", list[k].name);
        gos__page_text(p, "unit", list[k].unit);
        gos__page_number(p, "least", lo);
        gos__page_number(p, "largest", hi);
        gos__page_parts(p, "values", shown, (long)n * thin->nnodes, 1);
        gos__page_close(p, '}');
    }
    gos__page_close(p, ']');
    return GOS_OK;
}

enum { MIN_NODES = 200 };

#define GROWTH 1.3 // growth of boxes while there are too many

/* ---- thinning -------------------------------------------------------------------------------- */

typedef struct thinner {
    gos_arena *arena;
    const gos_mesh_info *mesh;
    const double *x;
    int limit;
    int *first;  // representative of each node (nnodes)
    int *body;   // of each node (nnodes)
    bool *used;  // in a cell with an area, or a thinned chain (nnodes)
    int *number; // in the thin mesh (nnodes)
    gos_thin_mesh *thin;
} thinner;

static int cell_size(const gos_mesh_info *m, int cell) {
    return m->cell_offset[cell + 1] - m->cell_offset[cell];
}

static const int *nodes_of(const gos_mesh_info *m, int cell) {
    return m->cell_nodes + m->cell_offset[cell];
}

static bool is_area(const gos_mesh_info *m, int cell) {
    return cell_size(m, cell) > 2;
}

/* of a chain of line cells */
static int chain_end(const gos_mesh_info *m, int cell) {
    int end = cell + 1;
    while (end < m->ncells && cell_size(m, end) == 2 &&
           nodes_of(m, end)[0] == nodes_of(m, end - 1)[1] &&
           m->cell_body[end] == m->cell_body[cell]) {
        end++;
    }
    return end;
}

typedef struct place {
    int body, box[3], node;
} place;

static int compare_places(const void *a, const void *b) {
    const place *p = a, *q = b;
    if (p->body != q->body) {
        return p->body < q->body ? -1 : 1;
    }
    for (int c = 0; c < 3; c++) {
        if (p->box[c] != q->box[c]) {
            return p->box[c] < q->box[c] ? -1 : 1;
        }
    }
    return (p->node > q->node) - (p->node < q->node);
}

static bool same_box(const place *p, const place *q) {
    return p->body == q->body && memcmp(p->box, q->box, sizeof p->box) == 0;
}

/* boxes of size h; returns how many are used */
static int sort_into_boxes(const thinner *t, place *all, int n, const double lo[3], double h) {
    for (int i = 0; i < n; i++) {
        for (int c = 0; c < 3; c++) {
            const double at = (t->x[3 * all[i].node + c] - lo[c]) / h;
            all[i].box[c] = at >= 0 && at < 1e9 ? (int)at : 0;
        }
    }
    qsort(all, n, sizeof *all, compare_places);
    int boxes = n > 0;
    for (int i = 1; i < n; i++) {
        boxes += !same_box(&all[i], &all[i - 1]);
    }
    return boxes;
}

/* cluster nodes until few enough remain */
static gos_status cluster(thinner *t) {
    place *all = GOS_NEW(t->arena, place, t->mesh->nnodes + 1);
    if (!all) {
        return GOS_E_MEMORY;
    }
    int n = 0;
    double lo[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, hi[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < t->mesh->nnodes; i++) {
        for (int c = 0; c < 3 && t->used[i]; c++) {
            lo[c] = fmin(lo[c], t->x[3 * i + c]);
            hi[c] = fmax(hi[c], t->x[3 * i + c]);
        }
        if (t->used[i]) {
            all[n++] = (place){.body = t->body[i], .node = i};
        }
    }
    if (n <= t->limit) {
        return GOS_OK;
    }
    const double extent = fmax(hi[0] - lo[0], fmax(hi[1] - lo[1], hi[2] - lo[2]));
    double h = extent / sqrt((double)t->limit);
    if (!(h > 0) || !isfinite(h)) {
        return GOS_OK; // all nodes coincide
    }
    while (sort_into_boxes(t, all, n, lo, h) > t->limit && h < extent) {
        h *= GROWTH;
    }
    for (int i = 1, first = 0; i < n; i++) {
        first = same_box(&all[i], &all[first]) ? first : i;
        t->first[all[i].node] = all[first].node;
    }
    return GOS_OK;
}

static void add_cell(thinner *t, int body, const int *node, int n) {
    gos_thin_mesh *thin = t->thin;
    int at = thin->cell_offset[thin->ncells];
    for (int i = 0; i < n; i++) {
        thin->cell_nodes[at++] = node[i];
    }
    thin->cell_body[thin->ncells++] = body;
    thin->cell_offset[thin->ncells] = at;
}

/* replaces nodes by representatives; degenerate cells are dropped */
static void add_area(thinner *t, int cell) {
    const int *node = nodes_of(t->mesh, cell);
    const int n = cell_size(t->mesh, cell), at = t->thin->cell_offset[t->thin->ncells];
    int kept = 0;
    for (int i = 0; i < n; i++) {
        const int first = t->first[node[i]];
        bool there = false;
        for (int k = 0; k < kept; k++) {
            there = there || t->thin->cell_nodes[at + k] == first;
        }
        if (!there) {
            t->thin->cell_nodes[at + kept++] = first;
        }
    }
    if (kept > 2) {
        t->thin->cell_body[t->thin->ncells++] = t->mesh->cell_body[cell];
        t->thin->cell_offset[t->thin->ncells] = at + kept;
    }
}

static void add_chain(thinner *t, int cell, int end, int stride) {
    for (int i = cell; i < end; i += stride) {
        const int last = i + stride < end ? i + stride : end;
        const int node[2] = {nodes_of(t->mesh, i)[0], nodes_of(t->mesh, last - 1)[1]};
        add_cell(t, t->mesh->cell_body[cell], node, 2);
    }
}

static void add_cells(thinner *t, int stride) {
    const gos_mesh_info *m = t->mesh;
    for (int i = 0; i < m->ncells;) {
        const int n = cell_size(m, i);
        if (n == 2) {
            const int end = chain_end(m, i);
            add_chain(t, i, end, stride);
            i = end;
            continue;
        }
        if (n > 2) {
            add_area(t, i);
        } else if (n == 1) {
            add_cell(t, m->cell_body[i], nodes_of(m, i), 1);
        }
        i++;
    }
}

/* nodes without cells (single points) are kept */
static void number_nodes(thinner *t, const bool *loose) {
    gos_thin_mesh *thin = t->thin;
    const int total = thin->cell_offset[thin->ncells];
    memset(t->used, 0, t->mesh->nnodes * sizeof *t->used);
    for (int i = 0; i < total; i++) {
        t->used[thin->cell_nodes[i]] = true;
    }
    for (int i = 0, points = 0; i < t->mesh->nnodes; i++) {
        points += loose[i];
        if (t->used[i] || (loose[i] && points <= t->limit)) {
            t->number[i] = thin->nnodes;
            thin->node[thin->nnodes++] = i;
        }
    }
    for (int i = 0; i < total; i++) {
        thin->cell_nodes[i] = t->number[thin->cell_nodes[i]];
    }
}

bool *gos__mesh_dots(gos_arena *arena, const gos_mesh_info *m) {
    bool *dot = GOS_NEW(arena, bool, m->nnodes + 1);
    int *first = GOS_NEW(arena, int, m->nbodies + 1), *last = GOS_NEW(arena, int, m->nbodies + 1);
    if (!dot || !first || !last) {
        return NULL;
    }
    for (int i = 0; i < m->nbodies; i++) {
        first[i] = m->nnodes;
    }
    for (int i = 0; i < m->ncells; i++) {
        int *lo = &first[m->cell_body[i]], *hi = &last[m->cell_body[i]];
        for (int k = 0; k < cell_size(m, i); k++) {
            const int node = nodes_of(m, i)[k];
            *lo = node < *lo ? node : *lo;
            *hi = node > *hi ? node : *hi;
        }
    }
    for (int i = 0; i < m->nnodes; i++) {
        dot[i] = true;
    }
    for (int b = 0; b < m->nbodies; b++) {
        for (int i = first[b]; i <= last[b] && i < m->nnodes; i++) {
            dot[i] = false;
        }
    }
    return dot;
}

/* classify nodes: lines, areas, body */
static int look_around(thinner *t) {
    const gos_mesh_info *m = t->mesh;
    int lines = 0;
    for (int i = 0; i < m->nnodes; i++) {
        t->first[i] = i;
    }
    for (int i = 0; i < m->ncells; i++) {
        lines += cell_size(m, i) == 2;
        for (int k = 0; k < cell_size(m, i); k++) {
            t->body[nodes_of(m, i)[k]] = m->cell_body[i];
            t->used[nodes_of(m, i)[k]] = t->used[nodes_of(m, i)[k]] || is_area(m, i);
        }
    }
    return lines;
}

gos_status gos__thin_mesh(gos_arena *arena, const gos_mesh_info *mesh, const double *x, int limit,
                          gos_thin_mesh *thin) {
    const int total = mesh->ncells > 0 ? mesh->cell_offset[mesh->ncells] : 0;
    thinner t = {.arena = arena, .mesh = mesh, .x = x, .limit = limit, .thin = thin};
    *thin = (gos_thin_mesh){.node = GOS_NEW(arena, int, mesh->nnodes + 1),
                            .cell_offset = GOS_NEW(arena, int, mesh->ncells + 1),
                            .cell_nodes = GOS_NEW(arena, int, total + 1),
                            .cell_body = GOS_NEW(arena, int, mesh->ncells + 1)};
    t.first = GOS_NEW(arena, int, mesh->nnodes + 1);
    t.body = GOS_NEW(arena, int, mesh->nnodes + 1);
    t.number = GOS_NEW(arena, int, mesh->nnodes + 1);
    t.used = GOS_NEW(arena, bool, mesh->nnodes + 1);
    const bool *loose = gos__mesh_dots(arena, mesh);
    if (!thin->node || !thin->cell_offset || !thin->cell_nodes || !thin->cell_body || !t.first ||
        !t.body || !t.number || !t.used || !loose) {
        return GOS_E_MEMORY;
    }
    const int lines = look_around(&t);
    GOS_TRY(cluster(&t));
    add_cells(&t, (lines + limit - 1) / limit > 1 ? (lines + limit - 1) / limit : 1);
    number_nodes(&t, loose);
    return GOS_OK;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void put_cells(gos_page *p, const gos_thin_mesh *thin) {
    gos__page_ints(p, "cell_offset", thin->cell_offset, thin->ncells + 1);
    gos__page_ints(p, "cell_nodes", thin->cell_nodes, thin->cell_offset[thin->ncells]);
}

/* coarser cells of the same nodes, if all are shown */
static gos_status put_coarse(gos_page *p, gos_arena *arena, const gos_mesh_info *mesh,
                             const gos_thin_mesh *thin, const double *x, int limit) {
    gos_thin_mesh coarse;
    if (limit == 0 || thin->nnodes != mesh->nnodes || mesh->nnodes < 2 * limit) {
        return GOS_OK;
    }
    GOS_TRY(gos__thin_mesh(arena, mesh, x, limit, &coarse));
    for (int i = 0; i < coarse.cell_offset[coarse.ncells]; i++) {
        coarse.cell_nodes[i] = coarse.node[coarse.cell_nodes[i]];
    }
    gos__page_open(p, "coarse", '{');
    gos__page_number(p, "nodes", coarse.nnodes);
    put_cells(p, &coarse);
    gos__page_close(p, '}');
    return GOS_OK;
}

void gos__page_mesh(gos_page *p, const gos_mesh_info *mesh, const gos_thin_mesh *thin,
                    const double *reference) {
    gos__page_open(p, "mesh", '{');
    gos__page_number(p, "nodes", thin->nnodes);
    gos__page_number(p, "all_nodes", mesh->nnodes);
    gos__page_open(p, "bodies", '[');
    for (int i = 0; i < mesh->nbodies; i++) {
        gos__page_text(p, NULL, mesh->body_names[i]);
    }
    gos__page_close(p, ']');
    put_cells(p, thin);
    gos__page_ints(p, "cell_body", thin->cell_body, thin->ncells);
    gos__page_floats(p, "reference", reference, 1, NULL, 3L * thin->nnodes);
    gos__page_close(p, '}');
}

typedef struct shapes {
    gos_results *run;
    const gos_thin_mesh *thin;
    gos_node_fields f;    // all nodes of one frame
    long total;           // frames of the run
    int n;                // shown frames
    long *frame;          // their numbers (n)
    double *time;         // (n)
    double *displacement; // (n, thin nodes, 3)
    double *temperature;  // (n, thin nodes)
} shapes;

/* evenly spaced; required times replace their nearest neighbour */
static void choose_frames(shapes *s, const gos_view_more *more) {
    for (int i = 0; i < s->n; i++) {
        s->frame[i] =
            s->n > 1 ? (long)(((double)i * (double)(s->total - 1)) / (s->n - 1) + 0.5) : 0;
    }
    for (int j = 0; more && j < more->nkeep && s->n > 2; j++) {
        int near = 1;
        for (int i = 0; i < s->n; i++) {
            near =
                labs(s->frame[i] - more->keep[j]) < labs(s->frame[near] - more->keep[j]) ? i : near;
        }
        // keep the ends
        if (near > 0 && near < s->n - 1) {
            s->frame[near] = more->keep[j];
        }
    }
}

static gos_status read_frames(shapes *s) {
    const double *time = gos_results_frame_times(s->run);
    const gos_thin_mesh *thin = s->thin;
    for (int i = 0; i < s->n; i++) {
        const long k = s->frame[i];
        GOS_TRY(gos_results_frame(s->run, k, &s->f));
        gos__mask_athermal(s->run, s->f.temperature);
        s->time[i] = time[k];
        for (int j = 0; j < thin->nnodes; j++) {
            const long at = (long)i * thin->nnodes + j;
            memcpy(s->displacement + 3 * at, s->f.displacement + 3 * (long)thin->node[j],
                   3 * sizeof(double));
            s->temperature[at] = s->f.temperature[thin->node[j]];
        }
    }
    return GOS_OK;
}

static gos_status put_frames(gos_page *p, gos_arena *arena, const shapes *s, bool thermal,
                             const gos_view_more *more) {
    const long n = (long)s->n * s->thin->nnodes;
    gos__page_open(p, "frames", '{');
    gos__page_number(p, "count", s->n);
    gos__page_number(p, "all", (double)s->total);
    gos__page_floats(p, "time", s->time, 1, NULL, s->n);
    gos__page_parts(p, "displacement", s->displacement, 3 * n, 3);
    if (thermal) {
        gos__page_parts(p, "temperature", s->temperature, n, 1);
    }
    gos_status status = report_fields(p, arena, s->run, s->thin, s->n, s->frame);
    if (status == GOS_OK && more) {
        status = gos__view_fields(p, arena, s->run, more, s->thin, s->n, s->frame);
    }
    gos__page_close(p, '}');
    return status;
}

/* undeformed nodes (nnodes, 3) */
static gos_status reference_of(gos_arena *arena, shapes *s, int nnodes, double **reference) {
    double **vectors[] = {&s->f.position, &s->f.displacement, reference};
    for (int i = 0; i < GOS_COUNT(vectors); i++) {
        *vectors[i] = GOS_NEW(arena, double, 3L * nnodes + 1);
        if (!*vectors[i]) {
            return GOS_E_MEMORY;
        }
    }
    s->f.temperature = GOS_NEW(arena, double, nnodes + 1);
    if (!s->f.temperature) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(gos_results_frame(s->run, 0, &s->f));
    for (long i = 0; i < 3L * nnodes; i++) {
        (*reference)[i] = s->f.position[i] - s->f.displacement[i];
    }
    return GOS_OK;
}

gos_status gos__report_shapes(gos_page *p, gos_arena *arena, gos_results *run,
                              const gos_report_limits *limits) {
    gos_results_info info;
    gos_mesh_info mesh;
    gos_thin_mesh thin;
    gos_results_info_get(run, &info);
    gos_results_mesh(run, &mesh);
    if (limits->shapes <= 0 || info.nframes == 0 || mesh.nnodes == 0) {
        return GOS_OK;
    }
    shapes s = {.run = run, .thin = &thin, .total = info.nframes};
    double *reference;
    GOS_TRY(reference_of(arena, &s, mesh.nnodes, &reference));
    const long few = info.nframes < limits->few ? info.nframes : limits->few;
    // displacement and temperature are four numbers
    const int more = report_nfields(run) + (limits->more ? GOS_VIEW_FIELDS : 0);
    const double room = (double)limits->shapes * 4 / (4 + more);
    const double nodes = fmin(limits->nodes, fmax(MIN_NODES, room / (double)few));
    GOS_TRY(gos__thin_mesh(arena, &mesh, reference, (int)nodes, &thin));
    if (thin.nnodes == 0) {
        return GOS_OK;
    }
    const double most = fmax(2, room / thin.nnodes);
    s.n = (int)fmin((double)info.nframes, fmin(limits->frames, most));
    s.frame = GOS_NEW(arena, long, s.n);
    s.time = GOS_NEW(arena, double, s.n);
    s.displacement = GOS_NEW(arena, double, 3L * s.n * thin.nnodes);
    s.temperature = GOS_NEW(arena, double, (long)s.n *thin.nnodes);
    double *shown = GOS_NEW(arena, double, 3L * thin.nnodes);
    if (!s.frame || !s.time || !s.displacement || !s.temperature || !shown) {
        return GOS_E_MEMORY;
    }
    for (int j = 0; j < thin.nnodes; j++) {
        memcpy(shown + 3L * j, reference + 3L * thin.node[j], 3 * sizeof(double));
    }
    gos__page_mesh(p, &mesh, &thin, shown);
    GOS_TRY(put_coarse(p, arena, &mesh, &thin, reference, limits->coarse));
    choose_frames(&s, limits->more);
    GOS_TRY(read_frames(&s));
    GOS_TRY(put_frames(p, arena, &s, info.thermal, limits->more));
    GOS_TRY(gos__report_sky(p, arena, run, s.time, s.n));
    return gos__report_modes(p, arena, run, &thin);
}
