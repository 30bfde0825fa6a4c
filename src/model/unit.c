/* Names of units, their dimensions and conversion. */
#include "model/unit.h"

#include <math.h>

#include "base/units.h"
#include "gossamer/model.h"

typedef struct named {
    const char *name;
    const char *meaning;
    bool prefixes; // T, G, M, k, m, u, n, p
    gos_unit_def unit;
} named;

/* powers of m, kg, s, A, K, rad */
#define POWERS(...)                                                                                \
    { __VA_ARGS__ }

static const named table[] = {
    {"m", "length", true, {POWERS(1), 1, 0, 0}},
    {"cm", "length", false, {POWERS(1), 1, -2, 0}},
    {"in", "inch", false, {POWERS(1), 254, -4, 0}},
    {"ft", "foot", false, {POWERS(1), 3048, -4, 0}},
    {"mil", "0.001 in", false, {POWERS(1), 254, -7, 0}},
    {"au", "astronomical unit", false, {POWERS(1), 149597870700.0, 0, 0}},
    {"g", "mass: gram", true, {POWERS(0, 1), 1, -3, 0}},
    {"t", "tonne", false, {POWERS(0, 1), 1, 3, 0}},
    {"lb", "pound (mass)", false, {POWERS(0, 1), 45359237, -8, 0}},
    {"slug", "lbf s^2/ft", false, {POWERS(0, 1), 4.4482216152605 / 0.3048, 0, 0}},
    {"slinch", "lbf s^2/in", false, {POWERS(0, 1), 4.4482216152605 / 0.0254, 0, 0}},
    {"s", "time", true, {POWERS(0, 0, 1), 1, 0, 0}},
    {"min", "minute", false, {POWERS(0, 0, 1), 60, 0, 0}},
    {"h", "hour", false, {POWERS(0, 0, 1), 3600, 0, 0}},
    {"day", "86400 s", false, {POWERS(0, 0, 1), 86400, 0, 0}},
    {"Hz", "frequency", true, {POWERS(0, 0, -1), 1, 0, 0}},
    {"A", "current", true, {POWERS(0, 0, 0, 1), 1, 0, 0}},
    {"C", "charge: coulomb", true, {POWERS(0, 0, 1, 1), 1, 0, 0}},
    {"V", "voltage", true, {POWERS(2, 1, -3, -1), 1, 0, 0}},
    {"Ohm", "resistance", true, {POWERS(2, 1, -3, -2), 1, 0, 0}},
    {"F", "capacitance: farad", true, {POWERS(-2, -1, 4, 2), 1, 0, 0}},
    {"H", "inductance", true, {POWERS(2, 1, -2, -2), 1, 0, 0}},
    {"K", "temperature", true, {POWERS(0, 0, 0, 0, 1), 1, 0, 0}},
    {"degC", "temperature in degrees Celsius", false, {POWERS(0, 0, 0, 0, 1), 1, 0, 273.15}},
    {"degF",
     "temperature in degrees Fahrenheit",
     false,
     {POWERS(0, 0, 0, 0, 1), 5.0 / 9, 0, 459.67 * 5 / 9}},
    {"rad", "angle", true, {POWERS(0, 0, 0, 0, 0, 1), 1, 0, 0}},
    {"deg", "degree", false, {POWERS(0, 0, 0, 0, 0, 1), M_PI / 180, 0, 0}},
    {"arcmin", "deg/60", false, {POWERS(0, 0, 0, 0, 0, 1), M_PI / 10800, 0, 0}},
    {"arcsec", "deg/3600", false, {POWERS(0, 0, 0, 0, 0, 1), M_PI / 648000, 0, 0}},
    {"rev", "revolution", false, {POWERS(0, 0, 0, 0, 0, 1), 2 * M_PI, 0, 0}},
    {"rpm", "rev/min", false, {POWERS(0, 0, -1, 0, 0, 1), M_PI / 30, 0, 0}},
    {"N", "force", true, {POWERS(1, 1, -2), 1, 0, 0}},
    {"lbf", "pound (force)", false, {POWERS(1, 1, -2), 4.4482216152605, 0, 0}},
    {"kgf", "kilogram (force)", false, {POWERS(1, 1, -2), 980665, -5, 0}},
    {"dyn", "1e-5 N", false, {POWERS(1, 1, -2), 1, -5, 0}},
    {"g0", "standard gravity", false, {POWERS(1, 0, -2), 980665, -5, 0}},
    {"Pa", "pressure", true, {POWERS(-1, 1, -2), 1, 0, 0}},
    {"bar", "1e5 Pa", false, {POWERS(-1, 1, -2), 1, 5, 0}},
    {"atm", "101325 Pa", false, {POWERS(-1, 1, -2), 101325, 0, 0}},
    {"psi", "lbf/in^2", false, {POWERS(-1, 1, -2), 4.4482216152605 / (0.0254 * 0.0254), 0, 0}},
    {"psf", "lbf/ft^2", false, {POWERS(-1, 1, -2), 4.4482216152605 / (0.3048 * 0.3048), 0, 0}},
    {"ksi", "1000 psi", false, {POWERS(-1, 1, -2), 4.4482216152605 / (0.0254 * 0.0254), 3, 0}},
    {"J", "energy", true, {POWERS(2, 1, -2), 1, 0, 0}},
    {"Wh", "3600 J", true, {POWERS(2, 1, -2), 3600, 0, 0}},
    {"W", "power", true, {POWERS(2, 1, -3), 1, 0, 0}},
    {"%", "1/100", false, {POWERS(0), 1, -2, 0}},
    {"ppm", "1e-6", false, {POWERS(0), 1, -6, 0}},
};

