/* Raw space: eliminated joints, groups of bodies, raw coordinates, and the remaining equations A
   d + b = 0. Probed joints and joints on floating bodies keep their multipliers. */
#include <cblas.h>
#include <lapacke.h>
#include <math.h>

#include "parts/first_order_states.h"
#include "rom/thermal_expansion.h"
#include "rom/rom.h"
#include "system/constants.h"
#include "probes/probe.h"

/* ---- joints ---------------------------------------------------------------------------------- */

static bool is_vector_joint(const gos_item *it) {
    return it->isotropic && it->iso_w && it->nc > 0 && it->nfn == 0;
}

/* probe of a joint; coordinates: also of its coordinates, which need no force */
static const gos_probe *probe_of(const gos_system *s, const gos_item *it, bool coordinates) {
    for (int i = 0; i < s->nprobe; i++) {
        const gos_probe *p = s->probe[i];
        if (p->item && (coordinates || !p->coord) && strcmp(p->item->name, it->name) == 0) {
            return p;
        }
    }
    return NULL;
}

/* name in a list with a comma after each */
static bool lists(const char *list, const char *name) {
    const size_t n = strlen(name);
    for (const char *at = list; at && *at; at = strchr(at, ',') + 1) {
        if (strncmp(at, name, n) == 0 && at[n] == ',') {
            return true;
        }
        if (!strchr(at, ',')) {
            return false;
        }
    }
    return false;
}

/* Does the joint keep its force as an unknown? As in the stored model, if there is one. */
static gos_status keeps_force(const gos_rom *r, const gos_item *it, bool *kept) {
    const char *list = r->stored ? r->stored->force_joints : NULL;
    const gos_probe *probe = probe_of(r->full, it, r->stored && !list);
    *kept = gos__rom_on_floating(r, it) || (list ? lists(list, it->name) : probe != NULL);
    return *kept || !probe
               ? GOS_OK
               : gos__fail(r->ctx, GOS_E_INPUT,
                           "probe '%s' reads %s, whose force the stored reduced model "
                           "does not contain; repeat the reduction with this probe in the model",
                           probe->name, it->name);
}

gos_status gos__rom_keep_joints(const gos_rom *r, gos_arena *a, gos_rom_info *k) {
    const gos_system *s = r->full;
    size_t size = 1;
    for (int i = 0; i < s->nitem; i++) {
        size += strlen(s->item[i]->name) + 1;
    }
    k->force_joints = GOS_NEW(a, char, size);
    char *end = k->force_joints;
    for (int i = 0; end && i < s->nitem; i++) {
        const char *name = s->item[i]->name;
        const size_t n = strlen(name);
        if (is_vector_joint(s->item[i]) && !r->eliminated[i] && !lists(k->force_joints, name)) {
            memcpy(end, name, n);
            end[n] = ',';
            end += n + 1;
        }
    }
    return end ? GOS_OK : GOS_E_MEMORY;
}

static int root_of(const int *parent, int i) {
    while (parent[i] != i) {
        i = parent[i];
    }
    return i;
}

/* The last flexible body of a joint gets additional fields for its equations, so that `number`
   remains. Kept joints count equally. */
static int payer_of(const gos_rom *r, const gos_item *it) {
    int last = -1;
    for (int m = 0; m < it->nm; m++) {
        for (int j = 0; j < it->m[m].n; j++) {
            const int v = it->m[m].idx[j], b = v < 0 ? -1 : r->body_of[v];
            last = b > last && r->body[b].body->ops->fields ? b : last;
        }
    }
    return last;
}

/* directions of a clamp, after its vector rows */
static bool is_direction(const gos_system *s, int i) {
    const gos_item *it = s->item[i];
    return i > 0 && it->sides && it->nc > 0 && !is_vector_joint(it) &&
           is_vector_joint(s->item[i - 1]) && strcmp(it->name, s->item[i - 1]->name) == 0;
}

