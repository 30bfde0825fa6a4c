#include "pages/plain_page.h"

#include "pages/report.h"

/* styles of tables, maps of patches, pole plots */
static const char own_style[] =
    ".plain-page section { padding-top: 22px; overflow-x: auto; }\n"
    ".plain-page section > svg { width: 100%; min-width: 480px; height: auto; display: block; }\n"
    ".plain-page .scroll td { white-space: nowrap; }\n"
    ".plain-page h3 { margin: 18px 0 6px; }\n"
    ".plain-page p { margin: 6px 0 10px; max-width: 92ch; }\n"
    ".plain-page details { margin-top: 10px; }\n"
    ".plain-page table { border-collapse: collapse; font-size: 13.5px; margin: 8px 0; }\n"
    ".plain-page td, .plain-page th { padding: 5px 20px 5px 0; text-align: right; border-top: 1px "
    "solid var(--line); }\n"
    ".plain-page th { color: var(--soft); font-weight: 600; font-size: 12.5px; border-top: 0; }\n"
    ".plain-page td:first-child, .plain-page th:first-child { text-align: left; }\n"
    ".plain-page .facts td { text-align: left; }\n"
    ".plain-page .facts td:first-child { white-space: nowrap; }\n"
    ".plain-page .facts td.note { width: 70%; }\n"
    ".frame { stroke: var(--ghost); fill: none; }\n"
    ".grid { stroke: var(--grid); fill: none; }\n"
    ".label { font-size: 12px; fill: var(--soft); }\n"
    ".plain-page .curve { stroke-width: 1.6; }\n"
    ".dot { stroke-linecap: round; fill: none; }\n"
    "rect.bad { fill: var(--bad); fill-opacity: 0.08; }\n"
    "rect.part-of { fill: var(--s2); }\n"
    ".state { display: inline-block; padding: 3px 12px; border-radius: 14px; color: var(--card); "
    "font-weight: 600; }\n"
    ".state.good { background: var(--accent); }\n"
    ".state.poor { background: var(--bad); }\n"
    ".key span { margin-right: 20px; white-space: nowrap; }\n"
    ".key b { display: inline-block; width: 26px; height: 5px; border-radius: 3px; margin-right: "
    "8px; vertical-align: middle; }\n"
    ".plain-page .modes, .plain-page .map { display: flex; flex-wrap: wrap; gap: 14px; "
    "align-items: flex-start; }\n"
    ".plain-page figure { margin: 0; }\n"
    ".plain-page figcaption { display: block; font-size: 12.5px; color: var(--soft); text-align: "
    "center; }\n"
    ".plain-page .map figcaption { max-width: 180px; }\n"
    ".face { fill: currentColor; stroke: currentColor; stroke-width: 0.7; }\n"
    ".edge { fill: none; stroke: var(--ink); stroke-opacity: 0.45; }\n"
    ".rest .edge { stroke: var(--ghost); }\n"
    ".patch { stroke: var(--card); stroke-width: 0.6; }\n"
    ".chosen { stroke: var(--s4); stroke-width: 3; }\n"
    ".unstable { color: var(--bad); font-weight: 600; }\n";

void gos__plain_page_begin(FILE *out, const char *kind, const char *title) {
    (void)fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
                "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta "
                "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                "'unsafe-inline'; img-src data:\">\n<link rel=\"icon\" href=\"data:,\">\n<title>",
                out);
    gos__page_html(out, title);
    (void)fputs(" - Gossamer</title>\n<style>\n", out);
    (void)fputs(gos__viewer_style, out);
    (void)fputs(own_style, out);
    (void)fputs("</style>\n</head>\n<body>\n<header>\n<p class=\"over-title\">", out);
    gos__page_html(out, kind);
    (void)fputs("</p>\n<h1>", out);
    gos__page_html(out, title);
    (void)fputs("</h1>\n</header>\n<main class=\"plain-page\">\n", out);
}

void gos__plain_page_end(FILE *out) {
    (void)fputs(
        "</main>\n<footer><p>Made by gossamer " GOS_VERSION
        ". This page is complete in itself: it loads nothing and works offline.</p></footer>\n"
        "</body>\n</html>\n",
        out);
}

void gos__plain_page_warnings(FILE *out, const char *text) {
    while (*text) {
        const size_t n = strcspn(text, "\n");
        char line[600];
        gos__format(line, sizeof line, "%.*s", (int)(n < 599 ? n : 599), text);
        (void)fprintf(out, "<p class=\"%s\">", strncmp(line, "note:", 5) == 0 ? "note" : "banner");
        gos__page_html(out, line);
        (void)fputs("</p>\n", out);
        text += n + (text[n] != '\0');
    }
}
