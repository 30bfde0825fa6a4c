/* Rotation-closed reduced model (theory 8): scalar fields with vector amplitudes and exact
   nonlinear forces at points. It is a gos_system with dense markers, so laws, joints and solvers
   apply unchanged. Nothing is updated during a run. */
#include <cblas.h>
#include <math.h>

#include "gossamer/reduce.h"
#include "rom/thermal_expansion.h"
#include "rom/run_observer.h"
#include "rom/rom.h"
#include "constraints/dropped_rows.h"
#include "system/derived.h"
#include "constraints/redundant.h"

#define DEFAULT_FIELDS 10 // fields if none are given
#define DEFAULT_THERMAL 8 // temperature functions if none are given
#define POINTS_PER_FIELD 1.5
#define INITIAL_ERROR 1e-9 // error of the initial configuration, relative to the extent
#define MASSLESS 1e-13     // relative round-off threshold of matrix entries

/* ---- options --------------------------------------------------------------------------------- */

static gos_status read_settings(gos_rom *r) {
    gos_reduction_def *d = &r->def;
    d->number = d->number > 0 ? d->number : DEFAULT_FIELDS;
    d->thermal_fields = d->thermal_fields > 0 ? d->thermal_fields : DEFAULT_THERMAL;
    d->points = d->points > 0 ? d->points : (int)ceil(POINTS_PER_FIELD * d->number);
    if (d->fields == GOS_FIELDS_POLYNOMIALS && d->number < 2) {
        return gos__fail(r->ctx, GOS_E_INPUT,
                         "reduction: number is %d; a body requires at least 2 fields, and more for "
                         "larger bending",
                         d->number);
    }
    return GOS_OK;
}

/* ---- fields of the bodies -------------------------------------------------------------------- */

static gos_status keep_as_it_is(gos_rom *r, gos_rom_group *g) {
    g->m = g->n;
    g->T = GOS_NEW(r->arena, double, g->n * g->n + 1);
    if (!g->T) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < g->n; i++) {
        g->T[i * g->n + i] = 1;
    }
    return GOS_OK;
}

static gos_status copy_fields(gos_rom *r) {
    for (int i = 0; i < r->ngroup; i++) {
        gos_rom_group *g = &r->group[i];
        if (i >= r->found->ngroup || r->found->n[i] != g->n || r->found->m[i] > g->n ||
            (g->plain && r->found->m[i] < g->n)) {
            return gos__fail(
                r->ctx, GOS_E_INPUT,
                "reduction: the stored fields belong to another model; repeat the reduction");
        }
        if (g->plain) {
            GOS_TRY(keep_as_it_is(r, g));
            continue;
        }
        g->m = r->found->m[i];
        g->T = r->found->T[i];
        memcpy(g->D0, r->found->D0[i], 3L * g->n * sizeof *g->D0);
    }
    return GOS_OK;
}

static gos_status find_fields(gos_rom *r) {
    for (int i = 0; i < r->ngroup; i++) {
        gos_rom_group *g = &r->group[i];
        if (g->plain) {
            GOS_TRY(keep_as_it_is(r, g));
        } else if (r->def.fields == GOS_FIELDS_POLYNOMIALS) {
            GOS_TRY(gos__rom_basis(r, g));
        }
    }
    if (r->def.fields == GOS_FIELDS_MODES) {
        GOS_TRY(gos__rom_modes(r));
    }
    return GOS_OK;
}

static gos_status make_groups(gos_rom *r) {
    GOS_TRY(r->found ? copy_fields(r) : find_fields(r));
    for (int i = 0; i < r->ngroup; i++) {
        r->group[i].first = r->nv;
        r->nv += r->group[i].m;
    }
    return GOS_OK;
}

