#include "pages/picture_view.h"

#include <math.h>
#include <stdio.h>

#include "math/vec3.h"

#define MIN_DEPTH 0.2  // relative to the largest extent; flatter: frontal view
#define FRONT 0.3      // projected area relative to that along another axis; smaller: edge-on
#define YAW -0.6       // of an oblique view [rad]
#define PITCH 0.42     // [rad]
#define LENGTH 26.0    // length of the axes [px]
#define ALONG_EYE 0.12 // shorter projections are along the line of sight

/* z upwards */
static void look_obliquely(gos_view *v) {
    const double c = cos(YAW), s = sin(YAW), d = cos(PITCH), e = sin(PITCH);
    *v = (gos_view){
        .right = {c, s, 0}, .up = {-e * s, e * c, d}, .eye = {d * s, -d * c, e}, .axis = {-1, -1}};
}

void gos__view_choose(const gos_seen *seen, gos_view *v) {
    double size[3];
    int least = 2, most = 0;
    for (int c = 2; c >= 0; c--) {
        size[c] = seen->hi[c] - seen->lo[c];
        least = c < 2 && size[c] < 0.999 * size[least] ? c : least;
    }
    for (int c = 1; c < 3; c++) {
        most = size[c] > size[most] ? c : most;
    }
    const double in_plane = fmax(seen->moved[(least + 1) % 3], seen->moved[(least + 2) % 3]);
    const double *a = seen->area;
    const bool edge_on = a[least] < FRONT * fmax(a[(least + 1) % 3], a[(least + 2) % 3]);
    if (seen->surfaces &&
        (size[least] > MIN_DEPTH * size[most] || edge_on || seen->moved[least] > in_plane)) {
        look_obliquely(v);
        return;
    }
    *v = (gos_view){.axis = {least == 0 ? 1 : 0, least == 2 ? 1 : 2}};
    v->right[v->axis[0]] = v->up[v->axis[1]] = 1;
    v->eye[least] = least == 1 ? -1 : 1;
}

void gos__view_fit(const gos_view *v, const gos_seen *seen, double width, double height,
                   gos_plot *plot) {
    double lo[2] = {HUGE_VAL, HUGE_VAL}, hi[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int k = 0; k < 8; k++) {
        double corner[3];
        for (int c = 0; c < 3; c++) {
            corner[c] = k >> c & 1 ? seen->hi[c] : seen->lo[c];
        }
        const double at[2] = {gos__dot3(v->right, corner), gos__dot3(v->up, corner)};
        for (int i = 0; i < 2; i++) {
            lo[i] = fmin(lo[i], at[i]);
            hi[i] = fmax(hi[i], at[i]);
        }
    }
    gos__plot_fit(plot, lo, hi, width, height);
}

double gos__view_x(const gos_plot *plot, const gos_view *view, const double x[3]) {
    return gos__plot_x(plot, gos__dot3(view->right, x));
}

double gos__view_y(const gos_plot *plot, const gos_view *view, const double x[3]) {
    return gos__plot_y(plot, gos__dot3(view->up, x));
}

/* x, y and z at the lower left, and a scale bar */
static void directions(const gos_plot *p, const gos_view *v, const char *unit) {
    static const char *const name[] = {"x", "y", "z"};
    const double x = p->left + 40, y = p->top + p->height - 24;
    for (int c = 0; c < 3; c++) {
        const double dx = v->right[c], dy = -v->up[c];
        if (hypot(dx, dy) > ALONG_EYE) {
            (void)fprintf(p->out, "<path stroke=\"#6b7280\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", x, y,
                          x + LENGTH * dx, y + LENGTH * dy);
            gos__svg_text(p->out, x + (LENGTH + 9) * dx, y + (LENGTH + 9) * dy + 4, "middle",
                          "class=\"tick\"", name[c]);
        }
    }
    const double length = gos__round_step(p->width / p->scale / 4, 1);
    const double end = p->left + p->width - 12, from = end - length * p->scale;
    char text[40];
    (void)snprintf(text, sizeof text, "%.4g %s", length, unit);
    (void)fprintf(p->out,
                  "<path fill=\"none\" stroke=\"#6b7280\" d=\"M%.1f %.1fv8m0 -4H%.1fm0 -4v8\"/>\n",
                  from, y - 4, end);
    gos__svg_text(p->out, (from + end) / 2, y + 18, "middle", "class=\"tick\"", text);
}

void gos__view_axes(const gos_plot *plot, const gos_view *view, const char *length) {
    char label[2][40];
    if (view->axis[0] < 0) {
        directions(plot, view, length);
        return;
    }
    for (int i = 0; i < 2; i++) {
        (void)snprintf(label[i], sizeof label[i], *length ? "%c [%s]" : "%c", "xyz"[view->axis[i]],
                       length);
    }
    gos__plot_axes(plot, label[0], label[1]);
}
