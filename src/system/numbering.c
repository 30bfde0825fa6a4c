/* Completes a system: constant matrices, sums, sparsity and positions. */
#include <math.h>

#include "system/constants.h"
#include "signals/loops.h"
#include "system/derived.h"
#include "signals/ports.h"
#include "constraints/sparse_rows.h"
#include "system/gravity_gradient.h"
#include "system/shadows.h"

#define MIN_NORM_MASS 0.05 // minimum norm mass per axis, relative to the mass of three axes

/* first pass counts, second writes rows */
typedef struct listing {
    int *start, *row; // (n + 1), NULL while counting
} listing;

static void list_entry(gos_entry_sink *k, int row, int col, double v) {
    GOS_UNUSED(v);
    listing *l = k->user;
    if (l->row) {
        l->row[l->start[col]++] = row;
    } else {
        l->start[col + 1]++;
    }
    k->n++;
}

static void list_points(const gos_system *s, const gos_points *p, gos_entry_sink *k) {
    const int nv = 3 * p->nv, nt = p->nt * p->nfam, n = nv + nt;
    for (int e = 0; e < p->ne; e++) {
        const int ib = e / GOS_LANES, l = e % GOS_LANES;
        for (int r = 0; r < n; r++) {
            const int row = r < nv ? 3 * p->v[(ib * p->nv + r / 3) * GOS_LANES + l] + r % 3
                                   : s->at.th + p->th[(ib * nt + r - nv) * GOS_LANES + l];
            for (int c = 0; c < n; c++) {
                const int col = c < nv ? 3 * p->v[(ib * p->nv + c / 3) * GOS_LANES + l] + c % 3
                                       : s->at.th + p->th[(ib * nt + c - nv) * GOS_LANES + l];
                list_entry(k, row, col, 0);
            }
        }
    }
}

static void list_all(const gos_system *s, listing *l) {
    gos_entry_sink k = {.add = list_entry, .user = l};
    for (int i = 0; i < s->nv; i++) {
        for (int q = s->mass.p[i]; q < s->mass.p[i + 1]; q++) {
            for (int c = 0; c < 3; c++) {
                list_entry(&k, 3 * i + c, 3 * s->mass.j[q] + c, 0);
            }
        }
    }
    const gos_rows_matrix *heat[2] = {&s->capacity, &s->conduction};
    for (int m = 0; m < 2; m++) {
        for (int i = 0; i < s->nt; i++) {
            for (int q = heat[m]->p[i]; q < heat[m]->p[i + 1]; q++) {
                list_entry(&k, s->at.th + i, s->at.th + heat[m]->j[q], 0);
            }
        }
    }
    gos__constants_entries(s, &k);
    gos__derived_entries(s, &k);
    gos__gravity_gradient_entries(s, &k);
    for (int i = 0; i < s->npoints; i++) {
        list_points(s, s->points[i], &k);
    }
    for (int i = 0; i < s->nitem; i++) {
        gos__item_entries(s, s->item[i], &k, NULL);
    }
    gos__loops_entries(s, &k);
}

static gos_status make_sparse(gos_ctx *ctx, gos_system *s) {
    const int n = s->n;
    gos_pattern *p = &s->pattern;
    p->p = GOS_NEW(s->arena, int, n + 1);
    if (!p->p) {
        return GOS_E_MEMORY;
    }
    listing l = {.start = p->p};
    list_all(s, &l);
    long total = 0;
    for (int i = 0; i < n; i++) {
        total += p->p[i + 1];
        if (total > INT32_MAX) {
            return gos__fail(ctx, GOS_E_LIMIT, "the Newton matrix has more than 2^31 entries");
        }
        p->p[i + 1] += p->p[i];
    }
    int *row = gos__alloc(ctx, (size_t)total + 1, sizeof *row);
    if (!row) {
        return GOS_E_MEMORY;
    }
    l.row = row;
    list_all(s, &l);
    for (int i = n; i > 0; i--) {
        p->p[i] = p->p[i - 1];
    }
    p->p[0] = 0;
    p->nnz = gos__buckets_unique(n, p->p, row);
    p->i = GOS_NEW(s->arena, int, p->nnz + 1);
    if (p->i) {
        memcpy(p->i, row, (size_t)p->nnz * sizeof *row);
    }
    gos__free(ctx, row);
    return p->i ? GOS_OK : GOS_E_MEMORY;
}

