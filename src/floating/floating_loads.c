/* Parsing of loads of floating bodies. */
#include "floating/floating_loads.h"

#include <cblas.h>
#include <math.h>

#include "math/vec3.h"

typedef struct reading {
    gos_builder *b;
    const gos_flex *flex;
    const gos_floating_names *names;
    gos_loc loc;
    const char *object;
} reading;

static const struct {
    const char *name;
    gos_flex_load load;
} motions[] = {{"acceleration", GOS_FLEX_ACCELERATION},
               {"euler", GOS_FLEX_EULER},
               {"centrifugal", GOS_FLEX_CENTRIFUGAL}};

/* index of x, y, z; -1: none */
static int axis_of(char c) {
    return c >= 'x' && c <= 'z' ? c - 'x' : -1;
}

/* axes after the last dot of a load */
static bool read_axes(const char *tail, bool node, gos_flex_input *in) {
    const size_t n = strlen(tail);
    if (node && n == 2 && tail[0] == 'r') {
        in->load = GOS_FLEX_MOMENT;
        in->axis = axis_of(tail[1]);
        return in->axis >= 0;
    }
    in->axis = axis_of(tail[0]);
    in->other = in->load == GOS_FLEX_CENTRIFUGAL && n == 2 ? axis_of(tail[1]) : in->axis;
    return in->axis >= 0 && in->other >= 0 && n == (in->load == GOS_FLEX_CENTRIFUGAL ? 2 : 1);
}

/* "end.x", "euler.z" */
static gos_status read_load(const reading *r, const char *text, gos_flex_input *in) {
    const char *dot = strrchr(text, '.');
    char *head = gos__arena_strdup(r->b->arena, text);
    if (!head) {
        return GOS_E_MEMORY;
    }
    head[dot ? dot - text : 0] = '\0';
    *in = (gos_flex_input){.load = GOS_FLEX_FORCE, .node = -1};
    for (int i = 0; i < GOS_COUNT(motions); i++) {
        in->load = strcmp(head, motions[i].name) == 0 ? motions[i].load : in->load;
    }
    const bool node = in->load == GOS_FLEX_FORCE;
    in->node = node && dot ? r->names->node(r->names->par, head) : -1;
    if (!dot || (node && in->node < 0)) {
        return gos__fail_at(
            r->b->ctx, GOS_E_INPUT, r->loc, r->object,
            "'%s' is not a load of this body; give forces PLACE.x and moments PLACE.rx at %s, or "
            "acceleration.x, euler.x, centrifugal.xx of the frame",
            text, r->names->known);
    }
    return read_axes(dot + 1, node, in)
               ? GOS_OK
               : gos__fail_at(r->b->ctx, GOS_E_INPUT, r->loc, r->object,
                              "'%s': '%s' is not a direction; %s", text, dot + 1,
                              node ? "use x, y, z for forces, rx, ry, rz for moments"
                              : in->load == GOS_FLEX_CENTRIFUGAL
                                  ? "use xx, yy, zz, xy, xz, yz for products of two rates"
                                  : "use x, y or z");
}

/* one term, "4*end.x" */
static gos_status read_term(const reading *r, char *term, gos_flex_input *in, double *factor,
                            bool *scaled) {
    char *star = strrchr(term, '*');
    *factor = 1;
    *scaled = star != NULL;
    if (star) {
        *star = '\0';
        GOS_TRY(gos__expr(r->b->model, term, r->loc, r->object, factor));
    }
    char *name = star ? star + 1 : term;
    name += strspn(name, " ");
    name[strcspn(name, " ")] = '\0';
    return read_load(r, name, in);
}

/* receives the terms of a sum; `scaled`: a factor was given */
typedef struct summing {
    gos_status (*add)(const reading *r, const gos_flex_input *in, double factor, bool scaled,
                      void *to);
    void *to;
} summing;

