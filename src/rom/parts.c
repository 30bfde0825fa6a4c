/* Items, probes and nodes of a reduced system, with markers whose weights act on the fields, x =
   off + w E0 + (w Phi) c. */
#include <cblas.h>
#include <math.h>

#include "rom/rom.h"
#include "probes/fields.h"
#include "signals/loops.h"
#include "system/derived.h"
#include "probes/probe.h"

#define ROUNDING 1e-14 // relative round-off threshold of weights
#define DEPENDENT 1e-6 // relative norm of a dependent row

/* ---- markers --------------------------------------------------------------------------------- */

/* Significant entries of r->row, cleared there. Derived vectors have negative indices and exact
   weights. */
static gos_status take_row(gos_rom *r, int from, int n, int *count, const int **idx,
                           const double **w) {
    double max = 0;
    int k = 0;
    for (int i = 0; i < n; i++) {
        max = fmax(max, fabs(r->row[i]));
    }
    for (int i = from; i < n; i++) {
        if (fabs(r->row[i]) > (i < 0 ? 0 : ROUNDING * max)) {
            r->index[k++] = i;
        }
    }
    int *to = GOS_NEW(r->sys->arena, int, k + 1);
    double *value = GOS_NEW(r->sys->arena, double, k + 1);
    if (!to || !value) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < k; i++) {
        to[i] = r->index[i];
        value[i] = r->row[to[i]];
        r->row[to[i]] = 0;
    }
    memset(r->row, 0, n * sizeof *r->row);
    *count = k;
    *idx = to;
    *w = value;
    return GOS_OK;
}

static gos_status project_marker(gos_rom *r, const gos_marker *from, gos_marker *to) {
    gos_marker m = {.off = {from->off[0], from->off[1], from->off[2]}};
    int first = 0;
    for (int j = 0; j < from->n; j++) {
        const int v = from->idx[j];
        if (v < 0) {
            r->row[v] += from->w[j];
            first = v < first ? v : first;
            continue;
        }
        const gos_rom_body *p = &r->body[r->body_of[v]];
        const gos_rom_group *g = &r->group[p->group];
        const size_t at = v - p->body->v0;
        cblas_daxpy(g->m, from->w[j], p->phi + at * g->m, 1, r->row + g->first, 1);
        cblas_daxpy(3, from->w[j], p->origin + 3 * at, 1, m.off, 1);
    }
    GOS_TRY(take_row(r, first, r->nv, &m.n, &m.idx, &m.w));
    *to = m;
    return GOS_OK;
}

static gos_status project_tmarker(gos_rom *r, const gos_tmarker *from, gos_tmarker *to) {
    for (int j = 0; j < from->n; j++) {
        const gos_rom_body *p = &r->body[r->tbody_of[from->idx[j]]];
        if (gos__rom_keeps_heat(p->body)) {
            r->row[p->t0 + from->idx[j] - p->body->t0] += from->w[j];
            continue;
        }
        const long nf = p->body->nfam, at = from->idx[j] - p->body->t0, node = at / nf;
        for (int i = 0; i < p->f.nt; i++) {
            r->row[p->t0 + i * nf + at % nf] += from->w[j] * p->f.tvalue[node * p->f.nt + i];
        }
    }
    return take_row(r, 0, r->nt, &to->n, &to->idx, &to->w);
}

static gos_status project_tmarkers(gos_rom *r, int n, const gos_tmarker *from, gos_tmarker **to) {
    *to = GOS_NEW(r->sys->arena, gos_tmarker, n + 1);
    if (!*to) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < n; i++) {
        GOS_TRY(project_tmarker(r, &from[i], &(*to)[i]));
    }
    return GOS_OK;
}

/* ---- temperature rows ------------------------------------------------------------------------ */

/* Orthonormal accepted temperature rows. A body of prescribed temperature has a row per node but
   fewer functions: the most independent items are kept. */
typedef struct rows {
    int n, width;
    double *q; // (n, width)
} rows;

/* linear rows with constant coefficients */
static void gradients_of(const gos_system *s, const gos_item *it, double *hth) {
    double x[3 * GOS_ITEM_MARKERS] = {0}, xd[3 * GOS_ITEM_MARKERS] = {0};
    double th[GOS_ITEM_TMARKERS] = {0}, fn[3][16] = {{0}};
    for (int m = 0; m < it->nm; m++) {
        gos__marker_value(&it->m[m], s->e0, x + 3 * m);
    }
    const gos_item_io io = {.fn = fn[0],
                            .fnd = fn[1],
                            .fndd = fn[2],
                            .scale = 1,
                            .x = x,
                            .xd = xd,
                            .th = th,
                            .mem = it->memory,
                            .hth = hth};
    memset(hth, 0, (it->nh * it->ntm) * sizeof *hth);
    it->type->eval(it, &io);
}

