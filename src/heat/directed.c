/* Absorption of directed light: parallel, or from a sphere.

   A surface with outward normal n absorbs part * strength * max(0, -u . n) per reference area for
   travel direction u. Opposite faces share max(0, c) = (|c| + c)/2, c_i = -u . d_i; a circle of
   radius R absorbs 2 R c_perp in the mean and pi/2 R^2 c_i in T_y, T_z (theory guide 2.4), plates
   |c| in T and (h/2) c in T_z per area (2.7). Sphere: all times (radius/distance)^2, |c| rounded
   (math/sphere.h). Shadows (parts/shadow.h) are frozen within a step; ends are lit only if listed,
   never shaded. */
#include "heat/heat.h"
#include "math/sphere.h"
#include "parts/sunlight.h"

#include <math.h>

typedef struct surface_par {
    gos_flux_weights weights;
    gos_heat_light light;
    int modes;     // Fourier temperatures of a tube, else 0
    double radius; // outer radius of the tube [m]
} surface_par;

/* absorbed power per area normal to the light [W/m^2] */
static double strength(const gos_heat_light *f, const double *fn) {
    double q = f->absorbed;
    for (int i = 0; i < f->nfactor; i++) {
        q *= fn[f->factor[i]];
    }
    return f->sphere ? q * fn[f->sphere] * fn[f->sphere] : q;
}

static double strength_by(const gos_heat_light *f, const double *fn, int k) {
    double sum = 0.0;
    for (int i = 0; i < f->nfactor; i++) {
        double q = f->factor[i] == k ? f->absorbed : 0.0;
        for (int j = 0; j < f->nfactor; j++) {
            q *= j == i ? 1.0 : fn[f->factor[j]];
        }
        sum += q;
    }
    return f->sphere ? sum * fn[f->sphere] * fn[f->sphere] : sum;
}

/* false, without flux, if the functions give zero */
static bool travel(const gos_heat_light *f, const double *fn, double u[3]) {
    const double *d = fn + f->direction;
    double n = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    if (!(n > 0.0)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        u[i] = d[i] / n;
    }
    return true;
}

/* adds the lit part; lit NULL: nothing to add */
static void arrives(const double *lit, int n, const double *all, double *to) {
    for (int k = 0; lit && k < n * GOS_LANES; k++) {
        to[k] += lit[k % GOS_LANES] * all[k];
    }
}

static void surface_heat(const surface_par *p, const gos_law *law, const void *law_par, int nfam,
                         const double *fn, double q, const gos_batch *b) {
    double u[3];
    if (!b->heat || q == 0.0 || !travel(&p->light, fn, u)) { // 0 in shadow
        return;
    }
    _Alignas(64) double c[GOS_HEAT_NDIR * GOS_LANES] = {0}; // plates have no second director
    _Alignas(64) double part[GOS_FAMILIES * GOS_LANES];     // in shadow only
    double *heat = b->lit ? memset(part, 0, nfam * GOS_LANES * sizeof *part) : b->heat;
    law->cosines(law_par, b, u, c, NULL);
    if (p->light.sphere) {
        gos__sphere_flux(&p->weights, nfam, fn[p->light.sphere], q, c, heat);
    } else {
        gos__kernel_flux(&p->weights, nfam, q, c, heat);
    }
    arrives(b->lit, nfam, part, b->heat);
}

static void surface_eval(const void *par, const gos_law *law, const void *law_par, int nfam,
                         const double *fn, double scale, const gos_batch *b) {
    const surface_par *p = par;
    surface_heat(p, law, law_par, nfam, fn, scale * strength(&p->light, fn), b);
}

static void surface_by_input(const void *par, const gos_law *law, const void *law_par, int nfam,
                             const double *fn, double scale, const gos_input_def *k,
                             const gos_batch *b) {
    const surface_par *p = par;
    surface_heat(p, law, law_par, nfam, fn, scale * strength_by(&p->light, fn, k->fn), b);
}

static void surface_tangent(const void *par, const gos_law *law, const void *law_par, int nfam,
                            const double *fn, double scale, const gos_batch *b) {
    const surface_par *p = par;
    double u[3];
    if (!b->Hz || !travel(&p->light, fn, u)) {
        return;
    }
    _Alignas(64) double c[GOS_HEAT_NDIR * GOS_LANES] = {0};
    _Alignas(64) double dc[GOS_HEAT_NDIR * 3 * GOS_HEAT_NZ * GOS_LANES];
    _Alignas(64) double part[GOS_FAMILIES * 3 * GOS_HEAT_NZ * GOS_LANES]; // in shadow only
    if (law->ndir < GOS_HEAT_NDIR) {
        memset(dc, 0, GOS_HEAT_NDIR * 3 * law->nz * GOS_LANES * sizeof *dc);
    }
    law->cosines(law_par, b, u, c, dc);
    const double q = b->hk * scale * strength(&p->light, fn);
    double *Hz = b->lit ? memset(part, 0, nfam * 3 * law->nz * GOS_LANES * sizeof *part) : b->Hz;
    if (p->light.sphere) {
        gos__sphere_flux_tangent(&p->weights, nfam, 3 * law->nz, fn[p->light.sphere], q, c, dc, Hz);
    } else {
        gos__kernel_flux_tangent(&p->weights, nfam, 3 * law->nz, q, c, dc, Hz);
    }
    arrives(b->lit, nfam * 3 * law->nz, part, b->Hz);
}

