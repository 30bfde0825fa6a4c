/* Continuum elements: plane stress and strain, axisymmetric about y, solids; full or reduced
   integration, or incompatible modes 1 - xi^2 (Taylor, Beresford, Wilson, A non-conforming element
   for stress analysis, IJNME 10 (1976)). */
#include "fe/continuum.h"

#define PLANE (1 << GOS_CELL_TRI3 | 1 << GOS_CELL_TRI6 | 1 << GOS_CELL_QUAD4 | 1 << GOS_CELL_QUAD8)
#define SOLID                                                                                      \
    (1 << GOS_CELL_TET4 | 1 << GOS_CELL_TET10 | 1 << GOS_CELL_WEDGE6 | 1 << GOS_CELL_WEDGE15 |     \
     1 << GOS_CELL_HEX8 | 1 << GOS_CELL_HEX20)

/* ---- material -------------------------------------------------------------------------------- */

int gos__continuum_strain_of(gos_continuum_kind kind, int r, int p) {
    static const signed char shear[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
    if (kind == GOS_CONTINUUM_RING && p == 2) {
        return r == 0 ? 2 : -1;
    }
    return shear[r][p];
}

/* coefficient of slopes p and q of components r and s */
static double coefficient(gos_continuum_kind kind, const gos_fe_material *m, int rs, int pq) {
    const int comps = kind == GOS_CONTINUUM_SOLID ? 3 : 2;
    const int a = gos__continuum_strain_of(kind, rs / comps, pq / 3),
              b = gos__continuum_strain_of(kind, rs % comps, pq % 3);
    return a < 0 || b < 0 ? 0 : m->stiffness[a][b];
}

static void put(double *lanes, int k, int lane, double value) {
    for (int l = 0; l < 8; l++) {
        if (lane < 0 || l == lane) {
            lanes[8 * k + l] = value;
        }
    }
}

#define LAW (8 * (81 + 9 + 9 + 2)) // doubles per law

static void law_in(double *lanes, gos_continuum_law *law) {
    law->D = lanes;
    law->beta = lanes + 8 * 81;
    law->lambda = lanes + 8 * 90;
    law->density = lanes + 8 * 99;
    law->heat = lanes + 8 * 100;
}

/* lane < 0: all lanes, without zero entries; else one lane of a full law */
static void set_law(const gos_continuum *c, const gos_fe_material *full, int lane,
                    gos_continuum_law *law) {
    const gos_continuum_kind kind = c->kind;
    const int comps = c->comps, slopes = c->slopes;
    gos_fe_material own = *full, *m = &own;
    int n = 0;
    if (c->thin) {
        gos__fe_material_thin(m);
    }
    for (int rs = 0; rs < comps * comps; rs++) {
        law->start[rs] = n;
        for (int pq = 0; pq < 9; pq++) {
            const double D = coefficient(kind, m, rs, pq);
            if (pq / 3 < slopes && pq % 3 < slopes && (lane >= 0 || D != 0)) {
                law->place[n] = pq;
                put(law->D, n++, lane, D);
            }
        }
        law->start[rs + 1] = n;
    }
    for (int k = 0; k < 9; k++) {
        const int a =
            k / 3 < comps && k % 3 < slopes ? gos__continuum_strain_of(kind, k / 3, k % 3) : -1;
        double stress = 0;
        for (int b = 0; b < 6 && a >= 0; b++) {
            stress += m->stiffness[a][b] * m->expansion[b];
        }
        put(law->beta, k, lane, stress);
        put(law->lambda, k, lane, m->conductivity[k / 3][k % 3]);
    }
    put(law->density, 0, lane, m->density);
    put(law->heat, 0, lane, m->density * m->heat);
}

/* ---- functions ------------------------------------------------------------------------------- */

static void tabulate(gos_cell_shape shape, gos_rule_use use, int inner, gos_continuum_points *t) {
    const int nodes = gos__cell_kind[shape].nodes;
    gos_rule rule;
    gos__rule(shape, use, &rule);
    t->n = rule.n;
    for (int p = 0; p < rule.n; p++) {
        t->weight[p] = rule.weight[p];
        memcpy(t->at[p], rule.at[p], sizeof t->at[p]);
        gos__shape(shape, rule.at[p], t->N[p], t->dN[p]);
        for (int k = 0; k < inner; k++) {
            t->dN[p][nodes + k][k] = -2 * rule.at[p][k]; // of 1 - xi_k^2
        }
    }
}

/* variant of the element family */
typedef struct variant {
    gos_continuum_kind kind;
    bool thin; // plane stress
    gos_rule_use use;
    bool inner; // incompatible modes
} variant;

static gos_status prepare(gos_ctx *ctx, const gos_fe_part *part, gos_cell_shape shape,
                          gos_arena *arena, void **data) {
    const variant *v = part->element->how;
    gos_continuum *c = GOS_NEW(arena, gos_continuum, 1);
    double *lanes = GOS_NEW(arena, double, LAW);
    gos_fe_material m;
    double N[GOS_CELL_NODES];
    GOS_UNUSED(ctx);
    GOS_TRY(c && lanes ? GOS_OK : GOS_E_MEMORY);
    c->kind = v->kind;
    c->thin = v->thin;
    c->dim = gos__cell_kind[shape].dim;
    c->comps = part->element->comps;
    c->slopes = v->kind == GOS_CONTINUUM_PLANE ? 2 : 3;
    c->nodes = gos__cell_kind[shape].nodes;
    c->inner = v->inner ? c->dim : 0;
    c->thickness = part->element->thick ? part->thickness : 1;
    // the factor r increases the polynomial degree
    const bool more = v->kind == GOS_CONTINUUM_RING && v->use == GOS_RULE_STIFFNESS;
    tabulate(shape, more ? GOS_RULE_MASS : v->use, c->inner, &c->stiffness);
    tabulate(shape, part->element->reduced ? GOS_RULE_REDUCED_MASS : GOS_RULE_MASS, 0, &c->mass);
    gos__shape(shape, (const double[3]){0}, N, c->centre);
    law_in(lanes, &c->law);
    gos__fe_part_material(part, 0, &m);
    set_law(c, &m, -1, &c->law);
    *data = c;
    return GOS_OK;
}

static size_t scratch(const void *data) {
    const gos_continuum *c = data;
    const int all = c->nodes + c->inner, nd = all * c->comps;
    const int aside = c->inner > 0 ? nd * (nd + c->nodes) : 0;
    return (size_t)8 * (GOS_RULE_POINTS + c->stiffness.n * all * c->slopes + aside);
}

static void matrices(const void *data, const gos_fe_batch *batch, gos_fe_local *local) {
    const gos_continuum *c = data;
    if (!batch->own) {
        gos__kernel_continuum(c, &c->law, batch->x, local);
        return;
    }
    _Alignas(64) double lanes[LAW];
    gos_continuum_law law;
    law_in(lanes, &law);
    for (int l = 0; l < GOS_FE_LANES; l++) {
        set_law(c, &batch->own[l], l, &law);
    }
    gos__kernel_continuum(c, &law, batch->x, local);
}

/* ---- elements -------------------------------------------------------------------------------- */

const gos_fe_element gos__fe_element_plane_stress = {
    .name = "plane_stress",
    .doc = "plane stress in the plane z = 0",
    .how = &(const variant){GOS_CONTINUUM_PLANE, true, GOS_RULE_STIFFNESS, false},
    .dim = 2,
    .freedoms = GOS_FE_UX | GOS_FE_UY,
    .comps = 2,
    .heats = 1,
    .thick = true,
    .shapes = PLANE,
    .prepare = prepare,
    .scratch = scratch,
    .matrices = matrices,
    .recover = gos__continuum_recover,
    .stress_stiffness = gos__continuum_stress_stiffness,
    .stress_work = gos__continuum_stress_work,
};

const gos_fe_element gos__fe_element_plane_stress_reduced = {
    .name = "plane_stress_reduced",
    .doc = "plane stress in the plane z = 0, reduced integration",
    .how = &(const variant){GOS_CONTINUUM_PLANE, true, GOS_RULE_REDUCED, false},
    .dim = 2,
    .freedoms = GOS_FE_UX | GOS_FE_UY,
    .comps = 2,
    .heats = 1,
    .thick = true,
    .reduced = true,
    .shapes = 1 << GOS_CELL_QUAD8,
    .prepare = prepare,
    .scratch = scratch,
    .matrices = matrices,
    .recover = gos__continuum_recover,
    .stress_stiffness = gos__continuum_stress_stiffness,
    .stress_work = gos__continuum_stress_work,
};

const gos_fe_element gos__fe_element_plane_stress_incompatible = {
    .name = "plane_stress_incompatible",
    .doc = "plane stress in the plane z = 0, incompatible bending modes",
    .how = &(const variant){GOS_CONTINUUM_PLANE, true, GOS_RULE_STIFFNESS, true},
    .dim = 2,
    .freedoms = GOS_FE_UX | GOS_FE_UY,
    .comps = 2,
    .heats = 1,
    .thick = true,
    .shapes = 1 << GOS_CELL_QUAD4,
    .prepare = prepare,
    .scratch = scratch,
    .matrices = matrices,
    .recover = gos__continuum_recover,
    .stress_stiffness = gos__continuum_stress_stiffness,
    .stress_work = gos__continuum_stress_work,
};

const gos_fe_element gos__fe_element_plane_strain = {
    .name = "plane_strain",
    .doc = "plane strain in the plane z = 0",
    .how = &(const variant){GOS_CONTINUUM_PLANE, false, GOS_RULE_STIFFNESS, false},
    .dim = 2,
    .freedoms = GOS_FE_UX | GOS_FE_UY,
    .comps = 2,
    .heats = 1,
    .thick = true,
    .shapes = PLANE,
    .prepare = prepare,
    .scratch = scratch,
    .matrices = matrices,
    .recover = gos__continuum_recover,
    .stress_stiffness = gos__continuum_stress_stiffness,
    .stress_work = gos__continuum_stress_work,
};

const gos_fe_element gos__fe_element_plane_strain_reduced = {
    .name = "plane_strain_reduced",
    .doc = "plane strain in the plane z = 0, reduced integration",
    .how = &(const variant){GOS_CONTINUUM_PLANE, false, GOS_RULE_REDUCED, false},
    .dim = 2,
    .freedoms = GOS_FE_UX | GOS_FE_UY,
    .comps = 2,
    .heats = 1,
    .thick = true,
    .reduced = true,
    .shapes = 1 << GOS_CELL_QUAD8,
    .prepare = prepare,
    .scratch = scratch,
    .matrices = matrices,
    .recover = gos__continuum_recover,
    .stress_stiffness = gos__continuum_stress_stiffness,
    .stress_work = gos__continuum_stress_work,
};

const gos_fe_element gos__fe_element_plane_strain_incompatible = {
    .name = "plane_strain_incompatible",
    .doc = "plane strain in the plane z = 0, incompatible bending modes",
    .how = &(const variant){GOS_CONTINUUM_PLANE, false, GOS_RULE_STIFFNESS, true},
    .dim = 2,
    .freedoms = GOS_FE_UX | GOS_FE_UY,
    .comps = 2,
    .heats = 1,
    .thick = true,
    .shapes = 1 << GOS_CELL_QUAD4,
    .prepare = prepare,
    .scratch = scratch,
    .matrices = matrices,
    .recover = gos__continuum_recover,
    .stress_stiffness = gos__continuum_stress_stiffness,
    .stress_work = gos__continuum_stress_work,
};

const gos_fe_element gos__fe_element_axisymmetric = {
    .name = "axisymmetric",
    .doc = "axisymmetric about the axis y; x is the radius",
    .how = &(const variant){GOS_CONTINUUM_RING, false, GOS_RULE_STIFFNESS, false},
    .dim = 2,
    .freedoms = GOS_FE_UX | GOS_FE_UY,
    .comps = 2,
    .heats = 1,
    .thick = false,
    .ring = true,
    .shapes = PLANE,
    .prepare = prepare,
    .scratch = scratch,
    .matrices = matrices,
    .recover = gos__continuum_recover,
    .stress_stiffness = gos__continuum_stress_stiffness,
    .stress_work = gos__continuum_stress_work,
};

const gos_fe_element gos__fe_element_axisymmetric_reduced = {
    .name = "axisymmetric_reduced",
    .doc = "axisymmetric about the axis y; x is the radius; reduced integration",
    .how = &(const variant){GOS_CONTINUUM_RING, false, GOS_RULE_REDUCED, false},
    .dim = 2,
    .freedoms = GOS_FE_UX | GOS_FE_UY,
    .comps = 2,
    .heats = 1,
    .thick = false,
    .ring = true,
    .shapes = 1 << GOS_CELL_QUAD8,
    .prepare = prepare,
    .scratch = scratch,
    .matrices = matrices,
    .recover = gos__continuum_recover,
    .stress_stiffness = gos__continuum_stress_stiffness,
    .stress_work = gos__continuum_stress_work,
};

const gos_fe_element gos__fe_element_solid = {
    .name = "solid",
    .doc = "solid",
    .how = &(const variant){GOS_CONTINUUM_SOLID, false, GOS_RULE_STIFFNESS, false},
    .dim = 3,
    .freedoms = GOS_FE_UX | GOS_FE_UY | GOS_FE_UZ,
    .comps = 3,
    .heats = 1,
    .thick = false,
    .shapes = SOLID,
    .prepare = prepare,
    .scratch = scratch,
    .matrices = matrices,
    .recover = gos__continuum_recover,
    .stress_stiffness = gos__continuum_stress_stiffness,
    .stress_work = gos__continuum_stress_work,
};

const gos_fe_element gos__fe_element_solid_reduced = {
    .name = "solid_reduced",
    .doc = "solid, reduced integration",
    .how = &(const variant){GOS_CONTINUUM_SOLID, false, GOS_RULE_REDUCED, false},
    .dim = 3,
    .freedoms = GOS_FE_UX | GOS_FE_UY | GOS_FE_UZ,
    .comps = 3,
    .heats = 1,
    .thick = false,
    .reduced = true,
    .shapes = 1 << GOS_CELL_HEX20 | 1 << GOS_CELL_WEDGE15 | 1 << GOS_CELL_WEDGE6,
    .prepare = prepare,
    .scratch = scratch,
    .matrices = matrices,
    .recover = gos__continuum_recover,
    .stress_stiffness = gos__continuum_stress_stiffness,
    .stress_work = gos__continuum_stress_work,
};

const gos_fe_element gos__fe_element_solid_incompatible = {
    .name = "solid_incompatible",
    .doc = "solid, incompatible bending modes",
    .how = &(const variant){GOS_CONTINUUM_SOLID, false, GOS_RULE_STIFFNESS, true},
    .dim = 3,
    .freedoms = GOS_FE_UX | GOS_FE_UY | GOS_FE_UZ,
    .comps = 3,
    .heats = 1,
    .thick = false,
    .shapes = 1 << GOS_CELL_HEX8,
    .prepare = prepare,
    .scratch = scratch,
    .matrices = matrices,
    .recover = gos__continuum_recover,
    .stress_stiffness = gos__continuum_stress_stiffness,
    .stress_work = gos__continuum_stress_work,
};
