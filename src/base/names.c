/* Hash table with linear probing, at most half full. */
#include "base/names.h"

#include "base/base.h"

/* Checksum and content hash. */

#define POLYNOMIAL 0xedb88320u // of CRC-32, reversed bits

uint32_t gos__crc32(uint32_t crc, const void *data, size_t n) {
    const unsigned char *p = data;
    uint32_t table[256]; // recomputed: cheap, and no global table needs a lock
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++) {
            c = (c & 1u) != 0 ? POLYNOMIAL ^ (c >> 1) : c >> 1;
        }
        table[i] = c;
    }
    crc = ~crc;
    for (size_t i = 0; i < n; i++) {
        crc = table[(crc ^ p[i]) & 0xffu] ^ (crc >> 8);
    }
    return ~crc;
}

uint64_t gos__hash(uint64_t h, const void *data, size_t n) {
    const unsigned char *p = data;
    for (size_t i = 0; i < n; i++) {
        h = (h ^ p[i]) * 1099511628211u;
    }
    return h;
}

typedef struct gos_name {
    const char *name; // NULL: free
    void *thing;
} gos_name;

/* Slot of the name, or the free one for it. */
static gos_name *slot_of(const gos_names *names, const char *name, size_t n) {
    const size_t mask = names->nslot - 1L;
    size_t i = gos__hash(GOS_HASH_BEGIN, name, n) & mask;
    for (const char *have; (have = names->slot[i].name) != NULL; i = (i + 1) & mask) {
        if (strncmp(have, name, n) == 0 && have[n] == '\0') {
            break;
        }
    }
    return &names->slot[i];
}

gos_status gos__names_add(gos_arena *a, gos_names *names, const char *name, void *thing) {
    if (2 * names->n >= names->nslot) {
        gos_names more = {.n = names->n, .nslot = names->nslot > 0 ? 2 * names->nslot : 16};
        more.slot = GOS_NEW(a, gos_name, more.nslot);
        if (more.slot == NULL) {
            return GOS_E_MEMORY;
        }
        for (int i = 0; i < names->nslot; i++) {
            const gos_name *old = &names->slot[i];
            if (old->name != NULL) {
                *slot_of(&more, old->name, strlen(old->name)) = *old;
            }
        }
        *names = more;
    }
    *slot_of(names, name, strlen(name)) = (gos_name){name, thing};
    names->n++;
    return GOS_OK;
}

void *gos__names_find(const gos_names *names, const char *name, size_t n) {
    return names->nslot > 0 ? slot_of(names, name, n)->thing : NULL;
}
