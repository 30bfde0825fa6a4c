/* Mode shapes in the file of a reduced model, since most of its runs begin at the same state.
   Group `modes`: attributes `of` (gos__pictured), `names` (one per line); `displacement` and
   `temperature` at nodes. */
#include <stdio.h>

#include "results/h5_put.h"
#include "results/mode_shapes.h"

static bool put_floats(hid_t file, const char *path, size_t n, size_t columns, const float *x) {
    const hsize_t dims[2] = {n, columns};
    return gos__put_done(gos__put_array(file, path, H5T_NATIVE_FLOAT, 2, dims, x));
}

bool gos__pictures_put(hid_t file, uint64_t of, int nodes, const gos_mode_pictures *p) {
    const size_t n = (size_t)p->n * (size_t)nodes;
    char text[32];
    if (n == 0) {
        return true;
    }
    (void)snprintf(text, sizeof text, "%016llx", (unsigned long long)of);
    const hid_t at = gos__put_group(file, "modes") ? H5Gopen2(file, "modes", H5P_DEFAULT) : -1;
    const bool written =
        at >= 0 && gos__put_attr_text(at, "of", text) && gos__put_attr_text(at, "names", p->names);
    if (at >= 0) {
        (void)H5Gclose(at);
    }
    return written && put_floats(file, "modes/displacement", n, 3, p->displacement) &&
           put_floats(file, "modes/temperature", n, 1, p->temperature);
}

gos_rom_pictures *gos__pictures_copy(gos_arena *a, int nodes, const gos_rom_pictures *from) {
    const size_t n = (size_t)from->p.n * (size_t)nodes;
    gos_rom_pictures *k = GOS_NEW(a, gos_rom_pictures, 1);
    float *x = GOS_NEW(a, float, 4 * n + 1);
    char *names = gos__arena_strdup(a, from->p.names);
    if (!k || !x || !names) {
        return NULL;
    }
    memcpy(x, from->p.displacement, 3 * n * sizeof *x);
    memcpy(x + 3 * n, from->p.temperature, n * sizeof *x);
    *k = (gos_rom_pictures){from->of, {from->p.n, names, x, x + 3 * n}};
    return k;
}
