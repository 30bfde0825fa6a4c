/* Block L D L^T of large matrices by supernodes in dense fronts (multifrontal; I. S. Duff and J.
 * K. Reid, ACM Trans. Math. Softw. 9, 1983). Subtrees of the elimination tree are distributed to
 * threads; results do not depend on their number. */
#ifndef GOS_SUPER_LDL_H
#define GOS_SUPER_LDL_H

#include "linalg/block_ldl_parts.h"
#include "linalg/solver.h"

enum {
    GOS_SUPER_MAX_WIDTH = 16,
    GOS_SUPER_LANES = 8, // row counts of a front are multiples of this
    GOS_SUPER_STRIP = 6, // columns of an update matrix computed at once
    GOS_SUPER_THREADS = 64,
    GOS_SUPER_SHARED = 32 // blocks below a front from which threads share it
};

/* Blocks and supernodes are numbered in elimination order. A front has the blocks of its
 * supernode, then the coupled later ones. Its panel has the columns of the supernode: 3 w rows,
 * then from the next multiple of GOS_SUPER_LANES 3 h rows below, padded; zero above and on the
 * diagonal blocks. */
typedef struct gos_super {
    gos_ctx *ctx;
    int n, ns;  // blocks, supernodes
    int *first; // first block of each (ns + 1)
    // supernode of each block (n)
    int *of;
    size_t *at;        // start of its rows (ns + 1)
    int *row;          // coupled blocks, ascending (at[ns])
    int *place;        // ... their block in the parent's front
    int *parent;       // -1: none (ns)
    int *child, *next; // first child, next sibling; -1: none
    size_t *panel;     // start of its panel in l (ns + 1)
    // start of its update matrix in stack (ns): 3 h columns, then absolute diagonal terms
    size_t *update;
    const size_t *entry;  // first matrix entry of each (ns + 1, borrowed)
    const int *from, *to; // index in values, position in the panel (entry[ns], borrowed)
    // unknowns of each block (n, borrowed): 1 to 3; unused ones get a pivot of 1
    const unsigned char *size;
    int ntask;                              // number of parallel subtrees
    int *root;                              // their roots, most work first (ntask)
    int *begin;                             // first supernode of the subtree of each (ns)
    unsigned char *top;                     // outside the subtrees (ns)
    int high, rows;                         // most padded rows of a front, most blocks below one
    size_t scratch;                         // doubles per thread
    int threads;                            // with scratch memory
    int last_search[3];                     // supernode and block of the last search, and its row
    size_t entries;                         // of L and D
    double products;                        // multiplications per factorisation
    double *l, *inverse, *stack, *x, *room; // x (3 n), room (threads, scratch)
    void *owned[4];                         // unaligned memory of l, stack, room and x
} gos_super;

/** Supernodes of the graph g of blocks, for a fill-reducing order (n), which is rearranged to make
 * them contiguous. */
gos_status gos__super_create(gos_ctx *ctx, const gos_pattern *g, int *order, gos_super **super);
void gos__super_destroy(gos_super *f);
/** Position in the panel of supernode s of component `down` of block k >= i and `along` of its
 * block i. */
int gos__super_position(gos_super *f, int s, int i, int k, int down, int along);
/** As gos__kernel_block_factor, multithreaded. */
int gos__super_factor(gos_super *f, const double *values, int *part, int *negative);

/* Rows of a panel: first row below the supernode, and total. */
static inline int gos__super_below(int w) {
    return (3 * w + GOS_SUPER_LANES - 1) / GOS_SUPER_LANES * GOS_SUPER_LANES;
}
static inline int gos__super_lead(int w, int h) {
    return gos__super_below(w) + gos__super_below(h);
}

/* Scratch memory of a thread (doubles) for the largest number of rows and blocks below. */
static inline size_t gos__super_scratch(int high, int h) {
    const size_t wide = 3 * GOS_SUPER_MAX_WIDTH;
    return (size_t)high + wide + wide * (size_t)high + wide * (3 * (size_t)h + GOS_SUPER_STRIP);
}

/** Assembles and factorises the panel of a front. scratch: of one thread. @return the block whose
 * pivot vanishes, or -1 */
int gos__kernel_super_panel(const gos_super *f, int s, const double *values, double *scratch,
                            int *part, int *negative);
/** Update matrix, in the columns of blocks `one` to `end` below the supernode; both even, or the
 * whole range. */
void gos__kernel_super_leave(const gos_super *f, int s, double *scratch, int one, int end);
/** f->x := solution. */
void gos__kernel_super_solve(gos_super *f);
/** Elimination tree of an order, and block count of each column of L; place, mark: scratch (n)
 * (block_ldl.c). @return block products of the factorisation */
double gos__block_fill(const gos_pattern *g, const int *order, int *place, int *mark, int *parent,
                       int *count);

#endif
