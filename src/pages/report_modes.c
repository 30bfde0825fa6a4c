#include <math.h>

#include "pages/report.h"
#include "results/results_parts.h"

/* the sign of a mode is arbitrary: largest temperature > 0 */
static double sign_of(const double *t, const gos_thin_mesh *thin) {
    double most = 0;
    for (int j = 0; j < thin->nnodes; j++) {
        const double v = t[thin->node[j]];
        most = fabs(v) > fabs(most) ? v : most;
    }
    return most < 0 ? -1 : 1;
}

/* scaled so that the largest vector of `width` has length `sign` */
static void take(const double *from, int width, const gos_thin_mesh *thin, double sign,
                 double *to) {
    double most = 0;
    for (int j = 0; j < thin->nnodes; j++) {
        double square = 0;
        for (int c = 0; c < width; c++) {
            const double v = from[(long)width * thin->node[j] + c];
            to[(long)width * j + c] = v;
            square += v * v;
        }
        most = fmax(most, square);
    }
    for (long k = 0; k < (long)width * thin->nnodes && most > 0; k++) {
        to[k] *= sign / sqrt(most);
    }
}

static void put_names(gos_page *p, gos_arena *arena, const char *names) {
    gos__page_open(p, "names", '[');
    for (const char *at = names, *end; (end = strchr(at, '\n')) != NULL; at = end + 1) {
        char *name = GOS_NEW(arena, char, (end - at) + 1);
        if (name) {
            gos__page_text(p, NULL, memcpy(name, at, (size_t)(end - at)));
        }
    }
    gos__page_close(p, ']');
}

gos_status gos__page_modes(gos_page *p, gos_arena *arena, const gos_mesh_modes *modes,
                           const gos_thin_mesh *thin) {
    const long n = modes->n, shown = n * thin->nnodes, nodes = modes->nnodes;
    double *displacement = GOS_NEW(arena, double, 3 * shown + 1);
    double *temperature = GOS_NEW(arena, double, shown + 1);
    GOS_TRY(displacement && temperature ? GOS_OK : GOS_E_MEMORY);
    for (long i = 0; i < n; i++) {
        const double *u = modes->displacement + 3 * i * nodes, *t = modes->temperature + i * nodes;
        const double sign = sign_of(t, thin);
        take(u, 3, thin, sign, displacement + 3 * i * thin->nnodes);
        take(t, 1, thin, sign, temperature + i * thin->nnodes);
    }
    gos__page_open(p, "modes", '{');
    put_names(p, arena, modes->names);
    gos__page_parts(p, "displacement", displacement, 3 * shown, 3);
    gos__page_parts(p, "temperature", temperature, shown, 1);
    gos__page_close(p, '}');
    return GOS_OK;
}

gos_status gos__report_modes(gos_page *p, gos_arena *arena, gos_results *run,
                             const gos_thin_mesh *thin) {
    gos_mesh_modes modes = {0};
    gos_mesh_info mesh;
    gos_results_mesh(run, &mesh);
    modes.nnodes = mesh.nnodes;
    GOS_TRY(gos__results_modes(run, arena, &modes.n, &modes.names, &modes.displacement,
                               &modes.temperature));
    return modes.n > 0 ? gos__page_modes(p, arena, &modes, thin) : GOS_OK;
}
