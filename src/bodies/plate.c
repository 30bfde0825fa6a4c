/* Body type ancf_plate: thin ANCF plate, 9 coordinates a node (r, r_x, r_y), temperatures bilinear in
   the plane and linear through the thickness. Theory 2.7 (shape functions, quadrature, temperatures).
   Matrices and tables only; meshes are in plate_mesh.c and plate_list.c, the constitutive law is in
   kernel_plate.c, places are in plate_place.c. */
#include "bodies/plate.h"

#include <math.h>

#include "bodies/body.h"
#include "bodies/plate_piezo.h"

#define L GOS_LANES
#define NZ 5 // 3-vectors per point
#define NV 12

typedef struct plate_def {
    const char *material;
    double thickness;
    gos_plate_mesh_def mesh;
    int quadrature;  // 0 full, 1 medium, 2 reduced
    int temperature; // 0 auto, 1 on, 2 off
} plate_def;

static const gos_plate *plate_of(const gos_body *b) {
    return b->par;
}

/* ---- constant matrices --------------------------------------------------------------------------- */

static gos_status add_element(gos_builder *b, gos_triplets *m, int n, const int *idx,
                              const double *v) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) { // the helper enters both triangles
            if (v[i * n + j] != 0) {
                GOS_TRY(gos__add_symmetric(b, m, idx[i], idx[j], v[i * n + j]));
            }
        }
    }
    return GOS_OK;
}

/* rho h int S_i S_j, exact: of a rectangle of degree 6 in each direction */
static gos_status add_mass(gos_builder *b, const gos_body *body) {
    const gos_plate *c = plate_of(body);
    const double rho_h = body->material->density * body->section->A;
    double m[NV * NV];
    for (int e = 0; e < body->ncell; e++) {
        int idx[NV];
        if (e == 0 || !c->alike) {
            gos_plate_element element;
            gos_plate_point p[GOS_PLATE_POINTS];
            double S[6][NV];
            gos__plate_element(c, e, &element);
            const int n = gos__plate_rule(&element, true, p);
            memset(m, 0, sizeof m);
            for (int g = 0; g < n; g++) {
                gos__plate_shapes_at(&element, &p[g], S);
                for (int i = 0; i < NV * NV; i++) {
                    m[i] += rho_h * p[g].w * S[GOS_SHAPE][i / NV] * S[GOS_SHAPE][i % NV];
                }
            }
        }
        for (int i = 0; i < NV; i++) {
            idx[i] = body->v0 + 3 * body->cell[4 * e + i / 3] + i % 3;
        }
        GOS_TRY(add_element(b, &b->mass, NV, idx, m));
    }
    return GOS_OK;
}

/* int N N and int grad N . grad N of the bilinear functions: the first by the points at which heat enters, so that
   even heat makes even temperatures, the second by Gauss points, which are exact for linear temperatures */
static void bilinear_matrices(const gos_plate_element *e, double m[16], double g[16]) {
    gos_plate_point p[GOS_PLATE_POINTS];
    double N[4], grad[2][4];
    int n = gos__plate_rule(e, false, p);
    memset(m, 0, 16 * sizeof *m);
    memset(g, 0, 16 * sizeof *g);
    for (int q = 0; q < n; q++) {
        gos__bilinear(p[q].xi, N, NULL);
        for (int i = 0; i < 16; i++) {
            m[i] += p[q].w * N[i / 4] * N[i % 4];
        }
    }
    n = gos__plate_gauss(e, 4, p);
    for (int q = 0; q < n; q++) {
        gos__bilinear_gradient(e->x, p[q].xi, grad);
        for (int i = 0; i < 16; i++) {
            const int r = i / 4, s = i % 4;
            g[i] += p[q].w * (grad[0][r] * grad[0][s] + grad[1][r] * grad[1][s]);
        }
    }
}