static void join(const gos_rom *r, const gos_item *it, int *parent) {
    int first = -1;
    for (int m = 0; m < it->nm; m++) {
        for (int j = 0; j < it->m[m].n; j++) {
            const int b = root_of(parent, r->body_of[it->m[m].idx[j]]);
            if (first < 0) {
                first = b;
            }
            const int low = b < first ? b : first;
            parent[b] = parent[first] = low;
            first = low;
        }
    }
}

/* one point depends on a body and the carrier of its reference vector */
static void join_carriers(const gos_rom *r, int *parent) {
    for (int i = 0; i < r->nbody; i++) {
        const gos_marker *m = r->body[i].body->carrier;
        for (int j = 0; m && j < m->n; j++) {
            const int a = root_of(parent, i), b = root_of(parent, r->body_of[m->idx[j]]);
            parent[a] = parent[b] = a < b ? a : b;
        }
    }
}

/* Groups in the order of their first bodies. extra: additional fields per body due to joints. */
static gos_status make_groups(gos_rom *r, int *extra) {
    const gos_system *s = r->full;
    int *parent = GOS_NEW(r->arena, int, 2 * r->nbody + 1), *group_of = parent + r->nbody;
    r->eliminated = GOS_NEW(r->arena, bool, s->nitem + 1);
    r->group = GOS_NEW(r->arena, gos_rom_group, r->nbody + 1);
    if (!parent || !r->eliminated || !r->group) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < r->nbody; i++) {
        parent[i] = i;
    }
    for (int i = 0; i < s->nitem; i++) {
        const gos_item *it = s->item[i];
        if (is_vector_joint(it)) {
            const int payer = payer_of(r, it);
            extra[payer >= 0 ? payer : 0] += payer >= 0 ? it->nc / 3 : 0;
            bool kept;
            GOS_TRY(keeps_force(r, it, &kept));
            r->eliminated[i] = !kept;
            if (r->eliminated[i]) {
                join(r, it, parent);
            }
        } else if (is_direction(s, i)) { // they cost about as much as a vector
            const int payer = payer_of(r, it);
            extra[payer >= 0 ? payer : 0] += payer >= 0;
        }
    }
    join_carriers(r, parent);
    for (int i = 0; i < r->nbody; i++) {
        const int root = root_of(parent, i);
        if (root == i && r->body[i].number >= 0) {
            group_of[i] = r->ngroup++;
        }
        r->body[i].group = group_of[root];
    }
    for (int i = 0; i < r->nbody; i++) {
        r->body[i].group = r->body[i].number >= 0 ? r->body[i].group : r->ngroup;
    }
    r->group[r->ngroup].plain = true;
    return GOS_OK;
}

/* ---- bodies ---------------------------------------------------------------------------------- */

static gos_status make_bodies(gos_rom *r) {
    const gos_system *s = r->full;
    int number = 0;
    r->nbody = s->nbody;
    r->body = GOS_NEW(r->arena, gos_rom_body, s->nbody + 1);
    r->body_of = GOS_NEW(r->arena, int, s->nv + 1);
    r->tbody_of = GOS_NEW(r->arena, int, s->nt + 1);
    if (!r->body || !r->body_of || !r->tbody_of) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < s->nbody; i++) {
        const gos_body *b = s->body[i];
        r->body[i].body = b;
        r->body[i].number = gos__body_is_states(b) ? -1 : number++;
        for (int j = 0; j < b->nv; j++) {
            r->body_of[b->v0 + j] = i;
        }
        for (int j = 0; j < b->nt; j++) {
            r->tbody_of[b->t0 + j] = i;
        }
    }
    return GOS_OK;
}

