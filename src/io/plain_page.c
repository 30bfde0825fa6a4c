#include "io/plain_page.h"

#include "io/report.h"

void gos__plain_page_begin(FILE *out, const char *title) {
    (void)fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
                "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta "
                "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                "'unsafe-inline'; img-src data:\">\n<link rel=\"icon\" href=\"data:,\">\n<title>",
                out);
    gos__page_html(out, title);
    (void)fputs(
        " - Gossamer</title>\n<style>\n"
        "body{font:15px/1.5 Helvetica,Arial,'DejaVu Sans',sans-serif;max-width:56rem;"
        "margin:2rem auto;padding:0 1rem;color:#111827;background:#fff}h1{font-size:1.5rem}"
        "h2{font-size:1.15rem;margin:2.2rem 0 .5rem}h3{font-size:1rem;margin:1.4rem 0 "
        ".3rem}section>svg{width:100%;height:auto}.grid{stroke:#e5e7eb;fill:none}"
        ".frame{stroke:#9ca3af;fill:none}.tick{font-size:12px;fill:#374151}"
        ".label{font-size:13px;fill:#111827}.curve{fill:none;stroke-width:1.4;"
        "stroke-linejoin:round}.dot{stroke-linecap:round;fill:none}.bad{fill:#dc2626;"
        "fill-opacity:.07}table{border-collapse:collapse;margin:.6rem 0}td,th{padding:.15rem "
        ".9rem .15rem 0;text-align:right;font-variant-numeric:tabular-nums}th{font-weight:600;"
        "border-bottom:1px solid #d1d5db}td:first-child,th:first-child{text-align:left}"
        ".numbers td{text-align:left}.wide{overflow-x:auto}.state{display:inline-block;"
        "padding:.15rem .7rem;border-radius:.3rem;color:#fff;font-weight:600}.good{background:"
        "#047857}.poor{background:#b91c1c}.warning{border-left:4px solid #b91c1c;background:"
        "#fef2f2;padding:.5rem .8rem;margin:.6rem 0}.note{color:#4b5563}.key "
        "span{margin-right:1.2rem}.key "
        "b{display:inline-block;width:1.6em;height:.35em;margin-right:.5em;vertical-align:"
        "middle}.modes,.map{display:flex;flex-wrap:wrap;gap:.8rem;align-items:flex-start}"
        "figure{margin:0}figcaption{font-size:.85rem;text-align:center}.map "
        "figcaption{max-width:11rem}.face{fill:"
        "currentColor;stroke:currentColor;stroke-width:.7}.edge{fill:none;stroke:#111827;"
        "stroke-opacity:.45}.rest .edge{stroke:#9ca3af}.patch{stroke:#fff;stroke-width:.6}"
        ".chosen{stroke:#10b981;stroke-width:3}.unstable{color:#b91c1c;font-weight:600}"
        "\n</style>\n</head>\n<body>\n",
        out);
}

void gos__plain_page_warnings(FILE *out, const char *text) {
    while (*text) {
        const size_t n = strcspn(text, "\n");
        char line[600];
        gos__format(line, sizeof line, "%.*s", (int)(n < 599 ? n : 599), text);
        (void)fprintf(out, "<p class=\"%s\">", strncmp(line, "note:", 5) == 0 ? "note" : "warning");
        gos__page_html(out, line);
        (void)fputs("</p>\n", out);
        text += n + (text[n] != '\0');
    }
}
