/* Body type floating_beam: straight beam in a floating frame, axis 1 along it, axis 3 local z,
   origin at the start. */
#include "bodies/bodies.h"

#include <math.h>

#include "floating/floating_def.h"
#include "floating/floating_range.h"
#include "line/line.h"
#include "parts/entry_counts.h"
#include "math/vec3.h"
#include "bodies/body.h"
#include "floating/floating.h"

/* Uniform temperature whose strain lengthens a line. */
typedef struct gos_floating_warmth {
    double capacity; // [J/K]
    double force;    // E A alpha [N/K]
    int start, end;  // nodes of the line
    int axis;        // index of the body axis along it
} gos_floating_warmth;

/* Uniform temperature of floating bodies. Thermal strain is a force on the amplitudes that stretch
 * a line; joints take up the thrust, and second-order displacements bend the body. Stress stiffness
 * would count this twice. */

typedef struct stretch {
    double force; // [N/K]
    double T0;    // reference temperature for thermoelastic heat; 0: none [K]
} stretch;

/* component c of marker c, summed over c */
static void stretch_item(const gos_item *it, const gos_item_io *io) {
    const stretch *p = it->par;
    double rate = 0;
    for (int c = 0; c < 3; c++) {
        rate += io->xd ? io->xd[4 * c] : 0;
        if (io->f) {
            io->f[4 * c] += p->force * io->th[0];
        }
        if (io->f_th) {
            io->f_th[4 * c] += p->force;
        }
        if (io->heat_v) {
            io->heat_v[4 * c] -= p->T0 * p->force;
        }
    }
    if (io->heat) {
        io->heat[0] -= p->T0 * p->force * rate;
    }
    if (io->work) {
        *io->work += p->force * io->th[0] * rate;
    }
}

static const gos_item_type stretch_type = {.name = "thermal strain", .eval = stretch_item};

/* markers of the amplitudes that lengthen the line, per component */
static gos_status line_markers(gos_builder *b, const gos_floating_warmth *w,
                               const gos_floating_body *f, gos_marker m[3], bool *any) {
    const gos_sparse *A = &f->flex->move;
    int *at = GOS_NEW(b->arena, int, f->flex->n + 1);
    double *weight = GOS_NEW(b->arena, double, f->flex->n + 1);
    if (!at || !weight) {
        return GOS_E_MEMORY;
    }
    for (int side = 0; side < 2; side++) {
        const int column = 3 * (side ? w->end : w->start) + w->axis;
        for (int k = A->p[column]; k < A->p[column + 1]; k++) {
            weight[A->i[k]] += side ? A->x[k] : -A->x[k];
        }
    }
    int n = 0;
    for (int k = 0; k < f->flex->n; k++) {
        if (weight[k] != 0) {
            weight[n] = weight[k];
            at[n++] = f->derived->z[k];
        }
    }
    *any = n > 0;
    return gos__sum_markers(b->arena, n, at, weight, m);
}

static gos_status add_strain(gos_builder *b, const gos_floating_warmth *w, const char *name,
                             const gos_floating_body *f, const gos_body *body) {
    bool any;
    stretch *par = GOS_NEW(b->arena, stretch, 1);
    gos_tmarker *tm = GOS_NEW(b->arena, gos_tmarker, 1);
    gos_item item = {.type = &stretch_type,
                     .par = par,
                     .name = name,
                     .loc = body->loc,
                     .nm = 3,
                     .ntm = 1,
                     .tm = tm,
                     .mixed = true};
    if (!par || !tm) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(line_markers(b, w, f, item.m, &any));
    if (!any) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, body->loc, name,
                            "it has a temperature and its material expands, but it cannot stretch; "
                            "allow this (`axial: elastic`), or give `temperature: off`");
    }
    *par = (stretch){w->force, b->gough_joule ? b->T_ref : 0};
    const double one = 1;
    GOS_TRY(gos__tmarker_make(b->arena, 1, &body->t0, &one, tm));
    return gos__add_item(b, &item, NULL);
}

