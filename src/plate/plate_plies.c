/* Orthotropic and laminated ANCF plates: classical lamination theory (fe/layup.h) about the
 * surface. At height o + z, o: middle of the plies, strains are E - (o + z) b, temperature T +
 * phi(z) T_z. Balanced mass: rotary inertia int rho z^2 dz is neglected; otherwise plies move with
 * nodal normals (plate_layers.c). */
#include "plate/plate_plies.h"
#include "base/units.h"

#include <lapacke.h>
#include <math.h>

#include "floating/mesh_material.h"
#include "math/vec3.h"

#define BALANCED 1e-8 // first moment treated as 0, over mass times thickness
#define ALONG 1e-6    // least in-plane part
#define SHEARED 0.01  // shear part that triggers a warning

typedef struct making {
    gos_builder *b;
    const gos_node *entry;
    const char *object;
    const gos_material *material;
    gos_plate *c;
    gos_plate_plies *p;
    gos_fe_layup layup;
} making;

/* ---- parameters ------------------------------------------------------------------------------ */

static gos_status take_thickness(gos_builder *b, const gos_node *entry, const char *object,
                                 const gos_material *m, double given, gos_plate *c) {
    if (m->laminate && given > 0) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "thickness"), object,
                            "the plies of a laminate define its thickness; remove `thickness`");
    }
    if (!m->laminate && !(given > 0)) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, entry->loc, object,
                            "thickness is missing; give thickness [%s]",
                            gos__unit_label(b->model->units, "m", GOS_UNIT_BUFFER));
    }
    c->thickness = m->laminate ? m->laminate->thickness : given;
    c->mass = m->density * c->thickness;
    return GOS_OK;
}

static gos_status take_direction(making *k, const double d[3]) {
    const double in[2] = {gos__dot3(d, k->c->e[0]), gos__dot3(d, k->c->e[1])};
    const double given = gos__norm3(d);
    if (given > 0 && !(hypot(in[0], in[1]) > ALONG * given)) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, gos__key_loc(k->entry, "direction"), k->object,
                            "the direction is normal to the plate and does not define axis 1 of "
                            "material '%s'; give one in the plane at t = 0",
                            k->material->name);
    }
    k->p->angle = given > 0 ? atan2(in[1], in[0]) : 0;
    return GOS_OK;
}

/* plies in plate axes */
static gos_status take_plies(making *k) {
    const gos_material *m = k->material;
    const gos_loc loc = gos__key_loc(k->entry, "material");
    gos_arena *a = k->b->arena;
    const int n = m->laminate ? m->laminate->n : 1;
    gos_fe_ply *ply = GOS_NEW(a, gos_fe_ply, n);
    GOS_TRY(ply ? GOS_OK : GOS_E_MEMORY);
    if (m->laminate) {
        const gos_fe_layup *own = NULL;
        const gos_fe_material *mean = NULL;
        GOS_TRY(gos__mesh_laminate(k->b, m, 0, loc, k->object, &own, &mean));
        memcpy(ply, own->ply, (size_t)n * sizeof *ply);
    } else {
        gos_fe_material *own = NULL;
        GOS_TRY(gos__mesh_material(k->b, m, loc, k->object, &own));
        ply[0] = (gos_fe_ply){.material = own, .thickness = k->c->thickness};
    }
    k->p->warm = true;
    for (int i = 0; i < n; i++) {
        ply[i].angle += k->p->angle;
        k->p->warm = k->p->warm && gos__mesh_material_warm(ply[i].material);
    }
    k->p->offset = m->laminate ? m->laminate->offset : 0;
    k->layup = (gos_fe_layup){.n = n, .ply = ply};
    return gos__fe_plate_layup(k->b->ctx, loc, k->object, &k->layup, a, &k->p->plate);
}

/* ---- the law --------------------------------------------------------------------------------- */

/* Adds Q (1, -z, z^2) for moments w = int (1, z, z^2) dz. */
static void add_stiffness(const double Q[3][3], const double w[3], double C[6][6]) {
    for (int i = 0; i < 9; i++) {
        const int r = i / 3, c = i % 3;
        C[r][c] += w[0] * Q[r][c];
        C[r][3 + c] -= w[1] * Q[r][c];
        C[3 + r][c] -= w[1] * Q[r][c];
        C[3 + r][3 + c] += w[2] * Q[r][c];
    }
}

