/* Body type ancf_plate: thin ANCF plate with 9 coordinates per node (r, r_x, r_y), temperatures
 * bilinear in the plane, linear through the thickness (theory 2.7). Parameters and matrices. */
#include "plate/plate.h"

#include <math.h>

#include "bodies/body.h"
#include "plate/plate_layers.h"
#include "plate/plate_piezo.h"
#include "plate/plate_plies.h"

#define NV 12

typedef struct plate_def {
    const char *material;
    gos_plate_plies_def plies;
    gos_plate_mesh_def mesh;
    int quadrature;  // 0 full, 1 medium, 2 reduced
    int temperature; // 0 auto, 1 on, 2 off
} plate_def;

static const gos_plate *plate_of(const gos_body *b) {
    return b->par;
}

/* ---- constant matrices ----------------------------------------------------------------------- */

/* Mass rho h int S_i S_j, integrated exactly. */
static gos_status add_mass(gos_builder *b, const gos_body *body) {
    const gos_plate *c = plate_of(body);
    const double rho_h = c->mass;
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
        GOS_TRY(gos__plate_matrix(b, &b->mass, NV, idx, m));
    }
    return GOS_OK;
}

/* Theory 2.7: capacity rho c {h, h^3/12} int N N, conduction k {h, h^3/12} int grad N . grad N, for
 * T_z also k h int N N. */
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
            gos__plate_bilinear(&element, m, g);
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
            GOS_TRY(gos__plate_matrix(b, &b->capacity, 4, idx, cap));
            GOS_TRY(gos__plate_matrix(b, &b->conduction, 4, idx, cond));
        }
    }
    return GOS_OK;
}

/* ---- building -------------------------------------------------------------------------------- */

/* A line through the thickness, per unit area: families T and T_z; faces +n and -n with one outline
 * point each. */
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
    s->cond[3] = h; // T_z has unit gradient through the thickness
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

