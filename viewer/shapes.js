/* Deformed shapes at several times: lines in one picture, in the plane of largest extent; surfaces, which would hide
   each other, in one picture per time. */

const MAX_SHAPES = 9;

/** Pictures of surfaces side by side, in the initial view of the animation. */
class Surfaces {
    constructor(player) {
        this.player = player;
        const { from, to } = player, n = 6;
        this.scenes = [];
        const frames = Array.from({ length: n }, (_, i) => {
            const t = from + (to - from) * i / (n - 1);
            const canvas = el('canvas', { role: 'img', 'aria-label': `Shape at ${number(t, 3)} s` });
            const scene = new Scene(canvas, player.motions.slice(0, 1), [], true);
            scene.view = Object.assign(new View(player.scene.view.up), { yaw: player.scene.view.yaw, pitch: player.scene.view.pitch });
            this.scenes.push([scene, t]);
            return el('div', {}, canvas, el('span', { class: 'note' }, `${number(t, 3)} s`));
        });
        this.note = el('span', { class: 'note' });
        this.node = el('figure', { class: 'card figure' }, el('figcaption', {}, el('h3', {}, 'Shapes at several times'), this.note),
            el('div', { class: 'frames' }, frames));
        this.follow();
        this.scenes.forEach(([scene]) => scene.fit());
        player.changed = () => this.follow();
    }

    /** Use colours and magnification of the animation. */
    follow() {
        const { scene } = this.player;
        this.note.textContent = scene.magnify > 1 ? `displacements \u00d7 ${number(scene.magnify)}` : '';
        for (const [small, t] of this.scenes) {
            small.colouring = scene.colouring;
            small.colourRange = scene.colourRange;
            if (small.magnify !== scene.magnify) {
                small.magnify = scene.magnify;
                small.measure();
                small.fit();
            }
            small.show(t);
        }
    }
}

class Shapes {
    constructor(player) {
        this.player = player;
        this.motions = player.motions;
        this.area = el('div', { class: 'area' });
        this.legend = el('div', { class: 'legend' });
        this.note = el('span', { class: 'note' });
        this.node = el('figure', { class: 'card figure shapes' },
            el('figcaption', {}, el('h3', {}, 'Shapes at several times'), this.note), this.area, this.legend);
        onResize(this.area, () => {
            if (Math.floor(this.area.clientWidth) !== this.width) {
                this.draw();
            }
        });
        onTheme.push(() => this.draw());
        player.changed = () => this.draw();
    }

    times() {
        const { from, to, moving, motions } = this.player;
        const n = Math.min(MAX_SHAPES, motions[0].count);
        return moving ? Array.from({ length: n }, (_, i) => from + (to - from) * i / (n - 1)) : [to];
    }

    draw() {
        const width = Math.floor(this.area.clientWidth);
        if (width < 40) {
            return;
        }
        this.width = width;
        const scene = this.player.scene, { lo, hi, least } = scene.box, { up } = scene.view;
        const flip = [0, 1, 2].filter(c => c !== least);
        this.axes = flip[0] === up ? [flip[1], flip[0]] : flip;
        const [a, b] = this.axes;
        const margin = [width < 500 ? 40 : 58, 26];
        const span = [a, b].map(c => Math.max(hi[c] - lo[c], 0.12 * Math.max(...scene.box.size, 1e-9)));
        const k = Math.min((width - 2 * margin[0]) / span[0], Math.max(220, 0.62 * width) / span[1]);
        const height = Math.round(k * span[1] + 2 * margin[1] + 30);
        const centre = [(lo[a] + hi[a]) / 2, (lo[b] + hi[b]) / 2];
        this.x = p => width / 2 + k * (p[a] - centre[0]);
        this.y = p => (height - 26) / 2 - k * (p[b] - centre[1]);
        this.root = svg('svg', { class: 'plot', width, height, role: 'img', 'aria-label': 'Deformed shapes at several times' });
        this.grid(k, width, height, centre, a, b);
        this.shapes();
        this.area.replaceChildren(this.root);
        this.note.textContent = [scene.magnify > 1 ? `displacements \u00d7 ${number(scene.magnify)}` : '',
            this.motions.length > 1 ? 'dashed: the other run' : ''].filter(Boolean).join(', ');
        this.showBar();
    }

