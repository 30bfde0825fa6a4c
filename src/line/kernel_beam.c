/* Constitutive kernels of the section-vector beam (theory 2.7): forces, heat, energies, tangents.
 * Parts that need only the gradients g (beam_strains.h) and rates h = H zd are common to axis and
 * section. */
#include "line/beam_strains.h"

/* ---- both laws: stiffness and temperature ---------------------------------------------------- */

/* Temperature family that adds sign alpha theta to a strain; -1: none. */
typedef struct thermal_map {
    int family[NS];
    double sign[NS];
} thermal_map;

static const thermal_map axis_map = {{0, -1, -1, -1, 1, 2}, {-1, 0, 0, 0, 1, 1}};
static const thermal_map section_map = {{0, 0, -1}, {-1, -1, 0}};

/* A law with ns strains and n3 components of z; e0: reference strains of points with their own
 * sections. */
typedef struct law_data {
    int ns, n3;
    vd D[NS];
    double gamma[NS];
    double T0;        // of thermoelastic heat [K]
    const double *e0; // (ns, lanes) or NULL
    const thermal_map *map;
} law_data;

GOS_INLINE void axis_data(const gos_beam_par *p, const gos_batch *b, const bool own, law_data *d) {
    static const int normal[NS] = {1, 0, 0, 0, 1, 1};
    const vd zero = {0};
    d->ns = NS;
    d->n3 = N3;
    d->map = &axis_map;
    d->T0 = p->T0;
    d->e0 = own ? b->ref : NULL;
    for (int k = 0; k < NS; k++) {
        d->D[k] = zero + p->axis[k];
        if (own) {
            d->D[k] = GOS_CV8(b->ref, NS + k);
        }
        d->gamma[k] = normal[k] ? p->gamma_n : p->gamma_s;
    }
}

GOS_INLINE void section_data(const gos_beam_par *p, const gos_batch *b, const bool own,
                             law_data *d) {
    const vd zero = {0};
    d->ns = GOS_BEAM_SECTION;
    d->n3 = 6;
    d->map = &section_map;
    d->T0 = 0;    // the penalty is no material and exchanges no heat
    d->e0 = NULL; // section vectors start orthonormal
    for (int k = 0; k < GOS_BEAM_SECTION; k++) {
        d->D[k] = zero + p->section[k];
        if (own) {
            d->D[k] = GOS_CV8(b->ref, k);
        }
        d->gamma[k] = k < 2 ? p->gamma_n : p->gamma_s;
    }
}

/* Subtracts reference strains and thermal expansion. */
GOS_INLINE void subtract_free_strains(const gos_beam_par *p, const law_data *d, int nfam,
                                      const gos_batch *b, vd *e) {
    for (int k = 0; k < d->ns && d->e0; k++) {
        e[k] -= GOS_CV8(d->e0, k);
    }
    for (int k = 0; k < d->ns && b->th && nfam > 0; k++) {
        if (d->map->family[k] >= 0) {
            e[k] += d->map->sign[k] * p->alpha * GOS_CV8(b->th, d->map->family[k]);
        }
    }
}

/* Adds heat and energies of the elastic strains e and rates r. */
GOS_INLINE void sums(const gos_beam_par *p, const law_data *d, const gos_batch *b, const vd *e,
                     const vd *r) {
    const vd zero = {0};
    vd W = zero, power = zero;
    for (int k = 0; k < d->ns; k++) {
        W += 0.5 * d->D[k] * e[k] * e[k];
        power += d->gamma[k] * d->D[k] * r[k] * r[k];
    }
    if (b->heat && b->th) {
        GOS_V8(b->heat, 0) += p->viscous * power;
        for (int k = 0; k < d->ns; k++) {
            if (d->map->family[k] >= 0) {
                GOS_V8(b->heat, d->map->family[k]) +=
                    (d->T0 * p->alpha * d->map->sign[k] * d->D[k]) * r[k];
            }
        }
    }
    if (b->energy) {
        GOS_V8(b->energy, 0) = W;
        GOS_V8(b->power, 0) = power;
        for (int f = 0; f < 3; f++) {
            GOS_V8(b->dwdth, f) = zero;
        }
        for (int k = 0; k < d->ns; k++) {
            if (d->map->family[k] >= 0) {
                GOS_V8(b->dwdth, d->map->family[k]) += d->map->sign[k] * p->alpha * d->D[k] * e[k];
            }
        }
    }
}

