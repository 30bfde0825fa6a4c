#include "pages/picture_marks.h"

#include <math.h>

#include "base/base.h"

#define ARROW 34.0       // arrow length [px]
#define MIN_INPLANE 1e-3 // smallest in-plane fraction of a drawn force

static const char ring[] = "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\" fill=\"#fff\"/>\n";

static void support(FILE *out, double x, double y) {
    (void)fprintf(out, "<path fill=\"#fff\" d=\"M%.1f %.1fl-8 12h16Zm-11 12h22\"/>\n", x, y);
}

static void arrow(FILE *out, double x, double y, double u, double v) {
    (void)fprintf(out, "<path d=\"M%.1f %.1fL%.1f %.1fM%.1f %.1fL%.1f %.1fL%.1f %.1f\"/>\n",
                  x - ARROW * u, y - ARROW * v, x, y, x - 10 * u - 5 * v, y - 10 * v + 5 * u, x, y,
                  x - 10 * u + 5 * v, y - 10 * v - 5 * u);
}

static void load_at(FILE *out, double x, double y, const double f[3], const gos_view *view) {
    double u = 0, v = 0;
    for (int c = 0; c < 3; c++) {
        u += view->right[c] * f[c];
        v -= view->up[c] * f[c]; // y in pixels points down
    }
    const double size = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]), seen = hypot(u, v);
    if (seen > MIN_INPLANE * size) {
        arrow(out, x, y, u / seen, v / seen);
    } else if (size > 0) {
        (void)fprintf(out, ring, x, y);
        (void)fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"1\"/>\n", x, y);
    } else {
        (void)fprintf(out, "<path fill=\"#fff\" d=\"M%.1f %.1fl5 5l-5 5l-5 -5Z\"/>\n", x, y - 5);
    }
}

static void open_group(FILE *out, bool joint, const char *name) {
    (void)fprintf(out, "<g class=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\">",
                  joint ? "joint" : "load", joint ? "#111827" : "#b91c1c");
    if (name) {
        (void)fputs("<title>", out);
        gos__xml_text(out, name, 0);
        (void)fputs("</title>", out);
    }
    (void)fputs("\n", out);
}

void gos__picture_marks(const gos_plot *plot, const gos_view *view, int n, const gos_mark *mark) {
    FILE *out = plot->out;
    for (int i = 0; i < n; i++) {
        const gos_mark *m = &mark[i];
        double x[GOS_MARK_LOCATIONS], y[GOS_MARK_LOCATIONS];
        for (int k = 0; k < m->nlocation; k++) {
            x[k] = gos__view_x(plot, view, m->location[k]);
            y[k] = gos__view_y(plot, view, m->location[k]);
        }
        open_group(out, m->joint, m->name);
        if (m->nlocation > 1) {
            (void)fprintf(out, "<path %sd=\"M%.1f %.1fL%.1f %.1f\"/>\n",
                          m->joint ? "" : "stroke-dasharray=\"4 3\" ", x[0], y[0], x[1], y[1]);
        }
        if (m->joint && m->ground) {
            support(out, x[0], y[0]);
        }
        for (int k = 0; k < m->nlocation && m->joint; k++) {
            (void)fprintf(out, ring, x[k], y[k]);
        }
        if (!m->joint && m->nlocation == 1) {
            load_at(out, x[0], y[0], m->force, view);
        }
        (void)fputs("</g>\n", out);
    }
}

double gos__picture_marks_legend(FILE *out, double x, double y, int n, const gos_mark *mark) {
    static const gos_view plane = {
        .right = {1, 0, 0}, .up = {0, 1, 0}, .eye = {0, 0, 1}, .axis = {0, 1}};
    static const double right[3] = {1, 0, 0};
    for (int joint = 1; joint >= 0; joint--) {
        int i = 0;
        while (i < n && mark[i].joint != joint) {
            i++;
        }
        if (i == n) {
            continue;
        }
        y += 25;
        open_group(out, joint, NULL);
        if (joint) {
            (void)fprintf(out, ring, x + 19, y - 5);
        } else {
            load_at(out, x + 36, y - 5, right, &plane);
        }
        (void)fputs("</g>\n", out);
        gos__svg_text(out, x + 48, y, "start", "class=\"tick\"", joint ? "joint" : "load");
    }
    return y;
}
