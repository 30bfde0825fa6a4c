/* Evaluation of joint rows. */
#include "joints/joint.h"

#include "parts/hinge.h"

static void vector_row(const gos_item_io *io, const double *w, int nm, int row) {
    int n = 3 * nm;
    for (int m = 0; m < nm; ++m) {
        for (int k = 0; w[m] != 0.0 && k < 3; ++k) {
            if (io->c) {
                io->c[row + k] += w[m] * io->x[3 * m + k];
            }
            if (io->cx) {
                io->cx[(row + k) * n + 3 * m + k] += w[m];
            }
        }
    }
}

/* adds cx and H of factor (x_p . x_i) */
static void dot_parts(const gos_item_io *io, int p, int i, double factor, int nm, int row) {
    const int n = 3 * nm;
    for (int k = 0; io->cx && k < 3; ++k) {
        io->cx[row * n + 3 * p + k] += factor * io->x[3 * i + k];
        io->cx[row * n + 3 * i + k] += factor * io->x[3 * p + k];
    }
    if (io->H) {
        gos__addeye(io->H, n, p, i, factor * io->lam[row]);
        gos__addeye(io->H, n, i, p, factor * io->lam[row]);
    }
}

static void dot_row(const gos_item_io *io, const gos_dot_row *d, int nm, int row) {
    const double *x = io->x;
    const bool difference = d->j >= 0 && d->q == d->p; // subtract first: points may be far away
    double u[3];
    for (int k = 0; k < 3; ++k) {
        u[k] = x[3 * d->i + k] - (difference ? x[3 * d->j + k] : 0.0);
    }
    if (io->c) {
        io->c[row] = gos__dot3(x + 3 * d->p, u) - d->value;
        io->c[row] -= d->j >= 0 && !difference ? gos__dot3(x + 3 * d->q, x + 3 * d->j) : 0.0;
    }
    dot_parts(io, d->p, d->i, 1.0, nm, row);
    if (d->j >= 0) {
        dot_parts(io, d->q, d->j, -1.0, nm, row);
    }
}

static void triple_row(const gos_item_io *io, const gos_triple_row *r, int nm, int row) {
    const int n = 3 * nm;
    for (int c = 0; c < 3; ++c) { // even permutations of the three factors
        const int at[3] = {r->m[c], r->m[(c + 1) % 3], r->m[(c + 2) % 3]};
        double product[3], S[9];
        gos__cross3(io->x + 3 * at[1], io->x + 3 * at[2], product);
        if (io->c && c == 0) {
            io->c[row] = gos__dot3(io->x + 3 * at[0], product);
        }
        for (int k = 0; io->cx && k < 3; ++k) {
            io->cx[row * n + 3 * at[0] + k] += product[k];
        }
        if (io->H) { // d(x_j x x_k)/dx_k = [x_j]x, d(x_j x x_k)/dx_j = -[x_k]x
            gos__skew3(io->x + 3 * at[1], S);
            gos__add33(io->H, n, at[0], at[2], io->lam[row], S);
            gos__skew3(io->x + 3 * at[2], S);
            gos__add33(io->H, n, at[0], at[1], -io->lam[row], S);
        }
    }
}

static void angle_row(const gos_item_io *io, const gos_angle_row *a, int nm, int row) {
    const int n = 3 * nm;
    gos_hinge_angle h;
    double x[9];
    for (int k = 0; k < 9; ++k) {
        x[k] = io->x[3 * a->m[k / 3] + k % 3];
    }
    (void)gos__hinge_angle(x, &h);
    if (io->c) {
        io->c[row] = gos__hinge_unwrap(h.angle - a->value, 0.0);
    }
    for (int k = 0; k < 9; ++k) {
        const int at = 3 * a->m[k / 3] + k % 3;
        if (io->cx) {
            io->cx[row * n + at] += h.dx[k];
        }
        for (int l = 0; io->H && l < 9; ++l) {
            io->H[at * n + 3 * a->m[l / 3] + l % 3] += io->lam[row] * h.dxx[9 * k + l];
        }
    }
}

static void temperature_rows(const gos_item *it, const gos_item_io *io) {
    for (int r = 0; r < it->nh; ++r) {
        if (io->h) {
            io->h[r] = io->th[r] - io->th[it->nh + r];
        }
        if (io->hth) {
            io->hth[r * it->ntm + r] = 1.0;
            io->hth[r * it->ntm + it->nh + r] = -1.0;
        }
    }
}

static void rows_eval(const gos_item *it, const gos_item_io *io) {
    const gos_rows *rows = it->par;
    for (int r = 0; r < rows->nvec; ++r) {
        vector_row(io, rows->w[r], it->nm, 3 * r);
    }
    for (int r = 0; r < rows->ndot; ++r) {
        dot_row(io, &rows->dot[r], it->nm, 3 * rows->nvec + r);
    }
    for (int r = 0; r < rows->ntriple; ++r) {
        triple_row(io, &rows->triple[r], it->nm, 3 * rows->nvec + rows->ndot + r);
    }
    const int first = it->nc - rows->nangle;
    for (int r = 0; (io->c || io->cx || io->H) && r < rows->nangle; ++r) {
        angle_row(io, &rows->angle[r], it->nm, first + r);
    }
    temperature_rows(it, io);
}

const gos_item_type gos__joint_rows = {.name = "joint", .eval = rows_eval};