static const gos_surface_type surface_type = {"flux", surface_eval, surface_tangent,
                                              surface_by_input};

/* three families as for any circle, then harmonics */
static void tube_heat(const surface_par *p, const gos_law *law, const void *law_par, int nfam,
                      const double *fn, double q, const gos_batch *b) {
    double u[3];
    if (!b->heat || q == 0.0 || !travel(&p->light, fn, u)) {
        return;
    }
    _Alignas(64) double c[GOS_HEAT_NDIR * GOS_LANES];
    _Alignas(64) double part[GOS_FAMILIES * GOS_LANES]; // in shadow only
    double *heat = b->lit ? memset(part, 0, nfam * GOS_LANES * sizeof *part) : b->heat;
    law->cosines(law_par, b, u, c, NULL);
    gos__kernel_flux(&p->weights, 3, q, c, heat);
    gos__kernel_harmonics(p->modes, p->weights.eps2, q * p->radius, c, heat);
    arrives(b->lit, nfam, part, b->heat);
}

static void tube_eval(const void *par, const gos_law *law, const void *law_par, int nfam,
                      const double *fn, double scale, const gos_batch *b) {
    const surface_par *p = par;
    tube_heat(p, law, law_par, nfam, fn, scale * strength(&p->light, fn), b);
}

static void tube_by_input(const void *par, const gos_law *law, const void *law_par, int nfam,
                          const double *fn, double scale, const gos_input_def *k,
                          const gos_batch *b) {
    const surface_par *p = par;
    tube_heat(p, law, law_par, nfam, fn, scale * strength_by(&p->light, fn, k->fn), b);
}

static void tube_tangent(const void *par, const gos_law *law, const void *law_par, int nfam,
                         const double *fn, double scale, const gos_batch *b) {
    const surface_par *p = par;
    double u[3];
    if (!b->Hz || !travel(&p->light, fn, u)) {
        return;
    }
    _Alignas(64) double c[GOS_HEAT_NDIR * GOS_LANES];
    _Alignas(64) double dc[GOS_HEAT_NDIR * 3 * GOS_HEAT_NZ * GOS_LANES];
    _Alignas(64) double part[GOS_FAMILIES * 3 * GOS_HEAT_NZ * GOS_LANES]; // in shadow only
    const double q = b->hk * scale * strength(&p->light, fn);
    double *Hz = b->lit ? memset(part, 0, nfam * 3 * law->nz * GOS_LANES * sizeof *part) : b->Hz;
    law->cosines(law_par, b, u, c, dc);
    gos__kernel_flux_tangent(&p->weights, 3, 3 * law->nz, q, c, dc, Hz);
    gos__kernel_harmonics_tangent(p->modes, p->weights.eps2, 3 * law->nz, q * p->radius, c, dc, Hz);
    arrives(b->lit, nfam * 3 * law->nz, part, b->Hz);
}

static const gos_surface_type tube_type = {"flux on a tube", tube_eval, tube_tangent,
                                           tube_by_input};

/* a face with normal sign * d absorbs moment (|c| + sign c)/2 */
static void add_face(const gos_section_face *face, int nfam, gos_flux_weights *f) {
    for (int k = 0; k < nfam; k++) {
        f->w[k][face->dir] += 0.5 * face->sign * face->moment[k];
        f->w[k][2 + face->dir] += 0.5 * face->moment[k];
    }
}

/* lever: of T_y, T_z */
static void add_circle(double R, double lever, gos_flux_weights *f) {
    f->w[0][4] = 2.0 * R;
    f->w[1][0] = 0.5 * M_PI * R * lever;
    f->w[2][1] = 0.5 * M_PI * R * lever;
}

static gos_status check_laws(const gos_heat_entry *e, const gos_heat_location *p) {
    const gos_builder *b = e->b;
    for (int i = 0; i < b->npoints; i++) {
        const gos_points *q = b->points[i];
        if (q->body != p->location.body->index || !q->surface || p->location.body->ops->surface) {
            continue;
        }
        if (!q->law->cosines || q->law->ndir < 1 || q->law->ndir > GOS_HEAT_NDIR ||
            q->law->nz > GOS_HEAT_NZ) {
            return gos__fail_at(
                b->ctx, GOS_E_INPUT, p->loc, e->object,
                "body '%s' has no section directions for a directed flux; remove direction",
                p->location.body->name);
        }
    }
    return GOS_OK;
}

