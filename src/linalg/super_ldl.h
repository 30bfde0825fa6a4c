/* The block L D L^T of large matrices: blocks whose columns of L are alike (supernodes) are
   eliminated together, in dense fronts (multifrontal; I. S. Duff and J. K. Reid, ACM Trans. Math.
   Softw. 9, 1983), and subtrees of the elimination tree by any number of threads, which find the
   same digits. */
#ifndef GOS_SUPER_LDL_H
#define GOS_SUPER_LDL_H

#include "linalg/block_ldl_parts.h"
#include "linalg/solver.h"

enum {
    GOS_SUPER_MOST = 16, // blocks of a supernode
    GOS_SUPER_LANES = 8, // rows of a front are a multiple of that
    GOS_SUPER_STRIP = 6, // columns of what is left that are computed at once
    GOS_SUPER_THREADS = 64,
    GOS_SUPER_SHARED = 32 // blocks below a front that threads share
};

/* Blocks are numbered in the order of their elimination, supernodes likewise. A front has the
   blocks of its supernode, then those that it touches of others. Its panel is its columns of the
   supernode: 3 w rows of that, then from the next multiple of GOS_SUPER_LANES on 3 h rows of the
   others, filled up; above the diagonal and on its blocks all is zero. */
typedef struct gos_super {
    gos_ctx *ctx;
    int n, ns;         // blocks, supernodes
    int *first;        // first block of each (ns + 1)
    int *of;           // supernode of each block (n)
    size_t *at;        // where its rows begin (ns + 1)
    int *row;          // blocks touched, ascending (at[ns])
    int *place;        // ... and which block of the parent's front they are
    int *parent;       // -1: none (ns)
    int *child, *next; // first child of a supernode, next child of its parent; -1: none
    size_t *panel;     // where its panel begins in l (ns + 1)
    size_t *update; // where what it leaves to its parent begins in stack (ns): columns of 3 h, then
                    // what was taken from diagonals
    const size_t *entry;  // first entry of the matrix in each (ns + 1, borrowed)
    const int *from, *to; // which value, and its place in the panel (entry[ns], borrowed)
    const unsigned char
        *size;  // unknowns of each block (n, borrowed): 1 to 3; the others have a pivot of 1
    int ntask;  // subtrees that can be done side by side
    int *root;  // of each, the most work first (ntask)
    int *begin; // first supernode below each one, itself at last (ns)
    unsigned char *top; // not in a subtree (ns)
    int high, rows;     // most rows of a front with its filling, and of what it leaves
    size_t scratch;     // doubles that a thread needs
    int threads;        // that there is scratch for
    int seen[3];        // supernode and block that were looked for last, and its row
    size_t entries;     // of L and D
    double products;    // multiplications of a factorisation
    double *l, *inverse, *stack, *x, *room; // x (3 n), room (threads, scratch)
    void *owned[4];                         // what l, stack, room and x are aligned in
} gos_super;

/** Supernodes of the graph g of blocks with an order of least fill (n), which becomes one in which
 * they are contiguous. */
gos_status gos__super_create(gos_ctx *ctx, const gos_pattern *g, int *order, gos_super **super);
void gos__super_destroy(gos_super *f);
/** The place in the panel of supernode s of component `down` of block k >= i, and `along` of i,
 * which is one of its blocks. */
int gos__super_place(gos_super *f, int s, int i, int k, int down, int along);
/** As gos__kernel_block_factor, with the threads of the context. */
int gos__super_factor(gos_super *f, const double *values, int *part, int *negative);

/* rows of a panel: where those of other blocks begin, and all */
static inline int gos__super_below(int w) {
    return (3 * w + GOS_SUPER_LANES - 1) / GOS_SUPER_LANES * GOS_SUPER_LANES;
}
static inline int gos__super_lead(int w, int h) {
    return gos__super_below(w) + gos__super_below(h);
}

/* doubles that fronts need of a thread, for the most rows of one and blocks below one */
static inline size_t gos__super_scratch(int high, int h) {
    const size_t wide = 3 * GOS_SUPER_MOST;
    return (size_t)high + wide + wide * (size_t)high + wide * (3 * (size_t)h + GOS_SUPER_STRIP);
}

/** The panel of one front, assembled and factorised. scratch: of one thread. @return the block
 * whose pivot vanishes, or -1 */
int gos__kernel_super_panel(const gos_super *f, int s, const double *values, double *scratch,
                            int *part, int *negative);
/** What it leaves to its parent in columns of the blocks from `one` to `end` of those it touches;
 * both even, or all. */
void gos__kernel_super_leave(const gos_super *f, int s, double *scratch, int one, int end);
/** f->x := solution. */
void gos__kernel_super_solve(gos_super *f);
/** Columns of an elimination tree as of an order, and the blocks of each column of L; place, mark:
 * scratch (n) (block_ldl.c).
 *  @return products of blocks that the factorisation takes */
double gos__block_fill(const gos_pattern *g, const int *order, int *place, int *mark, int *parent,
                       int *count);

#endif
