/* Loads on a flexible body: inertia forces of the frame's motion, and loads at nodes. */
#include "flex/flex.h"

const gos_flex_input gos__flex_state[GOS_FLEX_STATES] = {
    {GOS_FLEX_CENTRIFUGAL, 0, 0, -1},  {GOS_FLEX_CENTRIFUGAL, 1, 1, -1},
    {GOS_FLEX_CENTRIFUGAL, 2, 2, -1},  {GOS_FLEX_CENTRIFUGAL, 0, 1, -1},
    {GOS_FLEX_CENTRIFUGAL, 0, 2, -1},  {GOS_FLEX_CENTRIFUGAL, 1, 2, -1},
    {GOS_FLEX_ACCELERATION, 0, 0, -1}, {GOS_FLEX_ACCELERATION, 1, 1, -1},
    {GOS_FLEX_ACCELERATION, 2, 2, -1}};

/* load += factor int f phi_c dm, f: rigid field d */
static void add_field(const gos_flex *f, double factor, int d, int c, double *load) {
    const gos_sparse *G = &f->gram;
    for (int k = 0; k < f->n; k++) {
        const int at = gos__flex_at(k, c);
        for (int p = G->p[at]; p < G->p[at + 1] && G->i[p] <= d; p++) {
            load[k] += G->i[p] == d ? factor * G->x[p] : 0;
        }
    }
}

static void add_node(const gos_sparse *A, double factor, int column, double *load) {
    for (int p = A->p[column]; p < A->p[column + 1]; p++) {
        load[A->i[p]] += factor * A->x[p];
    }
}

/* w_i w_j of -w x (w x X) = X w^2 - w (w . X) */
static void add_centrifugal(const gos_flex *f, double factor, int i, int j, double *load) {
    for (int c = 0; c < 3 && i == j; c++) {
        add_field(f, c == i ? 0 : factor, 1 + c, c, load);
    }
    if (i != j) {
        add_field(f, -factor, 1 + i, j, load);
        add_field(f, -factor, 1 + j, i, load);
    }
}

void gos__flex_load(const gos_flex *f, const gos_flex_input *input, double factor, double *load) {
    const int i = input->axis, p = (i + 1) % 3, q = (i + 2) % 3;
    switch (input->load) {
    case GOS_FLEX_ACCELERATION:
        add_field(f, -factor, 0, i, load);
        break;
    case GOS_FLEX_EULER: // - e_i x X
        add_field(f, -factor, 1 + p, q, load);
        add_field(f, factor, 1 + q, p, load);
        break;
    case GOS_FLEX_CENTRIFUGAL:
        add_centrifugal(f, factor, i, input->other, load);
        break;
    case GOS_FLEX_FORCE:
        add_node(&f->move, factor, 3 * input->node + i, load);
        break;
    case GOS_FLEX_MOMENT:
        add_node(&f->turn, factor, 3 * input->node + i, load);
        break;
    }
}

const char *gos__flex_unit(gos_flex_load load, bool conjugate) {
    static const char *const unit[][2] = {{"m/s^2", "kg m"},
                                          {"rad/s^2", "kg m^2"},
                                          {"rad^2/s^2", "kg m^2"},
                                          {"N", "m"},
                                          {"N m", "rad"}};
    return unit[load][conjugate];
}