static void set_nodes(gos_builder *b, gos_body *body, const gos_plate_layers *layers, int *idx) {
    const int nn = body->nnode;
    const gos_plate *c = plate_of(body);
    int *v = idx, *t = idx + nn, *turn = idx + 2 * nn;
    for (int i = 0; i < nn; i++) {
        v[i] = body->v0 + 3 * i;
        b->trans[v[i]] = 1;
        for (int k = 0; k < 3; k++) { // position and slopes rotate with the tangent plane
            turn[6 * i + 2 * k] = v[i] + 1;
            turn[6 * i + 2 * k + 1] = v[i] + 2;
        }
        if (layers->normal[i] >= 0) {
            int *of = turn + 6 * nn + 2 * layers->normal[i];
            of[0] = v[i] + 1;
            of[1] = v[i] + 2;
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

/* Adds three vectors per node, then the normals of nodes under layers. */
static gos_status add_nodes(gos_builder *b, gos_body *body, const gos_plate *c,
                            const gos_plate_layers *layers) {
    const int nn = c->nnode, nv = 3 * nn + layers->nnormal;
    double *e0 = GOS_NEW(b->arena, double, 3 * (size_t)nv);
    int *idx = GOS_NEW(b->arena, int, 2 * ((size_t)nn + (size_t)nv));
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
    for (int i = 3 * nn; i < nv; i++) {
        memcpy(e0 + 3L * i, c->n, sizeof c->n);
    }
    GOS_TRY(gos__add_vectors(b, nv, e0, 0, &body->v0));
    body->nv = nv;
    body->nnode = nn;
    if (body->nfam) {
        GOS_TRY(gos__add_temperatures(b, nn * body->nfam, &body->t0));
        body->nt = nn * body->nfam;
    }
    set_nodes(b, body, layers, idx);
    return GOS_OK;
}

static const gos_param plate_params[] = {
    GOS_BODY_MATERIAL(plate_def, material),
    {.name = "thickness",
     .kind = GOS_K_NUMBER,
     .unit = "m",
     .lo = 0.0,
     .hi = HUGE_VAL,
     .flags = GOS_P_LO_OPEN,
     .offset = offsetof(plate_def, plies.thickness),
     .doc = "thickness; default for laminates: the sum of the plies"},
    {.name = "direction",
     .kind = GOS_K_VECTOR,
     .unit = "-",
     .shape = 3,
     .offset = offsetof(plate_def, plies.direction),
     .doc = "axis 1 of orthotropic materials and laminates at t = 0, projected into the plate; "
            "zero: its x direction"},
    {.name = "corner",
     .kind = GOS_K_VECTOR,
     .unit = "m",
     .shape = 3,
     .offset = offsetof(plate_def, mesh.corner),
     .doc = "rectangle: corner from which both sides start, node(0,0)"},
    {.name = "x",
     .kind = GOS_K_VECTOR,
     .unit = "m",
     .shape = 3,
     .offset = offsetof(plate_def, mesh.x),
     .doc = "side along local x from that corner, as a vector with its length"},
    {.name = "y",
     .kind = GOS_K_VECTOR,
     .unit = "m",
     .shape = 3,
     .offset = offsetof(plate_def, mesh.y),
     .doc = "other side, perpendicular to x; the normal (face top) is along x cross y"},
    {.name = "corners",
     .kind = GOS_K_NODE,
     .unit = "m",
     .offset = offsetof(plate_def, mesh.corners),
     .doc = "alternatively, a convex quadrilateral: four corners [x, y, z] in order around it, "
            "counter-clockwise seen from the face top; local x runs from the first corner to the "
            "second"},
    {.name = "elements",
     .kind = GOS_K_VECTOR,
     .unit = "",
     .shape = 2,
     .lo = 1,
     .hi = GOS_LIMIT_ELEMENTS,
     .def = "[8, 8]",
     .offset = offsetof(plate_def, mesh.elements),
     .doc = "numbers of elements along x and y; for corners along the first and the last side"},
    {.name = "nodes",
     .kind = GOS_K_NODE,
     .unit = "m",
     .offset = offsetof(plate_def, mesh.nodes),
     .doc = "alternatively, a mesh: nodes [[x, y, z], ...] in one plane, numbered from 0"},
    {.name = "quads",
     .kind = GOS_K_NODE,
     .unit = "",
     .offset = offsetof(plate_def, mesh.quads),
     .doc = "elements of the mesh, convex quadrilaterals that share whole sides: four node numbers "
            "each in order around it, e.g. [[0, 1, 4, 3], ...]; local x runs from the first node "
            "of the first quad to its second"},
    {.name = "edges",
     .kind = GOS_K_NODE,
     .unit = "",
     .offset = offsetof(plate_def, mesh.edges),
     .doc = "straight edges of the mesh, {NAME: [consecutive nodes], ...}; joints and loads refer "
            "to them as BODY.edge.NAME"},
    {.name = "quadrature",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "full",
     .offset = offsetof(plate_def, quadrature),
     .choices = "full|medium|reduced",
     .doc = "Gauss points in each direction of a rectangle: full 5, medium 4 (changes frequencies "
            "by less than 1e-9), reduced 3 (by 1e-6, less than half the cost). Quadrilaterals have "
            "twelve points"},
    GOS_BODY_TEMPERATURE(plate_def, temperature),
    {0},
};

/* plane-stress stiffness */
static void make_law(const gos_builder *b, gos_body *body, gos_plate *c) {
    const gos_material *m = body->material;
    const double h = c->thickness;
    const double E = m->young / (1 - m->poisson * m->poisson);
    c->par = (gos_plate_par){.A = E * h,
                             .B = E * h * h * h / 12,
                             .nu = m->poisson,
                             .gamma_n = m->gamma_n,
                             .gamma_s = m->gamma_s,
                             .alpha = m->expansion,
                             .T0 = b->gough_joule && body->nfam ? b->T_ref : 0,
                             .viscous = b->viscous_heating && body->nfam ? 1 : 0};
    c->rates = c->par.gamma_n > 0 || c->par.gamma_s > 0 || c->par.T0 > 0;
    body->law = &gos__plate_law;
    body->law_par = &c->par;
}

static gos_status take_heat(gos_builder *b, const gos_node *entry, const char *object,
                            const plate_def *d, const gos_plate *c, gos_body *body) {
    if (!c->plies) {
        return gos__body_heat(b, entry, object, d->temperature, body);
    }
    if (d->temperature == 1 && !c->plies->warm) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "temperature"), object,
                            "material '%s' or one of its plies has no conductivity or "
                            "specific_heat; give both for all plies",
                            body->material->name);
    }
    body->nfam = c->plies->warm && d->temperature != 2 ? body->section->nfam : 0;
    return GOS_OK;
}

