/* Model texts of plates by nodes and quads. Include after cmocka. */
#ifndef GOS_TEST_PLATE_MESH_H
#define GOS_TEST_PLATE_MESH_H

#include <stdarg.h>

#include "support/verify.h"

enum { MESH_TEXT = 60000, MESH_NODES = 1200 };

/* a text that grows */
typedef struct mesh_text {
    char s[MESH_TEXT];
    size_t n;
} mesh_text;

static inline void mesh_add(mesh_text *t, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const int n = gos__vformat(t->s + t->n, sizeof t->s - t->n, format, args);
    va_end(args);
    t->n += (size_t)n;
    assert_true(t->n < sizeof t->s);
}

/* nodes and quads of (n + 1) x (m + 1) points x in rows, node (i, j) has the number (n + 1) j +
   i */
static inline void mesh_rows(mesh_text *t, int n, int m, const double (*x)[2]) {
    mesh_add(t, "nodes: [");
    for (int i = 0; i < (n + 1) * (m + 1); i++) {
        mesh_add(t, "%s[%.15g, %.15g, 0]", i ? ", " : "", x[i][0], x[i][1]);
    }
    mesh_add(t, "], quads: [");
    for (int e = 0; e < n * m; e++) {
        const int k = (n + 1) * (e / n) + e % n;
        mesh_add(t, "%s[%d, %d, %d, %d]", e ? ", " : "", k, k + 1, k + n + 2, k + n + 1);
    }
    mesh_add(t, "]");
}

/* "NAME: [k, k + step, ...]", n + 1 nodes */
static inline void mesh_edge(mesh_text *t, const char *name, int first, int step, int n) {
    mesh_add(t, "%s: [%d", name, first);
    for (int i = 1; i <= n; i++) {
        mesh_add(t, ", %d", first + i * step);
    }
    mesh_add(t, "]");
}

#endif