/* whole surface at one point: heat as on a rigid body */
static gos_status lump_section(gos_builder *b, double length, gos_body *body) {
    const gos_section *of = body->section;
    gos_section *section = GOS_NEW(b->arena, gos_section, 1);
    gos_section_point *outline = GOS_NEW(b->arena, gos_section_point, 2);
    if (!section || !outline) {
        return GOS_E_MEMORY;
    }
    outline[0] = (gos_section_point){.phi = {1}};
    for (int i = 0; i < of->noutline; i++) {
        outline[0].dl += length * of->outline[i].dl;
    }
    outline[1] = (gos_section_point){.dl = of->A, .phi = {1}};
    *section = (gos_section){.A = of->A * length,
                             .nfam = 1,
                             .family = {"T"},
                             .cap = {1},
                             .has_outline = of->has_outline,
                             .noutline = outline[0].dl > 0,
                             .outline = outline,
                             .nend = 1,
                             .end = outline + 1};
    body->section = section;
    return GOS_OK;
}

/* Add body->nfam = 1 temperature to a body in the builder (0: none). Thermal strain acts on the
 * relative first-order displacement of the nodes. `name` as for items. */
static gos_status floating_warm(gos_builder *b, const gos_floating_warmth *w, const char *name,
                                const gos_floating_body *f, gos_body *body) {
    int *node_t = GOS_NEW(b->arena, int, 1);
    if (body->nfam == 0) {
        return GOS_OK;
    }
    GOS_TRY(node_t ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__add_temperatures(b, 1, &body->t0));
    GOS_TRY(gos__add_symmetric(b, &b->capacity, body->t0, body->t0, w->capacity));
    b->tmean[body->t0] = 1;
    *node_t = body->t0;
    body->node_t = node_t;
    body->nt = body->nfam = 1;
    GOS_TRY(lump_section(b, body->length, body));
    return w->force != 0 ? add_strain(b, w, name, f, body) : GOS_OK;
}

/* gos_body_ops.temperature. */
static gos_status floating_temperature(gos_arena *a, const gos_body *b, const gos_location *p,
                                       gos_tmarker *tm) {
    const double one = 1;
    GOS_UNUSED(p);
    return gos__tmarker_make(a, 1, &b->t0, &one, tm);
}

#define BYTES_OF_PAIR 550.0 // two elements, measured with 1000 and 2000 in all

typedef struct beam_def {
    gos_line_def line;
    gos_floating_def floating;
    int axial, torsion, bending;
} beam_def;

#define FLOATING offsetof(beam_def, floating)

typedef struct floating_beam {
    gos_floating_body f;
    gos_line line;
    gos_fe_frame frame; // its elements
    double h;           // length of each
} floating_beam;

#define CHOICE(key, default_, choices_, doc_)                                                      \
    {                                                                                              \
        .name = #key, .kind = GOS_K_CHOICE, .unit = "", .def = default_, .choices = choices_,      \
        .offset = offsetof(beam_def, key), .doc = doc_                                             \
    }
#define LINE_VECTOR(key, flags_, def_, unit_, doc_)                                                \
    {                                                                                              \
        .name = #key, .kind = GOS_K_VECTOR, .unit = unit_, .shape = 3, .flags = flags_,            \
        .def = def_, .offset = offsetof(beam_def, line.key), .doc = doc_                           \
    }
