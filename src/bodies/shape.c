/* Shapes of rigid bodies of uniform density; lines for pictures only. */
#include "bodies/shape.h"

#include <math.h>

#include "math/vec3.h"
#include "parts/spread.h"

/* Surfaces for distributed loads. Parallel light on a flat face acts at its centre. */

typedef struct spreading {
    gos_builder *b;
    int v0;
    const double *centre; // from the node, body axes
    const gos_spread_to *to;
} spreading;

/* Adds the point at `arm` from the centre, with the vector n. */
static gos_status add(const spreading *k, gos_spread *p, const double arm[3], const double n[3]) {
    const int idx[4] = {k->v0, k->v0 + 1, k->v0 + 2, k->v0 + 3};
    const double w[4] = {1, k->centre[0] + arm[0], k->centre[1] + arm[1], k->centre[2] + arm[2]};
    GOS_TRY(gos__marker_make(k->b->arena, 4, idx, w, NULL, &p->x));
    GOS_TRY(gos__marker_make(k->b->arena, 3, idx + 1, n, NULL, &p->v[0]));
    return k->to->add(k->to->par, p);
}

static gos_status add_faces(const spreading *k, const double n[3], double half, double area) {
    for (int side = -1; side <= 1; side += 2) {
        gos_spread p = {.kind = GOS_SPREAD_FLAT, .size = area};
        const double out[3] = {side * n[0], side * n[1], side * n[2]};
        const double arm[3] = {half * out[0], half * out[1], half * out[2]};
        GOS_TRY(add(k, &p, arm, out));
    }
    return GOS_OK;
}

