/* Element of the section-vector beam: quadratic shape functions, differentiated by the stress-free
 * length of the centroid axis r + y a + z b. All strains refer to this axis: an offset (y, z)
 * changes only the functions of p = r'. */
#include "line/beam_element.h"

#include <math.h>

#include "math/gauss.h"
#include "parts/section.h"
#include "parts/vec3.h"

#define L GOS_LANES

void gos__beam_initial(const gos_beam *m, int e, int which, const double w[3], double x[3]) {
    double(*const of)[3] = which == 0 ? m->line.x : which == 1 ? m->d : m->line.v;
    for (int k = 0; k < 3; k++) {
        x[k] = 0;
        for (int i = 0; i < 3; i++) {
            x[k] += w[i] * of[2 * e + i][k];
        }
    }
}

/* slope of the centroid axis at t = 0 */
static void initial_slope(const gos_beam *m, int e, const double dN[3], double p[3]) {
    double x[3][3];
    for (int i = 0; i < 3; i++) {
        gos__beam_initial(m, e, i, dN, x[i]);
    }
    for (int k = 0; k < 3; k++) {
        p[k] = x[0][k] + m->offset[0] * x[1][k] + m->offset[1] * x[2][k];
    }
}

double gos__beam_shapes(const gos_beam *m, int e, double xi, double N[3], double dN[3]) {
    gos__lagrange3(m->h, xi, N, dN);
    if (m->line.shape != GOS_LINE_CURVED) {
        return 1;
    }
    double p[3];
    initial_slope(m, e, dN, p);
    const double j = gos__norm3(p);
    for (int i = 0; i < 3; i++) {
        dN[i] /= j;
    }
    return j;
}

int gos__beam_element_at(const gos_beam *m, const gos_location *p, double *xi) {
    int e = (int)floor(p->s / m->h);
    e = e < 0 ? 0 : (e >= m->ne ? m->ne - 1 : e);
    *xi = p->node >= 0 ? 0.5 * (p->node - 2 * e) : p->s / m->h - e;
    return e;
}

/* ---- section --------------------------------------------------------------------------------- */

void gos__beam_stiffness(const gos_body *b, const gos_section *s, double axis[GOS_BEAM_AXIS],
                         double section[GOS_BEAM_SECTION]) {
    const gos_beam *m = b->par;
    const gos_material *mat = b->material;
    const double EA = mat->young * s->A, G = 0.5 * mat->young / (1 + mat->poisson);
    double ks[2];
    gos__shear_factors(s, mat->poisson, ks);
    const double D[GOS_BEAM_AXIS] = {EA,       ks[0] * G * s->A,   ks[1] * G * s->A,
                                     G * s->J, mat->young * s->Iz, mat->young * s->Iy};
    memcpy(axis, D, sizeof D);
    section[0] = section[1] = m->penalty * EA;
    section[2] = m->penalty * G * s->A;
}

void gos__beam_section_at(const gos_body *b, double s, gos_section *at) {
    const gos_beam *m = b->par;
    *at = *b->section;
    if (m->taper.n) {
        gos__taper_at(&m->taper, s, true, at);
    }
}

/* The law's strains at t = 0, for z = (r', a, b, a', b'). */
static void initial_strains(const gos_beam *m, int e, const double N[3], const double dN[3],
                            double strain[GOS_BEAM_AXIS]) {
    _Alignas(64) double z[15 * L], e0[GOS_BEAM_AXIS * L], force[GOS_BEAM_AXIS * L];
    const double *const w[5] = {dN, N, N, dN, dN};
    const int which[5] = {0, 1, 2, 1, 2};
    for (int q = 0; q < 5; q++) {
        double x[3];
        gos__beam_initial(m, e, which[q], w[q], x);
        if (q == 0) {
            initial_slope(m, e, dN, x);
        }
        for (int i = 0; i < 3 * L; i++) {
            z[3 * q * L + i] = x[i / L];
        }
    }
    gos__beam_axis.strains(&m->par, 0, &(gos_batch){.z = z}, e0, force);
    for (int k = 0; k < GOS_BEAM_AXIS; k++) {
        strain[k] = e0[k * L];
    }
}

void gos__beam_axis_reference(const gos_body *b, int e, double xi, double *ref) {
    const gos_beam *m = b->par;
    double N[3], dN[3], distortion[GOS_BEAM_SECTION];
    gos_section at;
    gos__beam_shapes(m, e, xi, N, dN);
    memset(ref, 0, GOS_BEAM_AXIS * sizeof *ref);
    if (m->line.shape == GOS_LINE_CURVED) {
        initial_strains(m, e, N, dN, ref);
    }
    gos__beam_section_at(b, (e + xi) * m->h, &at);
    gos__beam_stiffness(b, &at, ref + GOS_BEAM_AXIS, distortion);
}

void gos__beam_reference(const gos_body *b, const gos_location *p, double *ref) {
    const gos_beam *m = b->par;
    double xi;
    const int e = gos__beam_element_at(m, p, &xi);
    if (m->own) {
        gos__beam_axis_reference(b, e, xi, ref);
    }
}
