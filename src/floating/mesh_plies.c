/* Material axes of orthotropic materials and laminates. */
#include "floating/mesh_plies.h"

#include <math.h>

#include "parts/vec3.h"

// cosine to the normal above which a direction has no usable projection
#define ALONG 0.99

static gos_status refuse(const gos_builder *b, const gos_mesh_plies *of, const char *key,
                         const char *why) {
    return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(of->entry, key), of->object, "%s", why);
}

static gos_status check_element(const gos_builder *b, const gos_mesh_plies *of,
                                const gos_fe_part *part) {
    const bool laminate = of->material->kind == GOS_MATERIAL_LAMINATE;
    if (!part->element->directors && (laminate || part->element->dim < 3)) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(of->entry, "material"), of->object,
                            "material '%s' is %s, which %s cells do not support; use `element: "
                            "shell` on a mesh of quadrilaterals%s",
                            of->material->name, laminate ? "a laminate" : "orthotropic",
                            part->element->name, laminate ? "" : ", or solids");
    }
    return laminate && of->thick
               ? refuse(b, of, "thickness",
                        "the plies of a laminate define its thickness; remove `thickness`")
               : GOS_OK;
}

static gos_status check_direction(const gos_builder *b, const gos_mesh_plies *of,
                                  const gos_fe_part *part, const double d[3]) {
    for (int i = 0; i < (part->cell ? part->n : of->mesh->ncell); i++) {
        const int cell = part->cell ? part->cell[i] : i;
        int at;
        const gos_cell_block *block = gos__mesh_cell(of->mesh, cell, &at);
        if (block->shape != GOS_CELL_QUAD4 && block->shape != GOS_CELL_TRI3) {
            continue; // refused elsewhere
        }
        const int corners = gos__cell_kind[block->shape].corners; // diagonals, or two sides
        const int *node = block->node + (size_t)at * corners;
        double a[3], c[3], n[3];
        gos__sub3(of->mesh->x[node[corners - 2]], of->mesh->x[node[0]], a);
        gos__sub3(of->mesh->x[node[corners - 1]], of->mesh->x[node[corners - 3]], c);
        gos__cross3(a, c, n);
        if (fabs(gos__dot3(d, n)) >= ALONG * gos__norm3(n)) {
            return gos__fail_at(b->ctx, GOS_E_INPUT,
                                gos__key_loc(of->entry, of->told ? "direction" : "material"),
                                of->object,
                                "%s is nearly normal to cell %lld, so axis 1 of material '%s' is "
                                "undefined in its surface; give another `direction`; cells that "
                                "need their own can be given one in `parts`",
                                of->told ? "the direction" : "e1 of the mesh",
                                (long long)gos__mesh_cell_tag(of->mesh, cell), of->material->name);
        }
    }
    return GOS_OK;
}

/* rows: direction, and two normal axes */
static gos_status make_axes(gos_builder *b, const double d[3], gos_fe_part *part) {
    double *axes = GOS_NEW(b->arena, double, 9);
    double other[3] = {0, 0, 0};
    GOS_TRY(axes ? GOS_OK : GOS_E_MEMORY);
    other[fabs(d[2]) < ALONG ? 2 : 0] = 1;
    memcpy(axes, d, 3 * sizeof *axes);
    gos__cross3(other, d, axes + 3);
    const double size = gos__norm3(axes + 3);
    for (int c = 0; c < 3; c++) {
        axes[3 + c] /= size;
    }
    gos__cross3(axes, axes + 3, axes + 6);
    part->axes = axes;
    return GOS_OK;
}

/* rows: direction, second one orthogonalised, normal */
static gos_status make_solid_axes(gos_builder *b, const gos_mesh_plies *of, const double d[3],
                                  gos_fe_part *part) {
    double *axes = GOS_NEW(b->arena, double, 9), second[3] = {0, 0, 0};
    GOS_TRY(axes ? GOS_OK : GOS_E_MEMORY);
    const double given = gos__norm3(of->second);
    second[fabs(d[1]) < ALONG ? 1 : 2] = 1;
    for (int c = 0; c < 3 && given > 0; c++) {
        second[c] = of->second[c] / given;
    }
    const double along = gos__dot3(d, second);
    if (!(fabs(along) < ALONG)) {
        return refuse(
            b, of, given > 0 ? "direction2" : "direction",
            "direction2 is nearly parallel to direction, so axis 2 is undefined; give another one");
    }
    for (int c = 0; c < 3; c++) {
        axes[c] = d[c];
        axes[3 + c] = (second[c] - along * d[c]) / sqrt(1 - along * along);
    }
    gos__cross3(axes, axes + 3, axes + 6);
    part->axes = axes;
    return GOS_OK;
}

gos_status gos__mesh_plies(gos_builder *b, const gos_mesh_plies *of, gos_fe_part *part) {
    const gos_laminate *l = of->material->laminate;
    const double size = gos__norm3(of->direction);
    double d[3] = {1, 0, 0};
    if (of->material->kind == GOS_MATERIAL_ISOTROPIC) {
        return GOS_OK;
    }
    GOS_TRY(check_element(b, of, part));
    for (int c = 0; c < 3 && size > 0; c++) {
        d[c] = of->direction[c] / size;
    }
    if (!part->element->directors) {
        return make_solid_axes(b, of, d, part);
    }
    GOS_TRY(check_direction(b, of, part, d));
    GOS_TRY(make_axes(b, d, part));
    part->thickness = l ? l->thickness : part->thickness;
    part->offset = l ? l->offset : 0;
    return GOS_OK;
}
