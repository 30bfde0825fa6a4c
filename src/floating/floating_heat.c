/* Uniform temperature of floating bodies. Thermal strain is a force on the amplitudes that stretch
   a line; joints take up the thrust, and second-order displacements bend the body. Stress stiffness
   would count this twice. */
#include "floating/floating_heat.h"

#include "bodies/component_rows.h"
#include "parts/marker.h"

typedef struct stretch {
    double force; // [N/K]
    double T0;    // reference temperature for thermoelastic heat; 0: none [K]
} stretch;

/* component c of marker c, summed over c */
static void stretch_item(const gos_item *it, const gos_item_io *io) {
    const stretch *p = it->par;
    double rate = 0;
    for (int c = 0; c < 3; c++) {
        rate += io->xd ? io->xd[4 * c] : 0;
        if (io->f) {
            io->f[4 * c] += p->force * io->th[0];
        }
        if (io->f_th) {
            io->f_th[4 * c] += p->force;
        }
        if (io->heat_v) {
            io->heat_v[4 * c] -= p->T0 * p->force;
        }
    }
    if (io->heat) {
        io->heat[0] -= p->T0 * p->force * rate;
    }
    if (io->work) {
        *io->work += p->force * io->th[0] * rate;
    }
}

static const gos_item_type stretch_type = {.name = "thermal strain", .eval = stretch_item};

/* markers of the amplitudes that lengthen the line, per component */
static gos_status line_markers(gos_builder *b, const gos_floating_warmth *w,
                               const gos_floating_body *f, gos_marker m[3], bool *any) {
    const gos_sparse *A = &f->flex->move;
    int *at = GOS_NEW(b->arena, int, f->flex->n + 1);
    double *weight = GOS_NEW(b->arena, double, f->flex->n + 1);
    if (!at || !weight) {
        return GOS_E_MEMORY;
    }
    for (int side = 0; side < 2; side++) {
        const int column = 3 * (side ? w->end : w->start) + w->axis;
        for (int k = A->p[column]; k < A->p[column + 1]; k++) {
            weight[A->i[k]] += side ? A->x[k] : -A->x[k];
        }
    }
    int n = 0;
    for (int k = 0; k < f->flex->n; k++) {
        if (weight[k] != 0) {
            weight[n] = weight[k];
            at[n++] = f->made->z[k];
        }
    }
    *any = n > 0;
    return gos__sum_markers(b->arena, n, at, weight, m);
}

static gos_status add_strain(gos_builder *b, const gos_floating_warmth *w, const char *name,
                             const gos_floating_body *f, const gos_body *body) {
    bool any;
    stretch *par = GOS_NEW(b->arena, stretch, 1);
    gos_tmarker *tm = GOS_NEW(b->arena, gos_tmarker, 1);
    gos_item item = {.type = &stretch_type,
                     .par = par,
                     .name = name,
                     .loc = body->loc,
                     .nm = 3,
                     .ntm = 1,
                     .tm = tm,
                     .mixed = true};
    if (!par || !tm) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(line_markers(b, w, f, item.m, &any));
    if (!any) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, body->loc, name,
                            "it has a temperature and its material expands, but it cannot stretch; "
                            "allow this (`axial: elastic`), or give `temperature: off`");
    }
    *par = (stretch){w->force, b->gough_joule ? b->T_ref : 0};
    const double one = 1;
    GOS_TRY(gos__tmarker_make(b->arena, 1, &body->t0, &one, tm));
    return gos__add_item(b, &item, NULL);
}

/* whole surface at one point: heat as on a rigid body */
static gos_status lump_section(gos_builder *b, double length, gos_body *body) {
    const gos_section *of = body->section;
    gos_section *section = GOS_NEW(b->arena, gos_section, 1);
    gos_section_point *outline = GOS_NEW(b->arena, gos_section_point, 2);
    if (!section || !outline) {
        return GOS_E_MEMORY;
    }
    outline[0] = (gos_section_point){.phi = {1}};
    for (int i = 0; i < of->noutline; i++) {
        outline[0].dl += length * of->outline[i].dl;
    }
    outline[1] = (gos_section_point){.dl = of->A, .phi = {1}};
    *section = (gos_section){.A = of->A * length,
                             .nfam = 1,
                             .family = {"T"},
                             .cap = {1},
                             .has_outline = of->has_outline,
                             .noutline = outline[0].dl > 0,
                             .outline = outline,
                             .nend = 1,
                             .end = outline + 1};
    body->section = section;
    return GOS_OK;
}

gos_status gos__floating_warm(gos_builder *b, const gos_floating_warmth *w, const char *name,
                              const gos_floating_body *f, gos_body *body) {
    int *node_t = GOS_NEW(b->arena, int, 1);
    if (body->nfam == 0) {
        return GOS_OK;
    }
    GOS_TRY(node_t ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__add_temperatures(b, 1, &body->t0));
    GOS_TRY(gos__add_symmetric(b, &b->capacity, body->t0, body->t0, w->capacity));
    b->tmean[body->t0] = 1;
    *node_t = body->t0;
    body->node_t = node_t;
    body->nt = body->nfam = 1;
    GOS_TRY(lump_section(b, body->length, body));
    return w->force != 0 ? add_strain(b, w, name, f, body) : GOS_OK;
}

gos_status gos__floating_temperature(gos_arena *a, const gos_body *b, const gos_location *p,
                                     gos_tmarker *tm) {
    const double one = 1;
    GOS_UNUSED(p);
    return gos__tmarker_make(a, 1, &b->t0, &one, tm);
}
