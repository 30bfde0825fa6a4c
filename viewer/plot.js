/* Time plots with a shared time axis: zooming one zooms all, and a thin line marks the time of the animation. A plot
   has one or more panels (values, differences). Supports mouse, touch, keyboard and screen readers. */

/** Axis shared by plots. */
class Axis {
    constructor(lo, hi, name, unit) {
        this.full = [lo, flat(lo, hi) ? lo + Math.max(1, 1e-9 * Math.abs(lo)) : hi];
        this.name = name;
        this.unit = unit;
        this.plots = [];
        this.say = v => `${number(v, 5)} ${unit}`;
        this.tick = null; // label of a value, null: no label; without it plain numbers
        this.moment = null; // time of the animation
        this.picked = null; // called with the time of a click
        this.reset();
    }

    reset() {
        this.set(...this.full);
    }

    get zoomed() {
        return this.lo > this.full[0] || this.hi < this.full[1];
    }

    set(lo, hi) {
        const [first, last] = this.full;
        const least = (last - first) * 1e-5;
        const span = Math.min(last - first, Math.max(hi - lo, least));
        lo = Math.min(Math.max(first, (lo + hi - span) / 2), last - span);
        this.lo = lo;
        this.hi = lo + span;
        this.plots.forEach(plot => plot.invalidate());
    }

    /** Zoom by a factor about a fixed value. */
    zoom(factor, about) {
        this.set(about + (this.lo - about) * factor, about + (this.hi - about) * factor);
    }

    pan(by) {
        const span = this.hi - this.lo;
        const lo = Math.min(Math.max(this.full[0], this.lo + by), this.full[1] - span);
        this.set(lo, lo + span);
    }

    showMoment(t) {
        this.moment = t;
        this.plots.forEach(plot => plot.placeMoment());
    }
}

/* ---- deferred drawing ---- */

const drawer = {
    waiting: new Set(),
    asked: false,
    seen: new IntersectionObserver(entries => {
        for (const entry of entries) {
            entry.target.plot.visible = entry.isIntersecting;
            if (entry.isIntersecting && entry.target.plot.dirty) {
                drawer.ask();
            } else if (entry.isIntersecting) {
                entry.target.plot.placeMoment();
            }
        }
    }, { rootMargin: '400px' }),

    ask() {
        if (!this.asked) {
            this.asked = true;
            requestAnimationFrame(() => this.draw(false));
        }
    },

    /** Draw visible plots, or all. */
    draw(all) {
        this.asked = false;
        for (const plot of this.waiting) {
            if (all || plot.visible) {
                this.waiting.delete(plot);
                plot.draw();
            }
        }
    },

    /** Draw the remaining plots one at a time when the browser is idle. */
    drawRest(done) {
        const idle = window.requestIdleCallback || (f => setTimeout(f, 1));
        const next = () => {
            const plot = this.waiting.values().next().value;
            if (!plot) {
                done();
                return;
            }
            this.waiting.delete(plot);
            plot.draw();
            idle(next);
        };
        idle(next);
    }
};
window.addEventListener('beforeprint', () => drawer.draw(true));

/* ---- paths ---- */

/** Path of a curve between lo and hi. Several points in one pixel column are replaced by their lowest and highest
 *  values. */
function pathOf(c, lo, hi, x, y) {
    const n = c.t.length;
    if (n === 0) {
        return '';
    }
    const from = Math.max(0, indexBefore(c.t, lo)), to = Math.min(n - 1, indexBefore(c.t, hi) + 1);
    let path = '', open = false, column = NaN, low = 0, high = 0, last = 0;
    const point = (px, v) => {
        path += `${open ? 'L' : 'M'}${px.toFixed(1)} ${y(v).toFixed(1)}`;
        open = true;
    };
    const flush = () => {
        if (!Number.isNaN(column) && (low !== last || high !== last)) {
            point(column, low);
            point(column, high);
            point(column, last);
        }
    };
    for (let i = from; i <= to; i++) {
        const v = c.v[i];
        if (!Number.isFinite(v)) {
            flush();
            column = NaN;
            open = false;
            continue;
        }
        const px = x(c.t[i]);
        if (Math.abs(px - column) < 0.5) {
            low = Math.min(low, v);
            high = Math.max(high, v);
            last = v;
            continue;
        }
        flush();
        column = px;
        low = high = last = v;
        point(px, v);
    }
    flush();
    return path;
}

