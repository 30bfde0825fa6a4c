/* Static charts in the page of a design: a frame with two axes. Axes: {scale: 'linear', 'log' or 'symlog', lo, hi, small,
   name}; symlog is linear below `small` and logarithmic above, on both sides of 0. */

const chartWidth = 860; // [px]

/** Margin around lo .. hi of a linear axis, or around a single value. */
function widenAxis(axis) {
    const size = Math.max(Math.abs(axis.lo), Math.abs(axis.hi));
    const room = flat(axis.lo, axis.hi) ? size || 1 : 0.06 * (axis.hi - axis.lo);
    axis.lo -= room;
    axis.hi += room;
}

/** A round step, also 2.5, that divides a span into at most n parts. */
function chartStep(span, n) {
    if (!(span > 0) || !Number.isFinite(span)) {
        return 1;
    }
    const unit = Math.pow(10, Math.floor(Math.log10(span / n)));
    return unit * ([1, 2, 2.5, 5, 10].find(k => span / (k * unit) <= n * (1 + 1e-9)) || 10);
}

class Chart {
    constructor(height, x, y) {
        Object.assign(this, { left: 70, top: 30, width: chartWidth - 90, height, axes: [x, y] });
        this.svg = svg('svg', { viewBox: `0 0 ${chartWidth} ${height + 80}`, role: 'img' });
        [0, 1].forEach(i => this.ticks(i));
        this.rect(this.top, height, 'frame');
        this.text(this.left + this.width / 2, this.top + height + 38, 'middle', 'label', x.name);
        this.text(this.left, this.top - 9, 'start', 'label', y.name);
    }

    /** 0 at lo, 1 at hi; clamped. */
    part(axis, v) {
        const scaled = x => axis.scale === 'log' ? Math.log10(x) : axis.scale === 'symlog' ? Math.asinh(x / axis.small) : x;
        const lo = scaled(axis.lo), hi = scaled(axis.hi);
        return Math.min(1, Math.max(0, (scaled(v) - lo) / (hi - lo)));
    }

    x(v) {
        return this.left + this.width * this.part(this.axes[0], v);
    }

    y(v) {
        return this.top + this.height * (1 - this.part(this.axes[1], v));
    }

    text(x, y, anchor, kind, text) {
        this.svg.append(svg('text', { x: x.toFixed(1), y: y.toFixed(1), 'text-anchor': anchor, class: kind }, text));
    }

    rect(top, height, kind) {
        this.svg.append(svg('rect', { x: this.left, y: top.toFixed(1), width: this.width, height: height.toFixed(1), class: kind }));
    }

    path(d, attributes) {
        this.svg.append(svg('path', { ...attributes, d }));
    }

    tick(i, v) {
        if (i === 1) {
            const y = this.y(v);
            this.path(`M${this.left} ${y.toFixed(1)}h${this.width}`, { class: 'grid' });
            this.text(this.left - 7, y + 4, 'end', 'tick', general(v));
        } else {
            const x = this.x(v);
            this.path(`M${x.toFixed(1)} ${this.top}v${this.height}`, { class: 'grid' });
            this.text(x, this.top + this.height + 17, 'middle', 'tick', general(v));
        }
    }

    ticks(i) {
        const axis = this.axes[i];
        if (axis.scale === 'log') {
            this.decades(i, axis.lo, 1);
        } else if (axis.scale === 'symlog') {
            this.tick(i, 0);
            this.decades(i, axis.small, 1);
            this.decades(i, axis.small, -1);
        } else {
            const step = chartStep(axis.hi - axis.lo, Math.floor(Math.max(3, i === 1 ? this.height / 42 : this.width / 90)));
            multiples(axis.lo, axis.hi, step).forEach(v => this.tick(i, Math.abs(v) < 1e-9 * step ? 0 : v));
        }
    }

    /** Decades, with 2 and 5 if there are few. */
    decades(i, from, sign) {
        const axis = this.axes[i], most = sign > 0 ? axis.hi : -axis.lo, span = Math.log10(most / from);
        if (!(most >= from)) {
            return;
        }
        const every = Math.max(1, Math.ceil(span / 7));
        for (let e = Math.floor(Math.log10(from)); e <= Math.ceil(Math.log10(most)); e += every) {
            (span < 2.5 && axis.scale === 'log' ? [1, 2, 5] : [1]).map(step => Number(`${step}e${e}`))
                .filter(v => v >= from * (1 - 1e-9) && v <= most * (1 + 1e-9)).forEach(v => this.tick(i, sign * v));
        }
    }

    /** The half plane above (1) or below (-1) a value. */
    shade(v, side) {
        const y = this.y(v);
        this.rect(side > 0 ? this.top : y, side > 0 ? y - this.top : this.top + this.height - y, 'bad');
    }

    level(v, attributes) {
        if (v >= this.axes[1].lo && v <= this.axes[1].hi) {
            this.path(`M${this.left} ${this.y(v).toFixed(1)}h${this.width}`, attributes);
        }
    }

    curve(points, attributes) {
        this.path(points.map(([x, y], k) => `${k ? 'L' : 'M'}${this.x(x).toFixed(1)} ${this.y(y).toFixed(1)}`).join(''), attributes);
    }

    dots(points, width, stroke) {
        this.path(points.map(([x, y]) => `M${this.x(x).toFixed(1)} ${this.y(y).toFixed(1)}h0`).join(''), { class: 'dot', 'stroke-width': width, stroke });
    }

    /** Band between minimum and maximum of a curve in intervals that end at x. */
    spans(x, low, high, attributes) {
        let path = '';
        for (let k = 0; k < x.length; k++) {
            const a = this.y(k % 2 ? high[k] : low[k]), b = this.y(k % 2 ? low[k] : high[k]);
            path += `${k ? 'L' : 'M'}${this.x(k > 0 ? (x[k - 1] + x[k]) / 2 : x[k] / 2).toFixed(1)} ${a.toFixed(1)}`;
            path += Math.abs(a - b) >= 0.1 ? `V${b.toFixed(1)}` : '';
        }
        this.path(path, attributes);
    }
}

/** Legend: pairs of colour and text. */
function chartKey(...entries) {
    return el('p', { class: 'key' }, entries.map(([colour, text]) => [el('span', {}, el('b', { style: `background:${colour}` }), text), ' ']));
}