typedef struct prefix {
    char letter;
    int ten;
} prefix;

static const prefix prefixes[] = {{'T', 12}, {'G', 9},  {'M', 6},  {'k', 3},
                                  {'m', -3}, {'u', -6}, {'n', -9}, {'p', -12}};

/* ---- parse ----------------------------------------------------------------------------------- */

static const named *find(const char *s, size_t n) {
    for (int i = 0; i < GOS_COUNT(table); i++) {
        if (strlen(table[i].name) == n && memcmp(table[i].name, s, n) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

static bool find_named(const char *s, size_t n, gos_unit_def *unit) {
    const named *u = find(s, n);
    if (u) {
        *unit = u->unit;
        return true;
    }
    for (int i = 0; n > 1 && i < GOS_COUNT(prefixes); i++) {
        u = s[0] == prefixes[i].letter ? find(s + 1, n - 1) : NULL;
        if (u && u->prefixes) {
            *unit = u->unit;
            unit->ten += prefixes[i].ten;
            return true;
        }
    }
    return false;
}

static void multiply(gos_unit_def *to, const gos_unit_def *by, int power) {
    for (int d = 0; d < GOS_DIM_COUNT; d++) {
        to->power[d] += power * by->power[d];
    }
    for (int i = 0; i < abs(power); i++) {
        to->factor = power > 0 ? to->factor * by->factor : to->factor / by->factor;
    }
    to->ten += power * by->ten;
}

typedef struct reader {
    const char *at, *end;
    int word; // length of an unknown name at `at`
    int nfactor;
    double offset; // of the last factor
} reader;

static void skip_blanks(reader *r) {
    while (r->at < r->end && *r->at == ' ') {
        r->at++;
    }
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%';
}

static bool read_power(reader *r, int *power) {
    *power = 1;
    if (r->at == r->end || *r->at != '^') {
        return true;
    }
    const char *s = r->at + 1;
    const bool minus = s < r->end && *s == '-';
    s += minus;
    if (s == r->end || *s < '1' || *s > '9' || (s + 1 < r->end && s[1] >= '0' && s[1] <= '9')) {
        r->at = s;
        return false;
    }
    *power = (minus ? -1 : 1) * (*s - '0');
    r->at = s + 1;
    return true;
}

/* a name, or 1 */
static bool read_factor(reader *r, int sign, gos_unit_def *unit) {
    gos_unit_def one = {.factor = 1};
    int power = 1;
    const char *s = r->at;
    while (s < r->end && (is_letter(*s) || (s > r->at && *s >= '0' && *s <= '9'))) {
        s++;
    }
    const size_t n = s - r->at;
    if (n == 0 && r->at < r->end && *r->at == '1') {
        r->at++;
        return true;
    }
    if (n == 0 || !find_named(r->at, n, &one)) {
        r->word = (int)n;
        return false;
    }
    r->at = s;
    if (!read_power(r, &power)) {
        return false;
    }
    r->offset = power == 1 && sign == 1 ? one.offset : 0;
    r->nfactor++;
    multiply(unit, &one, sign * power);
    return true;
}

/* factors of a numerator, or of a denominator in parentheses */
static bool read_product(reader *r, int sign, gos_unit_def *unit) {
    do {
        skip_blanks(r);
        if (!read_factor(r, sign, unit)) {
            return false;
        }
        skip_blanks(r);
        if (r->at < r->end && *r->at == '*') {
            r->at++;
        }
    } while (r->at < r->end && *r->at != '/' && *r->at != ')');
    return true;
}

static bool read_denominator(reader *r, gos_unit_def *unit) {
    r->at++;
    skip_blanks(r);
    if (r->at == r->end || *r->at != '(') {
        return read_factor(r, -1, unit);
    }
    r->at++;
    if (!read_product(r, -1, unit) || r->at == r->end || *r->at != ')') {
        return false;
    }
    r->at++;
    return true;
}

const char *gos__unit_parse(const char *text, size_t n, gos_unit_def *unit, int *word) {
    reader r = {.at = text, .end = text + n};
    gos_unit_def u = {.factor = 1};
    bool good = true;
    if (n > 0 && !(n == 1 && text[0] == '-')) {
        good = read_product(&r, 1, &u);
        skip_blanks(&r);
        while (good && r.at < r.end && *r.at == '/') {
            good = read_denominator(&r, &u);
            skip_blanks(&r);
        }
        good = good && r.at == r.end; // "W/m K" is ambiguous
    }
    if (word) {
        *word = r.word;
    }
    u.offset = r.nfactor == 1 ? r.offset : 0;
    *unit = u;
    return good ? NULL : r.at;
}

/* the same letters in another case, with a prefix */
static bool is_case_of(const char *word, const named *u, char near[GOS_UNIT_NAME]) {
    for (int i = 0; u->prefixes && i < GOS_COUNT(prefixes); i++) {
        gos__format(near, GOS_UNIT_NAME, "%c%s", prefixes[i].letter, u->name);
        if (strcasecmp(word, near) == 0) {
            return true;
        }
    }
    return false;
}

bool gos__unit_suggest(const char *word, char near[GOS_UNIT_NAME]) {
    const char *names[GOS_COUNT(table)];
    for (int i = 0; i < GOS_COUNT(table); i++) {
        names[i] = table[i].name;
        if (strcasecmp(word, names[i]) == 0) {
            gos__format(near, GOS_UNIT_NAME, "%s", names[i]);
            return true;
        }
    }
    for (int i = 0; i < GOS_COUNT(table); i++) {
        if (is_case_of(word, &table[i], near)) {
            return true;
        }
    }
    const char *found = strlen(word) > 2 ? gos__suggest(word, names, GOS_COUNT(table)) : NULL;
    gos__format(near, GOS_UNIT_NAME, "%s", found ? found : "");
    return found != NULL;
}

bool gos__unit_same_dimension(const gos_unit_def *a, const gos_unit_def *b) {
    return memcmp(a->power, b->power, sizeof a->power) == 0;
}

bool gos__unit_plain(const gos_unit_def *unit) {
    return gos__unit_same_dimension(unit, &(gos_unit_def){0});
}

/* ---- convert --------------------------------------------------------------------------------- */

/* unit of `set` with these powers */
static gos_unit_def unit_in(const gos_unit_set *set, const int power[GOS_DIM_COUNT]) {
    gos_unit_def u = {.factor = 1};
    for (int d = 0; d < GOS_DIM_COUNT; d++) {
        if (set) {
            multiply(&u, &set->unit[d], power[d]);
        } else {
            u.power[d] = power[d];
        }
    }
    return u;
}

double gos__unit_convert(const gos_unit_def *unit, const gos_unit_set *set, double value) {
    const gos_unit_def to = unit_in(set, unit->power);
    const int ten = unit->ten - to.ten;
    const double scaled = value * (unit->factor / to.factor);
    return (ten < 0 ? scaled / pow(10, -ten) : scaled * pow(10, ten)) + unit->offset;
}

double gos__unit_from_si(const gos_unit_set *set, const char *si, double value) {
    gos_unit_def unit;
    if (!set || !si || gos__unit_parse(si, strlen(si), &unit, NULL)) {
        return value;
    }
    return gos__unit_convert(&unit, set, value);
}

/* ---- sets ------------------------------------------------------------------------------------ */

/* With a current of mA in mm-t-s, voltages are in V, charges in mC. */
static const struct {
    const char *name, *base[GOS_DIM_COUNT];
} sets[] = {
    {"SI", {"m", "kg", "s", "A", "K", "rad"}},
    {"mm-t-s", {"mm", "t", "s", "mA", "K", "rad"}},
    {"mm-kg-s", {"mm", "kg", "s", "uA", "K", "rad"}},
    {"in-lbf-s", {"in", "slinch", "s", "A", "K", "rad"}},
    {"ft-lbf-s", {"ft", "slug", "s", "A", "K", "rad"}},
};

const char *gos__unit_set_name(int i) {
    return i < GOS_COUNT(sets) ? sets[i].name : NULL;
}

bool gos__unit_set_base(gos_unit_set *set, int dimension, const char *name) {
    gos_unit_def unit, base = {0};
    base.power[dimension] = 1;
    if (strlen(name) >= GOS_UNIT_NAME || gos__unit_parse(name, strlen(name), &unit, NULL) ||
        !gos__unit_same_dimension(&unit, &base) || unit.offset != 0) {
        return false;
    }
    set->unit[dimension] = unit;
    gos__format(set->base[dimension], GOS_UNIT_NAME, "%s", name);
    return true;
}

static void take_set(int i, gos_unit_set *set) {
    *set = (gos_unit_set){0};
    gos__format(set->text, sizeof set->text, "%s", sets[i].name);
    for (int d = 0; d < GOS_DIM_COUNT; d++) {
        (void)gos__unit_set_base(set, d, sets[i].base[d]);
    }
}

bool gos__unit_set_find(const char *text, gos_unit_set *set) {
    for (int i = 0; i < GOS_COUNT(sets); i++) {
        if (strcmp(text, sets[i].name) == 0) {
            take_set(i, set);
            return true;
        }
    }
    take_set(0, set);
    for (int d = 0; d <= GOS_DIM_CURRENT; d++) {
        char base[GOS_UNIT_MAX];
        if (!gos__unit_set_base(set, d, gos__unit_at(text, d, base))) {
            return false;
        }
    }
    gos__unit_set_describe(set);
    return true;
}

void gos__unit_set_describe(gos_unit_set *set) {
    for (int i = 0; i < GOS_COUNT(sets); i++) {
        gos_unit_set one;
        take_set(i, &one);
        if (gos__unit_set_same(set, &one)) {
            *set = one;
            return;
        }
    }
    gos__format(set->text, sizeof set->text, "%s, %s, %s, %s", set->base[GOS_DIM_LENGTH],
                set->base[GOS_DIM_MASS], set->base[GOS_DIM_TIME], set->base[GOS_DIM_CURRENT]);
}

static double size_of(const gos_unit_def *u) {
    return u->ten < 0 ? u->factor / pow(10, -u->ten) : u->factor * pow(10, u->ten);
}

static bool same_size(const gos_unit_def *a, const gos_unit_def *b) {
    const double x = size_of(a), y = size_of(b);
    return fabs(x - y) <= 1e-12 * fabs(y);
}

bool gos__unit_set_same(const gos_unit_set *a, const gos_unit_set *b) {
    for (int d = 0; d < GOS_DIM_COUNT; d++) {
        if (!same_size(&a->unit[d], &b->unit[d])) {
            return false;
        }
    }
    return true;
}

/* ---- labels ---------------------------------------------------------------------------------- */

/* the name of a unit of `set`: a base unit, the name of SI with a prefix, or another name */
static bool name_in(const gos_unit_set *set, const char *si, size_t n, char *buf, size_t size) {
    gos_unit_def unit;
    if (!find_named(si, n, &unit)) {
        return false;
    }
    const gos_unit_def to = unit_in(set, unit.power);
    for (int d = 0; d < GOS_DIM_COUNT; d++) {
        if (gos__unit_same_dimension(&unit, &set->unit[d])) {
            gos__format(buf, size, "%s", set->base[d]);
            return true;
        }
    }
    if (same_size(&unit, &to)) {
        gos__format(buf, size, "%.*s", (int)n, si);
        return true;
    }
    for (int i = 0; i < GOS_COUNT(prefixes); i++) {
        gos_unit_def with = unit;
        with.ten += prefixes[i].ten;
        if (same_size(&with, &to)) {
            gos__format(buf, size, "%c%.*s", prefixes[i].letter, (int)n, si);
            return true;
        }
    }
    for (int i = 0; i < GOS_COUNT(table); i++) {
        if (gos__unit_same_dimension(&table[i].unit, &to) && same_size(&table[i].unit, &to)) {
            gos__format(buf, size, "%s", table[i].name);
            return true;
        }
    }
    return false;
}

static void append(char *buf, size_t size, const char *text) {
    const size_t have = strlen(buf);
    gos__format(buf + have, size - have, "%s", text);
}

static bool translate(const gos_unit_set *set, const char *si, char *buf, size_t size) {
    buf[0] = '\0';
    for (const char *s = si; *s;) {
        size_t n = 0;
        char word[GOS_UNIT_NAME + 2] = {s[0]};
        while (is_letter(s[n])) {
            n++;
        }
        if (n > 0 && !name_in(set, s, n, word, sizeof word)) {
            return false;
        }
        append(buf, size, word);
        s += n > 0 ? n : 1;
    }
    return true;
}

static int append_powers(const gos_unit_set *set, const gos_unit_def *unit, int sign, char *buf,
                         size_t size) {
    int n = 0;
    for (int d = 0; d < GOS_DIM_COUNT; d++) {
        const int power = sign * unit->power[d];
        char one[GOS_UNIT_NAME + 16];
        if (power > 0) {
            gos__format(one, sizeof one, "%s%s", n > 0 ? " " : "", set->base[d]);
            append(buf, size, one);
            gos__format(one, sizeof one, "^%d", power);
            append(buf, size, power > 1 ? one : "");
            n++;
        }
    }
    return n;
}

/* by base units, "in^2 slinch/(s^3 A)" */
static void write_powers(const gos_unit_set *set, const gos_unit_def *unit, char *buf,
                         size_t size) {
    char below[GOS_UNIT_TEXT] = "";
    buf[0] = '\0';
    if (append_powers(set, unit, 1, buf, size) == 0) {
        append(buf, size, "1");
    }
    const int n = append_powers(set, unit, -1, below, sizeof below);
    append(buf, size, n > 1 ? "/(" : n > 0 ? "/" : "");
    append(buf, size, below);
    append(buf, size, n > 1 ? ")" : "");
}

static void label_one(const gos_unit_set *set, const char *si, char *buf, size_t size) {
    gos_unit_def unit;
    if (gos__unit_parse(si, strlen(si), &unit, NULL)) {
        gos__format(buf, size, "%s", si);
    } else if (!translate(set, si, buf, size)) {
        write_powers(set, &unit, buf, size);
    }
}

const char *gos__unit_label(const gos_unit_set *set, const char *si, char *buf, size_t size) {
    static const char separator[] = ", ";
    if (!set) {
        gos__format(buf, size, "%s", si);
        return buf;
    }
    buf[0] = '\0';
    for (const char *s = si;;) {
        const char *end = strstr(s, separator);
        char from[GOS_UNIT_TEXT], to[GOS_UNIT_TEXT];
        gos__format(from, sizeof from, "%.*s", (int)(end ? (size_t)(end - s) : strlen(s)), s);
        label_one(set, from, to, sizeof to);
        append(buf, size, to);
        if (!end) {
            return buf;
        }
        append(buf, size, separator);
        s = end + strlen(separator);
    }
}

const char *gos_unit_name(const char *units, const char *si, char *name, size_t size) {
    gos_unit_set set;
    const bool known = units && gos__unit_set_find(units, &set);
    return gos__unit_label(known ? &set : NULL, si, name, size);
}

bool gos_unit_convert(const char *from, const char *to, double *value) {
    gos_unit_def a, b;
    if (gos__unit_parse(from, strlen(from), &a, NULL) ||
        gos__unit_parse(to, strlen(to), &b, NULL) || !gos__unit_same_dimension(&a, &b)) {
        return false;
    }
    const double si = gos__unit_convert(&a, NULL, *value);
    *value = (si - b.offset) / size_of(&b);
    return true;
}

gos_status gos__unit_kept(const gos_unit_set *set, const char *si, gos_arena *a,
                          const char **label) {
    char buf[4 * GOS_UNIT_TEXT];
    *label = set && si ? gos__arena_strdup(a, gos__unit_label(set, si, buf, sizeof buf)) : si;
    return si && !*label ? GOS_E_MEMORY : GOS_OK;
}

/* ---- reference ------------------------------------------------------------------------------- */

static void list_units(bool markdown, FILE *out) {
    (void)fputs(markdown ? "| unit | meaning | in SI | prefixes |\n|---|---|---|---|\n"
                         : "unit     in SI            prefixes  meaning\n",
                out);
    for (int i = 0; i < GOS_COUNT(table); i++) {
        const named *u = &table[i];
        const char *with = u->prefixes ? "yes" : "";
        char size[32];
        gos__format(size, sizeof size, "%.10g", size_of(&u->unit));
        if (markdown) {
            (void)fprintf(out, "| `%s` | %s | %s | %s |\n", u->name, u->meaning, size, with);
        } else {
            (void)fprintf(out, "%-8s %-16s %-9s %s\n", u->name, size, with, u->meaning);
        }
    }
}

static void list_sets(bool markdown, FILE *out) {
    static const char *const shown[] = {"m", "kg", "s", "A", "N", "Pa", "kg/m^3", "J", "W", "V"};
    (void)fputs(
        markdown ? "\n| `units:` | length | mass | time | current | force | pressure | density | "
                   "energy | power | voltage |\n|---|---|---|---|---|---|---|---|---|---|---|\n"
                 : "\nunits:    length, mass, time, current; force, pressure, density, energy, "
                   "power, voltage\n",
        out);
    for (int i = 0; i < GOS_COUNT(sets); i++) {
        (void)fprintf(out, markdown ? "| `%s` |" : "%-9s", sets[i].name);
        for (int k = 0; k < GOS_COUNT(shown); k++) {
            char label[GOS_UNIT_TEXT];
            gos_unit_name(sets[i].name, shown[k], label, sizeof label);
            (void)fprintf(out,
                          markdown ? " %s |"
                          : k == 0 ? " %s"
                          : k == 4 ? "; %s"
                                   : ", %s",
                          label);
        }
        (void)fputc('\n', out);
    }
}

void gos__unit_help(bool markdown, FILE *out) {
    (void)fputs(
        markdown
            ? "\n## units\n\nUnits of numbers (`3 mm`, `200 GPa`, `10 W/(m^2 K)`). Prefixes: T, "
              "G, M, k, m, u, n, p. Products are written with spaces or `*`, powers with `^`; "
              "`/` divides by one unit, or by several in parentheses.\n\n"
            : "==== units ====\n\nUnits of numbers: 3 mm, 200 GPa, 10 W/(m^2 K), 25 degC, 12 "
              "rpm. Prefixes: T, G, M, k, m, u, n, p.\nProducts are written with spaces or *, "
              "powers with ^; / divides by one unit, or by several in parentheses.\n\n",
        out);
    list_units(markdown, out);
    list_sets(markdown, out);
}