/* smooth fields: of the motion for polynomials, of temperatures always */
static gos_status make_fields(gos_rom *r, const int *extra) {
    const bool polynomials = r->def.fields == GOS_FIELDS_POLYNOMIALS;
    for (int i = 0; i < r->nbody; i++) {
        gos_rom_body *p = &r->body[i];
        const gos_body *b = p->body;
        const int nodes = b->nfam ? b->nt / b->nfam : 0;
        static double one[] = {1};
        const bool kept = gos__rom_keeps_heat(b);
        const bool lumped = b->nt == 1 && b->nfam == 1 && !b->ops->fields && !kept;
        if (lumped) {
            p->f.nt = 1;
            p->f.tvalue = p->f.tdual = one;
        } else if (b->nt > 0 && !b->ops->fields && !kept) {
            return gos__fail_at(r->ctx, GOS_E_INPUT, b->loc, "reduction",
                                "bodies of type '%s' have no smooth temperature fields; run the "
                                "full model of '%s'",
                                b->type, b->name);
        }
        if (b->ops->fields) {
            /* at most the number of nodes */
            const bool smooth = polynomials && !r->def.on_mesh;
            const int nt = smooth || r->def.thermal_fields < nodes ? r->def.thermal_fields : nodes;
            const int max =
                smooth || r->def.number + extra[i] < b->nv ? r->def.number + extra[i] : b->nv;
            GOS_TRY(b->ops->fields(r->ctx, r->arena, b, polynomials ? max : 0, nt,
                                   smooth ? r->def.points : 0, &p->f));
            if (!smooth && !kept) {
                GOS_TRY(gos__rom_sources(r, p));
                GOS_TRY(gos__rom_principal_heat(r, p));
                GOS_TRY(gos__rom_expansion(r, p));
            }
        }
        gos_rom_group *g = &r->group[p->group];
        p->raw = g->n;
        p->nraw = p->f.n ? p->f.n : b->nv;
        g->n += p->nraw;
        p->t0 = r->nt;
        r->nt += kept ? b->nt : p->f.nt * b->nfam;
    }
    return GOS_OK;
}

int gos__rom_raw(const gos_rom *r, int v) {
    const gos_rom_body *p = &r->body[r->body_of[v]];
    return p->raw + v - p->body->v0;
}

/* ---- mass ------------------------------------------------------------------------------------ */

/* A flat or slender rigid body has an axis without inertia; the metric adds some. */
static void rigid_metric(const gos_system *s, const gos_rom_body *p, double *metric) {
    double M[16] = {0}, J[9], w[3];
    const int v0 = p->body->v0;
    for (int i = 0; i < 4; i++) {
        for (int k = s->mass.p[v0 + i]; k < s->mass.p[v0 + i + 1]; k++) {
            const int j = s->mass.j[k] - v0;
            if (j >= 0 && j < 4) {
                M[4 * i + j] = s->mass.v[k];
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            J[3 * i + j] = M[4 * (i + 1) + j + 1] - M[i + 1] * M[j + 1] / M[0];
        }
    }
    if (LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'U', 3, J, 3, w) == 0 && w[0] < 1e-6 * w[2]) {
        for (int i = 1; i < 4; i++) {
            metric[p->raw + i] = 1e-3 * w[2];
        }
    }
}

/* value^T M value of polynomials on the mesh */
static gos_status mesh_mass(const gos_rom *r, const gos_rom_body *p) {
    const gos_rows_matrix *M = &r->full->mass;
    const int n = p->f.n, nv = p->body->nv, v0 = p->body->v0;
    double *Mx = GOS_NEW(r->arena, double, (size_t)n *nv + 1);
    if (!Mx) {
        return GOS_E_MEMORY;
    }
    for (long i = 0; i < nv; i++) {
        for (int e = M->p[v0 + i]; e < M->p[v0 + i + 1]; e++) {
            cblas_daxpy(n, M->v[e], p->f.value + (size_t)(M->j[e] - v0) * n, 1, Mx + i * n, 1);
        }
    }
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, n, n, nv, 1, p->f.value, n, Mx, n, 0,
                p->f.mass, n);
    return GOS_OK;
}