/* Kz += sum_k D_k g_k (kd g_k + kg h_k)^T; h may be NULL */
GOS_INLINE void add_material(const law_data *d, const gos_batch *b, vd (*g)[N3], vd (*h)[N3],
                             double *Kz) {
    const double cm = b->geometric ? 0 : b->ck;
    for (int k = 0; k < d->ns; k++) {
        const vd kd = d->D[k] * (cm + d->gamma[k] * b->cd);
        const vd kg = d->D[k] * (cm * d->gamma[k]);
        vd s[N3];
        for (int j = 0; j < d->n3; j++) {
            s[j] = h ? kd * g[k][j] + kg * h[k][j] : kd * g[k][j];
        }
        for (int i = 0; i < d->n3; i++) {
            for (int j = 0; j < d->n3; j++) {
                GOS_V8(Kz, i * d->n3 + j) += g[k][i] * s[j];
            }
        }
    }
}

/* dsigma/dtheta = sign alpha D g, and of the heat in `sums` */
GOS_INLINE void thermal_tangents(const gos_beam_par *p, const law_data *d, int nfam,
                                 const gos_batch *b, vd (*g)[N3], vd (*h)[N3], const vd *r) {
    for (int k = 0; k < d->ns; k++) {
        const int f = d->map->family[k];
        const vd m = (d->map->sign[k] * p->alpha) * d->D[k];
        for (int i = 0; i < d->n3 && f >= 0 && b->G; i++) {
            GOS_V8(b->G, i * nfam + f) += m * g[k][i];
        }
        for (int i = 0; i < d->n3 && h && b->Hz; i++) {
            const vd s = b->hk * h[k][i] + b->hd * g[k][i];
            GOS_V8(b->Hz, i) += (2 * p->viscous * d->gamma[k] * d->D[k]) * r[k] * s;
            if (f >= 0) {
                GOS_V8(b->Hz, f * d->n3 + i) += d->T0 * m * s;
            }
        }
    }
}

/* ---- the axis -------------------------------------------------------------------------------- */

GOS_INLINE void axis_forces(const gos_beam_par *par, int nfam, const gos_batch *b, const bool own) {
    law_data d;
    point f;
    vd g[NS][N3], r[NS], N[NS];
    axis_data(par, b, own, &d);
    point_make(b->z, &f);
    gradients(&f, g);
    memset(r, 0, sizeof r);
    if (b->zd) {
        strain_rates(NS, N3, g, b->zd, r);
    }
    subtract_free_strains(par, &d, nfam, b, f.e);
    for (int k = 0; k < NS; k++) {
        N[k] = d.D[k] * (f.e[k] + d.gamma[k] * r[k]);
    }
    for (int i = 0; i < N3; i++) {
        vd x = {0};
        for (int k = 0; k < NS; k++) {
            x += N[k] * g[k][i];
        }
        GOS_V8(b->sigma, i) = x;
    }
    sums(par, &d, b, f.e, r);
}

GOS_INLINE void axis_stiffness(const gos_beam_par *par, int nfam, const gos_batch *b,
                               const bool own) {
    law_data d;
    point f;
    vd g[NS][N3], h[NS][N3], r[NS], e[NS], N[NS];
    axis_data(par, b, own, &d);
    point_make(b->z, &f);
    gradients(&f, g);
    memset(r, 0, sizeof r);
    if (b->zd) {
        motion m;
        strain_rates(NS, N3, g, b->zd, r);
        motion_make(&f, b->zd, &m);
        gradient_rates(&f, &m, r, h);
    }
    memcpy(e, f.e, sizeof e);
    subtract_free_strains(par, &d, nfam, b, e);
    for (int k = 0; k < NS; k++) {
        N[k] = b->ck * d.D[k] * (e[k] + d.gamma[k] * r[k]);
    }
    memset(b->Kz, 0, N3 * N3 * sizeof(vd));
    add_geometric(&f, N, b->Kz);
    add_material(&d, b, g, b->zd ? h : NULL, b->Kz);
    if (b->th) {
        thermal_tangents(par, &d, nfam, b, g, b->zd ? h : NULL, r);
    }
}

