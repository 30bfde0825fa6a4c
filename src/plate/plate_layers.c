/* Layers on plates. A layer of thickness h_p at height zeta has the strains E - zeta b, the
 * temperature T + zeta T_z, and the plate law with A, C = -zeta A, B + zeta^2 A. */

/* It moves with r + zeta n; its kinetic energy is
 *     integral of rho h_p (|r' + zeta n'|^2 + h_p^2 / 12 |n'|^2) / 2 dA.
 * n is nonlinear in the coordinates. Nodes under layers therefore have a coordinate d, bilinear in
 * an element, with rows d = r_1 x r_2 / |r_1 x r_2|; masses are then constant. */
#include "plate/plate_layers.h"

#include "plate/plate_normal.h"
#include "plate/plate_plies.h"

#define NV 12
#define NB 4
#define NN (NV + NB)

/* ---- finding layers -------------------------------------------------------------------------- */

/* plane stress; strains refer to the midsurface */
static gos_plate_par law_of(const gos_builder *b, const gos_body *plate, const gos_plate_layer *l) {
    const gos_material *m = l->material;
    const double h = l->thickness, A = m->young * h / (1 - m->poisson * m->poisson);
    return (gos_plate_par){.A = A,
                           .B = A * (h * h / 12 + l->offset * l->offset),
                           .C = -l->offset * A,
                           .zeta = l->offset,
                           .nu = m->poisson,
                           .gamma_n = m->gamma_n,
                           .gamma_s = m->gamma_s,
                           .alpha = m->expansion,
                           .T0 = b->gough_joule && plate->nfam ? b->T_ref : 0,
                           .viscous = b->viscous_heating && plate->nfam ? 1 : 0};
}

static gos_status begin_layer(gos_builder *b, const gos_body *plate, const gos_piezo *p,
                              double offset, gos_plate_layer *l) {
    *l = (gos_plate_layer){.entry = p,
                           .thickness = p->def.thickness,
                           .offset = offset,
                           .cell = GOS_NEW(b->arena, int, plate->ncell)};
    GOS_TRY(l->cell ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__piezo_material(b, p, plate->nfam > 0, &l->material));
    l->par = law_of(b, plate, l);
    return GOS_OK;
}

gos_status gos__plate_layers(gos_builder *b, const gos_body *plate, const gos_piezo_wiring *w,
                             gos_plate_layers *to) {
    const gos_plate *c = plate->par;
    to->layer = GOS_NEW(b->arena, gos_plate_layer, 2 * w->nentry + 1);
    to->normal = GOS_NEW(b->arena, int, c->nnode);
    GOS_TRY(to->layer && to->normal ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < c->nnode; i++) {
        to->normal[i] = -1;
    }
    for (int i = 0; i < w->n; i++) {
        const gos_piezo_patch *p = &w->patch[i];
        const double middle = gos__plate_plies_offset(c),
                     offset = middle + p->face * (c->thickness + p->entry->def.thickness) / 2;
        int at = 0;
        while (at < to->n && (to->layer[at].entry != p->entry || to->layer[at].offset != offset)) {
            at++;
        }
        if (p->entry->def.own == GOS_PIEZO_NONE) {
            continue;
        }
        if (middle != 0 && plate->nfam > 0) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, p->entry->entry->loc, p->entry->object,
                                "'%s' is a laminate with temperatures and an offset, which does "
                                "not support layers; give the patches `own: none`, the plate "
                                "`temperature: off`, or a laminate without `offset`",
                                plate->name);
        }
        if (at == to->n) {
            GOS_TRY(begin_layer(b, plate, p->entry, offset, &to->layer[to->n++]));
        }
        to->layer[at].cell[to->layer[at].n++] = p->cell;
        for (int k = 0; k < 4; k++) {
            int *normal = &to->normal[c->cell[4 * p->cell + k]];
            *normal = *normal < 0 ? to->nnormal++ : *normal;
        }
    }
    for (int i = 0; c->plies && c->plies->lopsided && i < c->nnode; i++) {
        to->normal[i] = to->normal[i] < 0 ? to->nnormal++ : to->normal[i];
    }
    return GOS_OK;
}

/* ---- normals --------------------------------------------------------------------------------- */

enum { NM = 3, NX = 3 * NM };

