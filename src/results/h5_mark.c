/* HDF5's open flag in the superblock. A killed writer leaves it set, and other programs then
 * reject the file. HDF5 itself would truncate the file at the superblock's outdated end address.
 * So we rewrite the 48 bytes of the superblock (version 3, HDF5 file format specification II.A) at
 * once: no flags, the true end of file, the checksum. */
#include <errno.h>
#include <unistd.h>

#include "results/h5.h"

#define SUPERBLOCK 48
#define FLAGS_AT 11
#define BASE_AT 12
#define EXTENSION_AT 20
#define EOF_AT 28
#define ROOT_AT 36
#define SUM_AT 44
#define HEAD_ATTEMPTS 5 // during a write

static uint32_t rotate(uint32_t x, int k) {
    return (x << k) | (x >> (32 - k));
}

static uint32_t word(const unsigned char *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* "lookup3" by Bob Jenkins (public domain) for the 44 bytes before the checksum: three rounds of
   12 bytes and a tail of 8 */
static uint32_t checksum(const unsigned char k[SUM_AT]) {
    uint32_t a = 0xdeadbeef + SUM_AT, b = a, c = a;
    int i = 0;
    for (; SUM_AT - i > 12; i += 12) {
        a += word(k + i);
        b += word(k + i + 4);
        c += word(k + i + 8);
        a -= c, a ^= rotate(c, 4), c += b;
        b -= a, b ^= rotate(a, 6), a += c;
        c -= b, c ^= rotate(b, 8), b += a;
        a -= c, a ^= rotate(c, 16), c += b;
        b -= a, b ^= rotate(a, 19), a += c;
        c -= b, c ^= rotate(b, 4), b += a;
    }
    a += word(k + i);
    b += word(k + i + 4);
    c ^= b, c -= rotate(b, 14);
    a ^= c, a -= rotate(c, 11);
    b ^= a, b -= rotate(a, 25);
    c ^= b, c -= rotate(b, 16);
    a ^= c, a -= rotate(c, 4);
    b ^= a, b -= rotate(a, 14);
    c ^= b, c -= rotate(b, 24);
    return c;
}

/* version 3, addresses and lengths of 8 bytes */
static bool read_superblock(const gos_disk *disk, unsigned char s[SUPERBLOCK]) {
    static const unsigned char signature[] = "\211HDF\r\n\032\n\003\010\010";
    return gos__disk_get(disk, 0, s, SUPERBLOCK) && memcmp(s, signature, 11) == 0 &&
           word(s + SUM_AT) == checksum(s);
}

bool gos__disk_superblock(const gos_disk *disk) {
    unsigned char s[SUPERBLOCK];
    return read_superblock(disk, s);
}

static uint64_t address(const unsigned char *p) {
    return (uint64_t)word(p) | (uint64_t)word(p + 4) << 32;
}

bool gos__disk_is_ours(const gos_disk *disk) {
    static const unsigned char group[] = "OHDR\002";
    unsigned char s[SUPERBLOCK], head[5];
    bool good = false;
    // a writer may be active
    for (int i = 0; i < HEAD_ATTEMPTS && !good; i++) {
        good = read_superblock(disk, s);
    }
    return good && address(s + BASE_AT) == 0 && address(s + EXTENSION_AT) == UINT64_MAX &&
           address(s + ROOT_AT) < INT64_MAX &&
           gos__disk_get(disk, (off_t)address(s + ROOT_AT), head, sizeof head) &&
           memcmp(head, group, sizeof head) == 0;
}

bool gos__disk_marked(const gos_disk *disk) {
    unsigned char s[SUPERBLOCK];
    return read_superblock(disk, s) && s[FLAGS_AT] != 0;
}

gos_status gos__disk_clear_mark(gos_disk *disk, bool *cleared) {
    unsigned char s[SUPERBLOCK];
    *cleared = false;
    if (!read_superblock(disk, s)) {
        return gos__fail(disk->ctx, GOS_E_FILE, "not a results file of this program");
    }
    if (s[FLAGS_AT] == 0) {
        return GOS_OK;
    }
    uint64_t end = address(s + EOF_AT);
    off_t length = lseek(disk->fd, 0, SEEK_END);
    if (length < 0 || end > (uint64_t)length + GOS_UNWRITTEN) {
        return gos__fail(disk->ctx, GOS_E_FILE, "the file's end address is invalid");
    }
    // allocated but unwritten space reads as 0
    if (end > (uint64_t)length && ftruncate(disk->fd, (off_t)end) != 0) {
        return gos__fail(disk->ctx, GOS_E_FILE, "cannot extend the file: %s", strerror(errno));
    }
    if (end < (uint64_t)length) {
        end = (uint64_t)length;
    }
    s[FLAGS_AT] = 0;
    for (int i = 0; i < 8; i++) {
        s[EOF_AT + i] = (unsigned char)(end >> (8 * i));
    }
    uint32_t sum = checksum(s);
    for (int i = 0; i < 4; i++) {
        s[SUM_AT + i] = (unsigned char)(sum >> (8 * i));
    }
    // without the flag the contents are trusted: they must be on disk
    if (fsync(disk->fd) != 0 || !gos__disk_put(disk, 0, s, SUPERBLOCK)) {
        return gos__fail(disk->ctx, GOS_E_FILE, "cannot write: %s", strerror(errno));
    }
    *cleared = true;
    return GOS_OK;
}
