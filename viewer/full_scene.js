/* Full-screen scene: WebGL draws surfaces, lines and dots on a layer between a back layer (grid, reference) and a front layer
   (paths, axes, arrows, other runs). */

const FEW_FACES = 3000; // outlines are drawn up to this number

class FullScene extends Scene {
    /** canvases: back, middle (WebGL), front; the front receives pointer events. */
    constructor(canvases, motions, traces) {
        super(canvases.front, motions, traces);
        this.canvases = canvases;
        this.layers = new Map(); // last painted state of each layer
        this.frontPen = this.pen;
        this.backPen = canvases.back.getContext('2d');
        this.shade = 1;
        this.cut = null; // {normal, at}
        this.arrows = new Arrows();
        this.glass = new Glass(canvases.middle, motions[0]);
        this.thin = new Set(this.glass.pairs);
        this.chains = [...motions[0].chains, ...this.thin];
        this.glass = this.glass.gl ? this.glass : null;
        this.edges = motions[0].faces.length < MANY ? 'crease' : ''; // or mesh; empty: none
    }

    /** Show another motion of the same bodies. */
    use(motion) {
        this.motions[0] = motion;
        this.measure();
        this.fit();
    }

    readStyle() {
        super.readStyle();
        if (this.glass) {
            this.glass.colours = null;
        }
    }

    measure() {
        super.measure();
        const { lo, hi } = this.box;
        this.depthRange = 1.01 * Math.hypot(...lo.map((x, c) => Math.max(hi[c] - x, 0))) || 1;
    }

    resize() {
        super.resize();
        const { back, middle, front } = this.canvases || {};
        this.ratio = front ? front.width / this.width : 1;
        if (back && (back.width !== front.width || back.height !== front.height)) {
            [back.width, back.height] = [front.width, front.height];
            this.backPen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
            if (this.glass) {
                this.glass.resize(front.width, front.height);
            } else {
                [middle.width, middle.height] = [0, 0];
            }
            this.layers.clear();
            this.draw();
        }
    }

    paint() {
        if (!this.width || !this.colours || !this.canvases) {
            return;
        }
        this.resize();
        this.project();
        const motion = this.motions[0];
        motion.moveTo(this.t, this.magnify);
        const traced = this.showTraces && !motion.mode && this.traces.length > 0;
        const others = this.showOther && !motion.mode ? this.motions.slice(1) : [];
        this.onLayer(this.backPen, false, () => {
            this.paintGrid();
            if (motion.faces.length < FEW_FACES) {
                this.paintReference();
            }
        });
        if (this.glass) {
            this.paintGlass();
        }
        this.onLayer(this.frontPen, !this.glass || traced || others.length > 0 || this.arrows.moving || Boolean(this.sky), () => {
            if (!this.glass) {
                this.paintMotion(motion);
            }
            if (traced) {
                this.paintTraces();
            }
            for (const other of others) {
                other.moveTo(this.t, this.magnify);
                this.paintOther(other);
            }
            this.arrows.paint(this);
            paintSky(this);
            this.paintAxes();
        });
        if (this.afterPaint) {
            this.afterPaint();
        }
    }

    /** Repaint a layer if its inputs have changed: the view, and the time if its content moves. */
    onLayer(pen, moves, paint) {
        const now = JSON.stringify([this.basis, this.k, this.offset, this.width, this.height, this.ratio, this.colours, this.magnify, moves ? this.t : null,
            this.showTraces, this.showOther, this.showSky, this.arrows.show, Boolean(this.motions[0].mode)]);
        if (this.layers.get(pen) === now && !moves) {
            return;
        }
        this.layers.set(pen, now);
        this.pen = pen;
        this.clear(pen);
        paint();
    }

    paintGlass() {
        const { glass } = this;
        glass.clear(this);
        glass.drawFaces(this);
        glass.drawPoints(this, this.ribbons(), 0);
        glass.drawPoints(this, this.points(), 12);
    }

    /** Level of a value in the colour range, 0 to 1; MISSING if it has none. */
    levelOf(v) {
        const s = this.level(v);
        return Number.isNaN(s) ? MISSING : Math.min(1, Math.max(0, s));
    }

    nodeLevel(node) {
        return this.colouring === 'none' ? 0 : this.levelOf(this.valueOf(this.motions[0], node));
    }

