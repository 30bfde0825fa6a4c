/* What acts on the surfaces and in the volume of a body of a mesh: heat, film, tractions,
   forces. */
#ifndef GOS_MESH_LOADS_H
#define GOS_MESH_LOADS_H

#include "fe/mesh_body.h"

/* Sides of cells (edges of sheets and shells times their thickness, of rings times the way around),
   or cells themselves: of sheets their area in the plane, of shells one of their faces, of beams
   what is around them. Surfaces of a mesh are areas of their cells and sides. */
typedef struct gos_fe_area {
    int n;
    const int *cell;           // (n)
    const unsigned char *side; // (n); NULL: the cells
    int face;                  // of shells as cells: 1 on the side of their normal, -1 on the other
} gos_fe_area;

/* A point of quadrature on an area or in a volume. */
typedef struct gos_fe_point {
    int nodes;
    const int *node;  // (nodes)
    const double *N;  // shape functions (nodes)
    double weight;    // area [m^2] or volume [m^3]
    double zeta;      // off the mid-surface of a shell, along its directors [m]
    double normal[3]; // out of the body; 0 in a volume
    int cell;
} gos_fe_point;
typedef gos_status gos_fe_point_function(const gos_fe_point *p, void *arg);

/** Visit the points of an area, in the order of its cells: products of two shape functions are
 * exact where cells are not distorted. A visit that fails ends it. GOS_E_INPUT with a record that
 * names the cell which belongs to no part, or has no such area. */
gos_status gos__fe_visit_area(const gos_fe_body *body, const gos_fe_area *area,
                              gos_fe_point_function *visit, void *arg);
/** Visit the points of the volume of cells; NULL: all that belong to a part. */
gos_status gos__fe_visit_volume(const gos_fe_body *body, int n, const int *cell,
                                gos_fe_point_function *visit, void *arg);

/** Its size [m^2]. */
gos_status gos__fe_area_size(const gos_fe_body *body, const gos_fe_area *area, double *size);
/** int N N dA (temperatures, temperatures), both triangles: the film's conductance of the
 * coefficient 1. */
gos_status gos__fe_film(const gos_fe_body *body, const gos_fe_area *area, gos_sparse *F);
/** Add `flux` int N dA to heat (temperatures): positive flux heats the body. Of a film: coefficient
 * times the temperature around. */
gos_status gos__fe_flux(const gos_fe_body *body, const gos_fe_area *area, double flux,
                        double *heat);
/** Add `power` per volume, int N dV, to heat (temperatures), in these cells; NULL: in all. */
gos_status gos__fe_source(const gos_fe_body *body, int n, const int *cell, double power,
                          double *heat);
/** Add the forces (freedoms) of a traction, axes of the mesh [Pa]. */
gos_status gos__fe_traction(const gos_fe_body *body, const gos_fe_area *area,
                            const double traction[3], double *load);
/** Add those of a pressure, against the normal out of the body [Pa]. */
gos_status gos__fe_pressure(const gos_fe_body *body, const gos_fe_area *area, double pressure,
                            double *load);
/** Add those of a force per volume [N/m^3], in these cells; NULL: in all. */
gos_status gos__fe_body_force(const gos_fe_body *body, int n, const int *cell,
                              const double force[3], double *load);

#endif