    grid(k, width, height, centre, a, b) {
        const step = roundStep(width / k, 7), bottom = height - 26;
        const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
        const text = v => decimals > 5 || step >= 1e5 ? number(v, 3) : minus((Math.abs(v) < step / 2 ? 0 : v).toFixed(decimals));
        const middle = (height - 26) / 2;
        this.marked = [[18, 14]]; // positions of labels
        for (const value of multiples(centre[0] - width / 2 / k, centre[0] + width / 2 / k, step)) {
            const x = (width / 2 + k * (value - centre[0])).toFixed(1);
            this.root.append(svg('path', { class: 'grid', d: `M${x} 0V${bottom}` }));
            if (x > 20 && x < width - 56) {
                this.root.append(svg('text', { class: 'tick', x, y: bottom + 17, 'text-anchor': 'middle' }, text(value)));
            }
        }
        for (const value of multiples(centre[1] - middle / k, centre[1] + middle / k, step)) {
            const y = middle - k * (value - centre[1]);
            this.root.append(svg('path', { class: 'grid', d: `M0 ${y.toFixed(1)}H${width}` }));
            if (y > 36 && y < bottom - 6) {
                this.marked.push([18, y - 4]);
                this.root.append(svg('text', { class: 'tick', x: 4, y: (y - 4).toFixed(1) }, text(value)));
            }
        }
        this.root.append(svg('text', { class: 'axis-name', x: 4, y: 14 }, `${'xyz'[b]} [${unitName('m')}]`),
            svg('text', { class: 'axis-name', x: width - 2, y: bottom + 17, 'text-anchor': 'end' }, `${'xyz'[a]} [${unitName('m')}]`));
    }

    shapes() {
        const { scene, moving } = this.player;
        const motion = this.motions[0];
        const taken = [...this.marked];
        const rest = svg('g', { class: 'rest' }), full = svg('g', { class: 'full' }), others = svg('g', {}), labels = svg('g', {});
        if (!moving) {
            rest.append(svg('path', { d: this.outline(motion, motion.reference) }));
        }
        for (const t of this.times()) {
            motion.moveTo(t, scene.magnify);
            this.coloured(motion, full, t);
            if (moving) {
                this.label(motion, labels, t, taken);
            }
            for (const other of this.motions.slice(1)) {
                other.moveTo(t, scene.magnify);
                const d = this.outline(other, other.places);
                others.append(svg('path', { class: 'over', d }), svg('path', { class: 'over light', d }));
            }
        }
        this.root.append(rest, full, others, labels);
    }

    place(p, node) {
        const at = [p[3 * node], p[3 * node + 1], p[3 * node + 2]];
        return [this.x(at), this.y(at)];
    }

    /** Bezier curves through a chain; tangents are parallel to the chords of the neighbours. */
    pieces(chain, p) {
        const stride = Math.ceil((chain.length - 1) / 150);
        const nodes = chain.filter((_, i) => i % stride === 0 || i === chain.length - 1);
        const at = nodes.map(node => this.place(p, node));
        const f = v => v.toFixed(1);
        return nodes.slice(1).map((_, i) => {
            const [b, c] = [at[i], at[i + 1]], a = at[Math.max(0, i - 1)], d = at[Math.min(at.length - 1, i + 2)];
            const curve = `C${f(b[0] + (c[0] - a[0]) / 6)} ${f(b[1] + (c[1] - a[1]) / 6)} ${f(c[0] - (d[0] - b[0]) / 6)} ${f(c[1] - (d[1] - b[1]) / 6)} ${f(c[0])} ${f(c[1])}`;
            return { from: `M${f(b[0])} ${f(b[1])}`, curve, nodes: [nodes[i], nodes[i + 1]] };
        });
    }

