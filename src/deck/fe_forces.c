#include "deck/fe_forces.h"

#include "fe/mesh_loads.h"

typedef struct summing {
    const gos_fe_body *body;
    const gos_deck_ties *ties;
    const gos_deck_load *load;
    double *to;
} summing;

static int number_of(const summing *s, int node, int dof) {
    return s->ties ? gos__deck_ties_number(s->ties, node, dof)
                   : gos__fe_number(&s->body->freedom, node, dof);
}

static void add(const summing *s, const gos_fe_point *p, const double f[3]) {
    for (int k = 0; k < p->nodes; k++) {
        for (int c = 0; c < 3; c++) {
            const int number = number_of(s, p->node[k], c);
            if (number >= 0) {
                s->to[number] += p->weight * p->N[k] * f[c];
            }
        }
    }
}

static gos_status press(const gos_fe_point *p, void *arg) {
    const summing *s = arg;
    const double P = -s->load->value[0];
    const double f[3] = {P * p->normal[0], P * p->normal[1], P * p->normal[2]};
    add(s, p, f);
    return GOS_OK;
}

/* given, or centrifugal */
static gos_status accelerate(const gos_fe_point *p, void *arg) {
    const summing *s = arg;
    const gos_deck_load *l = s->load;
    const double *v = l->value, rho = s->body->part[s->body->part_of[p->cell]].material->density;
    double f[3], along = 0;
    if (l->kind == GOS_DECK_GRAVITY) {
        for (int c = 0; c < 3; c++) {
            f[c] = rho * v[0] * v[1 + c];
        }
        add(s, p, f);
        return GOS_OK;
    }
    for (int c = 0; c < 3; c++) {
        f[c] = -v[1 + c];
        for (int k = 0; k < p->nodes; k++) {
            f[c] += p->N[k] * s->body->mesh->x[p->node[k]][c];
        }
        along += f[c] * v[4 + c];
    }
    for (int c = 0; c < 3; c++) {
        f[c] = rho * v[0] * (f[c] - along * v[4 + c]);
    }
    add(s, p, f);
    return GOS_OK;
}

static gos_status press_on(summing *s, int i) {
    const int face = s->load->on.face[i];
    const unsigned char side = (unsigned char)face;
    gos_fe_area area = {.n = 1, .cell = &s->load->on.cell[i]};
    if (face >= 0) {
        area.side = &side;
    } else {
        area.face = face == GOS_DECK_FACE_POS ? 1 : -1;
    }
    return gos__fe_visit_area(s->body, &area, press, s);
}

/* gravity, or centrifugal force, of a mass at a node; moments of masses with offset */
static void pull(const summing *s, int cell) {
    const gos_deck *d = s->body->mesh->deck;
    const gos_deck_section *mass = &d->section[d->cell_section[cell]];
    const double *v = s->load->value;
    int at;
    const gos_cell_block *b = gos__mesh_cell(s->body->mesh, cell, &at);
    double a[3], along = 0;
    for (int c = 0; c < 3; c++) {
        a[c] = s->load->kind == GOS_DECK_GRAVITY ? v[0] * v[1 + c]
                                                 : s->body->mesh->x[b->node[at]][c] - v[1 + c];
        along += a[c] * v[4 + c];
    }
    for (int c = 0; c < 3 && s->load->kind == GOS_DECK_CENTRIFUGAL; c++) {
        a[c] = v[0] * (a[c] - along * v[4 + c]);
    }
    for (int i = 0; i < 18; i++) {
        const int row = i / 3, column = i % 3, number = number_of(s, b->node[at], row);
        const double m = mass->matrix    ? mass->matrix[6 * row + column]
                         : row == column ? mass->value[0]
                                         : 0;
        if (number >= 0) {
            s->to[number] += m * a[column];
        }
    }
}

static bool is_mass(const gos_deck *d, int cell) {
    const int section = d->cell_section[cell];
    return section >= 0 && d->section[section].kind == GOS_DECK_MASS;
}

void gos__deck_force_masses(const gos_fe_body *body, const gos_deck_ties *ties,
                            const gos_deck_load *load, double *force) {
    const summing s = {.body = body, .ties = ties, .load = load, .to = force};
    for (int i = 0; i < load->on.n && load->kind != GOS_DECK_PRESSURE; i++) {
        if (is_mass(body->mesh->deck, load->on.cell[i])) {
            pull(&s, load->on.cell[i]);
        }
    }
}

gos_status gos__deck_force(const gos_fe_body *body, const gos_deck_ties *ties,
                           const gos_deck_load *load, double *force) {
    summing s = {.body = body, .ties = ties, .load = load, .to = force};
    for (int i = 0; i < load->on.n; i++) {
        const int cell = load->on.cell[i];
        if (body->part_of[cell] < 0) {
            continue;
        }
        GOS_TRY(load->kind == GOS_DECK_PRESSURE
                    ? press_on(&s, i)
                    : gos__fe_visit_volume(body, 1, &cell, accelerate, &s));
    }
    return GOS_OK;
}