static int position(const gos_system *s, int row, int col) {
    const gos_pattern *p = &s->pattern;
    return p->dense ? col * p->n + row : gos__sorted_find(p->i, p->p[col], p->p[col + 1], row);
}

typedef struct positions {
    const gos_system *s;
    int *pos; // NULL while counting
} positions;

static void position_entry(gos_entry_sink *k, int row, int col, double v) {
    GOS_UNUSED(v);
    positions *p = k->user;
    if (p->pos) {
        p->pos[k->n] = position(p->s, row, col);
    }
    k->n++;
}

/* positions of constant matrix entries */
typedef struct constant_positions {
    const gos_system *s;
    int matrix, k;
} constant_positions;

static void position_constant(gos_entry_sink *k, int row, int col, double v) {
    GOS_UNUSED(v);
    constant_positions *p = k->user;
    gos_constants *c = p->s->constants;
    while (p->matrix < GOS_NCONSTANT && p->k == c->A[p->matrix].nnz) {
        p->matrix++;
        p->k = 0;
    }
    if (p->matrix == GOS_NCONSTANT) {
        gos__heated_location(c, p->k++, position(p->s, row, col));
    } else {
        c->pos[p->matrix][p->k++] = position(p->s, row, col);
    }
}

static void position_constants(const gos_system *s) {
    constant_positions p = {.s = s};
    gos_entry_sink k = {.add = position_constant, .user = &p};
    gos__constants_entries(s, &k);
}

static gos_status position_items(gos_system *s) {
    positions p = {.s = s};
    gos_entry_sink k = {.add = position_entry, .user = &p};
    for (int pass = 0; pass < 2; pass++) {
        k.n = 0;
        for (int i = 0; i < s->nitem; i++) {
            gos__item_entries(s, s->item[i], &k, NULL);
        }
        if (pass == 0) {
            p.pos = s->item_pos = GOS_NEW(s->arena, int, k.n + 1);
            s->nitem_pos = (int)k.n;
            if (!p.pos) {
                return GOS_E_MEMORY;
            }
        }
    }
    return GOS_OK;
}

static void position_loops(const gos_system *s) {
    for (int i = 0; s->loops && i < s->loops->n; i++) {
        const gos_control_loop *l = &s->loops->loop[i];
        for (int e = 0; e < l->nrow * l->ncol; e++) {
            l->pos[e] = position(s, l->row[e / l->ncol], l->col[e % l->ncol]);
        }
    }
}

static gos_status position_derived(gos_system *s) {
    positions p = {.s = s};
    gos_entry_sink k = {.add = position_entry, .user = &p};
    if (!s->derived) {
        return GOS_OK;
    }
    gos__derived_entries(s, &k);
    s->derived->npos = (int)k.n;
    p.pos = s->derived->pos = GOS_NEW(s->arena, int, k.n + 1);
    if (!p.pos) {
        return GOS_E_MEMORY;
    }
    k.n = 0;
    gos__derived_entries(s, &k);
    return GOS_OK;
}

static gos_status position_gravity_gradient(gos_system *s) {
    s->gravity_gradient_pos =
        gos__gravity_gradient_acts(s) ? GOS_NEW(s->arena, int, 6 * (size_t)s->mass.nnz + 1) : NULL;
    positions p = {.s = s, .pos = s->gravity_gradient_pos};
    gos_entry_sink k = {.add = position_entry, .user = &p};
    gos__gravity_gradient_entries(s, &k);
    return s->gravity_gradient_pos || !gos__gravity_gradient_acts(s) ? GOS_OK : GOS_E_MEMORY;
}

