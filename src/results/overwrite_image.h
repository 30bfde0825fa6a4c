/* Restores a results file to a checkpoint after a loss of power. */
#ifndef GOS_OVERWRITE_IMAGE_H
#define GOS_OVERWRITE_IMAGE_H

#include "results/h5.h"

#define GOS_KEY_TEXT 32  // bytes of a file's unique id
#define GOS_BOOT_TEXT 40 // bytes of the machine's boot id

/* Checked; points into its bytes. */
typedef struct gos_image_view {
    char key[GOS_KEY_TEXT];
    int64_t key_at;            // position of the id
    int64_t eof;               // file length
    int64_t n;                 // number of ranges
    const int64_t *range;      // (n, 2) first and one past last byte
    const unsigned char *data; // of the ranges, consecutive
} gos_image_view;

void gos__make_key(char key[GOS_KEY_TEXT + 1]);
/** Id of the current boot; "" if the system has none. While it is unchanged, a killed process's
 *  writes are complete. */
void gos__boot_name(char boot[GOS_BOOT_TEXT + 1]);

/** Copy the recorded ranges of the flushed file. *bytes grows as needed, *size is its capacity, *n
 *  the used size. */
gos_status gos__image_take(const gos_disk *disk, const char *key, int64_t key_at,
                           unsigned char **bytes, size_t *size, size_t *n);
/** Bytes must be aligned to 8. @return false if invalid */
bool gos__image_parse(const void *bytes, size_t n, gos_image_view *view);
/** Does it belong to this file? */
bool gos__image_fits(const gos_image_view *view, const gos_disk *disk);
/** Restore a file and its recorded ranges. @return false without memory or if the disk fails
 *  (disk->error). */
bool gos__image_lay(const gos_image_view *view, gos_disk *disk);

#endif