GOS_KERNEL static void axis_cosines(const void *par, const gos_batch *b, const double *u, double *c,
                                    double *dc) {
    GOS_UNUSED(par);
    point f;
    section_make(b->z, A_, B_, &f);
    cosines_of(&f, A_, B_, N3, u, c, dc);
}

/* strains; N, Q2, Q3 [N], M1, M2, M3 [N m] with viscous parts */
GOS_INLINE void axis_output(const gos_beam_par *par, int nfam, const gos_batch *b, double *strain,
                            double *force, const bool own) {
    law_data d;
    point f;
    vd r[NS];
    axis_data(par, b, own, &d);
    point_make(b->z, &f);
    memset(r, 0, sizeof r);
    if (b->zd) {
        vd g[NS][N3];
        gradients(&f, g);
        strain_rates(NS, N3, g, b->zd, r);
    }
    for (int k = 0; k < NS; k++) {
        GOS_V8(strain, k) = f.e[k];
        if (own) { // relative to the stress-free state
            GOS_V8(strain, k) -= GOS_CV8(d.e0, k);
        }
    }
    subtract_free_strains(par, &d, nfam, b, f.e);
    for (int k = 0; k < NS; k++) {
        GOS_V8(force, k) = d.D[k] * (f.e[k] + d.gamma[k] * r[k]);
    }
}

/* ---- the section ----------------------------------------------------------------------------- */

GOS_INLINE void section_strains_of(const double *z, vd *e, vd (*g)[N3]) {
    vd a[3], b[3];
    load(z, 0, a);
    load(z, 1, b);
    memset(g, 0, GOS_BEAM_SECTION * sizeof *g);
    e[0] = 0.5 * (DOT(a, a) - 1.0);
    e[1] = 0.5 * (DOT(b, b) - 1.0);
    e[2] = DOT(a, b);
    for (int c = 0; c < 3; c++) {
        g[0][c] = g[2][3 + c] = a[c];
        g[1][3 + c] = g[2][c] = b[c];
    }
}

GOS_INLINE void section_forces(const gos_beam_par *par, int nfam, const gos_batch *b,
                               const bool own) {
    law_data d;
    vd e[NS], g[GOS_BEAM_SECTION][N3], r[NS];
    section_data(par, b, own, &d);
    section_strains_of(b->z, e, g);
    memset(r, 0, sizeof r);
    if (b->zd) {
        strain_rates(GOS_BEAM_SECTION, 6, g, b->zd, r);
    }
    subtract_free_strains(par, &d, nfam, b, e);
    for (int i = 0; i < 6; i++) {
        vd x = {0};
        for (int k = 0; k < GOS_BEAM_SECTION; k++) {
            x += d.D[k] * (e[k] + d.gamma[k] * r[k]) * g[k][i];
        }
        GOS_V8(b->sigma, i) = x;
    }
    sums(par, &d, b, e, r);
}

GOS_INLINE void section_stiffness(const gos_beam_par *par, int nfam, const gos_batch *b,
                                  const bool own) {
    law_data d;
    vd e[NS], g[GOS_BEAM_SECTION][N3], h[GOS_BEAM_SECTION][N3], r[NS];
    section_data(par, b, own, &d);
    section_strains_of(b->z, e, g);
    memset(r, 0, sizeof r);
    if (b->zd) {
        vd unused[GOS_BEAM_SECTION];
        strain_rates(GOS_BEAM_SECTION, 6, g, b->zd, r);
        section_strains_of(b->zd, unused, h); // bilinear strains: gradients are linear in z
    }
    subtract_free_strains(par, &d, nfam, b, e);
    memset(b->Kz, 0, 36 * sizeof(vd));
    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < GOS_BEAM_SECTION; k++) {
            const vd N = b->ck * d.D[k] * (e[k] + d.gamma[k] * r[k]);
            const int row = k == 1 ? 3 : 0, col = k == 0 ? 0 : 3;
            GOS_V8(b->Kz, (row + c) * 6 + col + c) += N;
            if (k == 2) {
                GOS_V8(b->Kz, (3 + c) * 6 + c) += N;
            }
        }
    }
    add_material(&d, b, g, b->zd ? h : NULL, b->Kz);
    if (b->th) {
        thermal_tangents(par, &d, nfam, b, g, b->zd ? h : NULL, r);
    }
}

