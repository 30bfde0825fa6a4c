#include "pages/design_view.h"

#include <math.h>
#include <stdio.h>

#include "results/h5_get.h"
#include "results/h5_put.h"
#include "results/mode_shapes.h"
#include "gossamer/io.h"
#include "statics/control_design.h"
#include "system/drawn_patches.h"

enum { MODES = 24, MOST_CELLS = 20000, LONGEST = 500 };

/* ---- making ---------------------------------------------------------------------------------- */

const char *gos__view_warnings(const gos_ctx *ctx, gos_arena *a) {
    char *text = gos__arena_strdup(a, "");
    for (int i = 0; i < gos_ctx_ndiag(ctx) && text; i++) {
        char line[LONGEST];
        gos_ctx_format(ctx, i, line, sizeof line);
        text = gos_ctx_diag(ctx, i)->status == GOS_OK ? gos__arena_printf(a, "%s%s\n", text, line)
                                                      : text;
    }
    return text;
}

static gos_status take_mesh(const gos_system *sys, const gos_state *state, gos_arena *a,
                            gos_design_view *v) {
    gos_mesh_info from;
    gos_system_mesh(sys, &from);
    if (from.ncells > MOST_CELLS || from.nnodes > MOST_CELLS) {
        return GOS_OK;
    }
    const int corners = from.ncells > 0 ? from.cell_offset[from.ncells] : 0;
    double *x = GOS_NEW(a, double, 3 * from.nnodes + 1);
    int *offset = GOS_NEW(a, int, from.ncells + 1), *node = GOS_NEW(a, int, corners + 1),
        *body = GOS_NEW(a, int, from.ncells + 1);
    GOS_TRY(x && offset && node && body ? GOS_OK : GOS_E_MEMORY);
    gos_system_nodes(sys, state, x, NULL, NULL, NULL);
    if (from.ncells > 0) {
        memcpy(offset, from.cell_offset, ((size_t)from.ncells + 1) * sizeof *offset);
        memcpy(node, from.cell_nodes, (size_t)corners * sizeof *node);
        memcpy(body, from.cell_body, (size_t)from.ncells * sizeof *body);
    }
    v->mesh = (gos_mesh_info){.nnodes = from.nnodes,
                              .ncells = from.ncells,
                              .nbodies = from.nbodies,
                              .cell_offset = offset,
                              .cell_nodes = node,
                              .cell_body = body};
    v->x = x;
    return GOS_OK;
}

static gos_status take_modes(gos_ctx *ctx, const gos_system *sys, const gos_state *state,
                             const gos_linear *linear, gos_arena *a, int n, gos_design_view *v) {
    gos_mode_pictures p;
    GOS_TRY(gos__mode_pictures_at(ctx, a, sys, state, linear, n < MODES ? n : MODES, &p));
    const size_t size = (size_t)p.n * 3 * (size_t)v->mesh.nnodes;
    double *shape = GOS_NEW(a, double, size + 1);
    GOS_TRY(shape ? GOS_OK : GOS_E_MEMORY);
    v->mode_names = p.names ? p.names : "";
    for (const char *at = v->mode_names; strncmp(at, "mode ", 5) == 0; v->nmode++) {
        at += strcspn(at, "\n") + 1; // temperature fields follow
    }
    for (size_t i = 0; i < (size_t)v->nmode * 3 * (size_t)v->mesh.nnodes; i++) {
        shape[i] = (double)p.displacement[i];
    }
    v->shape = shape;
    return GOS_OK;
}

gos_status gos__view_model(gos_ctx *ctx, const gos_system *sys, const gos_state *state,
                           const gos_linear *linear, gos_arena *a, int n, gos_design_view *v) {
    GOS_TRY(take_mesh(sys, state, a, v));
    return v->mesh.nnodes > 0 ? take_modes(ctx, sys, state, linear, a, n, v) : GOS_OK;
}

static gos_status take_patches(const gos_system *sys, const gos_design *d, gos_design_view *v) {
    gos_drawn_patch *drawn;
    int n;
    GOS_TRY(gos__drawn_patches(sys, d->arena, &drawn, &n));
    gos_view_patch *to = GOS_NEW(d->arena, gos_view_patch, n + 1);
    GOS_TRY(to ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0, c = 0; i < n; i++) {
        for (int k = 0; k < d->ncandidate; k++, c++) { // both lists are in model order
            c = c < d->ncandidate ? c : 0;
            if (strcmp(d->candidate[c].name, drawn[i].electrode) == 0) {
                to[v->npatch++] = (gos_view_patch){c, drawn[i].cell, drawn[i].side};
                break;
            }
        }
    }
    v->patch = to;
    return GOS_OK;
}

