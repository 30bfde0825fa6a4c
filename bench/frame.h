/* A space frame of cables as the text of a model. */
#ifndef GOS_BENCH_FRAME_H
#define GOS_BENCH_FRAME_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* the edges of n^3 cubes are cables, clamped to small rigid hubs; the lowest layer of hubs stands
   on the ground. `more` is added to the text. The caller frees it. */
static inline char *frame_text(int n, int elements, const char *more) {
    const int side = n + 1, hubs = side * side * side;
    const size_t room = 1000 * (size_t)hubs + 2000 + strlen(more);
    char *text = malloc(room), *at = text;
    if (!text) {
        exit(1);
    }
    at += sprintf(at, "materials: {m: {density: 7800, young: 2.0e11, poisson: 0.3}}\n"
                      "sections: {s: {type: rectangle, height: 0.02, width: 0.03}}\nbodies:\n");
    for (int pass = 0; pass < 2; pass++) {
        at += pass ? sprintf(at, "joints:\n") : 0;
        for (int i = 0; i < hubs; i++) {
            const int c[3] = {i % side, i / side % side, i / side / side};
            if (pass == 0) {
                at += sprintf(at,
                              "  h%d: {type: rigid, mass: 0.1, inertia: [1.0e-4, 1.0e-4, 1.0e-4], "
                              "position: [%d, %d, %d]}\n",
                              i, c[0], c[1], c[2]);
            } else if (c[1] == 0) {
                at += sprintf(at, "  g%d: {type: clamp, between: [ground, h%d]}\n", i, i);
            }
            for (int d = 0; d < 3; d++) {
                int to[3] = {c[0], c[1], c[2]};
                const int other = i + (d == 0 ? 1 : d == 1 ? side : side * side);
                if (++to[d] > n) {
                    continue;
                }
                at += pass == 0
                          ? sprintf(at,
                                    "  b%d_%d: {type: ancf_cable, material: m, section: s, from: "
                                    "[%d, %d, %d], to: [%d, %d, %d], elements: %d}\n",
                                    d, i, c[0], c[1], c[2], to[0], to[1], to[2], elements)
                          : sprintf(at,
                                    "  s%d_%d: {type: clamp, between: [h%d, b%d_%d.start]}\n"
                                    "  e%d_%d: {type: clamp, between: [b%d_%d.end, h%d]}\n",
                                    d, i, i, d, i, d, i, d, i, other);
            }
        }
    }
    (void)sprintf(at, "%s", more);
    return text;
}

#endif
