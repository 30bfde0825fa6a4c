/* See stored_messages.h. A message is the texts count, line, column, file, object, format and text,
 * each ended by a zero byte; "" for NULL. */
#include "base/stored_messages.h"

#include <limits.h>
#include <stdlib.h>

#include "base/context.h"

enum { COUNT, LINE, COL, SOURCE, OBJECT, FORMAT, TEXT, PARTS };

static size_t add(char *to, size_t room, size_t at, const char *text) {
    const size_t n = text ? strlen(text) : 0;
    if (at + n + 1 <= room) {
        memcpy(to + at, text ? text : "", n);
        to[at + n] = '\0';
    }
    return at + n + 1;
}

static size_t add_number(char *to, size_t room, size_t at, int v) {
    char text[16];
    (void)snprintf(text, sizeof text, "%d", v);
    return add(to, room, at, text);
}

size_t gos__messages_put(const gos_ctx *ctx, char *to, size_t room) {
    size_t n = 0;
    for (int i = 0; i < ctx->nmessage; i++) {
        const gos_message *m = &ctx->message[i];
        if (m->diag.status == GOS_OK) {
            n = add_number(to, room, n, m->diag.count);
            n = add_number(to, room, n, m->diag.line);
            n = add_number(to, room, n, m->diag.col);
            n = add(to, room, n, m->diag.file);
            n = add(to, room, n, m->diag.object);
            n = add(to, room, n, m->fmt);
            n = add(to, room, n, m->diag.text);
        }
    }
    while (n % 8 != 0) {
        n = add(to, room, n, NULL);
    }
    return n;
}

static bool read_number(const char *text, int *v) {
    char *end;
    const long l = strtol(text, &end, 10);
    *v = (int)l;
    return text[0] != '\0' && *end == '\0' && l >= 0 && l < INT_MAX;
}

static const char *or_null(const char *s) {
    return s[0] != '\0' ? s : NULL;
}

bool gos__messages_take(gos_ctx *ctx, const char *bytes, size_t n) {
    const char *end = bytes + n;
    while (bytes < end && *bytes != '\0') {
        const char *part[PARTS];
        int count, line, col;
        for (int i = 0; i < PARTS; i++) {
            const char *zero = bytes < end ? memchr(bytes, '\0', (size_t)(end - bytes)) : NULL;
            if (!zero) {
                return false;
            }
            part[i] = bytes;
            bytes = zero + 1;
        }
        if (!read_number(part[COUNT], &count) || !read_number(part[LINE], &line) ||
            !read_number(part[COL], &col)) {
            return false;
        }
        const char *fmt = or_null(part[FORMAT]), *file = or_null(part[SOURCE]);
        gos__message_restore(ctx, (gos_loc){file, line, col}, or_null(part[OBJECT]),
                             fmt ? gos__intern(ctx, fmt) : NULL, part[TEXT], count);
    }
    return true;
}