static const gos_param params[] = {
    GOS_BODY_MATERIAL(beam_def, line.material),
    {.name = "section",
     .kind = GOS_K_NAME,
     .unit = "",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(beam_def, line.section),
     .choices = "sections",
     .doc = "cross-section"},
    LINE_VECTOR(from, GOS_P_REQUIRED, NULL, "m", "start of the beam at t = 0"),
    LINE_VECTOR(to, GOS_P_REQUIRED, NULL, "m", "its end"),
    {.name = "elements",
     .kind = GOS_K_INT,
     .unit = "",
     .lo = 1,
     .hi = GOS_LIMIT_ELEMENTS,
     .def = "20",
     .offset = offsetof(beam_def, line.elements),
     .doc = "number of equal elements: node(0) to node(elements)"},
    LINE_VECTOR(normal, 0, "[0, 0, 0]", "-",
                "local z of the section (orthogonalised to the beam axis) and axis 3 of the frame; "
                "zero: e3, or e2 for a beam within 20 degrees of e3"),
    GOS_FLOATING_COUPLING(FLOATING),
    GOS_FLOATING_REFERENCE(
        FLOATING, "clamped",
        "what the frame follows. clamped: the start and its section; chord: the start and the end; "
        "mean_axis: the whole beam, so that deformation has no momentum to first order. A start on "
        "a hinge has almost no inertia: use chord there"),
    CHOICE(axial, "elastic", "rigid=0|elastic=1", "rigid: inextensible"),
    CHOICE(torsion, "elastic", "rigid=0|elastic=1", "rigid: no twist"),
    CHOICE(bending, "both", "both|y|z|none", "local axes along which the beam bends"),
    GOS_FLOATING_ROTARY(FLOATING),
    GOS_FLOATING_SHORTENING(FLOATING),
    GOS_FLOATING_DAMPING(FLOATING),
    GOS_FLOATING_MASSES(FLOATING),
    {.name = "temperature",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "auto",
     .choices = "auto|on|off",
     .offset = offsetof(beam_def, line.temperature),
     .doc = "one temperature for the whole beam, whose thermal strain stretches it; auto: if the "
            "material has conductivity and specific heat"},
    GOS_FLOATING_REDUCE(FLOATING),
    GOS_FLOATING_VECTOR(FLOATING, velocity, "m/s", "velocity of the start at t = 0, global axes"),
    GOS_FLOATING_VECTOR(FLOATING, angular_velocity, "rad/s",
                        "angular velocity at t = 0, global axes"),
    {0}};

/* ---- locations ------------------------------------------------------------------------------- */

static gos_status locate(gos_ctx *ctx, const gos_body *b, const char *ref, gos_loc loc,
                         const char *object, gos_location *p) {
    const floating_beam *m = b->par;
    p->turns = GOS_LOCATION_TURNS;
    if (strcmp(ref, "frame") == 0 || strcmp(ref, "mean") == 0) {
        const bool mean = ref[0] == 'm';
        p->node = mean ? gos__fe_mean(&m->frame) : m->f.flex->nnode;
        p->turns = mean ? GOS_LOCATION_STAYS : GOS_LOCATION_TURNS;
        for (int c = 0; c < 3; c++) {
            p->x[c] = m->f.origin[c] + (mean ? 0.5 * m->line.length * m->f.axis[0][c] : 0);
        }
        return GOS_OK;
    }
    GOS_TRY(gos__line_locate(ctx, b, &m->line, ref, loc, object, p));
    return p->face < 0 ? GOS_OK
                       : gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                                      "'%s' is a face, but a floating_beam has none; use frame, "
                                      "start, end, node(i), at(s) or mean",
                                      ref);
}

/* point between nodes, by the freedoms of its element */
static gos_status between(const floating_beam *m, double s, gos_floating_spot *spot) {
    const int e = (int)fmin(floor(s / m->h), m->frame.nbeam - 1);
    const gos_fe_beam *beam = &m->frame.beam[e];
    const double xi = s / m->h - e;
    gos_fe_section section;
    double all[GOS_FLOATING_ROWS * GOS_FLOATING_ROWS];
    double *S = GOS_NEW(m->f.derived->all->arena, double, GOS_FLOATING_ROWS *GOS_FLOATING_ROWS);
    GOS_TRY(S ? GOS_OK : GOS_E_MEMORY);
    gos__fe_beam_section(beam, m->h, xi, &section);
    gos__fe_beam_stress(beam, m->h, (const double[]){1, 0, 0}, xi, S);
    gos__fe_beam_stress(beam, m->h, (const double[]){1, 0, 0}, 1, all);
    for (int k = 0; k < GOS_FLOATING_ROWS * GOS_FLOATING_ROWS; k++) {
        S[k] -= xi * all[k];
    }
    *spot = (gos_floating_spot){.X = {s, 0, 0}, .n = GOS_FLOATING_ROWS, .node = e, .S = S};
    memcpy(spot->axis, beam->axis[0], sizeof spot->axis);
    memcpy(spot->u, section.u, sizeof spot->u);
    memcpy(spot->psi, section.turn, sizeof spot->psi);
    for (int k = 0; k < GOS_FLOATING_ROWS; k++) {
        spot->column[k] = 3 * (e + k / 6) + k % 3;
        spot->turn[k] = k % 6 >= 3;
    }
    return GOS_OK;
}