    /** Distance behind the cut plane [m]. */
    behind(p, at) {
        const { cut } = this;
        return cut ? cut.normal[0] * p[at] + cut.normal[1] * p[at + 1] + cut.normal[2] * p[at + 2] - cut.at : 0;
    }

    /** Fill x, y, depth [px] and level of all nodes, and their distances behind the cut. */
    fillVertices(vertices, far) {
        const motion = this.motions[0], { places, nodes } = motion, { k } = this;
        const [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] = this.basis;
        const [x0, y0] = this.offset, z0 = -this.depth(this.view.centre, 0);
        for (let n = 0, i = 0; n < nodes; n++, i += 3) {
            const a = places[i], b = places[i + 1], c = places[i + 2];
            vertices[4 * n] = x0 + k * (xx * a + xy * b + xz * c);
            vertices[4 * n + 1] = y0 - k * (yx * a + yy * b + yz * c);
            vertices[4 * n + 2] = k * (z0 + zx * a + zy * b + zz * c);
            far[n] = this.cut ? this.behind(places, i) : 0;
        }
        this.fillLevels(vertices);
    }

    fillLevels(vertices) {
        const motion = this.motions[0], { heat, nodes } = motion, name = this.colouring;
        const [lo, hi] = this.colourRange, part = 1 / (hi - lo);
        const field = motion.fields[name];
        if (this.constant) { // constant values are grey
            for (let n = 0; n < nodes; n++) {
                vertices[4 * n + 3] = MISSING;
            }
        } else if (field) {
            const [i, j, s, h] = motion.between, { codes, low, step } = field.values;
            const [a, b] = field.rate ? [-1 / h, 1 / h] : [1 - s, s], from = nodes * i, to = nodes * j;
            const base = ((a + b) * low[0] - lo) * part, [pa, pb] = [a * step[0] * part, b * step[0] * part];
            for (let n = 0; n < nodes; n++) {
                const p = codes[from + n], q = b ? codes[to + n] : 0;
                vertices[4 * n + 3] = p === 65535 || q === 65535 ? MISSING : Math.max(0, base + pa * p + pb * q);
            }
        } else if (name === 'temperature') {
            for (let n = 0; n < nodes; n++) {
                const s = (heat[n] - lo) * part;
                vertices[4 * n + 3] = Number.isNaN(s) ? MISSING : s;
            }
        } else {
            for (let n = 0; n < nodes; n++) {
                vertices[4 * n + 3] = this.nodeLevel(n);
            }
        }
    }

    /** Chains as bands of triangles: x, y, depth, level, distance behind the cut of each corner. */
    ribbons() {
        const motion = this.motions[0], p = motion.places, out = [];
        const base = this.depth(this.view.centre, 0);
        for (const chain of this.chains) {
            const half = this.thin.has(chain) ? 1 : 2.5;
            const line = [];
            this.smooth(chain, p, (x, y, i, a, b, s) => {
                const between = f => f(a) * (1 - s) + f(b) * s;
                line.push([x, y, this.k * (between(n => this.depth(p, 3 * n)) - base), between(n => this.nodeLevel(n)), between(n => this.behind(p, 3 * n))]);
            });
            this.widen(line, half, out);
        }
        return out;
    }

    widen(line, half, out) {
        const n = line.length;
        const sides = line.map((point, i) => {
            const [a, b] = [line[Math.max(0, i - 1)], line[Math.min(n - 1, i + 1)]];
            const [dx, dy] = [b[0] - a[0], b[1] - a[1]], length = Math.hypot(dx, dy) || 1;
            const [ux, uy] = [half * dx / length, half * dy / length];
            // extend the ends like round caps
            const e = i === 0 ? -1 : i === n - 1 ? 1 : 0, [x, y, ...rest] = point;
            return [[x - uy + e * ux, y + ux + e * uy, ...rest], [x + uy + e * ux, y - ux + e * uy, ...rest]];
        });
        for (let i = 1; i < n; i++) {
            const [[a, b], [c, d]] = [sides[i - 1], sides[i]];
            out.push(a, b, c, b, d, c);
        }
    }

    points() {
        const motion = this.motions[0], p = motion.places, base = this.depth(this.view.centre, 0);
        return motion.dots.map(node => [this.px(p, 3 * node), this.py(p, 3 * node), this.k * (this.depth(p, 3 * node) - base), this.nodeLevel(node), this.behind(p, 3 * node)]);
    }
}
