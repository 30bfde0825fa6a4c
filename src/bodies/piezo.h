/* Entries of the section `piezo`: patches and how they are wired. They are read before the bodies,
   which make of those that lie on them what their matrices need, and connected once a body has its
   coordinates. */
#ifndef GOS_PIEZO_H
#define GOS_PIEZO_H

#include <math.h>

#include "floating/floating.h"
#include "parts/electrode.h"

typedef enum gos_piezo_drive {
    GOS_PIEZO_VOLTAGE,
    GOS_PIEZO_CHARGE, // 0: open. Condensed: the stiffness of the body has it
    GOS_PIEZO_SHUNT   // resistor and inductor between electrode and shell
} gos_piezo_drive;

/* Mass and stiffness of the patches themselves. */
typedef enum gos_piezo_own {
    GOS_PIEZO_AUTO,      // where a material is named
    GOS_PIEZO_NONE,      // thin against the shell
    GOS_PIEZO_ASSEMBLED, // layers of the shell's elements
    GOS_PIEZO_MODAL      // which vectors of a reduced body know nothing of
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
    const char *material;          // of which the patches are, NULL: none was named
    int own;                       // gos_piezo_own
    double resistance, inductance; // [Ohm], [H]
    double capacitance_error;      // relative, of the plant against what designs know
} gos_piezo_def;

typedef struct gos_piezo {
    const gos_node *entry;
    const char *name, *object; // "patches", "piezo 'patches'"
    const char *body;          // that it lies on
    gos_piezo_def def;
    bool given; // its electrodes are those of the body's own tables
    bool taken; // by its body
    int first;  // of its electrodes among those of the body
    int n;
    const char *
        *electrode; // names: NAME of one that is joined, NAME(k), k from 1, or NAME.CHANNEL (n)
    gos_electrode_patch *patch; // those that are drawn, by electrodes ...
    int *patch_start;           // ... the first of each (n + 1), NULL: none are
} gos_piezo;

extern const gos_type gos__piezo_patch, gos__piezo_given;

/* Rows of a table about how electrodes are driven. */
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
                       "of every electrode, between its outer face and the shell; each is an "     \
                       "input by the electrode's name"),                                           \
        {.name = "voltages",                                                                       \
         .kind = GOS_K_NODE,                                                                       \
         .unit = "V",                                                                              \
         .offset = offsetof(gos_piezo_def, voltages),                                              \
         .doc = "of single electrodes instead, {CHANNEL or k: function of time, ...}"},            \
        {.name = "drive",                                                                          \
         .kind = GOS_K_CHOICE,                                                                     \
         .unit = "",                                                                               \
         .def = "voltage",                                                                         \
         .choices = "voltage=0|charge=1|shunt=2",                                                  \
         .offset = offsetof(gos_piezo_def, drive),                                                 \
         .doc = "what is given of every electrode: voltage; charge, of which 0 is an open "        \
                "electrode, and which stiffens the body; or what connects it to the shell, "       \
                "`resistance` and `inductance`, whose voltage is a state of the model"},           \
        GOS_PIEZO_FUNCTION(charge, "C",                                                            \
                           "of every electrode with `drive: charge`; inputs like voltages"),       \
        GOS_PIEZO_SHUNT_ROW(resistance, "Ohm",                                                     \
                            "of a shunt; 0: it has none, and an inductance alone"),                \
        GOS_PIEZO_SHUNT_ROW(inductance, "H", "of a shunt; 0: it has none"),                        \
        {.name = "capacitance_error",                                                              \
         .kind = GOS_K_NUMBER,                                                                     \
         .unit = "-",                                                                              \
         .lo = -1,                                                                                 \
         .hi = HUGE_VAL,                                                                           \
         .flags = GOS_P_LO_OPEN,                                                                   \
         .def = "0",                                                                               \
         .offset = offsetof(gos_piezo_def, capacitance_error),                                     \
         .doc = "relative: every electrode has 1 + that times its capacitance, while designs of "  \
                "the model are made without it, so that a run shows what an observer does whose "  \
                "capacitances are wrong; not of `drive: charge`"},                                 \
    {                                                                                              \
        .name = "connection", .kind = GOS_K_CHOICE, .unit = "", .def = "series",                   \
        .choices = "series=0|parallel=1", .offset = offsetof(gos_piezo_def, parallel),             \
        .doc = "of resistance and inductance, where a shunt has both"                              \
    }

/** The entry of the model's section `piezo`; NULL: it was refused. */
gos_piezo *gos__find_piezo(const gos_builder *b, const gos_node *entry);
/** Read what all types have: its body, how it is driven. It is not known by its name yet. */
gos_status gos__piezo_read(gos_builder *b, const gos_type *type, const gos_node *entry,
                           const char *name, const char *object, gos_piezo **piezo);
/** Refuse voltages of channels that there are not. */
gos_status gos__piezo_check_channels(gos_builder *b, const gos_piezo *p);
/** Input and electrode e of an entry, whatever carries it: the charge at 0 V, and what a volt
 * adds. */
gos_status gos__piezo_electrode(gos_builder *b, const gos_piezo *p, int e, const gos_body *body,
                                const gos_signal *motional, double capacitance);
/** The material of patches with mass and stiffness; warm: on a body with temperatures, which it
 * must have values for. */
gos_status gos__piezo_material(gos_builder *b, const gos_piezo *p, bool warm,
                               const gos_material **material);
/** Say what patches of such entries add to the mass of their body [kg]; one is any of them. */
void gos__piezo_tell_mass(gos_builder *b, const gos_piezo *one, double added, double bare);
/** Inputs and electrodes of an entry whose electrodes are columns of the body's flex. */
gos_status gos__piezo_connect(gos_builder *b, const gos_piezo *p, const gos_floating_body *f,
                              const gos_body *body);
/** What is left to say when all bodies are there: an entry that nobody took is refused. */
gos_status gos__piezo_finish(gos_builder *b, const gos_piezo *p);

#endif