/* process the terms of "4*end.x + 0.2*end.y" */
static gos_status read_sum(const reading *r, const char *text, const summing *s) {
    static const char plus[] = " + ";
    char *copy = gos__arena_strdup(r->b->arena, text);
    GOS_TRY(copy ? GOS_OK : GOS_E_MEMORY);
    for (char *term = copy, *next; term; term = next) {
        gos_flex_input in;
        double factor;
        bool scaled;
        next = strstr(term, plus);
        if (next) {
            *next = '\0';
            next += sizeof plus - 1;
        }
        GOS_TRY(read_term(r, term, &in, &factor, &scaled));
        GOS_TRY(s->add(r, &in, factor, scaled, s->to));
    }
    return GOS_OK;
}

/* ---- loads as columns ------------------------------------------------------------------------ */

typedef struct column {
    gos_flex_port *port;
    double *load;
} column;

static gos_status add_to_column(const reading *r, const gos_flex_input *in, double factor,
                                bool scaled, void *to) {
    const column *c = to;
    gos__flex_load(r->flex, in, factor, c->load);
    c->port->unit = c->port->unit || scaled ? "" : gos__flex_unit(in->load, false);
    return GOS_OK;
}

#define CARRIED_REMAINDER 1e-10 // remainder of a load carried by conditions

/* Rows of C over `scale`, the roots of the diagonal of K, orthonormalised to earlier rows in Q
   (k, n). Independent of units. */
static void take_row(const gos_flex *flex, const double *scale, int k, double *Q) {
    double *row = Q + (size_t)k * (size_t)flex->n;
    for (int j = 0; j < flex->n; j++) {
        for (int p = flex->C.p[j]; p < flex->C.p[j + 1]; p++) {
            row[j] += flex->C.i[p] == k ? flex->C.x[p] / scale[j] : 0;
        }
    }
    for (int pass = 0; pass < 2 * k; pass++) {
        const double *other = Q + (size_t)(pass % k) * (size_t)flex->n;
        cblas_daxpy(flex->n, -cblas_ddot(flex->n, other, 1, row, 1), other, 1, row, 1);
    }
    const double size = cblas_dnrm2(flex->n, row, 1);
    cblas_dscal(flex->n, size > 0 ? 1 / size : 0, row, 1);
}

static void take_scale(const gos_flex *flex, double *scale) {
    const gos_sparse *K = &flex->K;
    for (int j = 0; j < flex->n; j++) {
        double stiffness = 0;
        for (int p = K->p[j]; p < K->p[j + 1]; p++) {
            stiffness = K->i[p] == j ? K->x[p] : stiffness;
        }
        scale[j] = stiffness > 0 ? sqrt(stiffness) : 1;
    }
}

/* Remove the component balanced by the reference conditions; it causes no deformation, but its
   round-off would exceed small responses. *nothing: no load is left. */
static gos_status take_carried(const gos_flex *flex, double *load, bool *nothing) {
    const int rows = flex->C.p ? flex->C.m : 0;
    const size_t n = (size_t)flex->n;
    *nothing = !(cblas_dnrm2(flex->n, load, 1) > 0);
    if (*nothing || rows == 0) {
        return GOS_OK;
    }
    double *Q = gos__zalloc(flex->ctx, n * ((size_t)rows + 2), sizeof *Q);
    GOS_TRY(Q ? GOS_OK : GOS_E_MEMORY);
    double *scale = Q + n * (size_t)rows, *rest = scale + n;
    take_scale(flex, scale);
    for (size_t j = 0; j < n; j++) {
        rest[j] = load[j] / scale[j];
    }
    const double all = cblas_dnrm2(flex->n, rest, 1);
    for (int k = 0; k < rows; k++) {
        take_row(flex, scale, k, Q);
    }
    for (int pass = 0; pass < 2 * rows; pass++) { // second pass: rounding
        const double *row = Q + (size_t)(pass % rows) * n;
        cblas_daxpy(flex->n, -cblas_ddot(flex->n, row, 1, rest, 1), row, 1, rest, 1);
    }
    *nothing = cblas_dnrm2(flex->n, rest, 1) <= CARRIED_REMAINDER * all;
    for (size_t j = 0; j < n; j++) {
        load[j] = rest[j] * scale[j];
    }
    gos__free(flex->ctx, Q);
    return GOS_OK;
}