static gos_status position(gos_arena *a, const gos_body *b, const gos_location *p, gos_marker *m) {
    gos_floating_spot spot;
    if (p->whole || p->node >= 0) {
        return gos__floating_node_position(a, b, p, m);
    }
    GOS_TRY(between(b->par, p->s, &spot));
    return gos__floating_position(gos__floating_of(b), &spot, m);
}

static gos_status direction(gos_arena *a, const gos_body *b, const gos_location *p,
                            const double d[3], gos_marker *m) {
    gos_floating_spot spot;
    if (p->whole || p->node >= 0) {
        return gos__floating_node_direction(a, b, p, d, m);
    }
    GOS_TRY(between(b->par, p->s, &spot));
    return gos__floating_direction(gos__floating_of(b), &spot, d, m);
}

static gos_status station(gos_arena *a, const gos_body *b, const gos_location *p,
                          gos_line_station *at) {
    const floating_beam *m = b->par;
    at->directed = true;
    GOS_TRY(position(a, b, p, &at->x));
    GOS_TRY(direction(a, b, p, m->f.axis[0], &at->slope));
    GOS_TRY(direction(a, b, p, m->f.axis[1], &at->d[0]));
    return direction(a, b, p, m->f.axis[2], &at->d[1]);
}

static gos_status spread(gos_builder *b, const gos_body *body, const gos_location *p,
                         const gos_spread_to *to) {
    const floating_beam *m = body->par;
    return gos__line_spread(b, body, p, m->frame.nbeam, false, station, to);
}

static const gos_body_ops body_ops = {.locate = locate,
                                      .position = position,
                                      .direction = direction,
                                      .spread = spread,
                                      .range = gos__floating_range};
static const gos_body_ops warm_body_ops = {.locate = locate,
                                           .position = position,
                                           .direction = direction,
                                           .spread = spread,
                                           .range = gos__floating_range,
                                           .temperature = floating_temperature};

/* ---- building -------------------------------------------------------------------------------- */

static gos_status make_elements(gos_builder *b, const beam_def *d, const gos_body *body,
                                floating_beam *m) {
    static const double axis[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int ne = d->line.elements;
    gos_fe_beam *beam = GOS_NEW(b->arena, gos_fe_beam, ne);
    double(*x)[3] = gos__arena_alloc(b->arena, (size_t)ne + 1, sizeof *x);
    if (!beam || !x) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i <= ne; i++) {
        x[i][0] = m->h * i;
    }
    for (int e = 0; e < ne; e++) {
        beam[e] = gos__floating_element(body->material, body->section, e, e + 1, axis);
    }
    m->frame = (gos_fe_frame){.nnode = ne + 1, .nbeam = ne, .x = x, .beam = beam};
    return GOS_OK;
}

/* freedoms 0, 3: stretch, twist; 1, 5 and 2, 4: bending along y, z */
static gos_status drop(gos_ctx *ctx, const beam_def *d, gos_flex *flex) {
    const bool along[2] = {d->bending == 0 || d->bending == 1, d->bending == 0 || d->bending == 2};
    const bool kept[GOS_BEAM_FREEDOMS] = {d->axial == 1,   along[0], along[1],
                                          d->torsion == 1, along[1], along[0]};
    bool *dropped = gos__zalloc(ctx, (size_t)flex->n + 1, sizeof *dropped);
    for (int k = 0; k < flex->n && dropped; k++) {
        dropped[k] = !kept[k % GOS_BEAM_FREEDOMS];
    }
    const gos_status status = dropped ? gos__flex_drop(flex, dropped) : GOS_E_MEMORY;
    gos__free(ctx, dropped);
    return status;
}

