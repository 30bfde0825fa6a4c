/* Messages: errors and warnings with locations, in order of appearance. Recording works without
 * memory and for any input: texts fall back to fixed buffers; control characters and invalid UTF-8
 * are replaced. */
#include "base/context.h"
#include "base/base.h"

/* Descriptions of the status codes in gossamer/base.h. */

const char *gos_status_text(gos_status status) {
    switch (status) {
#define X(name, value, text)                                                                       \
    case name:                                                                                     \
        return text;
        GOS_STATUS_LIST(X)
#undef X
    }
    return "unknown status";
}

/* Bytes of the UTF-8 character at s, 0 if invalid. */
static int utf8_length(const unsigned char *s) {
    const int n = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    if (s[0] > 0xf4) {
        return 0;
    }
    for (int i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    const bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    const bool surrogate = s[0] == 0xed && s[1] >= 0xa0;
    const bool beyond = s[0] == 0xf4 && s[1] >= 0x90;
    const bool control = s[0] == 0xc2 && s[1] < 0xa0;
    return overlong || surrogate || beyond || control ? 0 : n;
}

/* Replace control characters and invalid UTF-8, so that messages are safe to print. */
static void clean_text(char *s) {
    while (*s != '\0') {
        const int n = utf8_length((const unsigned char *)s);
        if (n == 0 || *s == 0x7f) {
            *s++ = '?';
        } else if (n == 1 && (unsigned char)*s < 0x20) {
            *s++ = ' ';
        } else {
            s += n;
        }
    }
}

static void format_text(char *buf, size_t size, const char *fmt, va_list args) {
    gos__vformat(buf, size, fmt, args);
    clean_text(buf);
}

/* Copy without an error; NULL when out of memory. */
static char *keep(gos_ctx *ctx, const char *s) {
    const size_t n = strlen(s) + 1;
    char *copy = gos__raw_alloc(ctx, n);
    if (copy != NULL) {
        memcpy(copy, s, n);
    }
    return copy;
}

static void format_line(const gos_diag *d, char *buf, size_t size) {
    char position[48] = "";
    if (d->line > 0 && d->col > 0) {
        snprintf(position, sizeof(position), ":%d:%d", d->line, d->col);
    } else if (d->line > 0) {
        snprintf(position, sizeof(position), ":%d", d->line);
    }
    char times[48] = "";
    if (d->count > 1) {
        snprintf(times, sizeof(times), " (%d times)", d->count);
    }
    const bool file = d->file != NULL;
    const bool object = d->object != NULL;
    snprintf(buf, size, "%s%s%s%s%s%s%s%s", file ? d->file : "", file ? position : "",
             file ? ": " : "",
             d->status != GOS_OK ? ""
             : d->count > 0      ? "warning: "
                                 : "note: ",
             object ? d->object : "", object ? ": " : "", d->text, times);
    clean_text(buf); // file names may contain anything
}

static gos_message *add(gos_ctx *ctx, gos_status status, gos_loc loc, const char *object) {
    gos_message *m = &ctx->message[ctx->nmessage++];
    *m = (gos_message){0};
    m->diag.status = status;
    m->file = loc.file != NULL ? keep(ctx, loc.file) : NULL; // the original may be freed earlier
    m->diag.file = m->file;
    m->diag.line = loc.line;
    m->diag.col = loc.col;
    m->diag.count = 1;
    if (object != NULL) {
        char clean[256];
        snprintf(clean, sizeof(clean), "%s", object);
        clean_text(clean);
        m->object = keep(ctx, clean);
        m->diag.object = m->object;
    }
    return m;
}

static void set_text(gos_ctx *ctx, gos_message *m, const char *fmt, va_list args) {
    char text[GOS_MESSAGE_MAX];
    format_text(text, sizeof(text), fmt, args);
    m->text = keep(ctx, text);
    m->diag.text = m->text != NULL ? m->text : "(text lost, out of memory)";
}

static gos_status fail(gos_ctx *ctx, gos_status status, gos_loc loc, const char *object,
                       const char *fmt, va_list args) {
    if (ctx == NULL) {
        return status;
    }
    if (status == GOS_OK) {
        status = GOS_E_INTERNAL;
    }
    // not an error yet; must not allocate
    if (status > 0) {
        format_text(ctx->retry, sizeof(ctx->retry), fmt, args);
        return status;
    }
    ctx->nerrors++;
    if (ctx->nkept_errors >= GOS_LIMIT_DIAGS) {
        return status;
    }
    ctx->nkept_errors++;
    gos_message *m = add(ctx, status, loc, object);
    if (status == GOS_E_MEMORY) {
        if (ctx->memory_text[0] == '\0') {
            format_text(ctx->memory_text, sizeof(ctx->memory_text), fmt, args);
        }
        m->diag.text = ctx->memory_text;
    } else {
        set_text(ctx, m, fmt, args);
    }
    if (ctx->nkept_errors == 1) {
        format_line(&m->diag, ctx->first, sizeof(ctx->first));
    }
    return status;
}

gos_status gos__fail(gos_ctx *ctx, gos_status status, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    const gos_status result = fail(ctx, status, (gos_loc){0}, NULL, fmt, args);
    va_end(args);
    return result;
}

gos_status gos__fail_at(gos_ctx *ctx, gos_status status, gos_loc loc, const char *object,
                        const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    const gos_status result = fail(ctx, status, loc, object, fmt, args);
    va_end(args);
    return result;
}

static gos_message *find_warning(gos_ctx *ctx, const char *object, const char *fmt) {
    for (int i = 0; i < ctx->nmessage; i++) {
        gos_message *m = &ctx->message[i];
        if (m->fmt == NULL || strcmp(m->fmt, fmt) != 0) {
            continue;
        }
        const char *o = m->diag.object;
        if ((o == NULL) == (object == NULL) && (o == NULL || strcmp(o, object) == 0)) {
            return m;
        }
    }
    return NULL;
}

static void warn(gos_ctx *ctx, gos_loc loc, const char *object, const char *fmt, va_list args) {
    if (ctx->nmessage - ctx->nkept_errors < GOS_LIMIT_DIAGS) {
        gos_message *m = add(ctx, GOS_OK, loc, object);
        m->fmt = fmt;
        set_text(ctx, m, fmt, args);
    }
}

void gos__warn(gos_ctx *ctx, gos_loc loc, const char *object, const char *fmt, ...) {
    gos_message *m = find_warning(ctx, object, fmt);
    if (m != NULL) {
        m->diag.count++;
        return;
    }
    va_list args;
    va_start(args, fmt);
    warn(ctx, loc, object, fmt, args);
    va_end(args);
}

void gos__warn_once(gos_ctx *ctx, gos_loc loc, const char *object, const char *fmt, ...) {
    if (find_warning(ctx, object, fmt) == NULL) {
        va_list args;
        va_start(args, fmt);
        warn(ctx, loc, object, fmt, args);
        va_end(args);
    }
}

void gos__note(gos_ctx *ctx, const char *object, const char *text) {
    if (ctx->nmessage - ctx->nkept_errors < GOS_LIMIT_DIAGS) {
        gos_message *m = add(ctx, GOS_OK, (gos_loc){0}, object);
        m->diag.count = 0;
        m->text = keep(ctx, text);
        m->diag.text = m->text != NULL ? m->text : "(text lost, out of memory)";
    }
}

static gos_message *find_note(gos_ctx *ctx, const char *object, const char *text) {
    for (int i = 0; i < ctx->nmessage; i++) {
        gos_message *m = &ctx->message[i];
        const char *o = m->diag.object;
        if (m->fmt == NULL && m->diag.status == GOS_OK && strcmp(m->diag.text, text) == 0 &&
            (o == NULL) == (object == NULL) && (o == NULL || strcmp(o, object) == 0)) {
            return m;
        }
    }
    return NULL;
}

void gos__message_restore(gos_ctx *ctx, gos_loc loc, const char *object, const char *fmt,
                          const char *text, int count) {
    gos_message *m = fmt != NULL ? find_warning(ctx, object, fmt) : find_note(ctx, object, text);
    if (m == NULL && ctx->nmessage - ctx->nkept_errors < GOS_LIMIT_DIAGS) {
        m = add(ctx, GOS_OK, loc, object);
    } else if (m != NULL) {
        gos__free(ctx, m->text);
    } else {
        return;
    }
    m->fmt = fmt;
    m->diag.count = count;
    m->text = keep(ctx, text);
    m->diag.text = m->text != NULL ? m->text : "(text lost, out of memory)";
}

int gos__nerrors(const gos_ctx *ctx) {
    return ctx->nerrors;
}

const char *gos__retry_reason(const gos_ctx *ctx) {
    return ctx->retry;
}

int gos_ctx_ndiag(const gos_ctx *ctx) {
    return ctx->nmessage;
}

const gos_diag *gos_ctx_diag(const gos_ctx *ctx, int i) {
    return i >= 0 && i < ctx->nmessage ? &ctx->message[i].diag : NULL;
}

const char *gos_ctx_message(const gos_ctx *ctx) {
    return ctx->first;
}

void gos_ctx_format(const gos_ctx *ctx, int i, char *buf, size_t size) {
    const gos_diag *d = gos_ctx_diag(ctx, i);
    if (size == 0) {
        return;
    }
    buf[0] = '\0';
    if (d != NULL) {
        format_line(d, buf, size);
    }
}

void gos_ctx_clear(gos_ctx *ctx) {
    for (int i = 0; i < ctx->nmessage; i++) {
        gos__free(ctx, ctx->message[i].file);
        gos__free(ctx, ctx->message[i].object);
        gos__free(ctx, ctx->message[i].text);
    }
    ctx->nmessage = 0;
    ctx->nkept_errors = 0;
    ctx->nerrors = 0;
    ctx->first[0] = '\0';
    ctx->memory_text[0] = '\0';
    ctx->retry[0] = '\0';
}
