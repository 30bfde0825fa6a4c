/* Entries of the section `piezo`: patches and how they are wired. They are read before the bodies, which make of those
   that lie on them what their matrices need, and connected once a body has its coordinates. */
#ifndef GOS_PIEZO_H
#define GOS_PIEZO_H

#include "bodies/floating.h"
#include "parts/electrode.h"

typedef enum gos_piezo_drive {
    GOS_PIEZO_VOLTAGE,
    GOS_PIEZO_CHARGE, // 0: open. Condensed: the stiffness of the body has it
    GOS_PIEZO_SHUNT   // resistor and inductor between electrode and shell
} gos_piezo_drive;

/* Mass and stiffness of the patches themselves. */
typedef enum gos_piezo_own {
    GOS_PIEZO_AUTO,     // where a material is named
    GOS_PIEZO_NONE,     // thin against the shell
    GOS_PIEZO_ASSEMBLED // layers of the shell's elements
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
} gos_piezo_def;

typedef struct gos_piezo {
    const gos_node *entry;
    const char *name, *object; // "patches", "piezo 'patches'"
    const char *body;          // that it lies on
    gos_piezo_def def;
    bool taken; // by its body
    int first;  // of its electrodes among those of the body
    int n;
    const char *
        *electrode; // names: NAME of one that is joined, NAME(k), k from 1, or NAME.CHANNEL (n)
    gos_electrode_patch *patch; // those that are drawn, by electrodes ...
    int *patch_start;           // ... the first of each (n + 1), NULL: none are
} gos_piezo;

extern const gos_type gos__piezo_patch;

/** The entry of the model's section `piezo`; NULL: it was refused. */
gos_piezo *gos__find_piezo(const gos_builder *b, const gos_node *entry);
/** Inputs and electrodes of an entry whose electrodes are columns of the body's flex. */
gos_status gos__piezo_connect(gos_builder *b, const gos_piezo *p, const gos_floating_body *f,
                              const gos_body *body);
/** What is left to say when all bodies are there: an entry that nobody took is refused. */
gos_status gos__piezo_finish(gos_builder *b, const gos_piezo *p);

#endif
