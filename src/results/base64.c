/* Base64 encoding: three bytes in four characters. */
#include "results/base64.h"

#include <string.h>

static void put_four(gos_base64 *k) {
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned bits = (unsigned)k->held[0] << 16 | (unsigned)k->held[1] << 8 | k->held[2];
    const char four[4] = {digit[bits >> 18], digit[bits >> 12 & 63],
                          k->n > 1 ? digit[bits >> 6 & 63] : '=',
                          k->n > 2 ? digit[bits & 63] : '='};
    (void)fwrite(four, 1, 4, k->out);
    k->n = 0;
    memset(k->held, 0, sizeof k->held);
}

void gos__base64_put(gos_base64 *k, uint64_t value, int size) {
    for (int i = 0; i < size; i++) {
        k->held[k->n++] = (unsigned char)(value >> 8 * i & 255u);
        if (k->n == 3) {
            put_four(k);
        }
    }
}

void gos__base64_end(gos_base64 *k) {
    if (k->n > 0) {
        put_four(k);
    }
}
