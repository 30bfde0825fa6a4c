/* Pictures of the modes of a reduced model in a report. */
#include <math.h>

#include "io/report.h"
#include "io/results_parts.h"

/* 1, or -1 where the largest temperature is one below 0: signs of modes are nobody's choice */
static double sign_of(const double *t, const gos_thin_mesh *thin) {
    double most = 0;
    for (int j = 0; j < thin->nnodes; j++) {
        const double v = t[thin->node[j]];
        most = fabs(v) > fabs(most) ? v : most;
    }
    return most < 0 ? -1 : 1;
}

/* the numbers of the thinned mesh's nodes in one mode, so that the largest vector of `width` has the length of `sign` */
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

gos_status gos__report_modes(gos_page *p, gos_arena *arena, gos_results *run,
                             const gos_thin_mesh *thin) {
    int n = 0;
    const char *names = NULL;
    double *u = NULL, *t = NULL;
    gos_mesh_info mesh;
    gos_results_mesh(run, &mesh);
    GOS_TRY(gos__results_modes(run, arena, &n, &names, &u, &t));
    if (n == 0) {
        return GOS_OK;
    }
    const long shown = (long)n * thin->nnodes;
    double *displacement = GOS_NEW(arena, double, 3 * shown + 1);
    double *temperature = GOS_NEW(arena, double, shown + 1);
    GOS_TRY(displacement && temperature ? GOS_OK : GOS_E_MEMORY);
    for (long i = 0; i < n; i++) {
        const double sign = sign_of(t + i * mesh.nnodes, thin);
        take(u + 3 * i * mesh.nnodes, 3, thin, sign, displacement + 3 * i * thin->nnodes);
        take(t + i * mesh.nnodes, 1, thin, sign, temperature + i * thin->nnodes);
    }
    gos__page_open(p, "modes", '{');
    put_names(p, arena, names);
    gos__page_parts(p, "displacement", displacement, 3 * shown, 3);
    gos__page_parts(p, "temperature", temperature, shown, 1);
    gos__page_close(p, '}');
    return GOS_OK;
}