/* theory 2.7: capacity rho c {h, h^3/12} int N N, conduction k {h, h^3/12} int grad N . grad N and, of
   T_z, k h int N N through the thickness */
static gos_status add_thermal(gos_builder *b, const gos_body *body) {
    const gos_plate *c = plate_of(body);
    const gos_section *s = body->section;
    const double k = body->material->conductivity;
    const double rc = body->material->density * body->material->specific_heat;
    double m[16], g[16], cap[16], cond[16];
    for (int e = 0; e < body->ncell; e++) {
        if (e == 0 || !c->alike) {
            gos_plate_element element;
            gos__plate_element(c, e, &element);
            bilinear_matrices(&element, m, g);
        }
        for (int f = 0; f < s->nfam; f++) {
            int idx[4];
            for (int i = 0; i < 16; i++) {
                cap[i] = rc * s->cap[f] * m[i];
                cond[i] = k * (s->cap[f] * g[i] + s->cond[f * s->nfam + f] * m[i]);
            }
            for (int i = 0; i < 4; i++) {
                idx[i] = body->t0 + body->cell[4 * e + i] * s->nfam + f;
            }
            GOS_TRY(add_element(b, &b->capacity, 4, idx, cap));
            GOS_TRY(add_element(b, &b->conduction, 4, idx, cond));
        }
    }
    return GOS_OK;
}

/* ---- points -------------------------------------------------------------------------------------- */

/* lane l of a table: the element, or with weight 0 what fills up a batch */
static void fill_lane(const gos_points *p, const gos_plate_element *e, long tab, int l,
                      bool fills) {
    gos_plate_point at[GOS_PLATE_POINTS];
    double S[6][NV], N[4];
    (void)gos__plate_rule(e, false, at);
    for (long g = 0; g < p->ng; g++) {
        const size_t k = tab * p->ng + g, lane = l;
        gos__plate_shapes_at(e, &at[g], S);
        gos__bilinear(at[g].xi, N, NULL);
        for (size_t i = 0; i < NZ * NV; i++) {
            p->b[(k * NZ * NV + i) * L + lane] = S[1 + i / NV][i % NV];
        }
        p->w[k * L + lane] = fills ? 0 : at[g].w;
        for (size_t i = 0; i < (size_t)p->nt; i++) {
            p->N[(k * 4 + i) * L + lane] = N[i];
        }
    }
}

/* the table of batch ib */
static void fill_table(const gos_points *p, const gos_plate *c, int ib, int tab) {
    gos_plate_element element;
    for (int l = 0; l < L; l++) {
        const int e = ib * L + l;
        gos__plate_element(c, e < p->ne ? e : ib * L, &element);
        fill_lane(p, &element, tab, l, e >= p->ne);
    }
    p->tab[ib] = tab;
}

/* Elements that are alike have one table, and another one where the last batch is not full */
static void fill_tables(const gos_points *p, const gos_plate *c) {
    if (!c->alike) {
        for (int ib = 0; ib < p->nb; ib++) {
            fill_table(p, c, ib, ib);
        }
        return;
    }
    fill_table(p, c, 0, 0);
    if (p->ntab == 2) {
        fill_table(p, c, p->nb - 1, 1);
    }
}

static void fill_indices(const gos_points *p, const gos_body *body) {
    for (int ib = 0; ib < p->nb; ib++) {
        for (int l = 0; l < L; l++) {
            const int *cell = body->cell + 4 * (ib * L + l < p->ne ? ib * L + l : ib * L);
            for (int j = 0; j < NV; j++) {
                p->v[(ib * NV + j) * L + l] = body->v0 + 3 * cell[j / 3] + j % 3;
            }
            for (int i = 0; i < p->nt * p->nfam; i++) {
                p->th[(ib * p->nt * p->nfam + i) * L + l] =
                    body->t0 + cell[i / p->nfam] * p->nfam + i % p->nfam;
            }
        }
    }
}

