/* Loads on surfaces and in the volume of a mesh body: heat, film, tractions, forces. */
#ifndef GOS_MESH_LOADS_H
#define GOS_MESH_LOADS_H

#include "fe/mesh_body.h"

/* Cell sides (edges of sheets and shells times thickness, of axisymmetric cells times
   circumference), or cells: for sheets their in-plane area, for shells one face, for beams the
   lateral surface. Mesh surfaces are areas of their cells and sides. */
typedef struct gos_fe_area {
    int n;
    const int *cell;           // (n)
    const unsigned char *side; // (n); NULL: the cells
    int face;                  // shells as cells: 1 on the side of the normal, -1 on the other
} gos_fe_area;

/* A quadrature point on an area or in a volume. */
typedef struct gos_fe_point {
    int nodes;
    const int *node;  // (nodes)
    const double *N;  // shape functions (nodes)
    double weight;    // area [m^2] or volume [m^3]
    double zeta;      // height over the mid-surface of a shell, along its directors [m]
    double normal[3]; // outward; 0 in a volume
    int cell;
} gos_fe_point;
typedef gos_status gos_fe_point_function(const gos_fe_point *p, void *arg);

/** Visit the points of an area in the order of its cells. Products of two shape functions are
 * integrated exactly in undistorted cells. A failing visit ends it. GOS_E_INPUT with a record that
 * gives the cell if it is in no part, or has no such area. */
gos_status gos__fe_visit_area(const gos_fe_body *body, const gos_fe_area *area,
                              gos_fe_point_function *visit, void *arg);
/** Visit the points of the volume of cells; NULL: all cells of parts. */
gos_status gos__fe_visit_volume(const gos_fe_body *body, int n, const int *cell,
                                gos_fe_point_function *visit, void *arg);

/** Area [m^2]. */
gos_status gos__fe_area_size(const gos_fe_body *body, const gos_fe_area *area, double *size);
/** int N N dA (temperatures, temperatures), both triangles: conductance of a film with unit
 * coefficient. */
gos_status gos__fe_film(const gos_fe_body *body, const gos_fe_area *area, gos_sparse *F);
/** Add `flux` int N dA to heat (temperatures): positive flux heats the body. For a film:
 * coefficient times ambient temperature. */
gos_status gos__fe_flux(const gos_fe_body *body, const gos_fe_area *area, double flux,
                        double *heat);
/** Add `power` per volume, int N dV, to heat (temperatures), in these cells; NULL: in all. */
gos_status gos__fe_source(const gos_fe_body *body, int n, const int *cell, double power,
                          double *heat);
/** Add the forces (freedoms) of a traction, mesh axes [Pa]. */
gos_status gos__fe_traction(const gos_fe_body *body, const gos_fe_area *area,
                            const double traction[3], double *load);
/** Add the forces of a pressure, opposite to the outward normal [Pa]. */
gos_status gos__fe_pressure(const gos_fe_body *body, const gos_fe_area *area, double pressure,
                            double *load);
/** Add the forces of a force per volume [N/m^3], in these cells; NULL: in all. */
gos_status gos__fe_body_force(const gos_fe_body *body, int n, const int *cell,
                              const double force[3], double *load);

#endif