/* heat loads are NAME, NAME.PART, or NAME(k) of a patch */
static bool is_named(const char *port, const char *name) {
    const size_t n = strlen(name);
    return strncmp(port, name, n) == 0 && strchr(".(", port[n]);
}

static gos_status add_electrode(gos_builder *b, const gos_flex *flex,
                                const gos_floating_names *names, int e, gos_floating_loads *loads) {
    const gos_sparse *A = &flex->piezo.force;
    double *load = GOS_NEW(b->arena, double, flex->n + 1);
    GOS_TRY(load ? GOS_OK : GOS_E_MEMORY);
    for (int k = A->p[e]; k < A->p[e + 1]; k++) {
        load[A->i[k]] = A->x[k];
    }
    bool nothing;
    GOS_TRY(take_carried(flex, load, &nothing));
    if (!nothing) {
        loads->port[loads->n++] =
            (gos_flex_port){.name = names->electrode[e], .unit = "V", .load = load};
    }
    return GOS_OK;
}

static gos_status add_electrodes(gos_builder *b, const gos_flex *flex,
                                 const gos_floating_names *names, gos_floating_loads *loads) {
    for (int e = 0; e < names->nelectrode && names->nelectrode <= GOS_FLOATING_ELECTRODES; e++) {
        GOS_TRY(add_electrode(b, flex, names, e, loads));
    }
    return GOS_OK;
}

static gos_status read_one(const reading *r, const char *text, gos_flex_port *port) {
    double *load = GOS_NEW(r->b->arena, double, r->flex->n + 1);
    column c = {port, load};
    *port = (gos_flex_port){.name = text, .load = load};
    GOS_TRY(load ? GOS_OK : GOS_E_MEMORY);
    bool nothing;
    GOS_TRY(read_sum(r, text, &(summing){add_to_column, &c}));
    GOS_TRY(take_carried(r->flex, load, &nothing));
    return !nothing
               ? GOS_OK
               : gos__fail_at(
                     r->b->ctx, GOS_E_INPUT, r->loc, r->object,
                     "'%s' does not deform the body, because it only accelerates its frame; omit "
                     "it",
                     text);
}

gos_status gos__floating_loads(gos_builder *b, const gos_flex *flex,
                               const gos_floating_names *names, const gos_texts *texts,
                               const char *object, gos_floating_loads *loads) {
    const int most = texts->n * (1 + names->heat.n + names->nelectrode);
    *loads = (gos_floating_loads){.port = GOS_NEW(b->arena, gos_flex_port, most + 1)};
    GOS_TRY(loads->port ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < texts->n; i++) {
        const reading r = {b, flex, names, texts->loc[i], object};
        const int before = loads->n;
        for (int k = 0; k < names->heat.n; k++) {
            if (is_named(names->heat.port[k].name, texts->v[i])) {
                loads->port[loads->n++] = names->heat.port[k];
            }
        }
        bool found = loads->n > before;
        for (int e = 0; e < names->nelectrode; e++) {
            if (is_named(names->electrode[e], texts->v[i])) {
                found = true;
                GOS_TRY(add_electrode(b, flex, names, e, loads));
            }
        }
        GOS_TRY(found ? GOS_OK : read_one(&r, texts->v[i], &loads->port[loads->n++]));
    }
    return GOS_OK;
}

/* ---- loads as stiffness ---------------------------------------------------------------------- */

typedef struct stiffening {
    gos_sparse *K;
    double *about; // (GOS_FLEX_STATES)
} stiffening;

static gos_status add_stiffness(const reading *r, const gos_flex_input *in, double factor,
                                bool scaled, void *to) {
    const stiffening *s = to;
    GOS_UNUSED(scaled);
    for (int p = 0; p < GOS_FLEX_STATES; p++) {
        const gos_flex_input *of = &gos__flex_state[p];
        const bool same = in->axis == of->axis && in->other == of->other,
                   turned = in->axis == of->other && in->other == of->axis;
        s->about[p] += in->load == of->load && (same || turned) ? factor : 0;
    }
    if (in->load == GOS_FLEX_EULER || in->load == GOS_FLEX_MOMENT) {
        return gos__fail_at(r->b->ctx, GOS_E_INPUT, r->loc, r->object,
                            "angular accelerations and moments add no stiffness; give forces, "
                            "accelerations and products of rates, or leave them out");
    }
    return gos__flex_stiffen(r->flex, in, factor, s->K);
}