static gos_status add_points(gos_builder *b, const gos_body *body) {
    const gos_plate *c = plate_of(body);
    gos_plate_element first;
    gos_plate_point at[GOS_PLATE_POINTS];
    gos__plate_element(c, 0, &first);
    gos_points p = {.law = body->law,
                    .par = body->law_par,
                    .body = body->index,
                    .ne = body->ncell,
                    .ng = gos__plate_rule(&first, false, at),
                    .nv = NV,
                    .nt = body->nfam ? 4 : 0,
                    .nfam = body->nfam,
                    .rates = c->par.gamma_n > 0 || c->par.gamma_s > 0 || c->par.T0 > 0,
                    .surface = true};
    p.nb = (p.ne + L - 1) / L;
    p.ntab = !c->alike ? p.nb : p.ne % L && p.nb > 1 ? 2 : 1;
    const size_t tables = (size_t)p.ntab * p.ng * L;
    p.v = GOS_NEW(b->arena, int, (size_t)p.nb *NV *L);
    p.tab = GOS_NEW(b->arena, int, p.nb);
    p.b = GOS_NEW(b->arena, double, tables *NZ *NV);
    p.w = GOS_NEW(b->arena, double, tables);
    p.ref = GOS_NEW(b->arena, double, L); // the law has none
    if (p.nt) {
        p.N = GOS_NEW(b->arena, double, tables * 4);
        p.th = GOS_NEW(b->arena, int, (size_t)p.nb * 4 * p.nfam * L);
    }
    if (!p.v || !p.tab || !p.b || !p.w || !p.ref || (p.nt && (!p.N || !p.th))) {
        return GOS_E_MEMORY;
    }
    fill_indices(&p, body);
    fill_tables(&p, c);
    return gos__add_points(b, &p);
}

/* ---- building ------------------------------------------------------------------------------------ */

/* The section of a plate is a line through its thickness, everything per area: families T and T_z,
   faces +n and -n, whose outline is one point each. */
static gos_status make_section(gos_arena *a, double h, gos_section **out) {
    static const char *const names[2] = {"top", "bottom"};
    gos_section *s = GOS_NEW(a, gos_section, 1);
    gos_section_point *face = GOS_NEW(a, gos_section_point, 2);
    if (!s || !face) {
        return GOS_E_MEMORY;
    }
    s->A = s->height = h;
    s->nfam = 2;
    s->family[0] = "T";
    s->family[1] = "T_z";
    s->cap[0] = s->A;
    s->cap[1] = h * h * h / 12;
    s->cond[3] = h; // of T_z: its gradient is 1 through the thickness
    s->has_outline = true;
    s->nface = s->noutline = 2;
    s->outline = face;
    for (int i = 0; i < 2; i++) {
        const double sign = i == 0 ? 1 : -1;
        s->face[i] = (gos_section_face){
            .name = names[i], .sign = sign, .moment = {1, sign * h / 2}, .first = i, .count = 1};
        face[i] = (gos_section_point){.dl = 1, .phi = {1, sign * h / 2}};
    }
    *out = s;
    return GOS_OK;
}

static void set_nodes(gos_builder *b, gos_body *body, int *idx) {
    const int nn = body->nnode;
    const gos_plate *c = plate_of(body);
    int *v = idx, *turn = idx + nn, *t = idx + 7 * nn;
    for (int i = 0; i < nn; i++) {
        v[i] = body->v0 + 3 * i;
        b->trans[v[i]] = 1;
        for (int k = 0; k < 3; k++) { // position and slopes turn with the tangent plane
            turn[6 * i + 2 * k] = v[i] + 1;
            turn[6 * i + 2 * k + 1] = v[i] + 2;
        }
        if (body->nfam) {
            t[i] = body->t0 + i * body->nfam;
            b->tmean[t[i]] = 1;
        }
    }
    body->node_v = v;
    body->turn = turn;
    body->node_t = body->nfam ? t : NULL;
    body->cell_size = 4;
    body->ncell = c->ncell;
    body->cell = c->cell;
}