/* markers r_1, r_2, d */
static void normal_eval(const gos_item *it, const gos_item_io *io) {
    double n[3], dn[3][6], H[6][6];
    GOS_UNUSED(it);
    gos__plate_normal(io->x, io->H ? io->lam : NULL, n, dn, H);
    for (int r = 0; r < 3; r++) {
        if (io->c) {
            io->c[r] = io->x[6 + r] - n[r];
        }
        if (io->cx) {
            io->cx[r * NX + 6 + r] = 1;
            for (int k = 0; k < 6; k++) {
                io->cx[r * NX + k] = -dn[r][k];
            }
        }
    }
    for (int i = 0; i < 6 && io->H; i++) {
        for (int j = 0; j < 6; j++) {
            io->H[i * NX + j] = -H[i][j];
        }
    }
}

static const gos_item_type type_normal = {.name = "normal of a plate", .eval = normal_eval};
static const unsigned short row_of[3] = {7, 7, 7}, pair_of[NM] = {3, 3, 0};
static const gos_structure structure = {.row = row_of, .pair = pair_of};

static int coordinate_of(const gos_body *plate, const gos_plate_layers *layers, int node) {
    return plate->v0 + 3 * plate->nnode + layers->normal[node];
}

static gos_status add_normals(gos_builder *b, const gos_body *plate,
                              const gos_plate_layers *layers) {
    const char *name = gos__arena_printf(b->arena, "normals of body '%s'", plate->name);
    const double one = 1;
    GOS_TRY(name ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < plate->nnode; i++) {
        gos_item item = {.type = &type_normal,
                         .loc = plate->loc,
                         .name = name,
                         .nm = NM,
                         .nc = 3,
                         .structure = &structure};
        const int slope = plate->v0 + 3 * i + 1, d = coordinate_of(plate, layers, i);
        const int v[NM] = {slope, slope + 1, d};
        for (int m = 0; m < NM; m++) {
            GOS_TRY(gos__marker_make(b->arena, 1, &v[m], &one, NULL, &item.m[m]));
        }
        GOS_TRY(layers->normal[i] >= 0 ? gos__add_item(b, &item, NULL) : GOS_OK);
    }
    return GOS_OK;
}

/* ---- matrices -------------------------------------------------------------------------------- */

/* int w w^T dA, w: functions plus zeta times bilinear ones of normals; h_p^2 / 12 of the latter.
 * @return area */
static double mass_of(const gos_plate_layer *l, const gos_plate_element *e, double m[NN * NN]) {
    gos_plate_point p[GOS_PLATE_POINTS];
    double S[6][NV], N[NB], w[NN], area = 0;
    const int n = gos__plate_rule(e, true, p);
    const double per = l->material->density * l->thickness, own = l->thickness * l->thickness / 12;
    memset(m, 0, NN * NN * sizeof *m);
    for (int g = 0; g < n; g++) {
        gos__plate_shapes_at(e, &p[g], S);
        gos__bilinear(p[g].xi, N, NULL);
        for (int i = 0; i < NN; i++) {
            w[i] = i < NV ? S[GOS_SHAPE][i] : l->offset * N[i - NV];
        }
        for (int i = 0; i < NN * NN; i++) {
            const int r = i / NN, s = i % NN;
            m[i] += per * p[g].w * w[r] * w[s];
            m[i] += r < NV || s < NV ? 0 : per * p[g].w * own * N[r - NV] * N[s - NV];
        }
        area += p[g].w;
    }
    return area;
}

static gos_status add_mass(gos_builder *b, const gos_body *plate, const gos_plate_layers *layers,
                           const gos_plate_layer *l, double *added) {
    const gos_plate *c = plate->par;
    double m[NN * NN], area = 0;
    for (int k = 0; k < l->n; k++) {
        const int *node = plate->cell + 4 * l->cell[k];
        int idx[NN];
        if (k == 0 || !c->alike) {
            gos_plate_element e;
            gos__plate_element(c, l->cell[k], &e);
            area = mass_of(l, &e, m);
        }
        for (int i = 0; i < NN; i++) {
            idx[i] = i < NV ? plate->v0 + 3 * node[i / 3] + i % 3
                            : coordinate_of(plate, layers, node[i - NV]);
        }
        GOS_TRY(gos__plate_matrix(b, &b->mass, NN, idx, m));
        *added += l->material->density * l->thickness * area;
    }
    return GOS_OK;
}

