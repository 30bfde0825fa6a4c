/* YAML text to tree, from libyaml events. Aliases, anchors, merge keys, tags and further documents
 * are rejected, so that small texts cannot expand and each value has one location. */
#include "model/private.h"

#include <yaml.h>

typedef struct level {
    gos_node *node;
    gos_node *last;
    const char *key; // map: key without value yet, or NULL
    gos_loc key_loc;
    bool flow;           // in brackets or braces, where a comma ends a text
    const gos_node *cut; // last value, if unquoted with an open parenthesis
} level;

typedef struct builder {
    gos_ctx *ctx;
    gos_arena *arena;
    const char *file;
    gos_node *root;
    level level[GOS_LIMIT_DEPTH + 1];
    int nlevel, depth_above;
    int nnode, ndocument;
} builder;

static gos_loc mark_loc(const builder *b, yaml_mark_t mark) {
    return (gos_loc){b->file, (int)mark.line + 1, (int)mark.column + 1};
}

/* ---- syntax errors --------------------------------------------------------------------------- */

/* replacements of libyaml messages; `begin`: report the start of the construct */
static const struct {
    const char *problem, *text;
    bool begin;
} remedies[] = {
    {"mapping values are not allowed",
     "a ':' is not expected here; check the indentation, and quote text that contains ': '", false},
    {"did not find expected key", "this does not fit the lines above; check the indentation",
     false},
    {"did not find expected '-'", "this does not fit the list above; check the indentation", false},
    {"could not find expected ':'", "':' is missing after a key; add it", false},
    {"block sequence entries are not allowed",
     "a list item '-' is not expected here; begin it on a new line", false},
    {"unexpected end of stream", "these quotes are never closed; add the closing one", true},
    {"cannot start any token",
     "this character cannot begin a value; use spaces instead of tabs, and quote text that begins "
     "with @ % or `",
     false},
    {"did not find expected <document start>", "the model must end here; check the indentation",
     false},
    {"control characters are not allowed", "a control character is not allowed; remove it", false},
    {"UTF-8", "the text is not UTF-8 here; save the file in this encoding", false},
    {"directive", "directives (%) are not needed; remove this line", true},
    {"found incompatible YAML document", "%YAML 1.1 and 1.2 are read; remove this line", false},
};

/* unclosed constructs, reported with their first line */
static const struct {
    const char *problem, *missing, *in;
} open_ends[] = {
    {"did not find expected ',' or ']'", "',' or ']' is missing in a list", "list"},
    {"did not find expected ',' or '}'", "',' or '}' is missing in a map", "map"},
};

/* columns count characters, not bytes */
static gos_loc byte_loc(const builder *b, const char *text, size_t n) {
    gos_loc loc = {b->file, 1, 1};
    for (size_t i = 0; i < n && text[i] != '\0'; i++) {
        // continuation byte of a character
        const bool inside = ((unsigned char)text[i] & 0xc0) == 0x80;
        loc.line += text[i] == '\n';
        loc.col = text[i] == '\n' ? 1 : loc.col + !inside;
    }
    return loc;
}

static gos_status syntax_error(const builder *b, const yaml_parser_t *p, const char *text) {
    if (p->error == YAML_MEMORY_ERROR) {
        return gos__fail(b->ctx, GOS_E_MEMORY, "out of memory while reading YAML");
    }
    const char *problem = p->problem != NULL ? p->problem : "the text cannot be read";
    gos_loc loc = mark_loc(b, p->problem_mark);
    if (p->error == YAML_READER_ERROR) {
        loc = byte_loc(b, text, p->problem_offset);
    }
    for (int i = 0; i < GOS_COUNT(open_ends); i++) {
        if (strstr(problem, open_ends[i].problem) != NULL) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, loc, NULL,
                                "%s; add it, the %s begins in line %d", open_ends[i].missing,
                                open_ends[i].in, (int)p->context_mark.line + 1);
        }
    }
    for (int i = 0; i < GOS_COUNT(remedies); i++) {
        if (strstr(problem, remedies[i].problem) != NULL) {
            loc = remedies[i].begin ? mark_loc(b, p->context_mark) : loc;
            return gos__fail_at(b->ctx, GOS_E_INPUT, loc, NULL, "%s", remedies[i].text);
        }
    }
    return gos__fail_at(b->ctx, GOS_E_INPUT, loc, NULL,
                        "this is not valid YAML: %s; correct it, or quote the text", problem);
}