/* "start", "end", "node(3)" */
static int node_of(const void *par, const char *name) {
    const floating_beam *m = par;
    char own[40];
    int i = strcmp(name, "start") == 0  ? 0
            : strcmp(name, "end") == 0  ? m->line.last
            : strcmp(name, "mean") == 0 ? gos__fe_mean(&m->frame)
                                        : -1;
    if (i < 0 && sscanf(name, "node(%d", &i) == 1) {
        gos__format(own, sizeof own, "node(%d)", i);
        i = strcmp(name, own) == 0 && i <= m->line.last ? i : -1;
    }
    return i;
}

/* end nodes of the element that contains "at(0.3)" */
static int beside(const void *par, const char *name, int node[2]) {
    const floating_beam *m = par;
    double s;
    const size_t n = strlen(name);
    if (n < 5 || strncmp(name, "at(", 3) != 0 || name[n - 1] != ')' ||
        !gos__number_parse(name + 3, n - 4, &s) || !(s >= 0 && s <= m->line.length)) {
        return 0;
    }
    node[0] = (int)fmin(floor(s / m->h), m->frame.nbeam - 1);
    node[1] = node[0] + 1;
    return 2;
}

/* matrices in frame axes */
static gos_status make_flex(gos_builder *b, const gos_node *entry, const char *object,
                            const beam_def *d, floating_beam *m) {
    static const char *const ends[] = {"start", "end"};
    const int end[] = {0, m->line.last};
    gos_floating_names names = {.node = node_of,
                                .beside = beside,
                                .par = m,
                                .known = "start, end, node(i) and mean",
                                .nend = 2,
                                .end = end,
                                .end_name = ends};
    GOS_TRY(gos__floating_masses(b, &d->floating, &names, object, &m->frame));
    GOS_TRY(gos__floating_make(b, &d->floating, object, &m->frame, 0, m->line.last, &m->f.flex));
    GOS_TRY(drop(b->ctx, d, m->f.flex));
    GOS_TRY(gos__floating_mentions(b, entry->key, &names));
    return gos__floating_finish(b, entry, object, &d->floating, &names, &m->f.flex);
}

static gos_status make_axis(gos_builder *b, const gos_node *entry, const char *object,
                            const beam_def *d, floating_beam *m, gos_body *body) {
    GOS_TRY(gos__line_make(b, entry, object, &d->line, d->line.elements, &m->line));
    m->h = m->line.spacing;
    memcpy(m->f.origin, d->line.from, sizeof m->f.origin);
    memcpy(m->f.axis[0], m->line.t[0], sizeof m->f.axis[0]);
    memcpy(m->f.axis[2], m->line.v[0], sizeof m->f.axis[2]);
    gos__cross3(m->f.axis[2], m->f.axis[0], m->f.axis[1]);
    m->f.second = d->floating.coupling == 1;
    m->f.shared = !b->reduce_floating;
    body->length = m->line.length;
    memcpy(body->v_ref, m->line.v[0], sizeof body->v_ref);
    return GOS_OK;
}

static gos_status add_lines(gos_builder *b, const beam_def *d, const char *object, floating_beam *m,
                            gos_body *body) {
    int *cell = GOS_NEW(b->arena, int, 2 * m->frame.nbeam + 1);
    for (int i = 0; i < 2 * m->frame.nbeam && cell; i++) {
        cell[i] = i / 2 + i % 2;
    }
    const gos_floating_picture picture = {
        .nnode = m->frame.nnode, .cell_size = 2, .ncell = m->frame.nbeam, .cell = cell};
    return cell ? gos__floating_add(b, &d->floating.start, &picture, object, &m->f, body)
                : GOS_E_MEMORY;
}