/* orthogonalised r->row (width); returns its relative length */
static double remainder_of(gos_rom *r, const rows *k, const gos_item *it, const double *hth,
                           int row) {
    memset(r->row, 0, k->width * sizeof *r->row);
    for (int m = 0; m < it->ntm; m++) {
        for (int j = 0; j < it->tm[m].n; j++) {
            r->row[it->tm[m].idx[j]] += it->tm[m].w[j] * hth[row * it->ntm + m];
        }
    }
    const double before = cblas_dnrm2(k->width, r->row, 1);
    for (int pass = 0; pass < 2; pass++) {
        for (long i = 0; i < k->n; i++) {
            const double *q = k->q + i * k->width;
            cblas_daxpy(k->width, -cblas_ddot(k->width, q, 1, r->row, 1), q, 1, r->row, 1);
        }
    }
    return before > 0 && k->n < k->width ? cblas_dnrm2(k->width, r->row, 1) / before : 0;
}

/* smallest relative length */
static double novelty_of(gos_rom *r, const rows *k, const gos_item *it) {
    double hth[GOS_ITEM_TMARKERS * GOS_ITEM_TMARKERS], min = 1;
    gradients_of(r->sys, it, hth);
    for (int row = 0; row < it->nh; row++) {
        min = fmin(min, remainder_of(r, k, it, hth, row));
    }
    return min;
}

static void accept_rows(gos_rom *r, rows *k, const gos_item *it) {
    double hth[GOS_ITEM_TMARKERS * GOS_ITEM_TMARKERS];
    gradients_of(r->sys, it, hth);
    for (int row = 0; row < it->nh; row++) {
        if (remainder_of(r, k, it, hth, row) > 0) {
            double *q = k->q + (size_t)k->n++ * k->width;
            memcpy(q, r->row, k->width * sizeof *q);
            cblas_dscal(k->width, 1 / cblas_dnrm2(k->width, q, 1), q, 1);
        }
    }
}

/* Mark the items of one entry with independent rows. Joints require all of theirs. */
static gos_status choose_items(gos_rom *r, rows *k, gos_item *const *item, int first, int last,
                               bool *keep) {
    int count = 0;
    for (int i = first; i < last; i++) {
        keep[i] = false;
    }
    for (int best = first; best >= 0;) {
        double max = DEPENDENT;
        best = -1;
        for (int i = first; i < last; i++) {
            const double value = keep[i] ? 0 : novelty_of(r, k, item[i]);
            if (value > max) {
                max = value;
                best = i;
            }
        }
        if (best >= 0) {
            accept_rows(r, k, item[best]);
            keep[best] = true;
            count++;
        }
    }
    memset(r->row, 0, k->width * sizeof *r->row);
    const gos_item *it = item[first];
    if (count == 0 || (count < last - first && it->nc > 0)) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, it->loc, it->name,
                            "its prescribed temperatures are linearly dependent on others in the "
                            "reduced model; increase thermal_fields above %d",
                            r->def.thermal_fields);
    }
    return GOS_OK;
}

/* ---- items ----------------------------------------------------------------------------------- */

/* dependent amplitudes of floating bodies */
static gos_status project_dependent(gos_rom *r, const gos_item *from, gos_item *to) {
    int *dependent = GOS_NEW(r->sys->arena, int, from->ndependent);
    GOS_TRY(dependent ? GOS_OK : GOS_E_MEMORY);
    for (int k = 0; k < from->ndependent; k++) {
        const gos_rom_body *p = &r->body[r->body_of[from->dependent[k] / 3]];
        dependent[k] = from->dependent[k] + 3 * (r->group[p->group].first + p->raw - p->body->v0);
    }
    gos_tmarker *follow;
    GOS_TRY(project_tmarkers(r, from->ndependent, from->dependent_on, &follow));
    to->dependent = dependent;
    to->dependent_on = follow;
    return GOS_OK;
}