/** Outline of the area between a curve and its floor, which have the same times. */
function areaOf(c, floor, x, y) {
    const upper = [], lower = [];
    for (let i = 0; i < c.t.length; i++) {
        if (Number.isFinite(c.v[i]) && Number.isFinite(floor.v[i])) {
            upper.push(`${x(c.t[i]).toFixed(1)} ${y(c.v[i]).toFixed(1)}`);
            lower.unshift(`${x(c.t[i]).toFixed(1)} ${y(floor.v[i]).toFixed(1)}`);
        }
    }
    return upper.length ? `M${[...upper, ...lower].join('L')}Z` : '';
}

/** Extend `into` by the smallest and largest value of a curve between lo and hi. */
function extremes(c, lo, hi, into) {
    const add = v => {
        if (v < into[0]) {
            into[0] = v;
        }
        if (v > into[1]) {
            into[1] = v;
        }
    };
    add(valueAt(c, lo));
    add(valueAt(c, hi));
    for (let i = indexBefore(c.t, lo); i < c.t.length && c.t[i] <= hi; i++) {
        if (c.t[i] >= lo) {
            add(c.v[i]);
        }
    }
}

/* ---- saving ---- */

/** Give a text to the browser as a file. */
function saveText(name, text) {
    const address = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
    el('a', { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/* ---- one plot ---- */

const LETTER = 6.8; // [px] largest width of a character of a label

/**
 * options: {title, note, axis, panels: [{label, unit, height, series}], groups: [{label, colour}],
 * styles: [{label, style}], nearest, single, switch}
 * A series is {group, style, curve, name, stroke, floor}. Its colour is that of its group (a class of the style sheet)
 * or stroke(), its line that of its style; with a second curve `floor` the area between both is filled. nearest: read
 * out the curve nearest to the pointer. single: one group at a time, with nearest also one style. switch: label of an
 * additional toggle, initially on; state in `switched`.
 */
class Plot {
    constructor(options) {
        Object.assign(this, { groups: [], styles: [] }, options);
        this.groupOn = this.groups.map(group => group.on !== false);
        this.styleOn = this.styles.map((_, i) => i === 0 || !(this.single && this.nearest));
        this.dirty = true;
        this.visible = false;
        this.at = null; // cursor time
        this.build();
        this.axis.plots.push(this);
        drawer.waiting.add(this);
        drawer.seen.observe(this.figure);
        onResize(this.area, () => {
            if (Math.floor(this.area.clientWidth) !== this.width) {
                this.invalidate();
            }
        });
    }

    build() {
        this.root = svg('svg', { class: 'plot', 'aria-hidden': 'true' });
        this.tip = el('div', { class: 'tip', hidden: true, 'aria-hidden': 'true' });
        this.spoken = el('div', { class: 'unseen', 'aria-live': 'polite' });
        this.reset = el('button', { type: 'button', class: 'chip quiet', hidden: true, onclick: () => this.axis.reset() }, 'Whole time');
        this.area = el('div', {
            class: 'area', tabindex: '0', role: 'application',
            'aria-label': `Plot of ${this.title}. Arrow keys move the cursor, plus and minus zoom, 0 shows everything.`
        }, this.root, this.tip, this.spoken);
        this.figure = el('figure', { class: 'card figure' },
            el('figcaption', {}, el('h3', {}, this.title), this.note && el('span', { class: 'note' }, this.note),
                el('div', { class: 'chips' }, this.chips(), this.reset)),
            this.area);
        this.figure.plot = this;
        this.listen();
    }

    chips() {
        const chips = [];
        if (this.groups.length > 1) {
            this.groups.forEach((group, i) => {
                const swatch = !this.nearest && el('i', { class: `swatch ${group.colour}` });
                const chip = toggle([swatch, group.label], this.groupOn[i], on => this.switchGroup(i, on));
                group.chip = chip;
                chips.push(chip);
            });
        }
        if (this.styles.length > 1) {
            this.styles.forEach((style, i) => {
                const sample = svg('svg', { width: 26, height: 10, class: 'sample', 'aria-hidden': 'true' },
                    svg('path', { d: 'M1 5H25', class: style.style }));
                style.chip = toggle(this.single && this.nearest ? style.label : [sample, style.label], this.styleOn[i], on => this.switchStyle(i, on));
                chips.push(style.chip);
            });
        }
        this.switched = Boolean(this.switch);
        if (this.switch) {
            chips.push(toggle(this.switch, true, on => {
                this.switched = on;
                this.invalidate();
            }));
        }
        chips.push(el('button', { type: 'button', class: 'chip quiet save', title: 'Points of the curves shown, as stored in this page, as CSV', onclick: () => saveText(`${this.title}.csv`, this.columns()) }, 'CSV'));
        return chips;
    }

    /** The points of the curves shown, all times, as CSV: one block of columns "time, value" for each curve. */
    columns() {
        const quoted = text => `"${text.replace(/"/g, '""')}"`;
        const columns = this.panels.flatMap(panel => panel.series.filter(series => this.shown(series) && !series.floor).map(series => {
            const names = [series.name, this.groups[series.group] && this.groups[series.group].label, this.styles.length > 1 && this.styles[series.style] && this.styles[series.style].label, panel.short];
            const unit = series.group === undefined ? panel.unit : unitAt(panel.unit, series.group), c = series.curve();
            return { heads: [`${this.axis.name || 'time'} [${this.axis.unit}]`, `${names.filter(Boolean).join(' ')} [${unit}]`], c };
        }));
        const rows = Array.from({ length: Math.max(0, ...columns.map(x => x.c.t.length)) }, (_, i) => columns.map(({ c }) => (i < c.t.length ? `${c.t[i]},${c.v[i]}` : ',')).join(','));
        return [columns.flatMap(x => x.heads.map(quoted)).join(','), ...rows, ''].join('\r\n');
    }

    switchGroup(i, on) {
        this.groupOn[i] = on;
        if (this.single) {
            this.only(i, this.groupOn, this.groups);
        }
        this.invalidate();
    }

    switchStyle(i, on) {
        this.styleOn[i] = on;
        if (this.single && this.nearest) {
            this.only(i, this.styleOn, this.styles);
        }
        this.invalidate();
    }

    /** Switch on entry i only. */
    only(i, on, entries) {
        entries.forEach((entry, k) => {
            on[k] = k === i;
            entry.chip.setAttribute('aria-pressed', String(k === i));
        });
    }

    invalidate() {
        this.dirty = true;
        drawer.waiting.add(this);
        if (this.visible) {
            drawer.ask();
        }
    }

    shown(series) {
        return (series.group === undefined || this.groupOn[series.group]) &&
            (series.style === undefined || !this.styles.length || this.styleOn[series.style]);
    }

    /* ---- drawing ---- */

    draw() {
        const width = Math.floor(this.area.clientWidth);
        if (width < 40) {
            return;
        }
        this.dirty = false;
        this.width = width;
        this.reset.hidden = !this.axis.zoomed;
        this.panels.forEach(panel => this.scalePanel(panel));
        this.left = Math.max(58, 16 + LETTER * Math.max(...this.panels.flatMap(panel => panel.ticks.list.map(tick => tick.text.length))));
        this.right = width - 12;
        let top = 0;
        for (const panel of this.panels) {
            panel.top = top + 22;
            panel.bottom = panel.top + panel.height;
            top = panel.bottom + 6;
        }
        const nodes = [this.drawTimes(), ...this.panels.map(panel => this.drawPanel(panel))];
        const height = top + (this.axis.name ? 38 : 22);
        this.cursor = svg('g', { class: 'cursor', visibility: 'hidden' });
        this.band = svg('rect', { class: 'band', visibility: 'hidden', y: this.panels[0].top, height: top - this.panels[0].top });
        this.momentLine = svg('path', { class: 'moment', d: this.panels.map(p => `M0 ${p.top}V${p.bottom}`).join(''), visibility: 'hidden' });
        this.root.replaceChildren(...nodes, this.momentLine, this.band, this.cursor);
        this.root.setAttribute('width', width);
        this.root.setAttribute('height', height);
        this.placeMoment();
        this.placeCursor();
    }

    /** Unit of the group shown, if the units differ. */
    unitOf(panel) {
        return unitAt(panel.unit, Math.max(0, this.groupOn.indexOf(true)));
    }

    x(t) {
        return this.left + (t - this.axis.lo) / (this.axis.hi - this.axis.lo) * (this.right - this.left);
    }

    timeAt(px) {
        return this.axis.lo + (px - this.left) / (this.right - this.left) * (this.axis.hi - this.axis.lo);
    }

    scalePanel(panel) {
        const range = [Infinity, -Infinity];
        for (const series of panel.series) {
            if (this.shown(series)) {
                extremes(series.curve(), this.axis.lo, this.axis.hi, range);
                if (series.floor) {
                    extremes(series.floor(), this.axis.lo, this.axis.hi, range);
                }
            }
        }
        let [lo, hi] = range[0] <= range[1] ? range : [0, 1];
        const pad = flat(lo, hi) ? Math.abs(hi) * 0.1 || 1 : 0.07 * (hi - lo);
        panel.lo = lo - pad;
        panel.hi = hi + pad;
        panel.y = v => panel.bottom - (v - panel.lo) / (panel.hi - panel.lo) * panel.height;
        panel.ticks = ticks(panel.lo, panel.hi, panel.height > 110 ? 6 : 4);
    }

    drawPanel(panel) {
        const { list, exponent } = panel.ticks;
        const clip = newId('clip');
        const group = svg('g', {},
            svg('clipPath', { id: clip }, svg('rect', { x: this.left, y: panel.top - 1, width: this.right - this.left, height: panel.height + 2 })),
            svg('text', { class: 'axis-name', x: this.left, y: panel.top - 8 }, `${panel.label}${bracketed(this.unitOf(panel), exponent)}`));
        for (const tick of list) {
            const y = panel.y(tick.value).toFixed(1);
            group.append(svg('path', { class: tick.value === 0 ? 'grid zero' : 'grid', d: `M${this.left} ${y}H${this.right}` }),
                svg('text', { class: 'tick', x: this.left - 8, y: Number(y) + 4, 'text-anchor': 'end' }, tick.text));
        }
        const lines = svg('g', { 'clip-path': `url(#${clip})` });
        panel.drawn = panel.series.filter(series => this.shown(series));
        for (const series of panel.drawn) {
            const style = this.styles.length && series.style !== undefined ? this.styles[series.style].style : 'line';
            const colour = series.stroke ? '' : this.groups[series.group].colour;
            series.path = svg('path', {
                class: series.floor ? 'area' : `curve ${style} ${colour}`, stroke: series.stroke ? series.stroke() : null,
                d: series.floor ? areaOf(series.curve(), series.floor(), t => this.x(t), panel.y)
                    : pathOf(series.curve(), this.axis.lo, this.axis.hi, t => this.x(t), panel.y)
            });
            lines.append(series.path);
            if (series.dots) {
                lines.append(...this.dots(series, panel, colour));
            }
        }
        group.append(lines);
        return group;
    }

    dots(series, panel, colour) {
        const c = series.curve();
        const out = [];
        for (let i = 0; i < c.t.length; i++) {
            if (Number.isFinite(c.v[i])) {
                out.push(svg('circle', { class: `point ${colour}`, stroke: series.stroke ? series.stroke() : null, cx: this.x(c.t[i]).toFixed(1), cy: panel.y(c.v[i]).toFixed(1), r: 3 }));
            }
        }
        return out;
    }

    drawTimes() {
        const { list, exponent } = ticks(this.axis.lo, this.axis.hi, Math.max(3, Math.floor((this.right - this.left) / 80)));
        const group = svg('g', {});
        const bottom = this.panels[this.panels.length - 1].bottom;
        let room = Infinity; // left end of the next label
        for (const tick of [...list].reverse()) {
            const x = this.x(tick.value);
            const line = this.panels.map(p => `M${x.toFixed(1)} ${p.top}V${p.bottom}`).join('');
            group.append(svg('path', { class: 'grid', d: line }));
            const last = tick === list[list.length - 1];
            const plain = this.axis.tick ? this.axis.tick(tick.value) || '' : tick.text;
            const text = last ? `${plain}\u2009${unitText(this.axis.unit, this.axis.tick ? 0 : exponent)}`.trim() : plain;
            const half = LETTER / 2 * text.length, at = last ? Math.min(x, this.right - half) : x;
            if (text && at + half + 4 < room) {
                group.append(svg('text', { class: 'tick', x: at, y: bottom + 18, 'text-anchor': 'middle' }, text));
                room = at - half;
            }
        }
        if (this.axis.name) {
            group.append(svg('text', { class: 'axis-name', x: this.right, y: bottom + 34, 'text-anchor': 'end' }, this.axis.name));
        }
        return group;
    }

    placeMoment() {
        const t = this.axis.moment;
        if (!this.momentLine || !this.visible) {
            return;
        }
        const inside = t !== null && t >= this.axis.lo && t <= this.axis.hi;
        this.momentLine.setAttribute('visibility', inside ? 'visible' : 'hidden');
        if (inside) {
            this.momentLine.setAttribute('transform', `translate(${this.x(t).toFixed(1)} 0)`);
        }
    }

    /* ---- the cursor and its values ---- */

    moveCursor(t, speak, py) {
        this.at = t === null ? null : Math.min(this.axis.hi, Math.max(this.axis.lo, t));
        this.pointerY = py;
        this.placeCursor();
        if (speak && this.at !== null) {
            this.spoken.textContent = this.sentence();
        }
    }

    placeCursor() {
        if (!this.cursor || this.dirty) {
            return;
        }
        const out = this.at === null || this.at < this.axis.lo || this.at > this.axis.hi;
        this.cursor.setAttribute('visibility', out ? 'hidden' : 'visible');
        this.tip.hidden = out;
        this.highlight(null);
        if (out) {
            return;
        }
        const x = this.x(this.at);
        const marks = [svg('path', { d: this.panels.map(p => `M${x.toFixed(1)} ${p.top}V${p.bottom}`).join('') })];
        const chosen = this.nearest ? this.nearestSeries() : null;
        for (const panel of this.panels) {
            for (const series of panel.drawn) {
                const v = valueAt(series.curve(), this.at);
                if (Number.isFinite(v) && (!this.nearest || series === chosen)) {
                    marks.push(svg('circle', { class: series.stroke ? '' : this.groups[series.group].colour, stroke: series.stroke ? series.stroke() : null, cx: x.toFixed(1), cy: panel.y(v).toFixed(1), r: 3.5 }));
                }
            }
        }
        this.highlight(chosen);
        this.cursor.replaceChildren(...marks);
        this.tip.replaceChildren(this.nearest ? this.nearestTable(chosen) : this.table());
        this.placeTip(x);
    }

    placeTip(x) {
        const width = this.tip.offsetWidth;
        const room = this.area.clientWidth;
        const right = x + 14 + width <= room || x < room / 2;
        this.tip.style.left = `${Math.max(0, Math.min(room - width, right ? x + 14 : x - 14 - width))}px`;
        this.tip.style.top = `${this.panels[0].top + 6}px`;
    }

    highlight(series) {
        this.root.classList.toggle('picking', series !== null);
        if (this.bright) {
            this.bright.path.classList.remove('bright');
        }
        this.bright = series;
        if (series) {
            series.path.classList.add('bright');
        }
    }

    /** Curve nearest to the pointer; the first one for keyboard input. */
    nearestSeries() {
        const panel = this.panels[0];
        let best = null, least = Infinity;
        for (const series of panel.drawn) {
            const y = panel.y(valueAt(series.curve(), this.at));
            const d = this.pointerY === undefined ? 0 : Math.abs(y - this.pointerY);
            if (d < least) {
                best = series;
                least = d;
            }
        }
        return best;
    }

    nearestTable(series) {
        const time = el('b', {}, `${this.axis.name || 't'} = ${this.axis.say(this.at)}`);
        if (!series) {
            return time;
        }
        return el('div', {}, time, el('div', {}, series.name), el('div', {}, `${number(valueAt(series.curve(), this.at), 6)} ${this.unitOf(this.panels[0])}`));
    }

    /** Values at the cursor: one row per group, one column per style, and the second panel. */
    table() {
        const styles = this.styles.length ? this.styles : [{ label: '' }];
        const second = this.panels[1];
        const head = el('tr', {}, el('th', {}, this.axis.say(this.at)),
            styles.map((s, i) => this.styleOn[i] !== false && el('th', {}, s.label)),
            second && el('th', {}, second.short || second.label));
        const cell = (panel, group, style) => {
            const series = panel.drawn.find(s => s.group === group && (style === undefined || (s.style || 0) === style));
            const value = of => number(valueAt(of(), this.at), 5);
            return el('td', {}, !series ? '' : series.floor ? `${value(series.floor)} \u2026 ${value(series.curve)}` : value(series.curve));
        };
        const rows = this.groups.map((group, g) => this.groupOn[g] && el('tr', {},
            el('th', {}, el('i', { class: `swatch ${group.colour}` }), group.label),
            styles.map((s, i) => this.styleOn[i] !== false && cell(this.panels[0], g, i)),
            second && cell(second, g)));
        return el('table', {}, head, rows);
    }

    sentence() {
        const said = [this.axis.say(this.at)];
        for (const panel of this.panels) {
            for (const series of this.nearest ? [this.nearestSeries()].filter(Boolean) : panel.drawn) {
                const who = series.name || [this.groups[series.group].label, this.styles.length > 1 && panel === this.panels[0] ? this.styles[series.style].label : panel.label].join(' ');
                said.push(`${who} ${number(valueAt(series.curve(), this.at), 4)}`);
            }
        }
        return said.join(', ');
    }

    /* ---- mouse, fingers, keys ---- */

    listen() {
        const a = this.area;
        this.fingers = new Map();
        a.addEventListener('pointerdown', e => this.press(e));
        a.addEventListener('pointermove', e => this.drag(e));
        a.addEventListener('pointerup', e => this.release(e));
        a.addEventListener('pointercancel', e => this.release(e, true));
        a.addEventListener('pointerleave', e => e.pointerType === 'mouse' && !this.fingers.size && this.moveCursor(null));
        a.addEventListener('blur', () => this.moveCursor(null));
        a.addEventListener('dblclick', () => this.axis.reset());
        a.addEventListener('wheel', e => {
            if (e.ctrlKey || e.metaKey) {
                e.preventDefault();
                this.axis.zoom(Math.exp(0.0025 * e.deltaY), this.timeAt(this.place(e)[0]));
            }
        }, { passive: false });
        a.addEventListener('keydown', e => this.key(e));
    }

    place(e) {
        const box = this.area.getBoundingClientRect();
        return [e.clientX - box.left, e.clientY - box.top];
    }

    press(e) {
        if (e.button !== 0) {
            return;
        }
        const [x, y] = this.place(e);
        this.fingers.set(e.pointerId, { x, start: x, y });
        this.touch = e.pointerType === 'touch';
        this.pinch = this.fingers.size === 2 ? this.spread() : null;
        if (!this.touch) {
            this.area.setPointerCapture(e.pointerId);
        }
    }

    spread() {
        const [a, b] = [...this.fingers.values()].map(f => f.x);
        return { between: Math.max(20, Math.abs(a - b)), about: this.timeAt((a + b) / 2) };
    }

    drag(e) {
        const [x, y] = this.place(e);
        const finger = this.fingers.get(e.pointerId);
        if (!finger) {
            if (e.pointerType === 'mouse') {
                this.moveCursor(x >= this.left - 8 && x <= this.right + 8 ? this.timeAt(x) : null, false, y);
            }
            return;
        }
        const before = finger.x;
        finger.x = x;
        if (this.pinch && this.fingers.size === 2) {
            const now = this.spread();
            this.axis.zoom(this.pinch.between / now.between, this.pinch.about);
            this.pinch = this.spread();
        } else if (this.touch && this.axis.zoomed) {
            this.axis.pan((before - x) / (this.right - this.left) * (this.axis.hi - this.axis.lo));
        } else if (this.touch) {
            this.moveCursor(this.timeAt(x), false, y);
        } else {
            this.moveCursor(this.timeAt(x), false, y);
            this.showBand(finger.start, x);
        }
    }

    showBand(a, b) {
        const lo = Math.max(this.left, Math.min(a, b)), hi = Math.min(this.right, Math.max(a, b));
        const wide = hi - lo > 6;
        this.band.setAttribute('visibility', wide ? 'visible' : 'hidden');
        if (wide) {
            this.band.setAttribute('x', lo);
            this.band.setAttribute('width', hi - lo);
        }
        return wide ? [this.timeAt(lo), this.timeAt(hi)] : null;
    }

    release(e, cancelled) {
        const finger = this.fingers.get(e.pointerId);
        this.fingers.delete(e.pointerId);
        this.pinch = null;
        if (!finger || cancelled) {
            return;
        }
        const moved = Math.abs(finger.x - finger.start);
        if (this.touch && moved < 8) {
            this.moveCursor(this.timeAt(finger.x), false, finger.y);
        } else if (!this.touch && moved > 6) {
            const chosen = this.showBand(finger.start, finger.x);
            this.band.setAttribute('visibility', 'hidden');
            if (chosen) {
                this.axis.set(...chosen);
            }
        }
        if (moved <= 6 && this.axis.picked && finger.x >= this.left && finger.x <= this.right) {
            this.axis.picked(this.timeAt(finger.x));
        }
    }

    key(e) {
        const span = this.axis.hi - this.axis.lo;
        const at = this.at === null ? this.axis.lo + span / 2 : this.at;
        const step = span * (e.shiftKey ? 0.1 : 0.01);
        const moves = { ArrowLeft: at - step, ArrowRight: at + step, Home: this.axis.lo, End: this.axis.hi };
        if (e.ctrlKey || e.metaKey || e.altKey) {
            return;
        }
        if (e.key in moves) {
            if (moves[e.key] < this.axis.lo || moves[e.key] > this.axis.hi) {
                this.axis.pan(moves[e.key] - at);
            }
            this.moveCursor(moves[e.key], true);
        } else if (e.key === '+' || e.key === '=') {
            this.axis.zoom(0.6, at);
        } else if (e.key === '-') {
            this.axis.zoom(1 / 0.6, at);
        } else if (e.key === '0' || e.key === 'Escape') {
            this.axis.reset();
            this.moveCursor(null);
        } else if (e.key === 'Enter' && this.axis.picked) {
            this.axis.picked(at);
        } else {
            return;
        }
        e.preventDefault();
    }
}