static gos_status position_points(gos_system *s, int ip) {
    const gos_points *p = s->points[ip];
    const int nv = 3 * p->nv, nt = p->nt * p->nfam, n = nv + nt;
    int *pos = GOS_NEW(s->arena, int, (size_t)p->nb *(size_t)(n * n) * GOS_LANES);
    if (!pos) {
        return GOS_E_MEMORY;
    }
    s->points_pos[ip] = pos;
    for (int e = 0; e < p->ne; e++) {
        const int ib = e / GOS_LANES, l = e % GOS_LANES;
        int *at = pos + (size_t)ib * (size_t)(n * n) * GOS_LANES + l;
        for (int c = 0; c < n; c++) {
            const int col = c < nv ? 3 * p->v[(ib * p->nv + c / 3) * GOS_LANES + l] + c % 3
                                   : s->at.th + p->th[(ib * nt + c - nv) * GOS_LANES + l];
            for (int r = 0; r < nv; r += 3) { // rows of a vector are consecutive
                const int row = 3 * p->v[(ib * p->nv + r / 3) * GOS_LANES + l];
                const int first = position(s, row, col);
                for (int k = 0; k < 3; k++) {
                    at[(size_t)((r + k) * n + c) * GOS_LANES] = first + k;
                }
            }
            for (int r = nv; r < n; r++) {
                const int row = s->at.th + p->th[(ib * nt + r - nv) * GOS_LANES + l];
                at[(size_t)(r * n + c) * GOS_LANES] = position(s, row, col);
            }
        }
    }
    return GOS_OK;
}

static gos_status position_matrices(gos_system *s) {
    s->mass_pos = GOS_NEW(s->arena, int, 3 * s->mass.nnz + 1);
    s->cap_pos = GOS_NEW(s->arena, int, s->capacity.nnz + 1);
    s->cond_pos = GOS_NEW(s->arena, int, s->conduction.nnz + 1);
    if (!s->mass_pos || !s->cap_pos || !s->cond_pos) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < s->nv; i++) {
        for (int k = s->mass.p[i]; k < s->mass.p[i + 1]; k++) {
            for (int c = 0; c < 3; c++) {
                s->mass_pos[3 * k + c] = position(s, 3 * i + c, 3 * s->mass.j[k] + c);
            }
        }
    }
    const gos_rows_matrix *heat[2] = {&s->capacity, &s->conduction};
    int *pos[2] = {s->cap_pos, s->cond_pos};
    for (int m = 0; m < 2; m++) {
        for (int i = 0; i < s->nt; i++) {
            for (int k = heat[m]->p[i]; k < heat[m]->p[i + 1]; k++) {
                pos[m][k] = position(s, s->at.th + i, s->at.th + heat[m]->j[k]);
            }
        }
    }
    return GOS_OK;
}

/* M_e times translation: coupling of derived vectors with body origins */
static void derived_weights(gos_system *s) {
    for (int i = 0; s->derived && i < s->derived->nbody; i++) {
        const gos_floating *b = &s->derived->body[i];
        for (int k = b->mass.p[0]; k < b->mass.p[1]; k++) {
            const int t = b->mass.j[k] - 4;
            if (t >= 0) {
                s->gw[b->vec[t]->number] = b->mass.v[k] * s->trans[b->r];
            }
        }
    }
}

static gos_status make_sums(gos_system *s) {
    const size_t front = s->derived ? (size_t)s->derived->n : 0;
    s->gw = GOS_NEW(s->arena, double, front + (size_t)s->nv + 1);
    s->hw = GOS_NEW(s->arena, double, s->nt + 1);
    if (!s->gw || !s->hw) {
        return GOS_E_MEMORY;
    }
    s->gw += front;
    gos__rows_apply(&s->mass, 1, s->trans, s->gw);
    derived_weights(s);
    s->mass_total = 0;
    for (int i = 0; i < s->nv; i++) {
        s->mass_total += s->gw[i] * s->trans[i];
    }
    s->capacity_total = 0;
    if (s->nt) {
        gos__rows_apply(&s->capacity, 1, s->tmean, s->hw);
        for (int i = 0; i < s->nt; i++) {
            s->capacity_total += s->hw[i] * s->tmean[i];
        }
        if (s->steady_heat) { // nothing is stored
            memset(s->hw, 0, (size_t)s->nt * sizeof *s->hw);
        }
    }
    return GOS_OK;
}

static double own_mass(const gos_system *s, int i) {
    double sum = 0;
    for (int k = s->mass.p[i]; k < s->mass.p[i + 1]; k++) {
        sum += s->mass.j[k] == i ? s->mass.v[k] : 0;
    }
    return sum;
}

