/* Standard input data of flexible bodies (SID, Wallrapp 1993), text files of multibody programs. */

/* Matrices are expanded in the amplitudes q,
 *
 *     M(q) = M0 + sum_k M1_k q_k,
 *
 * for a frame like that of gos_flex (docs/sid.md). */
#ifndef GOS_FLEX_SID_H
#define GOS_FLEX_SID_H

#include <stdio.h>

#include "flex/flex.h"

/* Indices from 0; q = k for M1_k. */
typedef struct gos_sid_entry {
    int i, q, j; // q = -1: M0
    double x;
} gos_sid_entry;

/* Storage of M0; M1 lists its entries. */
typedef enum gos_sid_structure {
    GOS_SID_ZERO,
    GOS_SID_DIAGONAL,
    GOS_SID_SYMMETRIC, // one of each symmetric pair suffices
    GOS_SID_FULL,
    GOS_SID_UNIT
} gos_sid_structure;

typedef struct gos_sid_block {
    int line; // 0: absent
    int order, nrow, ncol, nq, nqn;
    gos_sid_structure structure;
    int n, cap;
    gos_sid_entry *entry; // (n) in file order
} gos_sid_block;

/* Name, rows, columns (Q: amplitudes, Q3: three times as many). J may be (3, 3); rows here are 11,
 * 22, 33, 12, 13, 23. */
#define GOS_SID_BLOCKS(X)                                                                          \
    X(MDCM, "mdCM", 3, 1)                                                                          \
    X(J, "J", 6, 1)                                                                                \
    X(CT, "Ct", Q, 3)                                                                              \
    X(CR, "Cr", Q, 3)                                                                              \
    X(ME, "Me", Q, Q)                                                                              \
    X(GR, "Gr", 3, Q3)                                                                             \
    X(GE, "Ge", Q, Q3)                                                                             \
    X(OE, "Oe", Q, 6)                                                                              \
    X(KSIGMA, "ksigma", Q, 1)                                                                      \
    X(KE, "Ke", Q, Q)                                                                              \
    X(DE, "De", Q, Q)
/* Blocks of a node. */
#define GOS_SID_NODE_BLOCKS(X)                                                                     \
    X(ORIGIN, "origin", 3, 1)                                                                      \
    X(PHI, "phi", 3, Q)                                                                            \
    X(PSI, "psi", 3, Q)                                                                            \
    X(AP, "AP", 3, 3)                                                                              \
    X(SIGMA, "sigma", 6, 1)

enum {
#define X(name, text, rows, columns) GOS_SID_##name,
    GOS_SID_BLOCKS(X) GOS_SID_NBLOCK,
    GOS_SID_NODE_BLOCKS(X) GOS_SID_END
#undef X
};
#define GOS_SID_NODE_NBLOCK (GOS_SID_END - GOS_SID_NBLOCK - 1)
#define GOS_SID_OF_NODE(k) ((k)-GOS_SID_NBLOCK - 1) // in its node

typedef struct gos_sid_node {
    int number, line;
    gos_sid_block block[GOS_SID_NODE_NBLOCK]; // GOS_SID_OF_NODE(GOS_SID_PHI) ...
} gos_sid_node;

typedef struct gos_sid {
    gos_ctx *ctx;
    const char *file; // interned; NULL: generated
    char *remark;     // first line
    int n;            // amplitudes
    double mass;      // [kg]
    char **mode;      // (n) descriptions
    int nnode, cap;
    gos_sid_node *node;
    gos_sid_block block[GOS_SID_NBLOCK];
} gos_sid;

/** Creates data of n amplitudes, without blocks. Free with gos__sid_destroy. (sid.c) */
gos_status gos__sid_create(gos_ctx *ctx, int n, gos_sid **sid);
void gos__sid_destroy(gos_sid *sid);
gos_status gos__sid_remark(gos_sid *sid, const char *text, size_t length);
gos_status gos__sid_mode(gos_sid *sid, int k, const char *text, size_t length);
gos_status gos__sid_add_node(gos_sid *sid, int number, gos_sid_node **node);
gos_status gos__sid_add(gos_ctx *ctx, gos_sid_block *block, int i, int q, int j, double x);
/** Name of a block; its required rows and columns. */
const char *gos__sid_name(int block);
void gos__sid_shape(const gos_sid *sid, int block, int *rows, int *columns);
/** Sets A (nrow, ncol) to M0, column-major. */
void gos__sid_constant(const gos_sid_block *block, double *A);
/** Sets n + 1 such matrices to M0 and M1. */
void gos__sid_all(const gos_sid_block *block, int n, double *A);

/** Parses the text of a file. @return GOS_E_INPUT, GOS_E_LIMIT with file and line. (sid_read.c) */
gos_status gos__sid_parse(gos_ctx *ctx, const char *text, size_t n, const char *file,
                          gos_sid **sid);
gos_status gos__sid_read(gos_ctx *ctx, const char *path, gos_loc loc, const char *object,
                         gos_sid **sid);
/** Reading it back is bitwise identical. Errors are in the stream state; the locale uses a decimal
 * point. (sid.c) */
void gos__sid_write(const gos_sid *sid, FILE *out);

/** Makes the data of a body without conditions, for its nodes `location` (nlocation) with numbers
 * `number`. (sid_make.c) */
gos_status gos__sid_of_flex(const gos_flex *flex, int nlocation, const int *location,
                            const int *number, gos_sid **sid);
/** Without conditions; *second: has second-order displacements. Contradicting blocks are rejected,
 * or reported if unused. loc, object: where the file is given. (sid_flex.c) */
gos_status gos__sid_to_flex(const gos_sid *sid, gos_loc loc, const char *object, gos_flex **flex,
                            bool *second);

#endif
