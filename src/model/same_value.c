#include "model/same_value.h"

#include <string.h>

static bool same_text(const char *a, const char *b) {
    double x, y;
    return strcmp(a, b) == 0 ||
           (gos__number_parse(a, strlen(a), &x) && gos__number_parse(b, strlen(b), &y) && x == y);
}

bool gos__same_value(const gos_node *a, const gos_node *b) {
    if (!a || !b || a->kind != b->kind) {
        return !a && !b;
    }
    if (a->kind == GOS_SCALAR) {
        return same_text(a->text, b->text);
    }
    const gos_node *x = a->child, *y = b->child;
    for (; x && y; x = x->next, y = y->next) {
        if ((x->key && strcmp(x->key, y->key) != 0) || !gos__same_value(x, y)) {
            return false;
        }
    }
    return !x && !y;
}
