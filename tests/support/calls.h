/* Records the calls of a run and selects those that a fault test makes fail: of each kind the
   first, the last and every `every`-th; all of them in the long form. */
#ifndef GOS_TEST_CALLS_H
#define GOS_TEST_CALLS_H

#include <stdio.h>
#include <string.h>

#include "support/suite.h"

enum { CALLS_MAX = 20000, CALL_KINDS_MAX = 400, CALL_NAME = 64 };

/* Without pointers, so that it may lie in memory shared with a child process. */
typedef struct calls {
    long n;                // calls in order of time
    short kind[CALLS_MAX]; // of each, an index of the names
    int nkinds;
    char name[CALL_KINDS_MAX][CALL_NAME];
    long count[CALL_KINDS_MAX], chosen[CALL_KINDS_MAX];
} calls;

static inline void calls_note(calls *c, const char *name) {
    int k = 0;
    while (k < c->nkinds && strncmp(c->name[k], name, CALL_NAME - 1) != 0) {
        k++;
    }
    if (k == CALL_KINDS_MAX || c->n == CALLS_MAX) {
        c->n = CALLS_MAX; // calls_choose reports that
        return;
    }
    if (k == c->nkinds) {
        (void)snprintf(c->name[c->nkinds++], CALL_NAME, "%s", name);
    }
    c->kind[c->n++] = (short)k;
    c->count[k]++;
}

/* Fills at[CALLS_MAX] with the numbers of the selected calls, from 1 and increasing, then n + 1 as
   a terminator. Calls up to `first` are skipped. Prints the count of each kind. Returns the count
   of all. */
static inline long calls_choose(calls *c, long first, long every, long *at) {
    long seen[CALL_KINDS_MAX] = {0}, n = 0;
    assert_true(c->n < CALLS_MAX);
    memset(c->count, 0, sizeof c->count);
    memset(c->chosen, 0, sizeof c->chosen);
    for (long i = first; i < c->n; i++) {
        c->count[c->kind[i]]++;
    }
    every = suite_long() ? 1 : every;
    for (long i = first; i < c->n; i++) {
        const int k = c->kind[i];
        const long number = seen[k]++;
        if (number % every == 0 || number + 1 == c->count[k]) {
            c->chosen[k]++;
            at[n++] = i + 1;
        }
    }
    print_message("failures injected:");
    for (int k = 0; k < c->nkinds; k++) {
        print_message("%s %s %ld of %ld", k ? "," : "", c->name[k], c->chosen[k], c->count[k]);
        assert_true(c->count[k] == 0 || c->chosen[k] > 0);
    }
    print_message("\n");
    at[n] = c->n + 1;
    return n;
}

#endif
