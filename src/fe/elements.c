/* List of all mesh elements. */
#include "fe/element.h"

static const gos_fe_element *const all[] = {
#define X(name) &gos__fe_element_##name,
    GOS_FE_ELEMENTS(X)
#undef X
};

const gos_fe_element *const *gos__fe_elements(int *n) {
    *n = GOS_COUNT(all);
    return all;
}

const gos_fe_element *gos__fe_element(const char *name) {
    for (int i = 0; i < GOS_COUNT(all); i++) {
        if (strcmp(all[i]->name, name) == 0) {
            return all[i];
        }
    }
    return NULL;
}
