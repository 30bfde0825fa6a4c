/* Entries of `piezo`: read before the bodies, which include them in their matrices, and connected
 * once a body has coordinates. */
#ifndef GOS_PIEZO_H
#define GOS_PIEZO_H

#include <math.h>

#include "floating/floating.h"
#include "parts/electrode.h"

typedef enum gos_piezo_drive {
    GOS_PIEZO_VOLTAGE,
    GOS_PIEZO_CHARGE, // 0: open; condensed into the stiffness
    GOS_PIEZO_SHUNT   // resistor and inductor between electrode and shell
} gos_piezo_drive;

typedef enum gos_piezo_own {
    GOS_PIEZO_AUTO,      // assembled if a material is given
    GOS_PIEZO_NONE,      // thin compared with the shell
    GOS_PIEZO_ASSEMBLED, // layers of the shell elements
    GOS_PIEZO_MODAL      // assembled, but reduction vectors are those of the bare shell
} gos_piezo_own;

typedef struct gos_piezo_def {
    gos_texts on, faces;
    double thickness;
    double e31, e32, e36; // [C/m^2]
    double permittivity;  // [F/m]
    double pyroelectric;  // [C/(m^2 K)]
    double along[3];
    const gos_node *channels, *voltages;
    gos_timefn *voltage, *charge;
    int drive, parallel;           // gos_piezo_drive; bool
    const char *material;          // NULL: not given
    int own;                       // gos_piezo_own
    double resistance, inductance; // [Ohm], [H]
    double capacitance_error;      // relative error in designs
} gos_piezo_def;

typedef struct gos_piezo {
    const gos_node *entry;
    const char *name, *object; // "patches", "piezo 'patches'"
    const char *body;
    gos_piezo_def def;
    bool given; // from tables of the body
    bool taken; // by its body
    int first;  // first electrode on the body
    int n;
    const char **electrode;     // (n) NAME, NAME(k) with k from 1, or NAME.CHANNEL
    gos_electrode_patch *patch; // drawn, by electrode ...
    int *patch_start;           // ... first of each (n + 1), or NULL
} gos_piezo;

extern const gos_type gos__piezo_patch, gos__piezo_given;

/* Rows of parameter tables for drives. */
#define GOS_PIEZO_FUNCTION(key, unit_, doc_)                                                       \
    {                                                                                              \
        .name = #key, .kind = GOS_K_TIMEFN, .unit = unit_, .lo = -HUGE_VAL, .hi = HUGE_VAL,        \
        .flags = GOS_P_PROBES, .def = "0", .offset = offsetof(gos_piezo_def, key), .doc = doc_     \
    }
#define GOS_PIEZO_SHUNT_ROW(key, unit_, doc_)                                                      \
    {                                                                                              \
        .name = #key, .kind = GOS_K_NUMBER, .unit = unit_, .lo = 0, .hi = HUGE_VAL,                \
        .offset = offsetof(gos_piezo_def, key), .doc = doc_                                        \
    }
#define GOS_PIEZO_DRIVE_ROWS                                                                       \
    GOS_PIEZO_FUNCTION(voltage, "V",                                                               \
                       "voltage of every electrode, between its outer face and the shell; each"    \
                       " is an input with the electrode's name"),                                  \
        {.name = "voltages",                                                                       \
         .kind = GOS_K_NODE,                                                                       \
         .unit = "V",                                                                              \
         .offset = offsetof(gos_piezo_def, voltages),                                              \
         .doc = "voltages of single electrodes instead, {CHANNEL or k: function of "               \
                "time, ...}"},                                                                     \
        {.name = "drive",                                                                          \
         .kind = GOS_K_CHOICE,                                                                     \
         .unit = "",                                                                               \
         .def = "voltage",                                                                         \
         .choices = "voltage=0|charge=1|shunt=2",                                                  \
         .offset = offsetof(gos_piezo_def, drive),                                                 \
         .doc = "what drives every electrode: voltage; charge, where 0 is an open "                \
                "electrode, which stiffens the body; shunt, `resistance` and "                     \
                "`inductance` to the shell, with the voltage as a state of the model"},            \
        GOS_PIEZO_FUNCTION(                                                                        \
            charge, "C",                                                                           \
            "charge of every electrode with `drive: charge`; inputs as for voltages"),             \
        GOS_PIEZO_SHUNT_ROW(resistance, "Ohm", "of a shunt; 0: none, only an inductance"),         \
        GOS_PIEZO_SHUNT_ROW(inductance, "H", "of a shunt; 0: none"),                               \
        {.name = "capacitance_error",                                                              \
         .kind = GOS_K_NUMBER,                                                                     \
         .unit = "-",                                                                              \
         .lo = -1,                                                                                 \
         .hi = HUGE_VAL,                                                                           \
         .flags = GOS_P_LO_OPEN,                                                                   \
         .def = "0",                                                                               \
         .offset = offsetof(gos_piezo_def, capacitance_error),                                     \
         .doc = "relative error of the capacitance: electrodes of the simulated plant "            \
                "have 1 + this times their capacitance, while designs use the nominal "            \
                "one, so that a run shows the effect on an observer; not with `drive: "            \
                "charge`"},                                                                        \
    {                                                                                              \
        .name = "connection", .kind = GOS_K_CHOICE, .unit = "", .def = "series",                   \
        .choices = "series=0|parallel=1", .offset = offsetof(gos_piezo_def, parallel),             \
        .doc = "of resistance and inductance, if a shunt has both"                                 \
    }

/** Finds the entry read from this node; NULL if it was rejected. */
gos_piezo *gos__find_piezo(const gos_builder *b, const gos_node *entry);
/** Reads body and drive. The entry is not registered by name yet. */
gos_status gos__piezo_read(gos_builder *b, const gos_type *type, const gos_node *entry,
                           const char *name, const char *object, gos_piezo **piezo);
gos_status gos__piezo_check_channels(gos_builder *b, const gos_piezo *p);
/** Input and electrode e, from the charge at 0 V and the capacitance [F]. */
gos_status gos__piezo_electrode(gos_builder *b, const gos_piezo *p, int e, const gos_body *body,
                                const gos_signal *motional, double capacitance);
/** Finds the material of patches with mass. warm: thermal properties are required. */
gos_status gos__piezo_material(gos_builder *b, const gos_piezo *p, bool warm,
                               const gos_material **material);
/** Reports the mass [kg] that entries add to the bare mass; `one` is any of them. */
void gos__piezo_note_mass(gos_builder *b, const gos_piezo *one, double added, double bare);
/** Connects an entry whose electrodes are columns of the body's flexibility data. */
gos_status gos__piezo_connect(gos_builder *b, const gos_piezo *p, const gos_floating_body *f,
                              const gos_body *body);
/** Rejects entries that no body claimed. */
gos_status gos__piezo_finish(gos_builder *b, const gos_piezo *p);

#endif
