/* Inside of a report: one HTML page whose numbers are JSON with packed arrays. report.c puts it
   together, report_json.c writes values, report_curves.c the functions of time, report_mesh.c
   shapes. The viewer (folder viewer/) reads them. */
#ifndef GOS_IO_REPORT_H
#define GOS_IO_REPORT_H

#include "base/base.h"
#include "gossamer/io.h"

/* ---- the viewer's files, made a part of the library by cmake/embed.cmake --------------------- */

// ended by 0: skeleton, styles of all pages and of the full screen, scripts of both and of one
// alone
extern const char gos__viewer_page[], gos__viewer_style[], gos__viewer_full_style[];
extern const char gos__viewer_common[], gos__viewer_report[], gos__viewer_full[];

/* ---- values
   ------------------------------------------------------------------------------------ */

/* JSON that may stand inside HTML: no '<', '>' or '&' in it, UTF-8 whatever the texts are. */
typedef struct gos_page {
    gos_ctx *ctx;
    FILE *out;
    bool comma; // a value precedes in the innermost list or map
} gos_page;

/* key NULL: an entry of a list */
void gos__page_open(gos_page *p, const char *key, char bracket); // '{' or '['
void gos__page_close(gos_page *p, char bracket);
void gos__page_text(gos_page *p, const char *key, const char *text); // NULL: null
void gos__page_number(gos_page *p, const char *key, double value);   // not finite: null
void gos__page_bool(gos_page *p, const char *key, bool value);

/** Numbers v[i * stride] for i = keep[0..n) (NULL: 0..n) as 4-byte floats, about the middle of
 * their range where that is narrow: a screen cannot show more digits than these have. */
void gos__page_floats(gos_page *p, const char *key, const double *v, long stride, const long *keep,
                      long n);
/** n whole numbers from 0 on, 4 bytes each. */
void gos__page_ints(gos_page *p, const char *key, const int *v, long n);
/** n numbers in `width` <= 3 interleaved columns as 2-byte parts of each column's range; what is
 * not finite gets the code 65535. */
void gos__page_parts(gos_page *p, const char *key, const double *v, long n, int width);

/** Text into HTML: what has a meaning there is escaped. */
void gos__page_html(FILE *out, const char *text);

/* What a page is made of besides its skeleton. */
typedef struct gos_page_parts {
    const char *title;
    const char *style[2], *script[2]; // one after the other; NULL: none
    gos_status (*data)(void *user);   // writes its data
    void *user;
} gos_page_parts;

/** Write the page. */
gos_status gos__page_put(gos_page *p, const gos_page_parts *parts);

/* ---- less of the same
 * -------------------------------------------------------------------------------- */

/** Choose at most `limit` >= 4 of n values v[k * stride] that look on a screen as all of them: the
 * first, the last, and the smallest and largest of equal spans of time. keep (limit).
 *  @return how many; their numbers, increasing, in keep */
long gos__thin_curve(const double *time, const double *v, long n, long stride, long limit,
                     long *keep);

/* A mesh of fewer nodes. */
typedef struct gos_thin_mesh {
    int nnodes, ncells;
    int *node;        // number in the original mesh, increasing (nnodes)
    int *cell_offset; // into cell_nodes (ncells + 1)
    int *cell_nodes;  // numbers into `node`
    int *cell_body;   // (ncells)
} gos_thin_mesh;

/** Which nodes are drawn as dots (nnodes): those without cells that do not lie among the nodes of a
 * body with cells, as nodes inside of solids and at middles of edges do. NULL without memory. */
bool *gos__mesh_dots(gos_arena *arena, const gos_mesh_info *mesh);
/** Thin a mesh to about `limit` nodes: chains of line cells keep every n-th node and their ends,
 * other cells are joined where their nodes x (nnodes, 3) lie close together in one body. */
gos_status gos__thin_mesh(gos_arena *arena, const gos_mesh_info *mesh, const double *x, int limit,
                          gos_thin_mesh *thin);

/* ---- parts of a run
 * -------------------------------------------------------------------------------------- */

/* What a report spends on one run. */
typedef struct gos_report_limits {
    long points;     // of a curve
    long shapes;     // nodes times output times; 0: no shapes
    int nodes;       // of shapes, at most ...
    int frames, few; // ... output times at most, and how many are wanted before nodes are left out
    int coarse;      // nodes of a second, coarser mesh for pictures that move; 0: none
    const struct gos_view_more *more; // what a full screen shows besides; NULL: nothing
} gos_report_limits;

/** Name, text (NULL when it is that of `first`, which may be NULL), state, sizes and statistics of
 * a run. */
gos_status gos__report_info(gos_page *p, gos_arena *arena, gos_results *run, gos_results *first);
/** The last part of a path. */
const char *gos__file_name(const char *path);

/** Probes of a run and how far they are from the first run's (NULL: not): "time",
 * "difference_time", "probes". */
gos_status gos__report_probes(gos_page *p, gos_arena *arena, gos_results *run, gos_results *first,
                              const gos_report_limits *limits);
/** Energy and heat over time: "balance". */
gos_status gos__report_balance(gos_page *p, gos_arena *arena, gos_results *run,
                               const gos_report_limits *limits);
/* Modes, then temperature fields with their deformation, of all nodes of a mesh. */
typedef struct gos_mesh_modes {
    int n, nnodes;
    const char *names;    // a line each
    double *displacement; // (n, nnodes, 3)
    double *temperature;  // (n, nnodes), 0 of modes
} gos_mesh_modes;

/** Modes with their names, displacements (the largest of each is 1) and temperatures (the largest 1
 * or -1): "modes". */
gos_status gos__page_modes(gos_page *p, gos_arena *arena, const gos_mesh_modes *modes,
                           const gos_thin_mesh *thin);
/** Nodes, at `reference` (thin nodes, 3) before they move, and cells: "mesh". */
void gos__page_mesh(gos_page *p, const gos_mesh_info *mesh, const gos_thin_mesh *thin,
                    const double *reference);
/** Those of a reduced model (none: nothing). */
gos_status gos__report_modes(gos_page *p, gos_arena *arena, gos_results *run,
                             const gos_thin_mesh *thin);
/** How many numbers a node has to be coloured by, besides displacement and temperature. */
int gos__report_nfields(const gos_results *run);
/** Their names, units, ranges over all nodes and values at n output times: "fields", a list. */
gos_status gos__report_fields(gos_page *p, gos_arena *arena, gos_results *run,
                              const gos_thin_mesh *thin, int n, const long *frame);
/** Mesh, displacements, temperatures and stresses over time: "mesh", "frames". */
gos_status gos__report_shapes(gos_page *p, gos_arena *arena, gos_results *run,
                              const gos_report_limits *limits);

#endif