static gos_status project_item(gos_rom *r, int i, gos_item *to) {
    const gos_item *from = r->full->item[i];
    *to = *from;
    to->pulled = NULL;      // refers to other columns, see gos__derived_pull
    if (r->eliminated[i]) { // temperature rows remain
        to->nm = to->nc = to->nvec = 0;
        to->isotropic = false;
        to->iso_w = NULL;
        to->nvec = 0;
        to->structure = NULL;
    }
    for (int m = 0; m < to->nm; m++) {
        GOS_TRY(project_marker(r, &from->m[m], &to->m[m]));
    }
    GOS_TRY(from->ndependent > 0 ? project_dependent(r, from, to) : GOS_OK);
    return project_tmarkers(r, to->ntm, from->tm, &to->tm);
}

static gos_status choose_all(gos_rom *r, gos_item *const *item, bool *keep) {
    rows k = {.width = r->nt};
    k.q = GOS_NEW(r->arena, double, (size_t)r->nt * r->nt + 1);
    if (!k.q) {
        return GOS_E_MEMORY;
    }
    const int n = r->full->nitem;
    for (int i = 0; i < n;) {
        int last = i + 1;
        keep[i] = !r->eliminated[i];
        if (item[i]->nh > 0) {
            while (last < n && item[last]->nh > 0 && strcmp(item[last]->name, item[i]->name) == 0) {
                last++;
            }
            GOS_TRY(choose_items(r, &k, item, i, last, keep));
        }
        i = last;
    }
    return GOS_OK;
}

static gos_status project_items(gos_rom *r, gos_item **map) {
    gos_system *s = r->sys;
    const int n = r->full->nitem;
    bool *keep = GOS_NEW(r->arena, bool, n + 1);
    s->item = GOS_NEW(s->arena, gos_item *, n + 1);
    if (!s->item || !keep) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < n; i++) {
        map[i] = GOS_NEW(s->arena, gos_item, 1);
        if (!map[i]) {
            return GOS_E_MEMORY;
        }
        GOS_TRY(project_item(r, i, map[i]));
    }
    GOS_TRY(choose_all(r, map, keep));
    for (int i = 0; i < n; i++) {
        if (!keep[i]) {
            map[i] = NULL;
            continue;
        }
        map[i]->c0 = s->nc;
        map[i]->h0 = s->nh;
        s->nc += map[i]->nc;
        s->nh += map[i]->nh;
        s->item[s->nitem++] = map[i];
    }
    return GOS_OK;
}

/* ---- probes, nodes --------------------------------------------------------------------------- */

/* Sums over scalar coordinates, split by component. */
static gos_status project_single(gos_rom *r, const gos_tmarker *from, gos_tmarker *to) {
    gos_marker part[3], derived;
    int *idx, n = 0;
    double *w;
    for (int c = 0; c < 3; c++) {
        int *at = GOS_NEW(r->arena, int, from->n + 1);
        double *by = GOS_NEW(r->arena, double, from->n + 1);
        GOS_TRY(at && by ? GOS_OK : GOS_E_MEMORY);
        derived = (gos_marker){.idx = at, .w = by};
        for (int j = 0; j < from->n; j++) {
            if (from->idx[j] % 3 == c) {
                at[derived.n] = from->idx[j] / 3;
                by[derived.n++] = from->w[j];
            }
        }
        GOS_TRY(project_marker(r, &derived, &part[c]));
        n += part[c].n;
    }
    idx = GOS_NEW(r->sys->arena, int, n + 1);
    w = GOS_NEW(r->sys->arena, double, n + 1);
    GOS_TRY(idx && w ? GOS_OK : GOS_E_MEMORY);
    *to = (gos_tmarker){.idx = idx, .w = w};
    for (int c = 0; c < 3; c++) {
        for (int j = 0; j < part[c].n; j++) {
            idx[to->n] = 3 * part[c].idx[j] + c;
            w[to->n++] = part[c].w[j];
        }
    }
    return GOS_OK;
}

static gos_status project_recovered(gos_rom *r, int n, const gos_recovered *from,
                                    const gos_recovered **to) {
    gos_recovered *all = GOS_NEW(r->sys->arena, gos_recovered, n + 1);
    GOS_TRY(all ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < n; i++) {
        all[i] = from[i];
        for (int a = 0; a < 6; a++) {
            GOS_TRY(project_single(r, &from[i].q[a], &all[i].q[a]));
            GOS_TRY(project_tmarker(r, &from[i].th[a], &all[i].th[a]));
        }
    }
    *to = all;
    return GOS_OK;
}