/* fields at vector coordinates */
static gos_status make_values(gos_rom *r) {
    for (int i = 0; i < r->nbody; i++) {
        gos_rom_body *p = &r->body[i];
        const gos_rom_group *g = &r->group[p->group];
        const size_t raw = p->raw, m = g->m;
        const int nv = p->body->nv;
        if (p->number < 0) {
            static double none[1];
            p->phi = p->origin = none;
            continue;
        }
        p->phi = g->T + raw * m;
        p->origin = g->D0 + 3 * raw;
        if (!p->f.n) {
            continue;
        }
        double *phi = GOS_NEW(r->arena, double, nv *m + 1);
        double *origin = GOS_NEW(r->arena, double, 3L * nv + 1);
        if (!phi || !origin) {
            return GOS_E_MEMORY;
        }
        if (g->m > 0) {
            cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, nv, g->m, p->f.n, 1, p->f.value,
                        p->f.n, p->phi, g->m, 0, phi, g->m);
        }
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, nv, 3, p->f.n, 1, p->f.value, p->f.n,
                    p->origin, 3, 0, origin, 3);
        p->phi = phi;
        p->origin = origin;
    }
    return GOS_OK;
}

/* ---- constant matrices, initial values ------------------------------------------------------- */

static double largest(size_t n, const double *x) {
    double max = 0;
    for (size_t i = 0; i < n; i++) {
        max = fmax(max, fabs(x[i]));
    }
    return max;
}

/* lower triangle (n, n) at row and column `first` */
static gos_status add_block(gos_builder *b, gos_triplets *t, int first, long n, const double *A) {
    const double small = MASSLESS * largest(n * n, A);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            const double v = 0.5 * (A[i * n + j] + A[j * n + i]);
            if (fabs(v) > small) {
                GOS_TRY(gos__add_symmetric(b, t, first + i, first + j, v));
            }
        }
    }
    return GOS_OK;
}

/* Amplitudes (m, k) nearest to x (n, k) in the group's metric; *error: largest difference. */
static gos_status amplitudes_of(gos_rom *r, const gos_rom_group *g, int k, const double *x,
                                double *c, double *error) {
    double *Sx = GOS_NEW(r->arena, double, (g->n * k) + 1L);
    if (!Sx) {
        return GOS_E_MEMORY;
    }
    if (g->plain) {
        memcpy(c, x, (g->n * k) * sizeof *c);
        *error = 0;
        return GOS_OK;
    }
    gos__rom_mass(r, g, true, k, x, Sx);
    memset(c, 0, (g->m * k) * sizeof *c);
    if (g->m > 0) {
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, g->m, k, g->n, 1 / r->mu, g->T, g->m,
                    Sx, k, 0, c, k);
    }
    memcpy(Sx, x, (g->n * k) * sizeof *x);
    if (g->m > 0) {
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, g->n, k, g->m, -1, g->T, g->m, c, k,
                    1, Sx, k);
    }
    *error = largest(g->n * k, Sx);
    return GOS_OK;
}

static gos_status group_values(gos_rom *r, const gos_rom_group *g) {
    gos_system *s = r->sys;
    double *x = GOS_NEW(r->arena, double, 3L * g->n + 1), error, unused;
    if (!x) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < 3 * g->n; i++) {
        x[i] = g->e0[i] - g->D0[i];
    }
    GOS_TRY(amplitudes_of(r, g, 3, x, s->e0 + 3 * g->first, &error));
    if (!(error <= INITIAL_ERROR * fmax(r->full->extent, largest(3L * g->n, g->e0)))) {
        return gos__fail(r->ctx, GOS_E_INPUT,
                         "reduction: %d fields cannot represent the initial configuration and the "
                         "joints (error %.3g); increase `number`",
                         g->m, error);
    }
    GOS_TRY(amplitudes_of(r, g, 3, g->v0, s->v0 + 3 * g->first, &unused));
    return amplitudes_of(r, g, 1, g->trans, s->trans + g->first, &unused);
}

/* mass and gravity loads */
static gos_status group_mass(gos_rom *r, gos_builder *b, const gos_rom_group *g, double *gw) {
    const size_t n = g->n, m = g->m;
    double *MT = GOS_NEW(r->arena, double, n *m + n + 1), *A = GOS_NEW(r->arena, double, m *m + 1);
    double *ME = GOS_NEW(r->arena, double, 3 * n + 1);
    if (!MT || !A || !ME) {
        return GOS_E_MEMORY;
    }
    gos__rom_mass(r, g, false, 3, g->D0, ME);
    cblas_dgemv(CblasRowMajor, CblasTrans, g->n, 3, 1, ME, 3, g->trans, 1, 1, r->sys->origin_sum,
                1);
    if (g->m == 0) {
        return GOS_OK;
    }
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, g->m, 3, g->n, 1, g->T, g->m, ME, 3, 0,
                r->sys->origin + 3 * g->first, 3);
    double *Mt = MT + n * m;
    gos__rom_mass(r, g, false, g->m, g->T, MT);
    gos__rom_mass(r, g, false, 1, g->trans, Mt);
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, g->m, g->m, g->n, 1, g->T, g->m, MT, g->m,
                0, A, g->m);
    cblas_dgemv(CblasRowMajor, CblasTrans, g->n, g->m, 1, g->T, g->m, Mt, 1, 0, gw + g->first, 1);
    return add_block(b, &b->mass, g->first, g->m, A);
}