static gos_status warm(gos_builder *b, const char *object, floating_beam *m, gos_body *body) {
    const gos_material *mat = body->material;
    const double A = body->section->A;
    const gos_floating_warmth warmth = {.capacity =
                                            mat->density * mat->specific_heat * A * m->line.length,
                                        .force = mat->young * A * mat->expansion,
                                        .start = 0,
                                        .end = m->line.last};
    body->ops = body->nfam > 0 ? &warm_body_ops : &body_ops;
    return floating_warm(b, &warmth, object, &m->f, body);
}

/* The axial shortening of each node depends on the displacements of all nodes. */
static gos_status check_elements(gos_builder *b, const gos_node *entry, const char *object,
                                 double n) {
    const double bytes = b->planned + BYTES_OF_PAIR * n * n;
    return bytes <= b->memory || b->memory == 0
               ? GOS_OK
               : gos__fail_at(b->ctx, GOS_E_LIMIT, gos__key_loc(entry, "elements"), object,
                              "%.0f elements would need %.3g bytes of memory, %.3g are allowed; "
                              "the memory grows with their square: use at most %.0f (20 give five "
                              "digits of the lowest mode), an ancf_cable, or raise the limit "
                              "(analysis: memory_limit)",
                              n, bytes, b->memory, floor(sqrt(b->memory / BYTES_OF_PAIR)));
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    beam_def d = {0};
    GOS_TRY(gos__fill(b->model, entry, type->params, object, b->arena, &d));
    floating_beam *m = GOS_NEW(b->arena, floating_beam, 1);
    char *own = gos__arena_strdup(b->arena, object);
    gos_body body = {.name = gos__arena_strdup(b->arena, name),
                     .type = type->name,
                     .loc = entry->key_loc,
                     .ops = &body_ops,
                     .material = gos__find_material(b, d.line.material),
                     .section = gos__find_section(b, d.line.section),
                     .par = m,
                     .unstiffened = d.floating.coupling == 0};
    if (!m || !own || !body.name) {
        return GOS_E_MEMORY;
    }
    if (!body.material || !body.section) {
        return GOS_E_INPUT; // reported when read
    }
    GOS_TRY(gos__check_room(b, 2.0 * (1 + d.line.elements), 0, gos__key_loc(entry, "elements"),
                            object));
    GOS_TRY(check_elements(b, entry, object, d.line.elements));
    b->planned += BYTES_OF_PAIR * d.line.elements * d.line.elements;
    GOS_TRY(gos__body_heat(b, entry, object, d.line.temperature, &body));
    GOS_TRY(make_axis(b, entry, object, &d, m, &body));
    GOS_TRY(make_elements(b, &d, &body, m));
    const gos_status status = make_flex(b, entry, object, &d, m);
    if (status != GOS_OK) {
        gos__flex_destroy(m->f.flex);
        return status;
    }
    GOS_TRY(add_lines(b, &d, own, m, &body));
    GOS_TRY(warm(b, own, m, &body));
    return gos__add_body(b, &body, NULL);
}

static gos_status count(gos_builder *b, const gos_node *entry, const char *object) {
    int dim;
    const double n = gos__entry_product(b, entry, "elements", &dim);
    return n <= GOS_LIMIT_ELEMENTS ? check_elements(b, entry, object, n) : GOS_OK;
}

static const gos_build_ops ops = {.build = build, .count = count};

const gos_type gos__body_floating_beam = {
    .section = "bodies",
    .name = "floating_beam",
    .doc = "Straight beam with arbitrary rigid motion and small deformation: a floating frame, and "
           "linear finite elements (Euler-Bernoulli, torsion) in its axes, with consistent "
           "stiffening by axial forces.",
    .params = params,
    .size = sizeof(beam_def),
    .example = "arm: {type: floating_beam, material: steel, section: bar, from: [0, 0, 0], to: "
               "[1.8, 0, 0], "
               "elements: 20}",
    .ops = &ops,
};
