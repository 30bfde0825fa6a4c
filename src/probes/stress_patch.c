/* Error of a mesh in strains and section forces: superconvergent patch recovery (Zienkiewicz and
 * Zhu, Int. J. Numer. Methods Eng. 33, 1992). A polynomial one degree above that of the element is
 * fitted to values at superconvergent points; its value at the location converges faster than the
 * probe's, so the difference estimates the probe's error. */
#include <math.h>

#include "probes/probe.h"

#define TERMS 10              // of a quadratic polynomial
#define DEPENDENT 0.05        // relative size of what other terms leave of a term: dropped
#define SMALL 1e-6            // distance from a plane or line, relative to the patch
#define MAX_PATCH_PROBES 1000 // probes with a patch: some 50 kB each

struct gos_stress_patch {
    int n, ntm;
    int first, last; // components
    bool strain;     // of strains, not resultants
    double *weight;  // (n)
    gos_marker *z;   // (n, law->nz)
    gos_tmarker *tm; // (n, ntm)
    double *ref;     // (n, law->nref)
};

static double term(int i, const double x[3]) {
    static const signed char power[TERMS][3] = {{0},    {1},       {0, 1}, {0, 0, 1}, {2},
                                                {0, 2}, {0, 0, 2}, {1, 1}, {0, 1, 1}, {1, 0, 1}};
    double v = 1;
    for (int k = 0; k < 3; k++) {
        for (int e = 0; e < power[i][k]; e++) {
            v *= x[k];
        }
    }
    return v;
}

/* Weights of values at x (n) in the least-squares polynomial's value at the origin. The terms are
 * orthogonalised in order of degree. @return false if the points do not determine linear functions
 * at the origin: it is outside their plane or line */
static bool fit(int n, const double (*x)[3], int degree, double *w) {
    double basis[TERMS][GOS_PATCH_POINTS], origin[TERMS], size = 0;
    int count = 0;
    memset(w, 0, (size_t)n * sizeof *w);
    for (int k = 0; k < 3 * n; k++) {
        size = fmax(size, fabs(x[k / 3][k % 3]));
    }
    for (int t = 0; t < (degree > 1 ? TERMS : 4); t++) {
        double *v = basis[count], whole = 0, left = 0;
        origin[count] = t == 0;
        for (int i = 0; i < n; i++) {
            const double at[3] = {x[i][0] / size, x[i][1] / size, x[i][2] / size};
            v[i] = term(t, at);
            whole += v[i] * v[i];
        }
        for (int pass = 0; pass < 2; pass++) {
            for (int j = 0; j < count; j++) {
                double by = 0;
                for (int i = 0; i < n; i++) {
                    by += basis[j][i] * v[i];
                }
                for (int i = 0; i < n; i++) {
                    v[i] -= by * basis[j][i];
                }
                origin[count] -= by * origin[j];
            }
        }
        for (int i = 0; i < n; i++) {
            left += v[i] * v[i];
        }
        if (!(left > DEPENDENT * DEPENDENT * whole)) {
            if (t < 4 && fabs(origin[count]) > SMALL) {
                return false;
            }
            continue;
        }
        origin[count] /= sqrt(left);
        for (int i = 0; i < n; i++) {
            v[i] /= sqrt(left);
            w[i] += origin[count] * v[i];
        }
        count++;
    }
    return count > 0;
}

/* components that converge with the mesh; false: none, or the recovery is of another kind */
static bool components(const gos_probe *p, gos_stress_patch *to) {
    const char *name = p->quantity->name;
    const bool plate = strcmp(p->body->type, "ancf_plate") == 0;
    const bool bends = strcmp(name, "section_moment") == 0 || strcmp(name, "curvature") == 0;
    to->strain = strcmp(name, "curvature") == 0 || strcmp(name, "strain") == 0;
    to->first = plate ? 3 : 0;
    to->last = 6;
    return !plate || bends;
}

gos_status gos__stress_patch(gos_builder *b, const gos_location *location, gos_probe *p) {
    const gos_body *body = location->body;
    const gos_law *law = body->law;
    gos_location at[GOS_PATCH_POINTS];
    double x[GOS_PATCH_POINTS][3];
    gos_stress_patch *to = GOS_NEW(b->arena, gos_stress_patch, 1);
    int degree;
    GOS_TRY(to ? GOS_OK : GOS_E_MEMORY);
    if (!body->ops->patch || law->nmem > 0 || !components(p, to) || b->npatch >= MAX_PATCH_PROBES) {
        return GOS_OK;
    }
    GOS_TRY(body->ops->patch(b, body, location, at, x, &degree, &to->n));
    const size_t n = to->n;
    if (n < 4) {
        return GOS_OK;
    }
    to->ntm = body->ops->temperature ? body->nfam : 0;
    to->weight = GOS_NEW(b->arena, double, n);
    to->z = GOS_NEW(b->arena, gos_marker, n * law->nz);
    to->tm = GOS_NEW(b->arena, gos_tmarker, n * to->ntm + 1);
    to->ref = GOS_NEW(b->arena, double, n * law->nref + 1);
    GOS_TRY(to->weight && to->z && to->tm && to->ref ? GOS_OK : GOS_E_MEMORY);
    if (!fit(to->n, (const double(*)[3])x, degree, to->weight)) {
        return GOS_OK;
    }
    for (size_t i = 0; i < n; i++) {
        GOS_TRY(body->ops->gradients(b->arena, body, &at[i], to->z + i * law->nz));
        if (to->ntm > 0) {
            GOS_TRY(body->ops->temperature(b->arena, body, &at[i], to->tm + i * to->ntm));
        }
        if (body->ops->reference) {
            body->ops->reference(body, &at[i], to->ref + i * law->nref);
        }
    }
    p->patch = to;
    b->npatch++;
    return GOS_OK;
}

double gos__stress_patch_error(const gos_state *x, const gos_probe *p, double *error) {
    const gos_stress_patch *of = p->patch;
    const gos_law *law = p->body->law;
    double strain[GOS_PROBE_STRAINS], force[GOS_PROBE_STRAINS], sum[GOS_PROBE_STRAINS] = {0};
    double largest = 0;
    for (int i = 0; i < of->n; i++) {
        gos__section_law(x, p, of->z + (size_t)i * law->nz, of->tm + (size_t)i * of->ntm, of->ntm,
                         of->ref + (size_t)i * law->nref, strain, force);
        for (int k = of->first; k < of->last; k++) {
            sum[k] += of->weight[i] * (of->strain ? strain : force)[k];
        }
    }
    gos__section_state(x, p, strain, force);
    *error = 0;
    for (int k = of->first; k < of->last; k++) {
        const double own = (of->strain ? strain : force)[k];
        *error = fmax(*error, fabs(sum[k] - own));
        largest = fmax(largest, fmax(fabs(own), fabs(sum[k])));
    }
    return largest;
}