gos_status gos__shape_spread(gos_builder *b, int v0, const gos_shape_def *def,
                             const gos_spread_to *to) {
    static const double none[3] = {0}, along[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const spreading k = {b, v0, def->centre, to};
    if (def->sphere > 0) {
        gos_spread ball = {.kind = GOS_SPREAD_SPHERE, .radius = def->sphere};
        return add(&k, &ball, none, none);
    }
    if (def->cylinder[0] > 0) {
        const double r = def->cylinder[0], l = def->cylinder[1];
        gos_spread tube = {.kind = GOS_SPREAD_ROUND, .size = l, .radius = r};
        GOS_TRY(add(&k, &tube, none, def->axis));
        return add_faces(&k, def->axis, 0.5 * l, M_PI * r * r);
    }
    for (int i = 0; i < 3; i++) {
        const double area = def->box[(i + 1) % 3] * def->box[(i + 2) % 3];
        GOS_TRY(add_faces(&k, along[i], 0.5 * def->box[i], area));
    }
    return GOS_OK;
}

#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

#define AROUND 16 // corners of a drawn cylinder
#define ACROSS 4  // per edge of a drawn sphere's six faces

const gos_param gos__shape_params[] = {
    {.name = "box",
     .kind = GOS_K_VECTOR,
     .unit = "m",
     .shape = 3,
     .offset = offsetof(gos_shape_def, box),
     .doc = "edges along the body axes"},
    {.name = "cylinder",
     .kind = GOS_K_VECTOR,
     .unit = "m",
     .shape = 2,
     .offset = offsetof(gos_shape_def, cylinder),
     .doc = "radius and length, along `axis`"},
    {.name = "sphere",
     .kind = GOS_K_NUMBER,
     .unit = "m",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .flags = GOS_P_LO_OPEN,
     .offset = offsetof(gos_shape_def, sphere),
     .doc = "radius"},
    {.name = "lines",
     .kind = GOS_K_NODE,
     .unit = "m",
     .offset = offsetof(gos_shape_def, lines),
     .doc = "picture only: lists of points in body axes, joined by lines, [[[0, 0, 0], [1, 0, 0]], "
            "...]"},
    {.name = "axis",
     .kind = GOS_K_VECTOR,
     .unit = "-",
     .shape = 3,
     .flags = GOS_P_UNIT_VECTOR,
     .def = "[0, 0, 1]",
     .offset = offsetof(gos_shape_def, axis),
     .doc = "axis of the cylinder, body axes"},
    {.name = "centre",
     .kind = GOS_K_VECTOR,
     .unit = "m",
     .shape = 3,
     .def = "[0, 0, 0]",
     .offset = offsetof(gos_shape_def, centre),
     .doc = "centre of box, cylinder or sphere relative to the node, in body axes; also the centre "
            "of mass unless that is given"},
    {0}};

/* ---- picture --------------------------------------------------------------------------------- */

static gos_status room(gos_builder *b, int npoint, int ncell, int cell_size, gos_shape *s) {
    s->cell_size = cell_size;
    s->point = gos__arena_alloc(b->arena, npoint, sizeof *s->point);
    s->cell = GOS_NEW(b->arena, int, cell_size *ncell);
    return s->point && s->cell ? GOS_OK : GOS_E_MEMORY;
}

static int add_point(gos_shape *s, double x, double y, double z) {
    double *p = s->point[s->npoint];
    p[0] = s->centre[0] + x;
    p[1] = s->centre[1] + y;
    p[2] = s->centre[2] + z;
    return s->npoint++;
}

static void add_face(gos_shape *s, int i, int j, int k, int l) {
    int *c = s->cell + 4L * s->ncell++;
    c[0] = i, c[1] = j, c[2] = k, c[3] = l;
}

static gos_status draw_box(gos_builder *b, const double *edge, gos_shape *s) {
    static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    GOS_TRY(room(b, 8, 6, 4, s));
    for (int i = 0; i < 8; i++) {
        add_point(s, edge[0] * ((i >> 2 & 1) - 0.5), edge[1] * ((i >> 1 & 1) - 0.5),
                  edge[2] * ((i & 1) - 0.5));
    }
    for (int f = 0; f < 6; f++) {
        add_face(s, faces[f][0], faces[f][1], faces[f][2], faces[f][3]);
    }
    return GOS_OK;
}

/* Two rings, the faces between them, and the ends as fans of quadrilaterals. */
static gos_status draw_cylinder(gos_builder *b, double r, double l, const double n[3],
                                gos_shape *s) {
    double u[3], v[3];
    gos__normals3(n, u, v);
    GOS_TRY(room(b, 2 * AROUND, 2 * AROUND - 2, 4, s));
    for (int i = 0; i < 2 * AROUND; i++) {
        const double a = 2 * M_PI * (i / 2) / AROUND, h = (i % 2 - 0.5) * l;
        double x[3];
        for (int c = 0; c < 3; c++) {
            x[c] = r * (cos(a) * u[c] + sin(a) * v[c]) + h * n[c];
        }
        add_point(s, x[0], x[1], x[2]);
    }
    for (int i = 0; i < AROUND; i++) {
        const int k = 2 * i, next = (k + 2) % (2 * AROUND);
        add_face(s, k, next, next + 1, k + 1);
    }
    for (int i = 1; i + 2 < AROUND; i += 2) {
        add_face(s, 0, 2 * i, 2 * i + 2, 2 * i + 4);
        add_face(s, 1, 2 * i + 5, 2 * i + 3, 2 * i + 1);
    }
    return GOS_OK;
}

/* Faces of a cube projected onto the sphere. */
static gos_status draw_sphere(gos_builder *b, double r, gos_shape *s) {
    const int n = ACROSS + 1;
    GOS_TRY(room(b, 6 * n * n, 6 * ACROSS * ACROSS, 4, s));
    for (int f = 0; f < 6; f++) {
        const int first = s->npoint, d = f / 2;
        for (int i = 0; i < n * n; i++) {
            double x[3];
            x[d] = f % 2 ? 1 : -1;
            x[(d + 1) % 3] = tan(0.25 * M_PI * (2.0 * (i / n) / ACROSS - 1));
            x[(d + 2) % 3] = tan(0.25 * M_PI * (2.0 * (i % n) / ACROSS - 1));
            const double k = r / gos__norm3(x);
            add_point(s, k * x[0], k * x[1], k * x[2]);
        }
        for (int i = 0; i < ACROSS * ACROSS; i++) {
            const int p = first + i / ACROSS * n + i % ACROSS;
            add_face(s, p, p + n, p + n + 1, p + 1);
        }
    }
    return GOS_OK;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static gos_status read_point(gos_builder *b, const gos_node *node, const char *object,
                             double x[3]) {
    int k = 0;
    if (node->kind != GOS_LIST || node->n != 3) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, node->loc, object,
                            "a point of lines needs three coordinates, [x, y, z]");
    }
    for (const gos_node *c = node->child; c; c = c->next, k++) {
        if (c->kind != GOS_SCALAR) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, c->loc, object,
                                "a coordinate of lines must be a number, like [0, 0, 1]");
        }
        GOS_TRY(
            gos__quantity(b->model, c->text, c->loc, object, &(gos_measure){.unit = "m"}, &x[k]));
    }
    return GOS_OK;
}