    polygon(face, p) {
        return `M${face.map(node => this.place(p, node).map(v => v.toFixed(1)).join(' ')).join('L')}Z`;
    }

    outline(motion, p) {
        return motion.chains.map(chain => this.pieces(chain, p).map((piece, i) => (i ? '' : piece.from) + piece.curve).join('')).join('') +
            motion.faces.map(face => this.polygon(face, p)).join('');
    }

    colour(motion, nodes, t) {
        const { from, to, moving } = this.player;
        if (this.byHeat) {
            const [lo, hi] = motion.temperature.range;
            const s = (nodes.reduce((sum, node) => sum + motion.heat[node], 0) / nodes.length - lo) / (hi - lo);
            return Number.isNaN(s) ? this.player.scene.colours.ghost : heatLevel(s);
        }
        return heatLevel(moving ? (t - from) / (to - from) : 0.5);
    }

    get byHeat() {
        const { temperature } = this.motions[0];
        return temperature !== null && !flat(...temperature.range, 1); // kelvin
    }

    coloured(motion, group, t) {
        const p = motion.places;
        for (const face of motion.faces) {
            const colour = this.colour(motion, face, t);
            group.append(svg('path', { d: this.polygon(face, p), fill: colour, stroke: colour, 'stroke-width': 0.6, 'fill-opacity': 0.75 }));
        }
        for (const chain of motion.chains) {
            // join neighbours of equal colour to one path
            let last = null, d = '';
            const flush = () => last !== null && group.append(svg('path', { d, stroke: last }));
            for (const piece of this.pieces(chain, p)) {
                const colour = this.colour(motion, piece.nodes, t);
                if (colour !== last) {
                    flush();
                    d = piece.from;
                    last = colour;
                }
                d += piece.curve;
            }
            flush();
        }
        for (const node of motion.dots) {
            const [cx, cy] = this.place(p, node);
            group.append(svg('circle', { cx: cx.toFixed(1), cy: cy.toFixed(1), r: 4, fill: this.colour(motion, [node], t) }));
        }
    }

    /** Label "0.5 s" beyond the end of a shape, if there is room. */
    label(motion, group, t, taken) {
        const chain = motion.chains[motion.chains.length - 1];
        if (!chain) {
            return;
        }
        const end = this.place(motion.places, chain[chain.length - 1]), before = this.place(motion.places, chain[chain.length - 2]);
        const length = Math.hypot(end[0] - before[0], end[1] - before[1]) || 1;
        const [dx, dy] = [(end[0] - before[0]) / length, (end[1] - before[1]) / length];
        const [x, y] = [end[0] + 12 * dx, end[1] + 14 * dy + 4];
        if (taken.some(([tx, ty]) => Math.abs(tx - x) < 44 && Math.abs(ty - y) < 15)) {
            return;
        }
        taken.push([x, y]);
        group.append(svg('text', { class: 'halo', x: x.toFixed(1), y: y.toFixed(1), 'text-anchor': dx > 0.35 ? 'start' : dx < -0.35 ? 'end' : 'middle' }, `${number(t, 3)} s`));
    }

    showBar() {
        const { from, to, moving } = this.player;
        const [lo, hi] = this.byHeat ? this.motions[0].temperature.range : [from, to];
        this.legend.hidden = !this.byHeat && !moving;
        this.legend.replaceChildren(el('span', {}, this.byHeat ? 'temperature increment [K]' : 'time [s]'),
            el('i', { style: `background:${heatGradient()}` }), el('span', { class: 'ends' }, el('b', {}, number(lo, 3)), el('b', {}, number(hi, 3))));
    }
}