static gos_status look(gos_ctx *ctx, const gos_design_scene *scene, gos_design *d) {
    gos_design_view *v = GOS_NEW(d->arena, gos_design_view, 1);
    GOS_TRY(v ? GOS_OK : GOS_E_MEMORY);
    v->model = gos__arena_strdup(d->arena, gos_system_name(scene->sys));
    v->name = gos__arena_strdup(d->arena, scene->name);
    v->warnings = gos__view_warnings(ctx, d->arena);
    v->mode_names = "";
    GOS_TRY(v->model && v->name && v->warnings ? GOS_OK : GOS_E_MEMORY);
    d->view = v;
    GOS_TRY(gos__view_model(ctx, scene->sys, scene->state, scene->linear, d->arena, d->report.modes,
                            v));
    return v->mesh.nnodes > 0 ? take_patches(scene->sys, d, v) : GOS_OK;
}

gos_status gos_design_show(gos_ctx *ctx, gos_model *model, const char *name, gos_design **design) {
    return gos__design_model(ctx, model, name, look, design);
}

/* ---- file storage: one function defines the order of numbers and texts ----------------------- */

typedef enum task { COUNT, PUT, GET } task;

typedef struct walk {
    task task;
    gos_arena *arena;
    double *x;
    size_t n, at; // numbers: total, processed
    char *text;
    size_t length, read; // text: total, processed
    bool good;
} walk;

static void number(walk *w, double *v, double lo, double hi) {
    if (w->task == PUT) {
        w->x[w->at] = *v;
    } else if (w->task == GET) {
        w->good = w->good && w->at < w->n && w->x[w->at] >= lo && w->x[w->at] <= hi;
        *v = w->good ? w->x[w->at] : lo;
    }
    w->at++;
}

static void whole(walk *w, int *v, int lo, int hi) {
    double x = *v;
    number(w, &x, lo, hi);
    w->good = w->good && x == floor(x);
    *v = (int)x;
}

static void flag(walk *w, bool *v) {
    int x = *v;
    whole(w, &x, 0, 1);
    *v = x != 0;
}

static void numbers(walk *w, const double **v, size_t n) {
    if (w->task == PUT && n > 0) {
        memcpy(w->x + w->at, *v, n * sizeof **v);
    } else if (w->task == GET) {
        w->good = w->good && n <= w->n && w->at <= w->n - n;
        *v = w->x + (w->good ? w->at : 0);
        for (size_t i = 0; i < n && w->good; i++) {
            w->good = isfinite((*v)[i]);
        }
    }
    w->at += n;
}

static void wholes(walk *w, const int **v, int n, int lo, int hi) {
    int *to = NULL;
    if (w->task == GET) {
        w->good = w->good && (size_t)n <= w->n; // bounds memory by the file size
        to = w->good ? GOS_NEW(w->arena, int, n + 1) : NULL;
        w->good = w->good && to;
        *v = to;
    }
    for (int i = 0; i < n && w->good; i++) {
        int x = w->task == GET ? lo : (*v)[i];
        whole(w, &x, lo, hi);
        if (to) {
            to[i] = x;
        }
    }
}

/* without terminators: each text is preceded by its length */
static void text(walk *w, const char **v) {
    double length = w->task == GET || !*v ? 0 : (double)strlen(*v);
    number(w, &length, 0, 1e9);
    const size_t n = (size_t)length;
    if (w->task == PUT && n > 0) {
        memcpy(w->text + w->read, *v, n);
    } else if (w->task == GET) {
        w->good = w->good && n <= w->length && w->read <= w->length - n;
        char *to = w->good ? GOS_NEW(w->arena, char, n + 1) : NULL;
        w->good = w->good && to;
        *v = to ? memcpy(to, w->text + w->read, n) : "";
    }
    w->read += n;
}

static void maybe_text(walk *w, const char **v) {
    bool there = *v != NULL;
    flag(w, &there);
    if (there) {
        text(w, v);
    } else {
        *v = NULL;
    }
}

static void walk_mesh(walk *w, gos_mesh_info *m) {
    whole(w, &m->nnodes, 0, MOST_CELLS);
    whole(w, &m->ncells, 0, MOST_CELLS);
    whole(w, &m->nbodies, 0, MOST_CELLS);
    wholes(w, &m->cell_offset, m->nnodes > 0 ? m->ncells + 1 : 0, 0, 100 * MOST_CELLS);
    for (int i = 0; i < m->ncells && w->good && w->task == GET; i++) {
        w->good = m->nnodes > 0 && m->nbodies > 0 && m->cell_offset[i] <= m->cell_offset[i + 1];
    }
    w->good = w->good && (m->ncells == 0 || m->cell_offset[0] == 0);
    const int corners = w->good && m->ncells > 0 ? m->cell_offset[m->ncells] : 0;
    wholes(w, &m->cell_nodes, corners, 0, m->nnodes - 1);
    wholes(w, &m->cell_body, m->ncells, 0, m->nbodies - 1);
}

