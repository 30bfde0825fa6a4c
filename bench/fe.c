/* Assembly of finite elements and modes of their bodies, from the mesh in memory to the result: a
   bar of hex8 and a panel of shells. Processor time, peak memory, and the kernel of OpenBLAS.

   bench_fe [assembly | modes | interface] [scale] [bar | panel] [threads]

   Of several threads that share the assembly the wall time is printed too, which on a busy machine
   says little.

   scale 1: 10^6 unknowns; modes: 2 10^5 of the bar, 10^5 of the panel; interface: 41 10^3 of the
   bar, reduced by Craig and Bampton to the six motions of each end, which are rigid, and eight
   modes. */
#include <sys/resource.h>

#include "bench.h"
#include "fe/mesh_body.h"
#include "gossamer/blas.h"
#include "linalg/eigen.h"
#include "support/rigid_ends.h"

static void check(gos_ctx *ctx, gos_status status) {
    if (status != GOS_OK) {
        bench_die(ctx);
    }
}

static double peak(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

/* bar of nx by ny by ny cells, 1 m by 0.05 m by 0.05 m */
static gos_mesh *bar(gos_ctx *ctx, int nx, int ny) {
    gos_mesh *m;
    gos_cell_block *b;
    const int mx = nx + 1, my = ny + 1;
    check(ctx, gos__mesh_create(ctx, &m));
    check(ctx, gos__mesh_nodes(m, (double)mx * my * my, (gos_loc){0}, NULL));
    check(ctx, gos__mesh_cells(m, GOS_CELL_HEX8, (double)nx * ny * ny, (gos_loc){0}, NULL, &b));
    for (int i = 0; i < m->nnode; i++) { // across first: neighbours are near each other
        m->x[i][0] = (double)(i / (my * my)) / nx;
        m->x[i][1] = 0.05 * (i % my) / ny;
        m->x[i][2] = 0.05 * (i / my % my) / ny;
    }
    for (int i = 0; i < b->n; i++) {
        const int o = i % ny + my * (i / ny % ny) + my * my * (i / (ny * ny)), up = my,
                  on = my * my;
        const int hex[8] = {o,      o + on,      o + on + 1,      o + 1,
                            o + up, o + on + up, o + on + up + 1, o + up + 1};
        memcpy(b->node + 8 * i, hex, sizeof hex);
    }
    return m;
}

/* cylinder panel of n by n cells: 2 m by 2 rad, radius 1 m */
static gos_mesh *panel(gos_ctx *ctx, int n) {
    gos_mesh *m;
    gos_cell_block *b;
    const int k = n + 1;
    check(ctx, gos__mesh_create(ctx, &m));
    check(ctx, gos__mesh_nodes(m, (double)k * k, (gos_loc){0}, NULL));
    check(ctx, gos__mesh_cells(m, GOS_CELL_QUAD4, (double)n * n, (gos_loc){0}, NULL, &b));
    for (int i = 0; i < m->nnode; i++) {
        const double angle = 2.0 * (i % k) / n;
        m->x[i][0] = 2.0 * (i / k) / n;
        m->x[i][1] = cos(angle);
        m->x[i][2] = sin(angle);
    }
    for (int i = 0; i < b->n; i++) {
        const int o = i % n + k * (i / n);
        const int quad[4] = {o, o + k, o + k + 1, o + 1};
        memcpy(b->node + 4 * i, quad, sizeof quad);
    }
    return m;
}

typedef struct made {
    gos_fe_material material;
    gos_fe_part part;
    gos_fe_body *body;
    double time;
} made;

static void assemble(gos_ctx *ctx, const gos_mesh *mesh, const char *element, made *m) {
    m->material.density = 7850;
    check(ctx, gos__fe_isotropic(ctx, (gos_loc){0}, NULL, 210e9, 0.3, &m->material));
    m->part = (gos_fe_part){
        .element = gos__fe_element(element), .material = &m->material, .thickness = 0.01};
    const double start = gos__cpu_time();
    check(ctx, gos__fe_body_create(ctx, mesh, 1, &m->part, &m->body));
    check(ctx, gos__fe_body_mechanics(m->body));
    m->time = gos__cpu_time() - start;
}

static void assembly(gos_ctx *ctx, const char *name, gos_mesh *mesh, const char *element) {
    made m = {0};
    const double before = peak(), start = gos__now();
    assemble(ctx, mesh, element, &m);
    printf("assembly,%s,%d,%.1f,%.3f,%.3f,,%.0f,%.0f,%s\n", name, m.body->freedom.n,
           (double)m.body->K.nnz * 1e-6, m.time, gos__now() - start, before, peak(),
           gos_blas_kernels());
    gos__fe_body_destroy(m.body);
    gos__mesh_destroy(mesh);
}

/* n modes of the body held at x = 0 */
static void modes(gos_ctx *ctx, const char *name, gos_mesh *mesh, const char *element, int n) {
    made m = {0};
    gos_sparse M, C;
    gos_eigen_info info;
    assemble(ctx, mesh, element, &m);
    const double start = gos__cpu_time();
    const int order = m.body->freedom.n;
    int nc = 0, found, *row = calloc((size_t)order, sizeof *row),
        *column = calloc((size_t)order, sizeof *column);
    double *one = calloc((size_t)order, sizeof *one), *lambda = calloc((size_t)n, sizeof *lambda);
    double *X = calloc((size_t)n * (size_t)order, sizeof *X);
    if (!row || !column || !one || !lambda || !X) {
        exit(1);
    }
    for (int i = 0; i < mesh->nnode; i++) {
        for (int c = 0; c < GOS_FE_FREEDOMS && mesh->x[i][0] < 1e-12; c++) {
            const int number = gos__fe_number(&m.body->freedom, i, c);
            if (number >= 0) {
                row[nc] = nc;
                column[nc] = number;
                one[nc++] = 1;
            }
        }
    }
    check(ctx, gos__fe_body_mass(m.body, &M));
    check(ctx, gos__sparse_from_triplets(ctx, nc, order, nc, row, column, one, &C));
    const gos_pencil pencil = {.K = &m.body->K, .M = &M, .C = &C, .ncomp = 1};
    check(ctx, gos__eigen_find(ctx, &pencil, n, lambda, X, &found, &info, NULL));
    printf("modes,%s,%d,%d,%.3f,%.3f,%.4f,%.2f,%.0f,%s\n", name, order, found, m.time,
           gos__cpu_time() - start, sqrt(lambda[0]) / (2 * 3.14159265358979), info.factors.factor,
           peak(), gos_blas_kernels());
    gos__sparse_free(ctx, &M);
    gos__sparse_free(ctx, &C);
    gos__fe_body_destroy(m.body);
    gos__mesh_destroy(mesh);
    free(row);
    free(column);
    free(one);
    free(lambda);
    free(X);
}

static void interface(gos_ctx *ctx, gos_mesh *mesh, int n) {
    made m = {0};
    gos_linear_reduction *r;
    gos_linear_reduction_report report;
    gos_mode mode[32];
    int found;
    assemble(ctx, mesh, "solid", &m);
    double start = gos__cpu_time();
    gos_linear *l = NULL;
    check(ctx, rigid_ends(ctx, m.body, &l));
    const int order = m.body->freedom.n;
    gos__fe_body_destroy(m.body);
    gos__mesh_destroy(mesh);
    const double model = gos__cpu_time() - start;
    start = gos__cpu_time();
    const gos_linear_reduction_options options = {.method = "craig_bampton", .order = 12 + n};
    check(ctx, gos_linear_reduce(ctx, l, &options, &r));
    const double time = gos__cpu_time() - start;
    gos_linear_reduction_get(r, &report);
    check(ctx, gos_linear_modes(ctx, gos_linear_reduction_model(r), 12 + n, false, mode, &found));
    printf("interface,hex8 bar,%d,%d,%.3f,%.3f,%.4f,%.2f,%.0f,%s\n", order, report.coordinates,
           m.time + model, time, mode[6].frequency, report.time_factor, peak(), gos_blas_kernels());
    gos_linear_reduction_destroy(r);
    gos_linear_destroy(l);
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "assembly";
    const double scale = argc > 2 ? atof(argv[2]) : 1;
    const char *only = argc > 3 ? argv[3] : NULL; // of assembly and modes
    const bool bars = !only || strcmp(only, "bar") == 0, panels = !only || !bars;
    gos_ctx *ctx = gos_ctx_create();
    check(ctx, gos_ctx_set_threads(ctx, argc > 4 ? atoi(argv[4]) : 1));
    printf("what,name,unknowns,entries of K 1e6 or modes,assembly s,modes s (assembly: wall "
           "s),lowest Hz,MB before or "
           "factor s,peak MB,kernel\n");
    if (strcmp(what, "modes") == 0) {
        const double s = cbrt(scale);
        if (bars) {
            modes(ctx, "hex8 bar", bar(ctx, (int)(150 * s), (int)(20 * s)), "solid", 50);
        }
        if (panels) {
            modes(ctx, "shell panel", panel(ctx, (int)(128 * sqrt(scale))), "shell", 50);
        }
    } else if (strcmp(what, "interface") == 0) {
        const double s = cbrt(scale);
        interface(ctx, bar(ctx, (int)(80 * s), (int)(12 * s)), 8);
    } else {
        const double s = cbrt(scale);
        if (bars) {
            assembly(ctx, "hex8 bar", bar(ctx, (int)(300 * s), (int)(32 * s)), "solid");
        }
        if (panels) {
            assembly(ctx, "shell panel", panel(ctx, (int)(408 * sqrt(scale))), "shell");
        }
    }
    gos_ctx_destroy(ctx);
    return 0;
}