static gos_status add_nodes(gos_builder *b, gos_body *body, const gos_plate *c) {
    const int nn = c->nnode;
    double *e0 = GOS_NEW(b->arena, double, 9 * (size_t)nn);
    int *idx = GOS_NEW(b->arena, int, 8 * (size_t)nn);
    if (!e0 || !idx) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < nn; i++) {
        for (int k = 0; k < 3; k++) {
            e0[9 * i + k] = c->corner[k] + c->x[i][0] * c->e[0][k] + c->x[i][1] * c->e[1][k];
            e0[9 * i + 3 + k] = c->e[0][k];
            e0[9 * i + 6 + k] = c->e[1][k];
        }
    }
    GOS_TRY(gos__add_vectors(b, 3 * nn, e0, 0, &body->v0));
    body->nv = 3 * nn;
    body->nnode = nn;
    if (body->nfam) {
        GOS_TRY(gos__add_temperatures(b, nn * body->nfam, &body->t0));
        body->nt = nn * body->nfam;
    }
    set_nodes(b, body, idx);
    return GOS_OK;
}

static const gos_param plate_params[] = {
    GOS_BODY_MATERIAL(plate_def, material),
    {.name = "thickness",
     .kind = GOS_K_NUMBER,
     .unit = "m",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .flags = GOS_P_REQUIRED | GOS_P_LO_OPEN,
     .offset = offsetof(plate_def, thickness),
     .doc = "thickness"},
    {.name = "corner",
     .kind = GOS_K_VECTOR,
     .unit = "m",
     .shape = 3,
     .offset = offsetof(plate_def, mesh.corner),
     .doc = "a rectangle: corner from which both sides start, node(0,0)"},
    {.name = "x",
     .kind = GOS_K_VECTOR,
     .unit = "m",
     .shape = 3,
     .offset = offsetof(plate_def, mesh.x),
     .doc = "side from that corner along which x counts, length included"},
    {.name = "y",
     .kind = GOS_K_VECTOR,
     .unit = "m",
     .shape = 3,
     .offset = offsetof(plate_def, mesh.y),
     .doc = "the other side, perpendicular to x; the normal (face top) is along x cross y"},
    {.name = "corners",
     .kind = GOS_K_NODE,
     .unit = "m",
     .offset = offsetof(plate_def, mesh.corners),
     .doc = "instead, a convex quadrilateral: its four corners [x, y, z] in order around, "
            "counter-clockwise seen from the face top; x counts from the first towards the second"},
    {.name = "elements",
     .kind = GOS_K_VECTOR,
     .unit = "",
     .shape = 2,
     .lo = 1,
     .hi = GOS_LIMIT_ELEMENTS,
     .def = "[8, 8]",
     .offset = offsetof(plate_def, mesh.elements),
     .doc = "numbers of elements along x and y, of corners along the first and the last side"},
    {.name = "nodes",
     .kind = GOS_K_NODE,
     .unit = "m",
     .offset = offsetof(plate_def, mesh.nodes),
     .doc = "instead, a mesh: its nodes [[x, y, z], ...] in one plane, numbered from 0"},
    {.name = "quads",
     .kind = GOS_K_NODE,
     .unit = "",
     .offset = offsetof(plate_def, mesh.quads),
     .doc = "its elements, convex quadrilaterals that meet side to side: the numbers of four nodes "
            "in order around, e.g. [[0, 1, 4, 3], ...]; x counts from the first node of the first "
            "quad towards its second"},
    {.name = "edges",
     .kind = GOS_K_NODE,
     .unit = "",
     .offset = offsetof(plate_def, mesh.edges),
     .doc = "its edges, {NAME: [nodes in a row], ...}, each straight; joints and loads say "
            "BODY.edge.NAME"},
    {.name = "quadrature",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "full",
     .offset = offsetof(plate_def, quadrature),
     .choices = "full|medium|reduced",
     .doc =
         "Gauss points in each direction of a rectangle: full 5, medium 4 (changes frequencies by "
         "less than 1e-9), reduced 3 (by 1e-6; less than half the work). Quadrilaterals have "
         "twelve points"},
    GOS_BODY_TEMPERATURE(plate_def, temperature),
    {0},
};