/* ---- building -------------------------------------------------------------------------------- */

static gos_status refuse(const builder *b, yaml_mark_t mark, const char *text) {
    return gos__fail_at(b->ctx, GOS_E_INPUT, mark_loc(b, mark), NULL, "%s", text);
}

static gos_status check_plain(const builder *b, yaml_mark_t mark, const yaml_char_t *anchor,
                              const yaml_char_t *tag) {
    if (anchor != NULL) {
        return refuse(b, mark, "anchors (&name) are not allowed; use a parameter instead");
    }
    if (tag != NULL) {
        return refuse(b, mark, "tags (!name) are not allowed; remove it, or quote the text");
    }
    return GOS_OK;
}

/* opening minus closing */
static int open_parentheses(const char *text) {
    int n = 0;
    for (; *text != '\0'; text++) {
        n += (*text == '(') - (*text == ')');
    }
    return n;
}

/* "panel.node(1,2)" in a flow list or map, which the comma splits */
static gos_status check_cut(const builder *b, level *top, const char *text, bool plain) {
    const gos_node *first = top->cut;
    top->cut = NULL;
    if (first == NULL || !plain || open_parentheses(text) >= 0) {
        return GOS_OK;
    }
    return gos__fail_at(b->ctx, GOS_E_INPUT, first->loc, NULL,
                        "a ',' in [ ] or { } ends a text; quote it: \"%.64s,%.64s\"", first->text,
                        text);
}

static gos_status take_key(builder *b, level *top, const char *text, gos_loc loc) {
    if (strcmp(text, "<<") == 0) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, NULL,
                            "merge keys (<<) are not allowed; write the entries out");
    }
    top->key = gos__arena_strdup(b->arena, text);
    top->key_loc = loc;
    return top->key == NULL ? GOS_E_MEMORY : GOS_OK;
}

/* attach a new node to the open collection, or make it the root */
static gos_status add_node(builder *b, gos_node_kind kind, gos_loc loc, gos_node **node) {
    if (++b->nnode > GOS_LIMIT_NODES) {
        gos__fail_at(b->ctx, GOS_E_LIMIT, loc, NULL, "a model has at most %d entries",
                     GOS_LIMIT_NODES);
        return GOS_E_LIMIT;
    }
    gos_node *n = GOS_NEW(b->arena, gos_node, 1);
    if (n == NULL) {
        return GOS_E_MEMORY;
    }
    n->kind = kind;
    n->loc = loc;
    *node = n;
    if (b->nlevel == 0) {
        b->root = n;
        return GOS_OK;
    }
    level *top = &b->level[b->nlevel - 1];
    if (top->node->kind == GOS_MAP) {
        if (top->key == NULL) {
            gos__fail_at(b->ctx, GOS_E_INPUT, loc, NULL, "a key must be a text, not a list or map");
            return GOS_E_INPUT;
        }
        n->key = top->key;
        n->key_loc = top->key_loc;
        top->key = NULL;
    }
    if (top->last == NULL) {
        top->node->child = n;
    } else {
        top->last->next = n;
    }
    top->last = n;
    top->node->n++;
    return GOS_OK;
}

static gos_status add_scalar(builder *b, const yaml_event_t *e) {
    GOS_TRY(check_plain(b, e->start_mark, e->data.scalar.anchor, e->data.scalar.tag));
    const char *text = (const char *)e->data.scalar.value;
    if (strlen(text) != e->data.scalar.length) {
        return refuse(b, e->start_mark, "a text must not contain \\0; remove it");
    }
    gos_loc loc = mark_loc(b, e->start_mark);
    const yaml_scalar_style_t style = e->data.scalar.style;
    const bool in_quotes =
        style == YAML_SINGLE_QUOTED_SCALAR_STYLE || style == YAML_DOUBLE_QUOTED_SCALAR_STYLE;
    level *top = b->nlevel > 0 ? &b->level[b->nlevel - 1] : NULL;
    const bool plain = style == YAML_PLAIN_SCALAR_STYLE;
    if (top != NULL) {
        GOS_TRY(check_cut(b, top, text, plain));
    }
    if (top != NULL && top->node->kind == GOS_MAP && top->key == NULL) {
        return take_key(b, top, text, loc);
    }
    gos_node *n;
    loc.col += in_quotes; // columns inside count from the first character
    GOS_TRY(add_node(b, GOS_SCALAR, loc, &n));
    n->quoted = !plain;
    n->text = gos__arena_strdup(b->arena, text);
    if (n->text == NULL) {
        return GOS_E_MEMORY;
    }
    if (top != NULL && top->flow && plain && open_parentheses(text) > 0) {
        top->cut = n;
    }
    return GOS_OK;
}

