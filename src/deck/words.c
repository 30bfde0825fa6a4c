/* Names of cards in messages about Nastran files, which share the code of CalculiX decks. */
#include "deck/deck.h"

static const struct {
    const char *card, *bulk;
} words[] = {{"*BOUNDARY", "SPC"},
             {"*CLOAD", "FORCE or MOMENT"},
             {"*DLOAD", "PLOAD4"},
             {"*DLOAD, GRAV", "GRAV"},
             {"*TEMPERATURE", "TEMP"},
             {"*INITIAL CONDITIONS", "TEMPERATURE(INITIAL)"},
             {"*EQUATION", "MPC"},
             {"*COUPLING", "RBE2"},
             {"*COUPLING, *DISTRIBUTING", "RBE3"},
             {"*COUPLING or *RIGID BODY", "RBE2 or RBE3"},
             {"*DENSITY", "RHO"},
             {"*BUCKLE is", "SOL 105 is"},
             {"*STEP", "SOL"}};

const char *gos__deck_word(const gos_deck *deck, const char *card) {
    for (int i = 0; deck->nastran && i < GOS_COUNT(words); i++) {
        if (strcmp(words[i].card, card) == 0) {
            return words[i].bulk;
        }
    }
    return card;
}
