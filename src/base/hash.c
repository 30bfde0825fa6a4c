/* Checksum and content hash. */
#include "base/base.h"

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