gos_status gos__floating_stiffness(gos_builder *b, const gos_flex *flex,
                                   const gos_floating_names *names, const gos_texts *texts,
                                   const char *object, gos_sparse *K,
                                   double about[GOS_FLEX_STATES]) {
    stiffening to = {K, about};
    for (int i = 0; i < texts->n; i++) {
        const reading r = {b, flex, names, texts->loc[i], object};
        GOS_TRY(read_sum(&r, texts->v[i], &(summing){add_stiffness, &to}));
    }
    return GOS_OK;
}

/* ---- motions of the frame -------------------------------------------------------------------- */

static gos_status add_motion(const reading *r, const gos_flex_input *in, double factor, bool scaled,
                             void *to) {
    double *motion = to;
    GOS_UNUSED(scaled);
    if (in->load != GOS_FLEX_ACCELERATION && in->load != GOS_FLEX_EULER) {
        return gos__fail_at(r->b->ctx, GOS_E_INPUT, r->loc, r->object,
                            "motions of the frame are acceleration.x, y, z and euler.x, y, z, and "
                            "sums of them; forces and products of rates must not be given");
    }
    motion[(in->load == GOS_FLEX_EULER ? 3 : 0) + in->axis] += factor;
    return GOS_OK;
}

gos_status gos__floating_motions(gos_builder *b, const gos_flex *flex,
                                 const gos_floating_names *names, const gos_texts *texts,
                                 const char *object, double (*motion)[6]) {
    for (int i = 0; i < texts->n; i++) {
        const reading r = {b, flex, names, texts->loc[i], object};
        memset(motion[i], 0, sizeof motion[i]);
        GOS_TRY(read_sum(&r, texts->v[i], &(summing){add_motion, motion[i]}));
    }
    return GOS_OK;
}

/* ---- default loads --------------------------------------------------------------------------- */

static gos_status add_load(gos_builder *b, const gos_flex *flex, const gos_flex_input *in,
                           const char *head, const char *tail, gos_floating_loads *loads) {
    double *load = GOS_NEW(b->arena, double, flex->n + 1);
    char *name = gos__arena_printf(b->arena, "%s.%s", head, tail);
    if (!load || !name) {
        return GOS_E_MEMORY;
    }
    bool nothing;
    gos__flex_load(flex, in, 1, load);
    GOS_TRY(take_carried(flex, load, &nothing));
    if (!nothing) {
        loads->port[loads->n++] =
            (gos_flex_port){.name = name, .unit = gos__flex_unit(in->load, false), .load = load};
    }
    return GOS_OK;
}

static gos_status add_nodes(gos_builder *b, const gos_flex *flex, int n, const int *node,
                            const char *const *name, gos_floating_loads *loads) {
    static const char *const along[] = {"x", "y", "z", "rx", "ry", "rz"};
    for (int i = 0; i < 6 * n; i++) {
        const gos_flex_input in = {.load = i % 6 < 3 ? GOS_FLEX_FORCE : GOS_FLEX_MOMENT,
                                   .axis = i % 3,
                                   .node = node[i / 6]};
        GOS_TRY(add_load(b, flex, &in, name[i / 6], along[i % 6], loads));
    }
    return GOS_OK;
}