static void body_mass(const gos_system *s, const gos_rom_body *p, gos_rom_group *g) {
    for (int i = 0; i < p->f.n; i++) {
        memcpy(g->mass + (size_t)(p->raw + i) * g->n + p->raw, p->f.mass + i * p->f.n,
               p->f.n * sizeof(double));
    }
    for (int i = 0; i < p->body->nv && !p->f.n; i++) {
        double *row = g->mass + (size_t)(p->raw + i) * g->n + p->raw;
        for (int k = s->mass.p[p->body->v0 + i]; k < s->mass.p[p->body->v0 + i + 1]; k++) {
            row[s->mass.j[k] - p->body->v0] = s->mass.v[k];
        }
    }
}

static void system_mass(const gos_rom *r, const gos_rom_group *g, long k, const double *x,
                        double *y) {
    const gos_rows_matrix *M = &r->full->mass;
    for (int ib = 0; ib < r->nbody; ib++) {
        const gos_rom_body *p = &r->body[ib];
        if (&r->group[p->group] != g) {
            continue;
        }
        for (int i = 0; i < p->body->nv; i++) {
            double *to = y + (p->raw + i) * k;
            memset(to, 0, k * sizeof *to);
            for (int e = M->p[p->body->v0 + i]; e < M->p[p->body->v0 + i + 1]; e++) {
                const double *from = x + (size_t)gos__rom_raw(r, M->j[e]) * k;
                for (int c = 0; c < k; c++) {
                    to[c] += M->v[e] * from[c];
                }
            }
        }
    }
}

void gos__rom_mass(const gos_rom *r, const gos_rom_group *g, bool metric, int k, const double *x,
                   double *y) {
    if (g->mass) {
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, g->n, k, g->n, 1, g->mass, g->n, x,
                    k, 0, y, k);
    } else {
        system_mass(r, g, k, x, y);
    }
    for (int i = 0; i < g->n && metric; i++) {
        for (int c = 0; c < k && g->metric[i] != 0; c++) {
            y[i * k + c] += g->metric[i] * x[i * k + c];
        }
    }
}

double gos__rom_port_mass(const gos_system *s, int v) {
    // axes of nodes have no mass of their own
    const double *w = s->constants->weight + 3L * v;
    const double sum = w[0] + w[1] + w[2];
    return sum > 0 ? sum / 3 : 1e-3 * gos__motion_total(s);
}

/* ---- equations and initial values ------------------------------------------------------------ */

static void add_marker(const gos_rom *r, const gos_marker *m, double weight, double *A, double *b) {
    for (int c = 0; c < 3; c++) {
        b[c] += weight * m->off[c];
    }
    for (int j = 0; j < m->n; j++) {
        const gos_rom_body *p = &r->body[r->body_of[m->idx[j]]];
        const long at = m->idx[j] - p->body->v0;
        if (p->f.n) {
            cblas_daxpy(p->f.n, weight * m->w[j], p->f.value + at * p->f.n, 1, A + p->raw, 1);
        } else {
            A[p->raw + at] += weight * m->w[j];
        }
    }
}

static gos_rom_group *group_of_item(const gos_rom *r, const gos_item *it) {
    for (int m = 0; m < it->nm; m++) {
        if (it->m[m].n > 0) {
            return &r->group[r->body[r->body_of[it->m[m].idx[0]]].group];
        }
    }
    return NULL;
}