static void project_thermal(const gos_rows_matrix *M, const gos_rom_body *p, double *A) {
    const gos_body *b = p->body;
    const int nf = b->nfam, nt = p->f.nt, n = nt * nf;
    for (int i = 0; i < b->nt; i++) {
        for (int e = M->p[b->t0 + i]; e < M->p[b->t0 + i + 1]; e++) {
            const int j = M->j[e] - b->t0;
            for (int k = 0; k < nt; k++) {
                const double v = M->v[e] * p->f.tvalue[(i / nf) * nt + k];
                for (int l = 0; l < nt; l++) {
                    A[(k * nf + i % nf) * n + l * nf + j % nf] +=
                        v * p->f.tvalue[(j / nf) * nt + l];
                }
            }
        }
    }
}

/* the body's block of a mesh matrix, which has no coupling to other bodies */
static gos_status keep_rows(gos_builder *b, const gos_rows_matrix *M, const gos_rom_body *p,
                            gos_triplets *to) {
    for (int i = p->body->t0; i < p->body->t0 + p->body->nt; i++) {
        for (int e = M->p[i]; e < M->p[i + 1]; e++) {
            const int by = p->t0 - p->body->t0;
            GOS_TRY(M->j[e] <= i ? gos__add_symmetric(b, to, i + by, M->j[e] + by, M->v[e])
                                 : GOS_OK);
        }
    }
    return GOS_OK;
}

static gos_status kept_thermal(gos_rom *r, gos_builder *b, const gos_rom_body *p) {
    const size_t n = p->body->nt, from = p->body->t0;
    memcpy(r->sys->th0 + p->t0, r->full->th0 + from, n * sizeof(double));
    memcpy(r->sys->tmean + p->t0, r->full->tmean + from, n * sizeof(double));
    GOS_TRY(keep_rows(b, &r->full->capacity, p, &b->capacity));
    return keep_rows(b, &r->full->conduction, p, &b->conduction);
}

static gos_status body_thermal(gos_rom *r, gos_builder *b, const gos_rom_body *p) {
    const gos_body *body = p->body;
    if (gos__rom_keeps_heat(body)) {
        return kept_thermal(r, b, p);
    }
    const int nf = body->nfam, n = p->f.nt * nf, nodes = n ? body->nt / nf : 0;
    gos_system *s = r->sys;
    double *capacity = p->f.capacity, *conduction = p->f.conduction;
    if (n && (!p->f.n || r->def.on_mesh)) {
        capacity = GOS_NEW(r->arena, double, n *n);
        conduction = GOS_NEW(r->arena, double, n *n);
        if (!capacity || !conduction) {
            return GOS_E_MEMORY;
        }
        project_thermal(&r->full->capacity, p, capacity);
        project_thermal(&r->full->conduction, p, conduction);
    }
    for (int i = 0; i < n; i++) {
        const double *dual = p->f.tdual + (size_t)(i / nf) * nodes;
        for (int j = 0; j < nodes; j++) {
            const int from = body->t0 + j * nf + i % nf;
            s->th0[p->t0 + i] += dual[j] * r->full->th0[from];
            s->tmean[p->t0 + i] += dual[j] * r->full->tmean[from];
        }
        s->tmean[p->t0 + i] = round(s->tmean[p->t0 + i]); // 1 for the constant, 0 for the others
    }
    if (n) {
        GOS_TRY(add_block(b, &b->capacity, p->t0, n, capacity));
        GOS_TRY(add_block(b, &b->conduction, p->t0, n, conduction));
    }
    return GOS_OK;
}