static gos_status project_probe(gos_rom *r, const gos_probe *from, gos_probe *to) {
    *to = *from;
    to->patch = NULL; // of the full model
    for (int m = 0; m < to->nm; m++) {
        GOS_TRY(project_marker(r, &from->m[m], &to->m[m]));
    }
    GOS_TRY(project_tmarkers(r, to->ntm, from->tm, &to->tm));
    GOS_TRY(from->nrecovered > 0
                ? project_recovered(r, from->nrecovered, from->recovered, &to->recovered)
                : GOS_OK);
    gos_probe *part = GOS_NEW(r->sys->arena, gos_probe, from->npart + 1);
    GOS_TRY(part ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < from->npart; i++) {
        GOS_TRY(project_probe(r, &from->part[i], &part[i]));
    }
    to->part = part;
    return GOS_OK;
}

static gos_status project_probes(gos_rom *r, gos_item *const *map) {
    gos_system *s = r->sys;
    s->probe = GOS_NEW(s->arena, gos_probe *, r->full->nprobe + 1);
    s->crossing = r->full->crossing; // refers to probes by number
    s->ncrossing = r->full->ncrossing;
    if (!s->probe) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < r->full->nprobe; i++) {
        const gos_probe *from = r->full->probe[i];
        gos_probe *p = GOS_NEW(s->arena, gos_probe, 1);
        if (!p) {
            return GOS_E_MEMORY;
        }
        GOS_TRY(project_probe(r, from, p));
        for (int k = 0; k < r->full->nitem && from->item; k++) {
            p->item = r->full->item[k] == from->item ? map[k] : p->item;
        }
        s->probe[s->nprobe++] = p;
    }
    return GOS_OK;
}

static gos_status project_nodes(gos_rom *r) {
    const gos_system *f = r->full;
    gos_system *s = r->sys;
    s->node_r = GOS_NEW(s->arena, gos_marker, f->nnodes + 1);
    if (!s->node_r) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < f->nnodes; i++) {
        GOS_TRY(project_marker(r, &f->node_r[i], &s->node_r[i]));
    }
    return project_tmarkers(r, f->nnodes, f->node_T, &s->node_T);
}

static gos_status project_fields(gos_rom *r) {
    const struct gos_fields *from = r->full->fields;
    struct gos_fields *f = GOS_NEW(r->sys->arena, struct gos_fields, 1);
    gos_field_node *node = from ? GOS_NEW(r->sys->arena, gos_field_node, from->n + 1) : NULL;
    GOS_TRY(f && (node || !from) ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; from && i < from->n; i++) {
        node[i] = from->node[i];
        for (int k = 0; k < 4; k++) {
            const gos_recovered *recovered = from->node[i].recovered[k % 2][k / 2];
            GOS_TRY(recovered ? project_recovered(r, 1, recovered, &node[i].recovered[k % 2][k / 2])
                              : GOS_OK);
        }
        gos_probe *law = from->node[i].law ? GOS_NEW(r->sys->arena, gos_probe, 1) : NULL;
        GOS_TRY(law ? project_probe(r, from->node[i].law, law)
                    : (from->node[i].law ? GOS_E_MEMORY : GOS_OK));
        node[i].law = law;
    }
    if (from) {
        *f = *from;
        f->node = node;
        r->sys->fields = f;
    }
    return GOS_OK;
}

gos_status gos__rom_parts(gos_rom *r) {
    gos_item **map = GOS_NEW(r->arena, gos_item *, r->full->nitem + 1);
    const int derived = r->full->derived ? r->full->derived->n : 0, n = derived + r->nv + r->nt;
    r->row = GOS_NEW(r->arena, double, n + 1);
    r->index = GOS_NEW(r->arena, int, n + 1);
    if (!map || !r->row || !r->index) {
        return GOS_E_MEMORY;
    }
    r->row += derived;
    GOS_TRY(project_items(r, map));
    GOS_TRY(project_probes(r, map));
    GOS_TRY(project_fields(r));
    int *t0 = GOS_NEW(r->arena, int, r->nbody + 1);
    GOS_TRY(t0 ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < r->nbody; i++) {
        t0[i] = r->body[i].t0;
    }
    GOS_TRY(gos__loops_renumber(r->full, map, t0, r->sys));
    return project_nodes(r);
}
