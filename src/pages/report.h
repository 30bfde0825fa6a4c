/* Parts of a report, which the viewer (folder viewer/) reads as JSON with packed arrays. */
#ifndef GOS_IO_REPORT_H
#define GOS_IO_REPORT_H

#include "base/base.h"
#include "gossamer/io.h"

/* ---- files of the viewer, embedded by cmake/embed.cmake -------------------------------------- */

// terminated by 0: skeleton; styles of all pages, of the full screen, of pages without animation;
// scripts common to runs, of each; common to pages without animation, of each
extern const char gos__viewer_page[], gos__viewer_style[], gos__viewer_full_style[],
    gos__viewer_plain_style[];
extern const char gos__viewer_common[], gos__viewer_report[], gos__viewer_full[];
extern const char gos__viewer_plain[], gos__viewer_response[], gos__viewer_model[],
    gos__viewer_design[];

/* ---- values ---------------------------------------------------------------------------------- */

/* JSON safe inside HTML: no '<', '>' or '&', always valid UTF-8. */
typedef struct gos_page {
    gos_ctx *ctx;
    FILE *out;
    bool comma; // a value precedes in the innermost list or map
} gos_page;

/* key NULL: a list entry */
void gos__page_open(gos_page *p, const char *key, char bracket); // '{' or '['
void gos__page_close(gos_page *p, char bracket);
void gos__page_text(gos_page *p, const char *key, const char *text); // NULL: null
void gos__page_number(gos_page *p, const char *key, double value);   // not finite: null
void gos__page_bool(gos_page *p, const char *key, bool value);

/** v[i * stride] for i = keep[0..n) (NULL: 0..n) as 4-byte floats, relative to the middle of a
 *  narrow range. */
void gos__page_floats(gos_page *p, const char *key, const double *v, long stride, const long *keep,
                      long n);
/** n non-negative integers, 4 bytes each. */
void gos__page_ints(gos_page *p, const char *key, const int *v, long n);
/** n numbers in `width` <= 3 interleaved columns, quantised to 2 bytes over each column's range;
 *  65535: not finite. */
void gos__page_parts(gos_page *p, const char *key, const double *v, long n, int width);

/* Contents of a page besides its skeleton. */
typedef struct gos_page_parts {
    const char *title;
    const char *style[2], *script[2]; // consecutive; NULL: none
    gos_status (*data)(void *user);   // writes the data
    void *user;
} gos_page_parts;

gos_status gos__page_put(gos_page *p, const gos_page_parts *parts);

/* ---- thinning -------------------------------------------------------------------------------- */

/** At most `limit` >= 4 of n values v[k * stride] that preserve the plotted curve: first, last,
 *  minimum and maximum of equal time intervals. keep (limit).
 *  @return their number; ascending indices in keep */
long gos__thin_curve(const double *time, const double *v, long n, long stride, long limit,
                     long *keep);

/* A mesh with fewer nodes. */
typedef struct gos_thin_mesh {
    int nnodes, ncells;
    int *node;        // original node numbers, increasing (nnodes)
    int *cell_offset; // into cell_nodes (ncells + 1)
    int *cell_nodes;  // indices into `node`
    int *cell_body;   // (ncells)
} gos_thin_mesh;

/** Nodes drawn as dots (nnodes): without cells, and not part of a body with cells. NULL without
 *  memory. */
bool *gos__mesh_dots(gos_arena *arena, const gos_mesh_info *mesh);
/** About `limit` nodes: chains of line cells keep every n-th node and their ends; other cells are
 *  merged where their nodes x (nnodes, 3) are close in one body. */
gos_status gos__thin_mesh(gos_arena *arena, const gos_mesh_info *mesh, const double *x, int limit,
                          gos_thin_mesh *thin);

/* ---- parts of a run -------------------------------------------------------------------------- */

/* Budget of a run. */
typedef struct gos_report_limits {
    long points;                      // per curve
    long shapes;                      // nodes times output times; 0: no shapes
    int nodes;                        // of shapes
    int frames, few;                  // output times; minimum number before nodes are thinned
    int coarse;                       // nodes of a second, coarser mesh for animation; 0: none
    const struct gos_view_more *more; // additional full-screen data, or NULL
} gos_report_limits;

/** Name, text (NULL if equal to that of `first`, which may be NULL), state, sizes, statistics. */
gos_status gos__report_info(gos_page *p, gos_arena *arena, gos_results *run, gos_results *first);
const char *gos__file_name(const char *path);

/** Probes, and differences from `first` (may be NULL): "time", "difference_time", "probes". */
gos_status gos__report_probes(gos_page *p, gos_arena *arena, gos_results *run, gos_results *first,
                              const gos_report_limits *limits);
/** Energy and heat over time: "balance". */
gos_status gos__report_balance(gos_page *p, gos_arena *arena, gos_results *run,
                               const gos_report_limits *limits);
/* Modes, then temperature fields with their deformation, at all nodes. */
typedef struct gos_mesh_modes {
    int n, nnodes;
    const char *names;    // one per line
    double *displacement; // (n, nnodes, 3)
    double *temperature;  // (n, nnodes), 0 for modes
} gos_mesh_modes;

/** Nodes at `reference` (thin nodes, 3), undeformed, and cells: "mesh". */
void gos__page_mesh(gos_page *p, const gos_mesh_info *mesh, const gos_thin_mesh *thin,
                    const double *reference);
/** Modes of a reduced model, if any. */
gos_status gos__report_modes(gos_page *p, gos_arena *arena, gos_results *run,
                             const gos_thin_mesh *thin);
/** Unit vectors to the Sun and the Earth at n times and the visible part of the Sun: "sky"; absent
 * if the model defines neither. */
gos_status gos__report_sky(gos_page *p, gos_arena *arena, const gos_results *run,
                           const double *time, int n);
/** Mesh, displacements, temperatures and stresses over time: "mesh", "frames". */
gos_status gos__report_shapes(gos_page *p, gos_arena *arena, gos_results *run,
                              const gos_report_limits *limits);

#endif