static gos_status make_matrices(gos_rom *r, gos_builder *b, double *gw) {
    gos_system *s = r->sys;
    for (int i = 0; i < r->ngroup; i++) {
        GOS_TRY(group_values(r, &r->group[i]));
        GOS_TRY(group_mass(r, b, &r->group[i], gw));
    }
    for (int i = 0; i < r->nbody; i++) {
        GOS_TRY(body_thermal(r, b, &r->body[i]));
    }
    GOS_TRY(gos__rom_constants(r, b));
    GOS_TRY(gos__rows_from_triplets(r->ctx, s->arena, s->nv, &b->mass, &s->mass));
    GOS_TRY(gos__rows_from_triplets(r->ctx, s->arena, s->nt, &b->capacity, &s->capacity));
    return gos__rows_from_triplets(r->ctx, s->arena, s->nt, &b->conduction, &s->conduction);
}

/* ---- reduced system -------------------------------------------------------------------------- */

/* arrays are borrowed */
static void copy_common(const gos_system *from, gos_system *s) {
    s->name = from->name;
    s->extent = from->extent;
    s->text = from->text;
    memcpy(s->gravity, from->gravity, sizeof s->gravity);
    s->orbit = from->orbit;
    s->T_ref = from->T_ref;
    s->units = from->units;
    s->strain_heat = from->strain_heat;
    s->nbody = from->nbody;
    s->body = from->body;
    s->nfn = from->nfn;
    s->fn = from->fn;
    s->options = from->options;
    s->reduction = from->reduction;
    s->njoints = from->njoints;
    s->nloads = from->nloads;
    s->nheat = from->nheat;
    s->nnodes = from->nnodes;
    s->ncells = from->ncells;
    s->cell_offset = from->cell_offset;
    s->cell_nodes = from->cell_nodes;
    s->cell_body = from->cell_body;
    s->body_first_node = from->body_first_node;
    s->body_names = from->body_names;
    s->reduced_bodies = from->reduced_bodies;
    s->basis_time = from->basis_time;
    s->reduced = true;
    s->full = from;
    s->observer = &gos__rom_observer;
}

static gos_status make_vectors(gos_rom *r) {
    gos_system *s = r->sys;
    const int derived = r->full->derived ? r->full->derived->n : 0;
    const size_t nv = r->nv, nt = r->nt, front = derived;
    s->nv = r->nv;
    s->nt = r->nt;
    s->e0 = GOS_NEW(s->arena, double, 3 * (front + nv) + 1);
    s->v0 = GOS_NEW(s->arena, double, 3 * (front + nv) + 1);
    s->trans = GOS_NEW(s->arena, double, front + nv + 1);
    s->origin = GOS_NEW(s->arena, double, 3 * nv + 1);
    s->th0 = GOS_NEW(s->arena, double, nt + 1);
    s->tmean = GOS_NEW(s->arena, double, nt + 1);
    if (!s->e0 || !s->v0 || !s->trans || !s->origin || !s->th0 || !s->tmean) {
        return GOS_E_MEMORY;
    }
    s->e0 += 3 * front;
    s->v0 += 3 * front;
    s->trans += front;
    return gos__rom_floating(r);
}

/* To rebuild the system; previously chosen points are applied. */
static gos_status store_choices(gos_rom *r) {
    gos_system *s = r->sys;
    const size_t ng = r->ngroup;
    gos_rom_info *k = s->rom = GOS_NEW(s->arena, gos_rom_info, 1);
    if (!k) {
        return GOS_E_MEMORY;
    }
    *k = (gos_rom_info){.def = r->def,
                        .ngroup = r->ngroup,
                        .nblock = s->npoints,
                        .model_tolerance = r->full->options.tolerance};
    k->n = GOS_NEW(s->arena, int, 2 * ng + 1);
    k->T = GOS_NEW(s->arena, double *, 2 * ng + 1);
    k->selection = GOS_NEW(s->arena, gos_selection, s->npoints + 1);
    if (!k->n || !k->T || !k->selection) {
        return GOS_E_MEMORY;
    }
    k->m = k->n + ng;
    k->D0 = k->T + ng;
    for (int i = 0; i < r->ngroup; i++) {
        const gos_rom_group *g = &r->group[i];
        const size_t n = g->n, m = g->m;
        k->n[i] = g->n;
        k->m[i] = g->m;
        k->T[i] = GOS_NEW(s->arena, double, n *m + 1);
        k->D0[i] = GOS_NEW(s->arena, double, 3 * n + 1);
        if (!k->T[i] || !k->D0[i]) {
            return GOS_E_MEMORY;
        }
        memcpy(k->T[i], g->T, n * m * sizeof(double));
        memcpy(k->D0[i], g->D0, 3 * n * sizeof(double));
    }
    GOS_TRY(gos__rom_keep_heat(r, s->arena, k));
    GOS_TRY(gos__rom_keep_joints(r, s->arena, k));
    k->sources = r->stored ? r->stored->sources : gos__rom_relieved(r);
    if (r->stored) {
        return gos__rom_take_points(r->ctx, s, r->stored);
    }
    k->chosen.number = r->def.number;
    k->chosen.expansions = r->expansions;
    k->chosen.thermal_fields = gos__rom_heat_functions(s);
    for (int i = 0; i < s->npoints; i++) {
        k->chosen.points += s->points[i]->ne;
    }
    return GOS_OK;
}