static gos_status attach_surface(const gos_heat_entry *e, const gos_heat_location *p,
                                 const gos_heat_light *light) {
    const gos_section *s = p->location.body->section;
    if (!s->has_outline) {
        return gos__fail_at(e->b->ctx, GOS_E_INPUT, p->loc, e->object,
                            "the section of body '%s' has no faces for a directed flux; use a "
                            "rectangle, circle or annulus, or remove direction",
                            p->location.body->name);
    }
    GOS_TRY(check_laws(e, p));
    if (light->sphere && s->modes) {
        return gos__fail_at(e->b->ctx, GOS_E_INPUT, p->loc, e->object,
                            "body '%s' has circumferential temperatures (modes), which do not "
                            "support light from a whole sphere; give earth_direction and the flux "
                            "at the body, or a section without modes",
                            p->location.body->name);
    }
    surface_par *par = GOS_NEW(e->b->arena, surface_par, 1);
    if (!par) {
        return GOS_E_MEMORY;
    }
    par->light = *light;
    par->modes = s->modes;
    par->radius = s->outer;
    par->weights.eps2 = light->smoothing * light->smoothing;
    if (p->where == GOS_ON_FACE) {
        add_face(&s->face[p->location.face], s->nfam, &par->weights);
    } else if (s->round) {
        add_circle(s->outer, s->modes ? 0.5 * (s->outer + s->inner) : s->outer, &par->weights);
    } else {
        for (int i = 0; i < s->nface; i++) {
            add_face(&s->face[i], s->nfam, &par->weights);
        }
    }
    return gos__heat_attach(e, p, s->modes ? &tube_type : &surface_type, NULL, light->input, par,
                            false);
}

typedef struct end_par {
    double s[GOS_FAMILIES]; // integral of phi_k over the end face
    double sign;            // outward normal is sign * tangent
    gos_heat_light light;
} end_par;

/* c = -u . n, n = sign r_x/|r_x| */
static void end_item(const gos_item *it, const gos_item_io *io) {
    const end_par *p = it->par;
    const double *r = io->x;
    double u[3], len = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    if (!(len > 0.0) || !travel(&p->light, io->fn, u)) {
        return;
    }
    double t[3] = {r[0] / len, r[1] / len, r[2] / len};
    double ut = u[0] * t[0] + u[1] * t[1] + u[2] * t[2];
    double c = -p->sign * ut, e = p->light.smoothing, a = sqrt(c * c + e * e);
    double q = io->scale * strength(&p->light, io->fn), slope = a > 0.0 ? c / a : 0.0;
    if (p->light.sphere) {
        a = gos__sphere_even(c, io->fn[p->light.sphere], &slope);
    }
    double dlit = 0.5 * (slope + 1.0);
    for (int k = 0; k < it->ntm; k++) {
        if (io->heat) {
            io->heat[k] += q * p->s[k] * 0.5 * (a + c);
        }
        for (int i = 0; io->heat_x && i < 3; i++) {
            io->heat_x[k * 3 + i] -= q * p->s[k] * dlit * p->sign * (u[i] - ut * t[i]) / len;
        }
    }
}

static void end_by_input(const gos_item *it, const gos_item_io *io, const gos_input_def *k) {
    const end_par *p = it->par;
    end_par unit = *p;
    gos_item copy = *it;
    gos_item_io one = *io;
    unit.light.absorbed = 1.0;
    unit.light.nfactor = 0;
    copy.par = &unit; // removes the factor u^2 of a sphere
    const double u = p->light.sphere ? io->fn[p->light.sphere] : 1.0;
    one.scale = io->scale * strength_by(&p->light, io->fn, k->fn) / (u * u);
    end_item(&copy, &one);
}

static const gos_item_type end_type = {
    .name = "flux on an end", .eval = end_item, .by_input = end_by_input};

static gos_status attach_end(const gos_heat_entry *e, const gos_heat_location *p,
                             const gos_heat_light *light) {
    const gos_body *body = p->location.body;
    end_par *par = GOS_NEW(e->b->arena, end_par, 1);
    if (!par) {
        return GOS_E_MEMORY;
    }
    gos__heat_moments(body->section->end, body->section->nend, body->nfam, par->s);
    par->sign = p->location.s > 0.5 * body->length ? 1.0 : -1.0;
    par->light = *light;
    return gos__heat_attach(e, p, NULL, &end_type, light->input, par, true);
}

gos_status gos__heat_direction(const gos_heat_entry *e, const char *key,
                               gos_timefn *const direction[3]) {
    return gos__sunlight_direction(e->b, e->node, e->object, key, direction);
}

gos_status gos__heat_directed(const gos_heat_entry *e, const gos_heat_location *p,
                              const gos_heat_light *light) {
    if (gos__heat_lumped(p->location.body)) {
        return gos__fail_at(e->b->ctx, GOS_E_INPUT, p->loc, e->object,
                            "rigid body '%s' has a single temperature and no faces to absorb "
                            "light; give the absorbed power as heat_flow",
                            p->location.body->name);
    }
    if (p->where == GOS_ON_END && e->shadow) {
        return gos__fail_at(
            e->b->ctx, GOS_E_INPUT, p->loc, e->object,
            "the end '%s' does not support shadows; use a separate entry without shaded_by for it",
            p->text);
    }
    if (p->where == GOS_ON_END) {
        return attach_end(e, p, light);
    }
    GOS_TRY(e->shadow ? GOS_OK : gos__heat_visibility(e, p));
    return attach_surface(e, p, light);
}
