/* An allocator that fails at the n-th call, and counts what is not given back. */
#ifndef GOS_TEST_FAULTS_H
#define GOS_TEST_FAULTS_H

#include <stdlib.h>

#include "gossamer/base.h"

typedef struct faults {
    long calls, fail_at; // since armed; 0: never
    int forever;         // all later calls fail too
    long live;           // blocks not yet given back
} faults;

static inline int faults_now(faults *f) {
    f->calls++;
    return f->fail_at > 0 && (f->forever ? f->calls >= f->fail_at : f->calls == f->fail_at);
}

static inline void *faults_alloc(void *user, size_t size) {
    faults *f = user;
    void *p = faults_now(f) ? NULL : malloc(size);
    f->live += p != NULL;
    return p;
}

static inline void *faults_realloc(void *user, void *p, size_t size) {
    faults *f = user;
    void *q = faults_now(f) ? NULL : realloc(p, size);
    f->live += q != NULL && p == NULL;
    return q;
}

static inline void faults_free(void *user, void *p) {
    ((faults *)user)->live -= p != NULL;
    free(p);
}

static inline gos_ctx *faults_context(faults *f) {
    const gos_allocator a = {faults_alloc, faults_realloc, faults_free, f};
    *f = (faults){0};
    return gos_ctx_create_with(&a);
}

/* From here on count, and fail at the n-th call. */
static inline void faults_arm(faults *f, long n, int forever) {
    f->calls = 0;
    f->fail_at = n;
    f->forever = forever;
}

#endif
