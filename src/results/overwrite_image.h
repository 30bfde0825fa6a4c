/* Restores a results file to its last checkpoint after a loss of power. */
#ifndef GOS_OVERWRITE_IMAGE_H
#define GOS_OVERWRITE_IMAGE_H

#include "results/h5.h"

#define GOS_KEY_TEXT 32  // bytes of a file's unique id, in the file and its images
#define GOS_BOOT_TEXT 40 // bytes of the id of the current boot of the machine

/* A checked image; points into its bytes. */
typedef struct gos_image_view {
    char key[GOS_KEY_TEXT];
    int64_t key_at;            // position of the id in the file
    int64_t eof;               // file length
    int64_t n;                 // number of ranges
    const int64_t *range;      // (n, 2) first and one past last byte
    const unsigned char *data; // of the ranges, consecutive
} gos_image_view;

/** Create a unique id. */
void gos__make_key(char key[GOS_KEY_TEXT + 1]);
/** Id of the current boot; "" if the system has none. While it is unchanged, everything that a
 *  killed process wrote is complete. */
void gos__boot_name(char boot[GOS_BOOT_TEXT + 1]);

/** Copy the bytes of all recorded ranges. The file must be flushed. *bytes grows as needed, *size
 *  is its capacity, *n the used size. */
gos_status gos__image_take(const gos_disk *disk, const char *key, int64_t key_at,
                           unsigned char **bytes, size_t *size, size_t *n);
/** Parse the bytes (aligned to 8) of an image. @return false if invalid. */
bool gos__image_parse(const void *bytes, size_t n, gos_image_view *view);
/** Does the image belong to this file? */
bool gos__image_fits(const gos_image_view *view, const gos_disk *disk);
/** Restore a file to the image; its raw data exist already. The recorded ranges become those of the
 *  image. @return false without memory or if the disk fails (disk->error). */
bool gos__image_lay(const gos_image_view *view, gos_disk *disk);

#endif