static void put_stiffness(const gos_plate_plies *p, double C[6][6]) {
    const gos_fe_plate *l = &p->plate;
    const double o = p->offset;
    for (int i = 0; i < 9; i++) {
        const int r = i / 3, c = i % 3;
        const double A = l->A[r][c], B = l->B[r][c] + o * A;
        C[r][c] = A;
        C[r][3 + c] = C[3 + r][c] = -B;
        C[3 + r][3 + c] = l->D[r][c] + o * (l->B[r][c] + B);
    }
}

/* e + z k about the middle is (E, b) = (e - o k, -k) */
static void put_thermal(const gos_plate_plies *p, gos_plate_plies_par *par) {
    for (int f = 0; f < 2; f++) {
        for (int i = 0; i < 3; i++) {
            par->free[f][i] = p->plate.strain[f][i] - p->offset * p->plate.bend[f][i];
            par->free[f][3 + i] = -p->plate.bend[f][i];
        }
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 6; j++) {
                par->F[f][i] += par->C[i][j] * par->free[f][j];
            }
        }
    }
}

/* Plane stress with damping factors in ply axes; isotropic plies in plate axes. */
static void damp(const gos_material *m, const gos_fe_material *own, double angle, double V[3][3]) {
    static const int flat[3] = {0, 1, 3};
    const double c = cos(angle), s = sin(angle);
    double axes[3][3] = {{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
    gos_fe_material thin = *own;
    gos__fe_material_thin(&thin);
    for (int i = 0; i < 36; i++) {
        thin.stiffness[i / 6][i % 6] *= i / 6 < 3 && i % 6 < 3 ? m->gamma_n : m->gamma_s;
    }
    if (m->kind == GOS_MATERIAL_ORTHOTROPIC) {
        const gos_fe_material still = thin;
        gos__fe_material_turn(&still, axes, &thin);
    }
    for (int i = 0; i < 9; i++) {
        V[i / 3][i % 3] = thin.stiffness[flat[i / 3]][flat[i % 3]];
    }
}

static void put_damping(const making *k, gos_plate_plies_par *par) {
    for (int i = 0; i < k->layup.n; i++) {
        const gos_material *m =
            k->material->laminate ? k->material->laminate->ply[i].material : k->material;
        const gos_fe_lamina *l = &k->p->plate.lamina[i];
        const double lo = l->z[0] + k->p->offset, hi = l->z[1] + k->p->offset, t = hi - lo,
                     phi = 0.5 * (l->phi[0] + l->phi[1]);
        const double w[3] = {t, t * (lo + hi) / 2, t * (lo * lo + lo * hi + hi * hi) / 3},
                     f[3] = {phi * w[0], phi * w[1], phi * w[2]};
        double V[3][3];
        if (m->gamma_n > 0 || m->gamma_s > 0) {
            damp(m, k->layup.ply[i].material, k->layup.ply[i].angle, V);
            add_stiffness((const double(*)[3])V, w, par->V);
            add_stiffness((const double(*)[3])V, f, par->H);
            par->damped = true;
        }
    }
}

/* ---- limits of thin plate theory ------------------------------------------------------------- */

/* Half waves along x and y: w = M/D k^2 and V/S k, k = pi/L. */
static gos_status check_shear(const making *k) {
    const gos_plate *c = k->c;
    double K[36], x[12] = {0};
    memcpy(K, k->p->par.C, sizeof K);
    x[3] = x[6 + 4] = 1;
    if (LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', 6, 2, K, 6, x, 6) != 0) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, gos__key_loc(k->entry, "material"), k->object,
                            "the stiffness of the plies of '%s' is not numerically positive "
                            "definite; give a smaller `offset`",
                            k->material->name);
    }
    for (int d = 0; d < 2; d++) {
        const double wave = M_PI / (c->hi[d] - c->lo[d]);
        const double D = 1 / x[d == 0 ? 3 : 10], part = D * wave * wave / k->p->plate.S[d][d];
        if (part > SHEARED) {
            gos__warn(
                k->b->ctx, gos__key_loc(k->entry, "material"), k->object,
                "thin plates neglect transverse shear, which would add %.2g %% to a deflection "
                "with a half-wave over the whole length of the plate along %c (pi^2 D/(S L^2), S "
                "= %.4g %s), and more for shorter waves; if that matters use a floating body "
                "with `element: shell`",
                100 * part, d == 0 ? 'x' : 'y', k->p->plate.S[d][d],
                gos__unit_label(k->b->model->units, "N/m", GOS_UNIT_BUFFER));
            return GOS_OK;
        }
    }
    return GOS_OK;
}

static void put_mass(gos_plate_plies *p) {
    const gos_fe_plate *l = &p->plate;
    const double o = p->offset;
    p->moment[0] = l->mass[1] + o * l->mass[0];
    p->moment[1] = l->mass[2] + 2 * o * l->mass[1] + o * o * l->mass[0];
    p->lopsided = !(fabs(p->moment[0]) <= BALANCED * l->thickness * l->mass[0]);
}

gos_status gos__plate_plies(gos_builder *b, const gos_node *entry, const char *object,
                            const gos_material *m, const gos_plate_plies_def *d, gos_plate *c) {
    making k = {.b = b, .entry = entry, .object = object, .material = m, .c = c};
    GOS_TRY(take_thickness(b, entry, object, m, d->thickness, c));
    if (m->kind == GOS_MATERIAL_ISOTROPIC) {
        return GOS_OK;
    }
    k.p = GOS_NEW(b->arena, gos_plate_plies, 1);
    GOS_TRY(k.p ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(take_direction(&k, d->direction));
    GOS_TRY(take_plies(&k));
    put_mass(k.p);
    put_stiffness(k.p, k.p->par.C);
    put_thermal(k.p, &k.p->par);
    put_damping(&k, &k.p->par);
    GOS_TRY(check_shear(&k));
    c->mass = k.p->plate.mass[0];
    c->plies = k.p;
    return GOS_OK;
}

void gos__plate_plies_law_of(const gos_builder *b, gos_plate *c, gos_body *body) {
    gos_plate_plies_par *par = &c->plies->par;
    par->T0 = b->gough_joule && body->nfam ? b->T_ref : 0;
    par->viscous = b->viscous_heating && body->nfam ? 1 : 0;
    c->rates = par->damped || par->T0 > 0;
    body->axis = c->plies->angle;
    body->law = &gos__plate_plies_law;
    body->law_par = par;
}

double gos__plate_plies_offset(const gos_plate *c) {
    return c->plies ? c->plies->offset : 0;
}

/* ---- heat ------------------------------------------------------------------------------------ */

void gos__plate_plies_heat(const gos_plate_plies *p, double m, const double g[3], double cap[4],
                           double cond[4]) {
    const gos_fe_plate *l = &p->plate;
    for (int f = 0; f < 4; f++) {
        const int power = f / 2 + f % 2; // power of phi
        const double(*L)[2] = l->lambda[power];
        cap[f] = l->heat[power] * m;
        cond[f] = L[0][0] * g[0] + L[1][1] * g[1] + L[0][1] * g[2] + (f == 3 ? l->through * m : 0);
    }
}

gos_status gos__plate_plies_thermal(gos_builder *b, const gos_body *body) {
    const gos_plate *c = body->par;
    double m[16], g[3][16], cap[64], cond[64];
    for (int e = 0; e < body->ncell; e++) {
        int idx[8];
        if (e == 0 || !c->alike) {
            gos_plate_element element;
            gos__plate_element(c, e, &element);
            gos__plate_bilinear_by(&element, m, g);
            for (int i = 0; i < 16; i++) {
                double own[2][4];
                gos__plate_plies_heat(c->plies, m[i], (const double[3]){g[0][i], g[1][i], g[2][i]},
                                      own[0], own[1]);
                for (int f = 0; f < 4; f++) {
                    const int at = 8 * (2 * (i / 4) + f / 2) + 2 * (i % 4) + f % 2;
                    cap[at] = own[0][f];
                    cond[at] = own[1][f];
                }
            }
        }
        for (int i = 0; i < 8; i++) {
            idx[i] = body->t0 + 2 * body->cell[4 * e + i / 2] + i % 2;
        }
        GOS_TRY(gos__plate_matrix(b, &b->capacity, 8, idx, cap));
        GOS_TRY(gos__plate_matrix(b, &b->conduction, 8, idx, cond));
    }
    return GOS_OK;
}