static gos_status open_collection(builder *b, gos_node_kind kind, yaml_mark_t mark, bool flow) {
    if (b->depth_above + b->nlevel >= GOS_LIMIT_DEPTH) {
        return gos__fail_at(b->ctx, GOS_E_LIMIT, mark_loc(b, mark), NULL,
                            "more than %d nested levels of lists and maps; use fewer",
                            GOS_LIMIT_DEPTH);
    }
    gos_node *n;
    GOS_TRY(add_node(b, kind, mark_loc(b, mark), &n));
    b->level[b->nlevel++] = (level){.node = n, .flow = flow};
    return GOS_OK;
}

static gos_status close_collection(builder *b) {
    if (b->nlevel == 0) {
        return GOS_OK; // libyaml pairs them
    }
    gos_node *n = b->level[--b->nlevel].node;
    return n->kind == GOS_MAP ? gos__node_index(b->ctx, b->arena, n) : GOS_OK;
}

static gos_status open_document(builder *b, const yaml_event_t *e) {
    if (++b->ndocument > 1) {
        return refuse(b, e->start_mark, "a model is one document; remove the '---'");
    }
    if (e->data.document_start.tag_directives.start != e->data.document_start.tag_directives.end) {
        return refuse(b, e->start_mark, "%TAG directives are not allowed; remove them");
    }
    return GOS_OK;
}

static gos_status handle(builder *b, const yaml_event_t *e) {
    switch (e->type) {
    case YAML_DOCUMENT_START_EVENT:
        return open_document(b, e);
    case YAML_ALIAS_EVENT:
        return refuse(b, e->start_mark,
                      "aliases (*name) are not allowed; use a parameter, or "
                      "quote the text");
    case YAML_SCALAR_EVENT:
        return add_scalar(b, e);
    case YAML_SEQUENCE_START_EVENT:
        GOS_TRY(check_plain(b, e->start_mark, e->data.sequence_start.anchor,
                            e->data.sequence_start.tag));
        return open_collection(b, GOS_LIST, e->start_mark,
                               e->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE);
    case YAML_MAPPING_START_EVENT:
        GOS_TRY(
            check_plain(b, e->start_mark, e->data.mapping_start.anchor, e->data.mapping_start.tag));
        return open_collection(b, GOS_MAP, e->start_mark,
                               e->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return close_collection(b);
    default:
        return GOS_OK;
    }
}

static gos_status run_events(builder *b, yaml_parser_t *parser, const char *text) {
    for (;;) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event)) {
            return syntax_error(b, parser, text);
        }
        const bool end = event.type == YAML_STREAM_END_EVENT;
        const gos_status status = handle(b, &event);
        yaml_event_delete(&event);
        if (status != GOS_OK || end) {
            return status;
        }
    }
}

gos_status gos__yaml_parse(gos_ctx *ctx, const char *text, size_t n, const char *file, int depth,
                           gos_arena *a, gos_node **root) {
    if (n > GOS_LIMIT_MODEL_BYTES) {
        return gos__fail_at(ctx, GOS_E_LIMIT, (gos_loc){file, 0, 0}, NULL,
                            "a model text has at most %d bytes, this one has %zu",
                            GOS_LIMIT_MODEL_BYTES, n);
    }
    // byte order mark
    if (n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        n -= 3;
    }
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) {
        return gos__fail(ctx, GOS_E_MEMORY, "out of memory while reading YAML");
    }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, n);
    builder b = {.ctx = ctx, .arena = a, .file = file, .depth_above = depth};
    const gos_status status = run_events(&b, &parser, text);
    yaml_parser_delete(&parser);
    *root = status == GOS_OK ? b.root : NULL;
    return status;
}
