/* Heat, film, tractions and forces on mesh bodies. */
#ifndef GOS_MESH_LOADS_H
#define GOS_MESH_LOADS_H

#include "fe/mesh_body.h"

/* Sides (times thickness of sheets and shells, or circumference), or cells: in-plane area of
   sheets, one face of shells, lateral surface of beams. */
typedef struct gos_fe_area {
    int n;
    const int *cell;           // (n)
    const unsigned char *side; // (n); NULL: the cells
    int face;                  // shells as cells: 1 on the side of the normal, -1 on the other
} gos_fe_area;

/* Quadrature point on an area or in a volume. */
typedef struct gos_fe_point {
    int nodes;
    const int *node;  // (nodes)
    const double *N;  // shape functions (nodes)
    double weight;    // area [m^2] or volume [m^3]
    double zeta;      // over a shell's middle, along its directors [m]
    double normal[3]; // outward; 0 in a volume
    int cell;
} gos_fe_point;
typedef gos_status gos_fe_point_function(const gos_fe_point *p, void *arg);

/** In the order of cells; exact for products of two shape functions in undistorted cells. Stops at
 * a failing visit. GOS_E_INPUT with a record for a cell without part or such area. */
gos_status gos__fe_visit_area(const gos_fe_body *body, const gos_fe_area *area,
                              gos_fe_point_function *visit, void *arg);
/** Visit the points of cells; NULL: all cells of parts. */
gos_status gos__fe_visit_volume(const gos_fe_body *body, int n, const int *cell,
                                gos_fe_point_function *visit, void *arg);

/** Area [m^2]. */
gos_status gos__fe_area_size(const gos_fe_body *body, const gos_fe_area *area, double *size);
/** Film conductance int N N dA (temperatures, temperatures), both triangles. */
gos_status gos__fe_film(const gos_fe_body *body, const gos_fe_area *area, gos_sparse *F);
/** Add `flux` int N dA to heat (temperatures); positive heats. Film: coefficient times ambient
 * temperature. */
gos_status gos__fe_flux(const gos_fe_body *body, const gos_fe_area *area, double flux,
                        double *heat);
/** Add `power` int N dV to heat (temperatures); NULL: all cells. */
gos_status gos__fe_source(const gos_fe_body *body, int n, const int *cell, double power,
                          double *heat);
/** Add the forces (freedoms) of a traction, mesh axes [Pa]. */
gos_status gos__fe_traction(const gos_fe_body *body, const gos_fe_area *area,
                            const double traction[3], double *load);
/** Add the forces of a pressure against the outward normal [Pa]. */
gos_status gos__fe_pressure(const gos_fe_body *body, const gos_fe_area *area, double pressure,
                            double *load);
/** Add the forces of a force per volume [N/m^3]; NULL: all cells. */
gos_status gos__fe_body_force(const gos_fe_body *body, int n, const int *cell,
                              const double force[3], double *load);

#endif