GOS_KERNEL static void section_cosines(const void *par, const gos_batch *b, const double *u,
                                       double *c, double *dc) {
    GOS_UNUSED(par);
    point f;
    section_make(b->z, 0, 1, &f);
    cosines_of(&f, 0, 1, 6, u, c, dc);
}

GOS_INLINE void section_output(const gos_beam_par *par, int nfam, const gos_batch *b,
                               double *strain, double *force, const bool own) {
    law_data d;
    vd e[NS], g[GOS_BEAM_SECTION][N3], r[NS];
    section_data(par, b, own, &d);
    section_strains_of(b->z, e, g);
    memset(r, 0, sizeof r);
    if (b->zd) {
        strain_rates(GOS_BEAM_SECTION, 6, g, b->zd, r);
    }
    memcpy(strain, e, GOS_BEAM_SECTION * sizeof *e);
    subtract_free_strains(par, &d, nfam, b, e);
    for (int k = 0; k < GOS_BEAM_SECTION; k++) {
        GOS_V8(force, k) = d.D[k] * (e[k] + d.gamma[k] * r[k]);
    }
}

static const char *const axis_names[] = {"axial", "shear2", "shear3", "twist", "k2", "k3"};
static const char *const axis_force_names[] = {"N", "Q2", "Q3", "M1", "M2", "M3"};
static const char *const section_names[] = {"E22", "E33", "2E23"};
static const char *const section_force_names[] = {"N22", "N33", "N23"};

/* Kernels of one part; `own` is an argument, since clones of both cases take twice the time to
 * compile. */
#define PART(part)                                                                                 \
    GOS_KERNEL static void part##_resultants(const void *par, int nfam, const gos_batch *b,        \
                                             bool own) {                                           \
        part##_forces(par, nfam, b, own);                                                          \
    }                                                                                              \
    GOS_KERNEL static void part##_tangent(const void *par, int nfam, const gos_batch *b,           \
                                          bool own) {                                              \
        part##_stiffness(par, nfam, b, own);                                                       \
    }                                                                                              \
    GOS_KERNEL static void part##_strains(const void *par, int nfam, const gos_batch *b,           \
                                          double *strain, double *force, bool own) {               \
        part##_output(par, nfam, b, strain, force, own);                                           \
    }

PART(axis)
PART(section)

/* One law, for the body's or each point's section; `part`: axis or section. */
#define LAW(symbol, text, part, kernel, rows, strains_, unit, refs, own)                           \
    static void kernel##_resultants(const void *par, int nfam, const gos_batch *b) {               \
        part##_resultants(par, nfam, b, own);                                                      \
    }                                                                                              \
    static void kernel##_tangent(const void *par, int nfam, const gos_batch *b) {                  \
        part##_tangent(par, nfam, b, own);                                                         \
    }                                                                                              \
    static void kernel##_strains(const void *par, int nfam, const gos_batch *b, double *strain,    \
                                 double *force) {                                                  \
        part##_strains(par, nfam, b, strain, force, own);                                          \
    }                                                                                              \
    const gos_law symbol = {.name = text,                                                          \
                            .nz = rows,                                                            \
                            .ndir = 2,                                                             \
                            .nref = refs,                                                          \
                            .resultants = kernel##_resultants,                                     \
                            .tangent = kernel##_tangent,                                           \
                            .cosines = part##_cosines,                                             \
                            .nstrain = strains_,                                                   \
                            .nforce = 3,                                                           \
                            .strain_name = part##_names,                                           \
                            .force_name = part##_force_names,                                      \
                            .force_unit = "N",                                                     \
                            .moment_unit = unit,                                                   \
                            .strains = kernel##_strains};

LAW(gos__beam_axis, "beam, axis", axis, axis_whole, 5, GOS_BEAM_AXIS, "N m", 0, false)
LAW(gos__beam_axis_own, "beam, axis, sections", axis, axis_own, 5, GOS_BEAM_AXIS, "N m",
    GOS_BEAM_AXIS_OWN, true)
LAW(gos__beam_section, "beam, section", section, section_whole, 2, GOS_BEAM_SECTION, "N", 0, false)
LAW(gos__beam_section_own, "beam, section, sections", section, section_own, 2, GOS_BEAM_SECTION,
    "N", GOS_BEAM_SECTION, true)