static gos_status make_equations(gos_rom *r) {
    const gos_system *s = r->full;
    for (int i = 0; i < s->nitem; i++) {
        gos_rom_group *g = r->eliminated[i] ? group_of_item(r, s->item[i]) : NULL;
        if (g) {
            g->neq += s->item[i]->nc / 3;
        }
    }
    for (int i = 0; i < r->ngroup; i++) {
        gos_rom_group *g = &r->group[i];
        g->A = GOS_NEW(r->arena, double, (size_t)g->neq * g->n + 1);
        g->b = GOS_NEW(r->arena, double, 3 * g->neq + 1);
        if (!g->A || !g->b) {
            return GOS_E_MEMORY;
        }
        g->neq = 0; // counted again while filling
    }
    for (int i = 0; i < s->nitem; i++) {
        const gos_item *it = s->item[i];
        gos_rom_group *g = r->eliminated[i] ? group_of_item(r, it) : NULL;
        for (int row = 0; g && row < it->nc / 3; row++, g->neq++) {
            for (int m = 0; m < it->nm; m++) {
                add_marker(r, &it->m[m], it->iso_w[row * it->nm + m], g->A + (size_t)g->neq * g->n,
                           g->b + 3 * g->neq);
            }
        }
    }
    return GOS_OK;
}

/* converts nodal values (nv, k) */
static void raw_values(const gos_rom_body *p, int k, const double *nodal, double *raw) {
    if (p->f.n) {
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, p->f.n, k, p->body->nv, 1, p->f.dual,
                    p->body->nv, nodal, k, 0, raw, k);
    } else {
        memcpy(raw, nodal, (p->body->nv * k) * sizeof *raw);
    }
}

static gos_status make_values(gos_rom *r) {
    const gos_system *s = r->full;
    for (int i = 0; i < r->ngroup; i++) {
        gos_rom_group *g = &r->group[i];
        const size_t n = g->n;
        g->e0 = GOS_NEW(r->arena, double, 3 * n + 1);
        g->v0 = GOS_NEW(r->arena, double, 3 * n + 1);
        g->D0 = GOS_NEW(r->arena, double, 3 * n + 1);
        g->trans = GOS_NEW(r->arena, double, n + 1);
        g->metric = GOS_NEW(r->arena, double, n + 1);
        if (r->def.fields == GOS_FIELDS_POLYNOMIALS) {
            g->mass = GOS_NEW(r->arena, double, n *n + 1);
        }
        if (!g->e0 || !g->v0 || !g->D0 || !g->trans || !g->metric ||
            (r->def.fields == GOS_FIELDS_POLYNOMIALS && !g->mass)) {
            return GOS_E_MEMORY;
        }
    }
    for (int i = 0; i < r->nbody; i++) {
        const gos_rom_body *p = &r->body[i];
        gos_rom_group *g = &r->group[p->group];
        const size_t v0 = p->body->v0;
        if (p->number < 0) {
            continue;
        }
        raw_values(p, 3, s->e0 + 3 * v0, g->e0 + 3L * p->raw);
        raw_values(p, 3, s->v0 + 3 * v0, g->v0 + 3L * p->raw);
        raw_values(p, 1, s->trans + v0, g->trans + p->raw);
        if (g->mass) {
            if (p->f.n && r->def.on_mesh) {
                GOS_TRY(mesh_mass(r, p));
            }
            body_mass(s, p, g);
        }
        if (p->body->rigid_item >= 0) {
            rigid_metric(s, p, g->metric);
        }
        for (int j = 0; j < p->nraw && p->body->ops->port; j++) {
            g->metric[p->raw + j] = gos__rom_port_mass(s, p->body->v0 + j);
        }
        /* rigid, floating or matrix-given body without joints */
        g->plain = g->neq == 0 && g->n == p->nraw && !p->body->ops->fields;
    }
    return GOS_OK;
}

gos_status gos__rom_space(gos_rom *r) {
    GOS_TRY(make_bodies(r));
    int *extra = GOS_NEW(r->arena, int, r->nbody + 1);
    if (!extra) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(gos__rom_refuse_carried(r));
    GOS_TRY(make_groups(r, extra));
    GOS_TRY(make_fields(r, extra));
    GOS_TRY(make_equations(r));
    return make_values(r);
}