static gos_status read_lines(gos_builder *b, const gos_node *list, const char *object,
                             gos_shape *s) {
    int n = 0;
    if (list->kind != GOS_LIST || list->n == 0) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, list->loc, object,
                            "lines must be lists of points, like [[[0, 0, 0], [1, 0, 0]]]");
    }
    for (const gos_node *line = list->child; line; line = line->next) {
        if (line->kind != GOS_LIST || line->n < 2) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, line->loc, object,
                                "a line must have at least two points, like [[0, 0, 0], [1, 0, "
                                "0]]");
        }
        n += line->n;
    }
    GOS_TRY(room(b, 2 * n, n, 2, s));
    for (const gos_node *line = list->child; line; line = line->next) {
        // shared points would be drawn as a smooth curve
        for (const gos_node *p = line->child; p->next; p = p->next, s->npoint += 2) {
            GOS_TRY(read_point(b, p, object, s->point[s->npoint]));
            GOS_TRY(read_point(b, p->next, object, s->point[s->npoint + 1]));
            s->cell[2 * s->ncell] = s->npoint;
            s->cell[2 * s->ncell++ + 1] = s->npoint + 1;
        }
    }
    return GOS_OK;
}

/* ---- solids ---------------------------------------------------------------------------------- */

static void box(const double *e, gos_shape *s) {
    s->volume = e[0] * e[1] * e[2];
    s->area = 2 * (e[0] * e[1] + e[1] * e[2] + e[2] * e[0]);
    for (int i = 0; i < 3; i++) {
        const double p = e[(i + 1) % 3], q = e[(i + 2) % 3];
        s->gyration[4 * i] = (p * p + q * q) / 12;
    }
}

static void cylinder(double r, double l, const double n[3], gos_shape *s) {
    const double across = (3 * r * r + l * l) / 12, along = 0.5 * r * r;
    s->volume = M_PI * r * r * l;
    s->area = 2 * M_PI * r * (r + l);
    for (int i = 0; i < 9; i++) {
        s->gyration[i] = across * (i % 4 == 0) + (along - across) * n[i / 3] * n[i % 3];
    }
}

static void sphere(double r, gos_shape *s) {
    s->volume = 4.0 / 3 * M_PI * r * r * r;
    s->area = 4 * M_PI * r * r;
    for (int i = 0; i < 3; i++) {
        s->gyration[4 * i] = 0.4 * r * r;
    }
}

static gos_status positive(gos_builder *b, const gos_node *node, const char *key, int n,
                           const double *size, const char *object) {
    for (int i = 0; i < n; i++) {
        if (!(size[i] > 0)) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(node, key), object,
                                "sizes of a %s must be > 0 m, got %g", key, size[i]);
        }
    }
    return GOS_OK;
}

gos_status gos__shape_make(gos_builder *b, const gos_node *node, const gos_shape_def *def,
                           const char *object, gos_shape *s) {
    static const char *const kinds[] = {"box", "cylinder", "sphere", "lines"};
    int n = 0, kind = 0;
    for (int i = 0; i < GOS_COUNT(kinds); i++) {
        if (gos__node_given(node, kinds[i])) {
            kind = i;
            n++;
        }
    }
    if (n != 1) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, node->loc, object,
                            "shape must be one of box, cylinder, sphere, lines; give it %s",
                            n == 0 ? "one" : "only one");
    }
    *s = (gos_shape){.solid = kind < 3};
    memcpy(s->centre, def->centre, sizeof s->centre);
    switch (kind) {
    case 0:
        GOS_TRY(positive(b, node, "box", 3, def->box, object));
        box(def->box, s);
        return draw_box(b, def->box, s);
    case 1:
        GOS_TRY(positive(b, node, "cylinder", 2, def->cylinder, object));
        cylinder(def->cylinder[0], def->cylinder[1], def->axis, s);
        return draw_cylinder(b, def->cylinder[0], def->cylinder[1], def->axis, s);
    case 2:
        sphere(def->sphere, s);
        return draw_sphere(b, def->sphere, s);
    default:
        return read_lines(b, def->lines, object, s);
    }
}
