/* Element types and cell shapes; the name is kept for formulation and integration. */
#include "deck/deck.h"

static const struct {
    gos_cell_shape shape;
    const char *types; // separated and enclosed by blanks
} shapes[] = {
    {GOS_CELL_POINT, " MASS SPRING1 DCOUP3D "},
    {GOS_CELL_LINE2, " B31 B31R B33 T2D2 T3D2 DC1D2 SPRINGA SPRING2 DASHPOTA "},
    {GOS_CELL_LINE3, " B32 B32R T2D3 T3D3 DC1D3 "},
    {GOS_CELL_TRI3, " CPS3 CPE3 CAX3 CPE3H CAX3H M3D3 S3 S3R DC2D3 DCAX3 DS3 "},
    {GOS_CELL_TRI6, " CPS6 CPS6M CPE6 CPE6M CAX6 CAX6M M3D6 S6 STRI65 DC2D6 DCAX6 DS6 "},
    {GOS_CELL_QUAD4,
     " CPS4 CPS4R CPS4I CPS4T CPE4 CPE4R CPE4I CPE4H CPE4T CAX4 CAX4R CAX4I CAX4H CAX4T "
     "M3D4 M3D4R S4 S4R DC2D4 DCAX4 DS4 "},
    {GOS_CELL_QUAD8, " CPS8 CPS8R CPS8T CPS8RT CPE8 CPE8R CPE8T CPE8RT CAX8 CAX8R CAX8T CAX8RT "
                     "M3D8 M3D8R S8 S8R DC2D8 DCAX8 DS8 "},
    {GOS_CELL_TET4, " C3D4 C3D4T C3D4H DC3D4 "},
    {GOS_CELL_TET10, " C3D10 C3D10T C3D10M C3D10H C3D10I C3D10MT DC3D10 "},
    {GOS_CELL_WEDGE6, " C3D6 C3D6T C3D6H DC3D6 "},
    {GOS_CELL_WEDGE15, " C3D15 C3D15H DC3D15 "},
    {GOS_CELL_HEX8, " C3D8 C3D8R C3D8I C3D8H C3D8T C3D8RT C3D8RH DC3D8 "},
    {GOS_CELL_HEX20, " C3D20 C3D20R C3D20H C3D20RH C3D20T C3D20RT C3D20RI DC3D20 "},
};

bool gos__deck_shape(const char *type, gos_cell_shape *shape, bool *middle) {
    char word[16];
    if (type[0] == '\0' || strchr(type, ' ') ||
        gos__format(word, sizeof word, " %s ", type) >= (int)sizeof word) {
        return false;
    }
    for (int i = 0; i < GOS_COUNT(shapes); i++) {
        if (strstr(shapes[i].types, word)) {
            *shape = shapes[i].shape;
            *middle = *shape == GOS_CELL_LINE3;
            return true;
        }
    }
    return false;
}
