/* Fills the skeleton of a page. */
#include "pages/report.h"

static void put_both(FILE *out, const char *const text[2]) {
    for (int i = 0; i < 2 && text[i]; i++) {
        (void)fputs(text[i], out);
    }
}

/* replaces @TITLE@, @STYLE@, @DATA@ and @SCRIPT@ */
gos_status gos__page_put(gos_page *p, const gos_page_parts *parts) {
    FILE *out = p->out;
    const char *at = gos__viewer_page;
    for (const char *mark; (mark = strchr(at, '@')) != NULL;) {
        (void)fwrite(at, 1, mark - at, out);
        const char *end = strchr(mark + 1, '@');
        const size_t n = end ? end - mark - 1 : 0;
        if (n == 5 && memcmp(mark + 1, "TITLE", n) == 0) {
            gos__page_html(out, parts->title);
        } else if (n == 5 && memcmp(mark + 1, "STYLE", n) == 0) {
            put_both(out, parts->style);
        } else if (n == 6 && memcmp(mark + 1, "SCRIPT", n) == 0) {
            put_both(out, parts->script);
        } else if (n == 4 && memcmp(mark + 1, "DATA", n) == 0) {
            GOS_TRY(parts->data(parts->user));
        } else {
            return gos__fail(p->ctx, GOS_E_INTERNAL,
                             "the template of the viewer page has an "
                             "unknown placeholder");
        }
        at = end + 1;
    }
    (void)fputs(at, out);
    return ferror(out) ? gos__fail(p->ctx, GOS_E_FILE, "cannot write the page") : GOS_OK;
}