static gos_status take_plate(gos_builder *b, const gos_node *entry, const char *object,
                             const plate_def *d, gos_plate *c, gos_body *body) {
    gos_section *section = NULL;
    GOS_TRY(gos__plate_mesh(b, &d->mesh, entry, object, c));
    GOS_TRY(gos__plate_plies(b, entry, object, body->material, &d->plies, c));
    GOS_TRY(make_section(b->arena, c->thickness, &section));
    c->order = 5 - d->quadrature;
    if (d->quadrature && !c->rectangle) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "quadrature"), object,
                            "quadrature applies to rectangles only; quadrilaterals have three "
                            "points in each of their four triangles: remove this");
    }
    memcpy(body->v_ref, c->n, sizeof body->v_ref);
    body->section = section;
    body->ncell = c->ncell;
    GOS_TRY(take_heat(b, entry, object, d, c, body));
    if (c->plies) {
        gos__plate_plies_law_of(b, c, body);
    } else {
        make_law(b, body, c);
    }
    return GOS_OK;
}

static gos_status plate_build(gos_builder *b, const gos_type *type, const gos_node *entry,
                              const char *name, const char *object) {
    GOS_UNUSED(type);
    plate_def d = {0};
    GOS_TRY(gos__fill(b->model, entry, plate_params, object, b->arena, &d));
    const gos_material *mat = gos__find_material(b, d.material);
    gos_plate *c = GOS_NEW(b->arena, gos_plate, 1);
    gos_piezo_wiring patches;
    gos_plate_layers layers = {0};
    gos_body body = {.name = gos__arena_strdup(b->arena, name),
                     .type = "ancf_plate",
                     .loc = entry->loc,
                     .ops = &gos__plate_ops,
                     .material = mat,
                     .rigid_item = -1,
                     .plies = true,
                     .par = c};
    if (!c || !body.name) {
        return GOS_E_MEMORY;
    }
    if (!mat) {
        return GOS_E_INPUT; // already reported
    }
    GOS_TRY(take_plate(b, entry, object, &d, c, &body));
    GOS_TRY(gos__plate_piezo_take(b, body.name, c, &patches));
    GOS_TRY(gos__plate_layers(b, &body, &patches, &layers));
    GOS_TRY(gos__take_room(b, 2, 3.0 * c->nnode + layers.nnormal, (double)c->nnode * body.nfam,
                           gos__key_loc(entry, "elements"), object));
    GOS_TRY(add_nodes(b, &body, c, &layers));
    gos_body *added;
    GOS_TRY(gos__add_body(b, &body, &added));
    GOS_TRY(add_mass(b, added));
    if (added->nfam) {
        GOS_TRY(c->plies ? gos__plate_plies_thermal(b, added) : add_thermal(b, added));
    }
    GOS_TRY(gos__plate_points(b, added, added->law, added->law_par, c->rates, c->ncell, NULL));
    GOS_TRY(gos__plate_layers_add(b, added, &layers));
    return gos__plate_piezo(b, added, &patches);
}

static const gos_build_ops plate_build_ops = {.build = plate_build};

const gos_type gos__body_plate = {
    .section = "bodies",
    .name = "ancf_plate",
    .doc = "Thin plate with large motion and deformation: rectangular or quadrilateral ANCF plate, "
           "9 coordinates per node (position and both slopes); temperature in the plane and linear "
           "through the thickness.",
    .params = plate_params,
    .size = sizeof(plate_def),
    .example = "panel: {type: ancf_plate, material: rubber, thickness: 0.02, corner: [0, 0, 0], "
               "x: [1, 0, 0], y: [0, 0.5, 0], elements: [4, 2]}",
    .ops = &plate_build_ops,
};