static void walk_patches(walk *w, int ncandidate, gos_design_view *v) {
    gos_view_patch *to = NULL;
    whole(w, &v->npatch, 0, 2 * MOST_CELLS);
    if (w->task == GET) {
        to = w->good ? GOS_NEW(w->arena, gos_view_patch, v->npatch + 1) : NULL;
        w->good = w->good && to;
        v->patch = to;
    }
    for (int i = 0; i < v->npatch && w->good; i++) {
        gos_view_patch p = to ? (gos_view_patch){0} : v->patch[i];
        whole(w, &p.candidate, 0, ncandidate - 1);
        whole(w, &p.cell, 0, v->mesh.ncells - 1);
        whole(w, &p.side, -1, 1);
        if (to) {
            to[i] = p;
        }
    }
}

static void walk_history(walk *w, gos_design_history *c) {
    bool accelerated = c->acceleration_low != NULL;
    double none = isfinite(c->limit) ? c->limit : 0;
    flag(w, &c->closed);
    flag(w, &c->plant);
    flag(w, &accelerated);
    whole(w, &c->n, 0, MOST_CELLS);
    const size_t n = w->good ? (size_t)c->n : 0;
    numbers(w, &c->time, n);
    numbers(w, &c->low, n);
    numbers(w, &c->high, n);
    if (accelerated) {
        numbers(w, &c->acceleration_low, n);
        numbers(w, &c->acceleration_high, n);
    }
    text(w, &c->output);
    text(w, &c->disturbance);
    text(w, &c->unit);
    text(w, &c->acceleration_unit);
    text(w, &c->input_unit);
    whole(w, &c->ninput, 0, GOS_HISTORY_INPUTS);
    for (int i = 0; i < c->ninput && w->good; i++) {
        text(w, &c->input[i]);
        numbers(w, &c->input_low[i], n);
        numbers(w, &c->input_high[i], n);
    }
    double *const single[] = {&c->from, &c->rms, &c->peak, &c->command, &c->clipped, &none};
    for (int i = 0; i < GOS_COUNT(single); i++) {
        number(w, single[i], 0, HUGE_VAL);
    }
    c->limit = none > 0 ? none : HUGE_VAL;
    maybe_text(w, &c->failure);
}

static void walk_all(walk *w, gos_design *d) {
    gos_design_view *v = d->view;
    text(w, &v->model);
    text(w, &v->name);
    text(w, &v->warnings);
    text(w, &v->mode_names);
    walk_mesh(w, &v->mesh);
    const size_t nodes = w->good ? (size_t)v->mesh.nnodes : 0;
    numbers(w, &v->x, 3 * nodes);
    whole(w, &v->nmode, 0, MODES);
    numbers(w, &v->shape, w->good ? (size_t)v->nmode * 3 * nodes : 0);
    walk_patches(w, d->ncandidate, v);
    maybe_text(w, &d->no_history);
    int n = d->nhistory;
    whole(w, &n, 0, 4);
    if (w->task == GET && w->good) {
        d->history = GOS_NEW(w->arena, gos_design_history, n + 1);
        d->nhistory = d->history ? n : 0;
        w->good = d->history != NULL;
    }
    for (int i = 0; i < d->nhistory && w->good; i++) {
        walk_history(w, &d->history[i]);
    }
}

bool gos__design_view_put(hid_t file, const gos_design *design) {
    gos_design *d = (gos_design *)design; // COUNT and PUT do not modify it
    walk w = {.task = COUNT, .good = true};
    if (!d->view) {
        return true;
    }
    walk_all(&w, d);
    w.x = calloc(w.at + 1, sizeof *w.x);
    w.text = calloc(w.read + 1, 1);
    const hsize_t n = (hsize_t)w.at;
    const size_t length = w.read;
    w.task = PUT;
    w.at = w.read = 0;
    w.good = w.x && w.text;
    if (w.good) {
        walk_all(&w, d);
    }
    const bool good =
        w.good && gos__put_group(file, "/view") &&
        gos__put_done(gos__put_array(file, "/view/numbers", H5T_NATIVE_DOUBLE, 1, &n, w.x)) &&
        gos__put_done(gos__put_text(file, "/view/texts", w.text, length + 1));
    free(w.x);
    free(w.text);
    return good;
}

bool gos__design_view_get(hid_t file, gos_design *d) {
    walk w = {.task = GET, .arena = d->arena, .good = true};
    const hid_t group = gos__h5_open(file, "view", H5O_TYPE_GROUP);
    if (group < 0) {
        return true;
    }
    (void)H5Gclose(group);
    d->view = GOS_NEW(d->arena, gos_design_view, 1);
    if (!d->view || !gos__get_numbers(file, "view/numbers", d->arena, &w.x, &w.n) ||
        !gos__get_text(file, "view/texts", d->arena, &w.text)) {
        return false;
    }
    w.length = strlen(w.text);
    walk_all(&w, d);
    return w.good && w.at == w.n;
}