gos_status gos__floating_joint_loads(gos_builder *b, const gos_flex *flex,
                                     const gos_floating_names *names, gos_floating_loads *loads) {
    static const char *const along[] = {"x", "y", "z"};
    *loads = (gos_floating_loads){
        .port = GOS_NEW(b->arena, gos_flex_port, 6 * names->njoined + 3 + names->nelectrode)};
    GOS_TRY(loads->port ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(add_nodes(b, flex, names->njoined, names->joined, names->joined_name, loads));
    GOS_TRY(add_electrodes(b, flex, names, loads));
    for (int i = 0; i < 3 && gos__norm3(b->gravity) > 0; i++) {
        const gos_flex_input in = {.load = GOS_FLEX_ACCELERATION, .axis = i};
        GOS_TRY(add_load(b, flex, &in, "acceleration", along[i], loads));
    }
    return GOS_OK;
}

gos_status gos__floating_reactions(gos_builder *b, const gos_flex *flex,
                                   const gos_floating_names *names, gos_floating_loads *loads) {
    *loads = (gos_floating_loads){.port = GOS_NEW(b->arena, gos_flex_port, 6 * names->njoint + 1)};
    GOS_TRY(loads->port ? GOS_OK : GOS_E_MEMORY);
    return add_nodes(b, flex, names->njoint, names->joined, names->joined_name, loads);
}

gos_status gos__floating_all_loads(gos_builder *b, const gos_flex *flex,
                                   const gos_floating_names *names, gos_floating_loads *loads) {
    static const char *const along[] = {"x", "y", "z", "rx", "ry", "rz"};
    static const char *const products[] = {"xx", "yy", "zz", "xy", "xz", "yz"};
    *loads = (gos_floating_loads){
        .port = GOS_NEW(b->arena, gos_flex_port,
                        12 + 6 * names->nend + names->heat.n + names->nelectrode)};
    GOS_TRY(loads->port ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < 12; i++) {
        const bool product = i >= 6;
        const gos_flex_input in = {.load = motions[i < 3   ? 0
                                                   : i < 6 ? 1
                                                           : 2]
                                               .load,
                                   .axis = product ? gos__flex_state[i - 6].axis : i % 3,
                                   .other = product ? gos__flex_state[i - 6].other : i % 3};
        GOS_TRY(add_load(b, flex, &in,
                         motions[i < 3   ? 0
                                 : i < 6 ? 1
                                         : 2]
                             .name,
                         product ? products[i - 6] : along[i % 3], loads));
    }
    GOS_TRY(add_nodes(b, flex, names->nend, names->end, names->end_name, loads));
    GOS_TRY(add_electrodes(b, flex, names, loads));
    for (int i = 0; i < names->heat.n; i++) {
        loads->port[loads->n++] = names->heat.port[i];
    }
    return GOS_OK;
}

/* True if some node has this component; if this node has not, the reference fixes it here. */
static bool moves_somewhere(const gos_flex *flex, int axis) {
    bool any = false;
    for (int k = 0; k < flex->nnode; k++) {
        any = any || flex->move.p[3 * k + axis] < flex->move.p[3 * k + axis + 1];
    }
    return any;
}

/* displacements at a node, and its rotations where the reference holds some of them: a chord's ends
   only turn */
static gos_status see_node(gos_builder *b, const gos_flex *flex, int node, const char *name,
                           gos_floating_loads *loads) {
    static const char *const along[] = {"x", "y", "z", "rx", "ry", "rz"};
    bool held = false;
    for (int i = 0; i < (held ? 6 : 3); i++) {
        const gos_flex_input in = {
            .load = i < 3 ? GOS_FLEX_FORCE : GOS_FLEX_MOMENT, .axis = i % 3, .node = node};
        const int before = loads->n;
        GOS_TRY(add_load(b, flex, &in, name, along[i], loads));
        held = held || (loads->n == before && moves_somewhere(flex, i % 3));
    }
    return GOS_OK;
}

gos_status gos__floating_seen(gos_builder *b, const gos_flex *flex, const gos_floating_names *names,
                              gos_floating_loads *loads) {
    *loads = (gos_floating_loads){
        .port = GOS_NEW(b->arena, gos_flex_port, 6 * names->nseen + names->heat.n + 1)};
    GOS_TRY(loads->port ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < names->nseen; i++) {
        GOS_TRY(see_node(b, flex, names->seen[i], names->seen_name[i], loads));
    }
    for (int i = 0; i < names->heat.n; i++) {
        loads->port[loads->n++] = names->heat.port[i];
    }
    return GOS_OK;
}
