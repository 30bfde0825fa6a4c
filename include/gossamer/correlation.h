/* Gossamer: correlation of modes with measured ones. SPDX-License-Identifier: Apache-2.0
 *
 * Mode shapes at sensors from test files or linear models, their modal assurance criteria and cross
 * orthogonality, and the placement of sensors. */
#ifndef GOSSAMER_CORRELATION_H
#define GOSSAMER_CORRELATION_H

#include "gossamer/linear.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Mode shapes at sensors. Free with gos_shapes_free. */
typedef struct gos_shapes {
    int modes, sensors;
    const char *const *sensor; // names "tip.y" (sensors)
    double *frequency;         // [Hz] (modes)
    double *damping;           // ratios, NAN: unknown (modes)
    double *shape;             // real and imaginary parts (modes, sensors, 2), any scale
    bool by_node;              // sensors are named after node numbers of the test, "12.y"
    void *memory;              // of the arrays
} gos_shapes;

/** Read the modes of a test: a universal file (datasets 55 of modes), or comma-separated values
 * with a header of column names and a row for each mode. Columns: `frequency` [Hz], optionally
 * `damping` (ratio), and one for each sensor; the imaginary part of sensor NAME has the column
 * `NAME.imag`.
 * @return GOS_E_FILE, or GOS_E_INPUT with file and line */
GOS_API gos_status gos_shapes_read(gos_ctx *ctx, const char *path, gos_shapes *shapes);
/** The n lowest undamped modes with a frequency, at all outputs that depend on displacements alone.
 * @return GOS_E_INPUT: there is no such output; errors of gos_linear_shapes */
GOS_API gos_status gos_shapes_of_linear(gos_ctx *ctx, const gos_linear *linear, int n,
                                        gos_shapes *shapes);
GOS_API void gos_shapes_free(gos_shapes *shapes);

/* One test mode and its counterpart */
typedef struct gos_mode_pair {
    int analysis;      // analysis mode, -1: no unpaired one has a MAC of at least GOS_MAC_PAIRED
    double mac;        // of the pair; largest one of the test mode if there is no pair
    double difference; // of the frequencies, (analysis - test) / test; NAN: not paired
} gos_mode_pair;
#define GOS_MAC_PAIRED 0.5

/* Correlation of an analysis with a test. Free with gos_correlation_free. */
typedef struct gos_correlation {
    int analysis, test, sensors; // numbers of modes, and of sensors of the test in the analysis
    int ignored;                 // degrees of freedom of a universal file without a counterpart
    const char *const *sensor;   // names in the analysis (sensors)
    double *mac;                 // (test, analysis)
    gos_mode_pair *pair;         // (test)
    double *comac;               // of the pairs, NAN: all shapes are zero there (sensors)
    // |Phi+ psi| of the paired modes (test, analysis), test shapes scaled to a generalised mass of
    // 1; NULL: the sensors do not distinguish the paired modes of the analysis
    double *orthogonality;
    void *memory;
} gos_correlation;

/** Correlate shapes at the sensors of the test.
 *     MAC = |phi^T conj(psi)|^2 / ((phi^T phi) (psi^T conj(psi)))
 * with phi of the analysis and psi of the test. Phi: paired phi of generalised mass 1; Phi+: its
 * pseudo-inverse.
 * Modes are paired by descending MAC. COMAC is that of each sensor over the pairs, with magnitudes
 * (Lieven and Ewins 1988). Cross orthogonality uses the mass matrix of the analysis, reduced to the
 * sensors by SEREP (O'Callahan 1989), for which Phi^T M psi = Phi+ psi.
 * Sensor N.y of node N of a universal file is the output N.y or nN.y of the analysis; nodes without
 * a counterpart are ignored and counted.
 * @return GOS_E_INPUT: a named sensor, or all nodes, have no counterpart; a shape is zero */
GOS_API gos_status gos_correlate(gos_ctx *ctx, const gos_shapes *analysis, const gos_shapes *test,
                                 gos_correlation *correlation);
GOS_API void gos_correlation_free(gos_correlation *correlation);

/** Choose `wanted` of the sensors of shapes by effective independence (Kammer 1991): the sensor
 * that contributes least to the determinant of the Fisher information Phi^T Phi is removed in turn.
 * chosen (wanted): indices, ascending. *log_determinant: decimal logarithm of the determinant,
 * relative to that of all sensors.
 * @return GOS_E_USE unless modes <= wanted <= sensors, GOS_E_INPUT if the sensors do not
 * distinguish the modes */
GOS_API gos_status gos_sensors_place(gos_ctx *ctx, const gos_shapes *shapes, int wanted,
                                     int *chosen, double *log_determinant);

#ifdef __cplusplus
}
#endif
#endif
