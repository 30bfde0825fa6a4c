/* What brings a results file back to how it was at a checkpoint, when a loss of power took what was
   written later, or any part of that. */
#ifndef GOS_OVERWRITE_IMAGE_H
#define GOS_OVERWRITE_IMAGE_H

#include "results/h5.h"

#define GOS_KEY_TEXT 32  // bytes of a file's own name, in the file and in its images
#define GOS_BOOT_TEXT 40 // bytes of the name of the time since the machine was started

/* A checked image; borrowed from its bytes. */
typedef struct gos_image_view {
    char key[GOS_KEY_TEXT];
    int64_t key_at;            // where in the file that stands
    int64_t eof;               // length of the file
    int64_t n;                 // ranges
    const int64_t *range;      // (n, 2) first byte, and the one behind the last
    const unsigned char *data; // of the ranges, one after the other
} gos_image_view;

/** A name that no other file has. */
void gos__make_key(char key[GOS_KEY_TEXT + 1]);
/** A name of the time since this machine was started; "" where the system has none. What a killed
 * process wrote is all there as long as the name is the same. */
void gos__boot_name(char boot[GOS_BOOT_TEXT + 1]);

/** The bytes of all ranges that were noted, as they stand in the file. The file must be flushed.
 * *bytes grows as needed, *size is what it has, *n what is used. */
gos_status gos__image_take(const gos_disk *disk, const char *key, int64_t key_at,
                           unsigned char **bytes, size_t *size, size_t *n);
/** Look at the bytes (aligned to 8) of an image. @return false when they are none. */
bool gos__image_parse(const void *bytes, size_t n, gos_image_view *view);
/** Is it an image of this file? */
bool gos__image_fits(const gos_image_view *view, const gos_disk *disk);
/** Bring a file back to the image: all that it holds of data then is there already. What is noted
 * of the disk becomes what the image knew. @return false when memory is short or the disk fails
 * (disk->error). */
bool gos__image_lay(const gos_image_view *view, gos_disk *disk);

#endif
