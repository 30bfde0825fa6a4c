/* placeholder */
#include "rom/rom.h"
gos_status gos__rom_modes(gos_rom *r) { return gos__fail(r->ctx, GOS_E_USE, "modes"); }
