/* Results for bench/view.py: a sheet of CELLS quadrilaterals under a wave that runs through it,
   with temperatures, at 33 output times. Written as a run writes them, without a computation.

   bench_view FILE.h5 [CELLS] (100000 by default) */
#include <math.h>

#include "bench.h"
#include "results/results.h"

enum { TIMES = 33 };

static double *numbers(size_t n) {
    double *x = calloc(n + 1, sizeof *x);
    if (!x) {
        (void)fputs("no memory\n", stderr);
        exit(1);
    }
    return x;
}

/* the sheet of n x n cells, 1 m wide */
static gos_mesh_info sheet(int n, double *x) {
    static const char *const bodies[] = {"sheet"};
    const int cells = n * n, nodes = (n + 1) * (n + 1);
    int *offset = calloc((size_t)cells + 1, sizeof *offset),
        *corner = calloc(4 * (size_t)cells, sizeof *corner),
        *body = calloc((size_t)cells, sizeof *body), *first = calloc(2, sizeof *first);
    if (!offset || !corner || !body || !first) {
        (void)fputs("no memory\n", stderr);
        exit(1);
    }
    for (int i = 0; i <= n; i++) {
        for (int j = 0; j <= n; j++) {
            x[3L * (i * (n + 1) + j)] = (double)j / n;
            x[3L * (i * (n + 1) + j) + 1] = (double)i / n;
        }
    }
    for (int k = 0; k < cells; k++) {
        const int at = k / n * (n + 1) + k % n;
        const int four[4] = {at, at + 1, at + n + 2, at + n + 1};
        memcpy(corner + 4L * k, four, sizeof four);
        offset[k + 1] = 4 * (k + 1);
    }
    first[1] = nodes;
    return (gos_mesh_info){.nnodes = nodes,
                           .ncells = cells,
                           .nbodies = 1,
                           .cell_offset = offset,
                           .cell_nodes = corner,
                           .cell_body = body,
                           .body_names = bodies,
                           .body_first_node = first};
}

static void wave(const gos_mesh_info *mesh, const double *x, double t, double *position,
                 double *velocity, double *heat) {
    for (long i = 0; i < mesh->nnodes; i++) {
        const double phase = 6 * M_PI * (x[3 * i] + 0.4 * x[3 * i + 1]) - 2 * M_PI * t;
        memcpy(position + 3 * i, x + 3 * i, 3 * sizeof *x);
        position[3 * i + 2] = 0.05 * sin(phase);
        velocity[3 * i + 2] = -0.1 * M_PI * cos(phase);
        heat[i] = 20 * sin(2 * M_PI * (x[3 * i + 1] - t));
    }
}

int main(int argc, char **argv) {
    const int cells = argc > 2 ? atoi(argv[2]) : 100000;
    if (argc < 2 || cells < 1 || cells > 10000000) {
        (void)fputs("usage: bench_view FILE.h5 [CELLS]\n", stderr);
        return 2;
    }
    const int n = (int)ceil(sqrt(cells));
    const size_t nodes = (size_t)(n + 1) * (size_t)(n + 1);
    double *x = numbers(3 * nodes), *position = numbers(3 * nodes), *velocity = numbers(3 * nodes),
           *heat = numbers(nodes), *rate = numbers(nodes);
    const gos_mesh_info mesh = sheet(n, x);
    const gos_writer_layout layout = {.name = "wave",
                                      .text = "name: wave\n",
                                      .options = "end: 1\n",
                                      .sizes = {.bodies = 1, .nodes = mesh.nnodes, .extent = 1},
                                      .mesh = mesh,
                                      .reference = x,
                                      .thermal = true,
                                      .T_ref = 293.15};
    gos_ctx *ctx = gos_ctx_create();
    gos_writer *w = NULL;
    if (gos__writer_create(ctx, argv[1], &layout, &w)) {
        bench_die(ctx);
    }
    for (int k = 0; k < TIMES; k++) {
        const double t = k / (TIMES - 1.0);
        const gos_frame frame = {.time = t,
                                 .position = position,
                                 .velocity = velocity,
                                 .temperature = heat,
                                 .temperature_rate = rate};
        wave(&mesh, x, t, position, velocity, heat);
        if (gos__writer_row(w, t, NULL, NULL) || gos__writer_frame(w, &frame)) {
            bench_die(ctx);
        }
    }
    const gos_statistics stats = {.steps = TIMES - 1};
    if (gos__writer_close(w, "complete", &stats)) {
        bench_die(ctx);
    }
    gos_ctx_destroy(ctx);
    return 0;
}