/* stiffness of the plane state of stress */
static void make_law(const gos_builder *b, gos_body *body, double h, gos_plate *c) {
    const gos_material *m = body->material;
    const double E = m->young / (1 - m->poisson * m->poisson);
    c->par = (gos_plate_par){.A = E * h,
                             .B = E * h * h * h / 12,
                             .nu = m->poisson,
                             .gamma_n = m->gamma_n,
                             .gamma_s = m->gamma_s,
                             .alpha = m->expansion,
                             .T0 = b->gough_joule && body->nfam ? b->T_ref : 0,
                             .viscous = b->viscous_heating && body->nfam ? 1 : 0};
    body->law = &gos__plate_law;
    body->law_par = &c->par;
}

static gos_status plate_build(gos_builder *b, const gos_type *type, const gos_node *entry,
                              const char *name, const char *object) {
    GOS_UNUSED(type);
    plate_def d = {0};
    GOS_TRY(gos__fill(b->model, entry, plate_params, object, b->arena, &d));
    const gos_material *mat = gos__find_material(b, d.material);
    gos_plate *c = GOS_NEW(b->arena, gos_plate, 1);
    gos_section *section = NULL;
    gos_body body = {.name = gos__arena_strdup(b->arena, name),
                     .type = "ancf_plate",
                     .loc = entry->loc,
                     .ops = &gos__plate_ops,
                     .material = mat,
                     .rigid_item = -1,
                     .par = c};
    if (!c || !body.name) {
        return GOS_E_MEMORY;
    }
    if (!mat) {
        return GOS_E_INPUT; // recorded when the material was read
    }
    GOS_TRY(gos__plate_mesh(b, &d.mesh, entry, object, c));
    GOS_TRY(make_section(b->arena, d.thickness, &section));
    c->order = 5 - d.quadrature;
    if (d.quadrature && !c->rectangle) {
        return gos__fail_at(
            b->ctx, GOS_E_INPUT, gos__key_loc(entry, "quadrature"), object,
            "quadrature is for rectangles; quadrilaterals have three points in each "
            "of their four triangles: remove this");
    }
    memcpy(body.v_ref, c->n, sizeof body.v_ref);
    body.section = section;
    GOS_TRY(gos__body_heat(b, entry, object, d.temperature, &body));
    make_law(b, &body, d.thickness, c);
    GOS_TRY(gos__check_room(b, 3.0 * c->nnode, (double)c->nnode * body.nfam,
                            gos__key_loc(entry, "elements"), object));
    GOS_TRY(add_nodes(b, &body, c));
    gos_body *added;
    GOS_TRY(gos__add_body(b, &body, &added));
    GOS_TRY(add_mass(b, added));
    if (added->nfam) {
        GOS_TRY(add_thermal(b, added));
    }
    GOS_TRY(add_points(b, added));
    return gos__plate_piezo(b, added);
}

static const gos_build_ops plate_build_ops = {.build = plate_build};

const gos_type gos__body_plate = {
    .section = "bodies",
    .name = "ancf_plate",
    .doc = "Thin plate with large motion and deformation: rectangular or quadrilateral ANCF plate, "
           "9 coordinates a "
           "node (position and both slopes); temperature in the plane and linear through the "
           "thickness.",
    .params = plate_params,
    .size = sizeof(plate_def),
    .example = "panel: {type: ancf_plate, material: rubber, thickness: 0.02, corner: [0, 0, 0], "
               "x: [1, 0, 0], y: [0, 0.5, 0], elements: [4, 2]}",
    .ops = &plate_build_ops,
};
