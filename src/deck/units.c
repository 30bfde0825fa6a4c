/* Conversion of length and mass units; time and temperature stay. */
#include <math.h>

#include "deck/deck.h"

static void times(double factor, int n, double *x) {
    for (int i = 0; i < n; i++) {
        x[i] *= factor;
    }
}

static void times_table(double factor, gos_deck_table *t) {
    times(factor, t->n * t->width, t->v);
}

static void convert_general(double L, double M, gos_deck_section *s) {
    static const int power[] = {2, 4, 4, 4, 0, 0, 4};
    for (int k = 0; s->kind == GOS_DECK_BEAM_GENERAL && k < GOS_COUNT(power); k++) {
        s->value[k] *= pow(L, power[k]);
    }
    times(s->kind == GOS_DECK_BEAM_GENERAL ? L : 1, 2, s->offset);
    for (int i = 0; i < 2; i++) { // not shared between sections
        double *own = (double *)(uintptr_t)(i == 0 ? s->matrix : s->damping);
        const int n = s->kind == GOS_DECK_MASS ? 6 : 6 * s->dof[0];
        for (int k = 0; own && k < n * n; k++) {
            own[k] *= M * (k / n % 6 < 3 ? 1 : L) * (k % n % 6 < 3 ? 1 : L);
        }
    }
}

static void convert_section(const gos_deck *d, double L, double M, gos_deck_section *s) {
    int k;
    const bool turns = s->dof[s->dof[1] > 0] > 3;
    const bool line =
        s->n > 0 && gos__cell_kind[gos__mesh_cell(d->mesh, s->cell[0], &k)->shape].dim == 1;
    const bool force = s->kind == GOS_DECK_SPRING || s->kind == GOS_DECK_DASHPOT;
    convert_general(L, M, s);
    times(s->kind == GOS_DECK_BEAM_GENERAL    ? 1
          : s->kind == GOS_DECK_MASS          ? M
          : force                             ? M * (s->dof[0] > 3 ? L : 1) * (turns ? L : 1)
          : s->kind == GOS_DECK_SOLID && line ? L * L // an area
                                              : L,
          6, s->value);
    for (k = 0; k < s->nlayer; k++) {
        s->layer[k].thickness *= L;
    }
}

static void convert_nodal(double L, double M, gos_deck_nodal *n) {
    const bool turns = n->dof >= 4 && n->dof <= 6;
    switch (n->kind) {
    case GOS_DECK_FORCE:
        n->value *= turns ? M * L * L : M * L;
        break;
    case GOS_DECK_HEAT:
        n->value *= M * L * L;
        break;
    case GOS_DECK_FIXED:
    case GOS_DECK_INITIAL_DISPLACEMENT:
    case GOS_DECK_INITIAL_VELOCITY:
        n->value *= turns || n->dof == 11 ? 1 : L;
        break;
    case GOS_DECK_TEMPERATURE:
    case GOS_DECK_INITIAL_TEMPERATURE:
        break;
    }
}

static void convert_load(double L, double M, gos_deck_load *l) {
    switch (l->kind) {
    case GOS_DECK_PRESSURE:
    case GOS_DECK_SOURCE:
        l->value[0] *= M / L;
        break;
    case GOS_DECK_GRAVITY:
        l->value[0] *= L;
        break;
    case GOS_DECK_CENTRIFUGAL:
        times(L, 3, l->value + 1);
        break;
    case GOS_DECK_FLUX:
        l->value[0] *= M;
        break;
    case GOS_DECK_FILM:
        l->value[1] *= M;
        break;
    case GOS_DECK_RADIATION:
        break;
    }
}

static void convert_constraints(double L, gos_deck *d) {
    for (int i = 0; i < d->nequation; i++) {
        gos_deck_equation *e = &d->equation[i];
        for (int k = 0; k < e->n; k++) {
            e->factor[k] *= e->dof[k] >= 4 && e->dof[k] <= 6 ? L : 1;
        }
    }
    for (int i = 0; i < d->ntie; i++) {
        d->tie[i].tolerance *= L;
    }
}

void gos__deck_convert(gos_deck *d, double L, double mass) {
    const double M = mass > 0 ? mass : 1;
    d->length = L;
    d->mass = mass;
    times(L, 3 * d->mesh->nnode, d->mesh->x[0]);
    for (int i = 0; i < d->nmaterial; i++) {
        gos_deck_material *m = &d->material[i];
        if (m->elastic_law == GOS_DECK_ISOTROPIC || m->elastic_law == GOS_DECK_CONSTANTS ||
            m->elastic_law == GOS_DECK_LAMINA) {
            for (int k = 0; k < m->elastic.n * m->elastic.width; k++) {
                const int column = k % m->elastic.width;
                const bool ratio = m->elastic_law == GOS_DECK_ISOTROPIC ? column == 1
                                   : m->elastic_law == GOS_DECK_LAMINA  ? column == 2
                                                                        : column >= 3 && column < 6;
                m->elastic.v[k] *= ratio ? 1 : M / L;
            }
        } else {
            times_table(M / L, &m->elastic);
        }
        times_table(M / (L * L * L), &m->density);
        times_table(M * L, &m->conductivity);
        times_table(L * L, &m->specific_heat);
    }
    for (int i = 0; i < d->nsection; i++) {
        convert_section(d, L, M, &d->section[i]);
    }
    for (int i = 0; i < d->norientation; i++) {
        times(L, 3, d->orientation[i].a);
        times(L, 3, d->orientation[i].b);
    }
    for (int i = 0; i < d->ntransform; i++) {
        times(L, 3, d->transform[i].a);
        times(L, 3, d->transform[i].b);
    }
    for (int i = 0; i < d->nnodal; i++) {
        convert_nodal(L, M, &d->nodal[i]);
    }
    for (int i = 0; i < d->nload; i++) {
        convert_load(L, M, &d->load[i]);
    }
    convert_constraints(L, d);
    d->stefan_boltzmann *= M;
}