static gos_status make_fields(gos_rom *r) {
    GOS_TRY(gos__rom_space(r));
    GOS_TRY(make_groups(r));
    return make_values(r);
}

gos_status gos__rom_fields(gos_rom *r) {
    GOS_TRY(read_settings(r));
    r->found = r->stored;
    GOS_TRY(make_fields(r));
    for (int i = 0; i < r->nbody; i++) {
        if (r->body[i].expansions > 0) {
            // fields must not depend on the current sources when rebuilt
            GOS_TRY(gos__rom_at_nodes(r));
            return make_fields(r);
        }
    }
    return GOS_OK;
}

static gos_status make(gos_rom *r) {
    gos_system *s = r->sys;
    copy_common(r->full, s);
    GOS_TRY(gos__rom_fields(r));
    GOS_TRY(make_vectors(r));
    double *gw = GOS_NEW(r->arena, double, r->nv + 1);
    if (!gw) {
        return GOS_E_MEMORY;
    }
    gos_builder b = {.ctx = r->ctx};
    const gos_status status = make_matrices(r, &b, gw);
    gos__builder_release(&b);
    GOS_TRY(status);
    gos__derived_fill(s, s->e0, s->v0, NULL, NULL);
    GOS_TRY(gos__rom_points(r));
    GOS_TRY(gos__rom_parts(r));
    GOS_TRY(gos__derived_pull(r->ctx, s));
    // fields that fulfil the linear rows of an edge leave equal rows at its nodes
    GOS_TRY(gos__dependent_rows_drop(r->ctx, s, true));
    GOS_TRY(gos__system_sums(s));
    GOS_TRY(gos__rom_floating_axes(r));
    GOS_TRY(gos__system_finish(r->ctx, s));
    /* fields need not contain a translation: use full weight and sizes */
    memcpy(s->gw, gw, (size_t)s->nv * sizeof *gw);
    s->mass_total = r->full->mass_total;
    s->capacity_total = r->full->capacity_total;
    s->extent = r->full->extent;
    GOS_TRY(store_choices(r));
    GOS_TRY(gos__redundant_check(r->ctx, s));
    return gos__dropped_finish(r->ctx, s);
}

gos_status gos__rom_make(gos_ctx *ctx, const gos_system *sys, const gos_reduction_def *def,
                         const gos_rom_info *stored, const gos_snapshots *snapshots,
                         gos_system **reduced) {
    if (sys->reduced) {
        return gos__fail(ctx, GOS_E_USE, "the system is already reduced");
    }
    GOS_TRY(gos__rom_check_shadows(ctx, sys)); // a stored reduction may lack them
    gos_arena *a = gos__arena_create(ctx), *scratch = gos__arena_create(ctx);
    gos_system *s = a ? GOS_NEW(a, gos_system, 1) : NULL;
    gos_status status = s && scratch ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        s->ctx = ctx;
        s->arena = a;
        gos_rom r = {.ctx = ctx,
                     .arena = scratch,
                     .full = sys,
                     .sys = s,
                     .def = *def,
                     .stored = stored,
                     .snapshots = snapshots,
                     .mu = gos__motion_total(sys)};
        status = make(&r);
    }
    gos__arena_destroy(scratch);
    if (status != GOS_OK) {
        gos__arena_destroy(a);
        return status;
    }
    *reduced = s;
    return GOS_OK;
}