/* Some axes of laminae and rods have no mass and follow from constraints; a share of the total mass
   in norms includes them in convergence checks. */
static gos_status make_light(gos_system *s) {
    for (int k = 0; k < s->nbody && !s->reduced; k++) {
        const gos_body *b = s->body[k];
        const int axis = b->derived ? b->derived->axis : b->rigid_item >= 0 ? b->v0 + 1 : -1;
        double m[3], sum = 0;
        for (int j = 0; j < 3 && axis >= 0; j++) {
            m[j] = own_mass(s, axis + j);
            sum += m[j];
        }
        for (int j = 0; j < 3 && axis >= 0; j++) {
            if (m[j] >= MIN_NORM_MASS * sum) {
                continue;
            }
            s->light = s->light ? s->light : GOS_NEW(s->arena, double, s->nv);
            if (!s->light) {
                return GOS_E_MEMORY;
            }
            s->light[axis + j] = MIN_NORM_MASS * sum - m[j];
        }
    }
    return GOS_OK;
}

static gos_status make_turns(gos_system *s) {
    s->turn = GOS_NEW(s->arena, int, 2 * s->nv + 1);
    if (!s->turn) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < 2 * s->nv; i++) {
        s->turn[i] = -1;
    }
    for (int k = 0; k < s->nbody && !s->reduced; k++) {
        const gos_body *b = s->body[k];
        for (int i = 0; i < 2 * b->nv && b->turn; i++) {
            s->turn[2 * b->v0 + i] = b->turn[i];
        }
    }
    return GOS_OK;
}

/* Rotation of a reduced system: mean first gradient over all points (lines: chord). */
static gos_status turn_as_one(gos_system *s) {
    s->turn_w = GOS_NEW(s->arena, double, s->nv + 1);
    if (!s->turn_w) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < s->npoints; i++) {
        const gos_points *p = s->points[i];
        for (int ib = 0; ib < p->nb && p->dense; ib++) {
            const double *b = p->b + (size_t)p->tab[ib] * (size_t)(p->law->nz * p->nv) * GOS_LANES;
            const double *w = p->w + (size_t)p->tab[ib] * GOS_LANES;
            for (int k = 0; k < p->nv * GOS_LANES; k++) {
                s->turn_w[p->v[ib * p->nv * GOS_LANES + k]] += w[k % GOS_LANES] * b[k];
            }
        }
    }
    return GOS_OK;
}

gos_status gos__system_sums(gos_system *s) {
    s->nq = 3 * s->nv;
    s->nstate = s->nq + s->nt;
    s->at = (gos_blocks){.th = s->nq, .lam = s->nstate, .lamT = s->nstate + s->nc};
    s->n = s->at.lamT + s->nh;
    GOS_TRY(gos__memory_finish(s));
    GOS_TRY(make_sums(s));
    GOS_TRY(make_light(s));
    GOS_TRY(make_turns(s));
    return s->reduced ? turn_as_one(s) : GOS_OK;
}

gos_status gos__system_finish(gos_ctx *ctx, gos_system *s) {
    GOS_TRY(gos__loops_lay(ctx, s));
    s->pattern.n = s->n;
    s->pattern.vectors = s->nv;
    bool dense = s->reduced;
    s->pattern.dense = dense;
    if (dense) {
        s->pattern.nnz = s->n * s->n;
    } else {
        GOS_TRY(make_sparse(ctx, s));
    }
    s->points_pos = GOS_NEW(s->arena, int *, s->npoints + 1);
    if (!s->points_pos) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(position_matrices(s));
    position_constants(s);
    GOS_TRY(dense ? GOS_OK : position_items(s));
    GOS_TRY(position_derived(s));
    GOS_TRY(position_gravity_gradient(s));
    position_loops(s);
    for (int i = 0; i < s->npoints; i++) {
        if (!s->points[i]->dense) {
            GOS_TRY(position_points(s, i));
        }
    }
    GOS_TRY(gos__input_defs_list(s, s->arena, &s->input, &s->ninput));
    return gos__shadows_begin_memory(s); // casts rays, so not in checks
}