/* Plies with centre of mass off the surface: m_1 r'.n' + m_2 |n'|^2 / 2. */
static gos_status add_lopsided(gos_builder *b, const gos_body *plate,
                               const gos_plate_layers *layers) {
    const gos_plate *c = plate->par;
    const double *moment = c->plies->moment;
    double m[NN * NN];
    for (int e = 0; e < c->ncell; e++) {
        const int *node = plate->cell + 4 * e;
        int idx[NN];
        if (e == 0 || !c->alike) {
            gos_plate_element el;
            gos_plate_point p[GOS_PLATE_POINTS];
            double S[6][NV], N[NB];
            gos__plate_element(c, e, &el);
            const int n = gos__plate_rule(&el, true, p);
            memset(m, 0, sizeof m);
            for (int g = 0; g < n; g++) {
                gos__plate_shapes_at(&el, &p[g], S);
                gos__bilinear(p[g].xi, N, NULL);
                for (int i = NV * NN; i < NN * NN; i++) { // rows of normals
                    const int r = i / NN, s = i % NN;
                    m[i] += p[g].w * N[r - NV] *
                            (s < NV ? moment[0] * S[GOS_SHAPE][s] : moment[1] * N[s - NV]);
                }
            }
        }
        for (int i = 0; i < NN; i++) {
            idx[i] = i < NV ? plate->v0 + 3 * node[i / 3] + i % 3
                            : coordinate_of(plate, layers, node[i - NV]);
        }
        GOS_TRY(gos__plate_matrix(b, &b->mass, NN, idx, m));
    }
    return GOS_OK;
}

/* T and T_z: int (1, z)^T (1, z) dz in the plane, and conduction through the layer. */
static gos_status add_thermal(gos_builder *b, const gos_body *plate, const gos_plate_layer *l) {
    const gos_plate *c = plate->par;
    const gos_material *mat = l->material;
    const double h = l->thickness, o = l->offset,
                 moment[4] = {h, h * o, h * o, h * o * o + h * h * h / 12};
    double m[16], g[16], cap[64], cond[64];
    for (int k = 0; k < l->n; k++) {
        int idx[8];
        if (k == 0 || !c->alike) {
            gos_plate_element e;
            gos__plate_element(c, l->cell[k], &e);
            gos__plate_bilinear(&e, m, g);
        }
        for (int i = 0; i < 64; i++) {
            const int r = i / 8, s = i % 8, at = 4 * (r / 2) + s / 2, f = 2 * (r % 2) + s % 2;
            cap[i] = mat->density * mat->specific_heat * moment[f] * m[at];
            cond[i] = mat->conductivity * (moment[f] * g[at] + (f == 3 ? h * m[at] : 0));
        }
        for (int i = 0; i < 8; i++) {
            idx[i] = plate->t0 + 2 * plate->cell[4 * l->cell[k] + i / 2] + i % 2;
        }
        GOS_TRY(gos__plate_matrix(b, &b->capacity, 8, idx, cap));
        GOS_TRY(gos__plate_matrix(b, &b->conduction, 8, idx, cond));
    }
    return GOS_OK;
}

gos_status gos__plate_layers_add(gos_builder *b, const gos_body *plate,
                                 const gos_plate_layers *layers) {
    const gos_plate *c = plate->par;
    double added = 0;
    GOS_TRY(c->plies && c->plies->lopsided ? add_lopsided(b, plate, layers) : GOS_OK);
    for (int i = 0; i < layers->n; i++) {
        const gos_plate_layer *l = &layers->layer[i];
        GOS_TRY(add_mass(b, plate, layers, l, &added));
        GOS_TRY(plate->nfam ? add_thermal(b, plate, l) : GOS_OK);
        GOS_TRY(gos__plate_points(b, plate, &gos__plate_law, &l->par,
                                  l->par.gamma_n > 0 || l->par.gamma_s > 0 || l->par.T0 > 0, l->n,
                                  l->cell));
    }
    if (layers->n > 0) {
        gos__piezo_note_mass(b, layers->layer[0].entry, added, c->mass * c->area);
    }
    return add_normals(b, plate, layers);
}
