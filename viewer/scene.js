/* Draws bodies on a canvas in parallel projection: chains of nodes as smooth lines, other cells as surfaces, single
   nodes as dots, from back to front. */

/* ---- the motion of one run ---- */

/** Cells with more than two nodes, as lists of nodes. */
function facesOf(offset, nodes) {
    return Array.from({ length: offset.length - 1 }, (_, i) => Array.from(nodes.subarray(offset[i], offset[i + 1]))).filter(cell => cell.length > 2);
}

class Motion {
    constructor(run) {
        const mesh = run.mesh, frames = run.frames;
        this.run = run;
        this.nodes = mesh.nodes;
        this.reference = floats(mesh.reference);
        this.count = frames.count;
        this.time = floats(frames.time);
        this.displacement = parts(frames.displacement, 3);
        this.temperature = frames.temperature ? parts(frames.temperature, 1) : null;
        this.fields = [...(frames.fields || []), ...(frames.more || [])].map(f => ({ name: f.name, unit: f.unit, range: [f.least || 0, f.largest || 0], values: parts(f.values, 1) }));
        this.places = new Float64Array(3 * this.nodes);
        this.heat = new Float64Array(this.nodes);
        this.sortCells(ints(mesh.cell_offset), ints(mesh.cell_nodes));
        this.coarse = run.coarse ? facesOf(ints(run.coarse.cell_offset), ints(run.coarse.cell_nodes)) : null;
    }

    /** Sort cells into chains of connected lines, and faces; nodes without cells are dots. */
    sortCells(offset, nodes) {
        const loose = new Uint8Array(this.nodes).fill(1);
        this.chains = [];
        this.faces = [];
        for (let i = 0; i + 1 < offset.length; i++) {
            const cell = Array.from(nodes.subarray(offset[i], offset[i + 1]));
            const chain = this.chains[this.chains.length - 1];
            if (cell.length === 2) {
                if (chain && chain[chain.length - 1] === cell[0]) {
                    chain.push(cell[1]);
                } else {
                    this.chains.push(cell);
                }
            } else if (cell.length > 2) {
                this.faces.push(cell);
            }
            if (cell.length > 1) {
                cell.forEach(node => { loose[node] = 0; });
            }
        }
        this.dots = [...loose.keys()].filter(node => loose[node]);
    }

    get first() {
        return this.time[0];
    }

    get last() {
        return this.time[this.count - 1];
    }

    /** Weights of stored times at time t: cubic Hermite interpolation, tangents from neighbouring times. */
    weightsAt(t) {
        const { time, count } = this;
        const i = Math.min(Math.max(0, indexBefore(time, t)), Math.max(0, count - 2));
        const j = Math.min(count - 1, i + 1);
        const h = time[j] - time[i];
        const s = h > 0 ? Math.min(1, Math.max(0, (t - time[i]) / h)) : 0;
        const before = Math.max(0, i - 1), after = Math.min(count - 1, j + 1);
        const a = h > 0 && j > before ? h / (time[j] - time[before]) : 0;
        const b = h > 0 && after > i ? h / (time[after] - time[i]) : 0;
        const vi = s * s * (2 * s - 3) + 1, vj = 1 - vi, di = s * (1 - s) * (1 - s) * a, dj = s * s * (s - 1) * b;
        this.between = [i, j, s, h];
        return [[before, -di], [i, vi - dj], [j, vj + di], [after, dj]];
    }

    /** Set positions (magnified about the reference) and temperatures at time t. */
    moveTo(t, magnify) {
        const { places, reference, heat, nodes } = this;
        const weights = this.weightsAt(t).filter(([, w]) => w !== 0);
        const total = weights.reduce((sum, [, w]) => sum + w, 0);
        const fresh = ({ low, step }, c) => [magnify * total * low[c], magnify * step[c]];
        const [[x0, dx], [y0, dy], [z0, dz]] = [0, 1, 2].map(c => fresh(this.displacement, c));
        for (let k = 0; k < 3 * nodes; k += 3) {
            places[k] = reference[k] + x0;
            places[k + 1] = reference[k + 1] + y0;
            places[k + 2] = reference[k + 2] + z0;
        }
        for (const [frame, w] of weights) {
            const { codes } = this.displacement, from = 3 * nodes * frame, [a, b, c] = [w * dx, w * dy, w * dz];
            for (let k = 0; k < 3 * nodes; k += 3) {
                const p = codes[from + k], q = codes[from + k + 1], r = codes[from + k + 2];
                places[k] += p === 65535 ? NaN : a * p;
                places[k + 1] += q === 65535 ? NaN : b * q;
                places[k + 2] += r === 65535 ? NaN : c * r;
            }
        }
        heat.fill(this.temperature ? total * this.temperature.low[0] : 0);
        for (const [frame, w] of this.temperature ? weights : []) {
            const { codes, step } = this.temperature, from = nodes * frame, a = w * step[0];
            for (let k = 0; k < nodes; k++) {
                heat[k] += codes[from + k] === 65535 ? NaN : a * codes[from + k];
            }
        }
    }

    /** Nodal stress or strain at the current time, linear between stored times, or its rate; NaN if it has none. */
    fieldAt(field, node) {
        const [i, j, s, h] = this.between, { values } = field;
        const a = values.at(this.nodes * i + node, 0);
        if (field.rate) {
            return h > 0 ? (values.at(this.nodes * j + node, 0) - a) / h : NaN;
        }
        return s > 0 ? a * (1 - s) + s * values.at(this.nodes * j + node, 0) : a;
    }

    /** Second moments (3, 3) over nodes and stored times: of displacements about their time means (about zero for a single
     *  time), or, with a magnification, of positions about their overall mean. */
    moments(magnify) {
        const { nodes, count } = this, u = this.displacement, sum = [0, 0, 0, 0, 0, 0, 0, 0, 0];
        const some = Math.ceil(nodes / SAMPLE), n = Math.ceil(nodes / some); // a sample of the nodes suffices
        const mean = new Float64Array(3 * n), x = [0, 0, 0], all = [0, 0, 0];
        const at = (f, k, c) => u.at(3 * (nodes * f + some * k) + c, c);
        for (let i = 0; i < 3 * n * count && (magnify || count > 1); i++) {
            const k = i % (3 * n), c = k % 3;
            mean[k] += (magnify || 1) * at(Math.floor(i / (3 * n)), (k - c) / 3, c) / count;
        }
        for (let k = 0; magnify && k < 3 * n; k++) {
            all[k % 3] += (this.reference[some * (k - k % 3) + k % 3] + mean[k]) / n;
        }
        for (let f = 0; f < count; f++) {
            for (let k = 0; k < n; k++) {
                for (let c = 0; c < 3; c++) {
                    x[c] = magnify ? this.reference[3 * some * k + c] + magnify * at(f, k, c) - all[c] : at(f, k, c) - mean[3 * k + c];
                }
                for (let c = 0; c < 9; c++) {
                    sum[c] += x[Math.floor(c / 3)] * x[c % 3];
                }
            }
        }
        return sum;
    }

    /** Vector areas of faces [m^2] and vectors of line segments [m] at time t. */
    shapeAt(t, magnify) {
        this.moveTo(t, magnify);
        const p = this.places;
        const to = (a, b) => [0, 1, 2].map(c => p[3 * b + c] - p[3 * a + c]);
        const stride = Math.ceil(this.faces.length / SAMPLE); // a sample of the faces suffices
        const faces = this.faces.filter((_, i) => i % stride === 0).map(face => {
            const n = [0, 0, 0];
            for (let k = 2; k < face.length; k++) {
                const a = to(face[0], face[k - 1]), b = to(face[0], face[k]);
                n.forEach((_, c) => { n[c] += stride * (a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3]) / 2; });
            }
            return n;
        });
        return { faces, lines: this.chains.flatMap(chain => chain.slice(1).map((node, i) => to(chain[i], node))) };
    }

    /** Largest displacement of any node at any stored time. */
    largest() {
        let most = 0;
        const { codes, low, step } = this.displacement;
        for (let k = 0; k < codes.length; k += 3) {
            const x = low[0] + step[0] * codes[k], y = low[1] + step[1] * codes[k + 1], z = low[2] + step[2] * codes[k + 2];
            most = Math.max(most, x * x + y * y + z * z);
        }
        return Math.sqrt(most);
    }
}

/* ---- view ---- */

/** The axis of gravity, if the model gives it in numbers along one axis; else null. */
function gravityAxis(run) {
    const text = data.runs[0].text || '';
    const gravity = /^gravity:\s*\[([^\]]*)\]/m.exec(text);
    const parts = gravity ? gravity[1].split(',').map(x => x.trim()) : [];
    const acting = parts.map((x, i) => /^[-+]?0*\.?0*$/.test(x) ? -1 : i).filter(i => i >= 0);
    return parts.length === 3 && acting.length === 1 ? { axis: acting[0] } : null;
}

/** Vertical axis: that of gravity, else chosen by the bounding box. */
function upAxis(run, box) {
    const gravity = gravityAxis(run);
    return gravity ? gravity.axis : box.least === 1 ? 2 : box.least === 2 ? 1 : 2;
}

/** a . M b */
function form(M, a, b) {
    return M.reduce((sum, m, i) => sum + m * a[Math.floor(i / 3)] * b[i % 3], 0);
}

/** Fraction of the motion, 0 to 1, perpendicular to the line of sight. */
function partSeen(moved, view) {
    const all = moved[0] + moved[4] + moved[8], eye = view.basis()[2];
    return all > 0 ? Math.sqrt(Math.max(0, 1 - form(moved, eye, eye) / all)) : 1;
}

/** Projected area: product of the principal lengths; lines get a small width. */
function areaSeen(spread, view) {
    const [x, y] = view.basis(), [a, b, c] = [form(spread, x, x), form(spread, x, y), form(spread, y, y)];
    const root = Math.hypot((a - c) / 2, b), all = spread[0] + spread[4] + spread[8];
    return Math.sqrt(Math.max(0, (a + c) / 2 + root)) * (Math.sqrt(Math.max(0, (a + c) / 2 - root)) + DEPTH * Math.sqrt(all));
}

/** Drawn area in a view [m^2] at one time: projected faces, and chains with the width of a line. */
function areaDrawn(shape, eye, width) {
    const faces = shape.faces.reduce((sum, n) => sum + Math.abs(n[0] * eye[0] + n[1] * eye[1] + n[2] * eye[2]), 0);
    const lines = shape.lines.reduce((sum, d) => {
        const along = d[0] * eye[0] + d[1] * eye[1] + d[2] * eye[2];
        return sum + Math.sqrt(Math.max(0, d[0] * d[0] + d[1] * d[1] + d[2] * d[2] - along * along));
    }, 0);
    return faces + width * lines;
}

class View {
    constructor(up) {
        this.up = up;
        this.yaw = this.pitch = 0;
        this.zoom = 1;
        this.shift = [0, 0];
        this.centre = [0, 0, 0];
        this.scale = 1; // [px/m] at zoom 1
    }

    /** Unit vectors to the right, upwards and towards the viewer. */
    basis() {
        const right = [[0, 1, 0], [1, 0, 0], [1, 0, 0]][this.up];
        const up = [[1, 0, 0], [0, 1, 0], [0, 0, 1]][this.up];
        const eye = [right[1] * up[2] - right[2] * up[1], right[2] * up[0] - right[0] * up[2], right[0] * up[1] - right[1] * up[0]];
        const [c, s, d, e] = [Math.cos(this.yaw), Math.sin(this.yaw), Math.cos(this.pitch), Math.sin(this.pitch)];
        const x = right.map((r, k) => c * r - s * eye[k]);
        const z = right.map((r, k) => s * r + c * eye[k]);
        return [x, up.map((u, k) => d * u - e * z[k]), up.map((u, k) => e * u + d * z[k])];
    }
}

const LEAP = 0.12; // amplitude of modes, relative to the extent
const MARGIN = 40; // [px] above and below the shape, for buttons and legend
const namedViews = { front: [0, 0], side: [Math.PI / 2, 0], top: [0, Math.PI / 2], space: [-0.6, 0.42], above: [-0.6, 0.75] };
const DEPTH = 0.05; // width of lines in the projected area, relative to the extent
const SAMPLE = 4000; // nodes used to choose the initial view
const VIEW_TIMES = 5; // times at which the drawn area is computed
const LINE_WIDTH = 0.01; // of drawn lines, relative to the extent
const ENOUGH = 0.99 * Math.sin(namedViews.above[1]); // part of the largest drawn area that suffices: a horizontal sheet seen from above
const HIDDEN = 1e-3; // least weight of the drawn area, for models of points
const FINE = 0.01; // invisible colour difference, relative to the range
const LEANING = 0.9; // weight of oblique views in which the plane of largest extent is not horizontal
const LOST = 0.8; // weight of axis-aligned views of spatial shapes, and of oblique views of flat shapes

/** Clip a line [x, y, x, y] to a box; null if outside. */
function clipped([ax, ay, bx, by], [left, top, right, bottom]) {
    let from = 0, to = 1;
    for (const [d, room] of [[ax - bx, ax - left], [bx - ax, right - ax], [ay - by, ay - top], [by - ay, bottom - ay]]) {
        if (d === 0 && room < 0) {
            return null;
        }
        if (d < 0) {
            from = Math.max(from, room / d);
        } else if (d > 0) {
            to = Math.min(to, room / d);
        }
    }
    const at = s => [ax + s * (bx - ax), ay + s * (by - ay)];
    return from < to ? [...at(from), ...at(to)] : null;
}

class Scene {
    /** bare: no grid, axes and margin for buttons. */
    constructor(canvas, motions, traces, bare) {
        this.bare = Boolean(bare);
        this.canvas = canvas;
        this.motions = motions;
        this.traces = traces; // [{colour, points: Float64Array of t, x, y, z}]
        this.pen = canvas.getContext('2d');
        this.magnify = 1;
        this.inset = 0; // [px] covered at the right
        this.showOther = true;
        this.showTraces = true;
        this.showSky = true;
        this.sky = bare ? null : skyOf(motions[0].run);
        this.t = motions[0].first;
        this.measure();
        this.chooseView();
        onResize(canvas, () => this.resize());
        onTheme.push(() => this.readStyle());
        this.readStyle();
    }

    /** Choose the view that shows most of the motion and of its extent, and enough of the bodies at the start and on
     *  average: a panel that sweeps an area edge-on is not visible. */
    chooseView() {
        const motion = this.motions[0], size = this.box.size;
        const moved = motion.moments(0), spread = motion.moments(this.magnify);
        const shapes = Array.from({ length: motion.count > 1 ? VIEW_TIMES : 1 }, (_, i) =>
            motion.shapeAt(motion.first + (motion.last - motion.first) * i / VIEW_TIMES, this.magnify));
        const width = LINE_WIDTH * Math.max(...size);
        this.flat = size[this.box.least] < 0.15 * Math.max(...size);
        const ups = [upAxis(motion.run, this.box)];
        if (motion.faces.length && !gravityAxis(motion.run)) {
            ups.push(this.box.least); // draw surfaces that move out of plane horizontally
        }
        const all = [];
        for (const up of ups) {
            for (const [name, [yaw, pitch]] of Object.entries(namedViews)) {
                const view = Object.assign(new View(up), { yaw, pitch });
                const oblique = name === 'space' || name === 'above';
                const drawn = shapes.map(shape => areaDrawn(shape, view.basis()[2], width));
                const mean = drawn.reduce((a, b) => a + b) / drawn.length;
                all.push({ name, view, seen: partSeen(moved, view), area: areaSeen(spread, view), drawn: Math.min(drawn[0], mean),
                    worth: (oblique === this.flat ? LOST : 1) * (oblique && ups.length > 1 && up !== this.box.least ? LEANING : 1) });
            }
        }
        const most = Math.max(...all.map(v => v.area)) || 1, full = Math.max(...all.map(v => v.drawn)) || 1;
        all.forEach(v => { v.score = v.seen * v.area / most * Math.min(1, Math.max(v.drawn / full, HIDDEN) / ENOUGH) * v.worth; });
        const best = all.reduce((a, b) => (b.score > a.score * (1 + 1e-9) ? b : a));
        this.view = best.view;
        Object.assign(this.canvas.dataset, { view: best.name, up: 'xyz'[best.view.up], seen: best.seen.toFixed(3), area: (best.area / most).toFixed(3), drawn: (best.drawn / full).toFixed(3) });
        this.fit();
    }

    /** Bounding box of the whole motion and all paths. */
    measure() {
        const lo = [Infinity, Infinity, Infinity], hi = [-Infinity, -Infinity, -Infinity];
        const add = (v, at) => {
            for (let c = 0; c < 3; c++) {
                if (v[at + c] < lo[c]) {
                    lo[c] = v[at + c];
                }
                if (v[at + c] > hi[c]) {
                    hi[c] = v[at + c];
                }
            }
        };
        const motion = this.motions[0];
        for (let k = 0; k < motion.nodes; k++) {
            add(motion.reference, 3 * k);
        }
        for (let f = 0; f < motion.count; f++) {
            motion.moveTo(motion.time[f], this.magnify);
            for (let k = 0; k < motion.nodes; k++) {
                add(motion.places, 3 * k);
            }
        }
        for (const trace of this.traces) {
            for (let k = 0; k < trace.points.length; k += 4) {
                add(trace.drawn([...trace.points.subarray(k + 1, k + 4)], this.magnify), 0);
            }
        }
        const size = lo.map((x, c) => Math.max(0, hi[c] - x) || 0);
        let least = 2;
        for (const c of [1, 0]) {
            least = size[c] < 0.999 * size[least] ? c : least;
        }
        this.box = { lo, hi, size, least };
    }

    readStyle() {
        this.colours = Object.fromEntries(['ink', 'soft', 'edge', 'grid', 'line', 'ghost', 'accent', 'card', 's0', 's1', 's2', 's3', 's4', 's5']
            .map(name => [name, styleColour(`--${name}`)]));
        this.draw();
    }

    look(name) {
        [this.view.yaw, this.view.pitch] = namedViews[name];
        this.fit();
    }

    /** Fit the whole motion to the canvas. */
    fit() {
        const { lo, hi } = this.box, { view } = this;
        const basis = view.basis();
        const corners = [0, 1, 2, 3, 4, 5, 6, 7].map(k => [0, 1, 2].map(c => k >> c & 1 ? hi[c] : lo[c]));
        const range = basis.slice(0, 2).map(axis => rangeOf(corners.map(p => p[0] * axis[0] + p[1] * axis[1] + p[2] * axis[2])));
        const [w, h] = [(this.canvas.clientWidth || 300) - this.inset, this.canvas.clientHeight || 200];
        const span = range.map(([a, b]) => b - a);
        const least = 1e-9 + 0.1 * Math.max(...span);
        view.centre = lo.map((x, c) => (x + hi[c]) / 2);
        const room = this.bare ? [16, 16] : [96, 2 * MARGIN + 24];
        view.scale = Math.min((w - room[0]) / Math.max(span[0], least), (h - room[1]) / Math.max(span[1], least)) || 1;
        view.zoom = 1;
        view.shift = [0, 0];
        this.draw();
    }

    turn(yaw, pitch) {
        this.view.yaw += yaw;
        this.view.pitch = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, this.view.pitch + pitch));
        this.draw();
    }

    move(dx, dy) {
        this.view.shift[0] += dx;
        this.view.shift[1] += dy;
        this.draw();
    }

    /** Zoom about a point of the canvas. */
    zoomAt(factor, x, y) {
        const { view } = this;
        const zoom = Math.min(200, Math.max(0.1, view.zoom * factor));
        const real = zoom / view.zoom;
        const [w, h] = [this.canvas.clientWidth, this.canvas.clientHeight];
        const at = [x - (w - this.inset) / 2, y - h / 2 - 8];
        view.shift = view.shift.map((s, k) => at[k] + (s - at[k]) * real);
        view.zoom = zoom;
        this.draw();
    }

    resize() {
        const ratio = Math.min(3, window.devicePixelRatio || 1);
        const [w, h] = [this.canvas.clientWidth, this.canvas.clientHeight];
        if (w !== this.width || h !== this.height) {
            const fresh = !this.width;
            const factor = fresh ? 1 : Math.min(w / this.width, h / this.height);
            [this.width, this.height] = [w, h];
            this.canvas.width = Math.round(w * ratio);
            this.canvas.height = Math.round(h * ratio);
            this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
            if (fresh || (this.view.zoom === 1 && !this.view.shift[0] && !this.view.shift[1])) {
                this.fit();
            } else {
                this.view.scale *= factor;
            }
            this.draw();
        }
    }

    show(t) {
        this.t = t;
        this.draw();
    }

    draw() {
        if (!this.asked) {
            this.asked = true;
            requestAnimationFrame(() => {
                this.asked = false;
                this.paint();
            });
        }
    }

    /* ---- painting ---- */

    /** Update the projection from lengths to pixels. */
    project() {
        const { view } = this;
        this.basis = view.basis();
        const k = view.scale * view.zoom;
        const offset = this.basis.map(axis => -k * (axis[0] * view.centre[0] + axis[1] * view.centre[1] + axis[2] * view.centre[2]));
        this.k = k;
        this.offset = [offset[0] + (this.width - this.inset) / 2 + view.shift[0], -offset[1] + this.height / 2 + 8 + view.shift[1], offset[2]];
    }

    clear(pen) {
        pen.clearRect(0, 0, this.width, this.height);
        this.labels = this.canvas.labels = this.blocked ? this.blocked() : []; // occupied rectangles [left, top, right, bottom]
        pen.lineCap = pen.lineJoin = 'round';
    }

    paint() {
        if (!this.width || !this.colours) {
            return;
        }
        this.project();
        this.clear(this.pen);
        if (!this.bare) {
            this.paintGrid();
        }
        this.paintReference();
        this.motions[0].moveTo(this.t, this.magnify);
        this.paintMotion(this.motions[0]);
        if (this.showTraces) {
            this.paintTraces();
        }
        for (const other of this.showOther ? this.motions.slice(1) : []) {
            other.moveTo(this.t, this.magnify);
            this.paintOther(other);
        }
        if (!this.bare) {
            paintSky(this);
            this.paintAxes();
        }
    }

    px(p, i) {
        const x = this.basis[0];
        return this.k * (x[0] * p[i] + x[1] * p[i + 1] + x[2] * p[i + 2]) + this.offset[0];
    }

    py(p, i) {
        const y = this.basis[1];
        return this.offset[1] - this.k * (y[0] * p[i] + y[1] * p[i + 1] + y[2] * p[i + 2]);
    }

    depth(p, i) {
        const z = this.basis[2];
        return z[0] * p[i] + z[1] * p[i + 1] + z[2] * p[i + 2];
    }

    /** A labelled grid in the plane of a flat motion, or below a spatial one. */
    paintGrid() {
        const { pen, box } = this;
        const normal = this.flat ? box.least : this.view.up;
        const level = this.flat ? (box.lo[normal] + box.hi[normal]) / 2 : box.lo[normal];
        const axes = [0, 1, 2].filter(c => c !== normal);
        const step = roundStep(Math.max(...axes.map(c => box.size[c]), 1e-9), 6);
        const range = axes.map(c => [Math.floor(box.lo[c] / step - 0.6) * step, Math.ceil(box.hi[c] / step + 0.6) * step]);
        pen.lineWidth = 1;
        pen.strokeStyle = this.colours.grid;
        pen.fillStyle = this.colours.soft;
        pen.font = '11px system-ui, sans-serif';
        const from = [0, 0, 0], to = [0, 0, 0];
        from[normal] = to[normal] = level;
        for (const side of [0, 1]) {
            const [c, other] = side ? [axes[1], axes[0]] : [axes[0], axes[1]];
            const [lo, hi] = range[side], across = range[1 - side];
            for (const value of multiples(lo, hi, step)) {
                from[c] = to[c] = value;
                [from[other], to[other]] = across;
                this.line(from, to);
                this.gridLabel(from, to, from[c], step);
            }
        }
    }

    line(a, b) {
        const { pen } = this;
        pen.beginPath();
        pen.moveTo(this.px(a, 0), this.py(a, 0));
        pen.lineTo(this.px(b, 0), this.py(b, 0));
        pen.stroke();
    }

    /** Label of a grid line at the lower or left end of its visible part. */
    gridLabel(a, b, value, step) {
        const whole = [this.px(a, 0), this.py(a, 0), this.px(b, 0), this.py(b, 0)];
        const seen = this.k * step < 34 ? null : clipped(whole, [36, 0, this.width - 30, this.height - 20]);
        if (!seen) {
            return;
        }
        const [ax, ay, bx, by] = seen;
        const length = Math.hypot(bx - ax, by - ay);
        if (length < 60) {
            return;
        }
        const flip = ay < by - 1 || (Math.abs(ay - by) <= 1 && ax > bx);
        const [x, y, dx, dy] = flip ? [bx, by, bx - ax, by - ay] : [ax, ay, ax - bx, ay - by];
        const cut = Math.hypot(x - whole[flip ? 2 : 0], y - whole[flip ? 3 : 1]) > 1;
        if (cut && Math.min(Math.abs(dx), Math.abs(dy)) > 0.02 * length) {
            return; // label oblique lines only if their end is visible
        }
        const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
        const text = decimals > 5 || step >= 1e5 ? number(value, 3) : minus((Math.abs(value) < step / 2 ? 0 : value).toFixed(decimals));
        this.placeLabel(text, x + 5 * dx / length, y + 11 * dy / length + 4, Math.abs(dx) < 0.35 * length ? 0.5 : dx < 0 ? 1 : 0);
    }

    /** Draw a text at (x, y), aligned by a fraction of its width; omitted if it would overlap. halo: outlined in the colour
     *  of the ground. */
    placeLabel(text, x, y, part, halo = false) {
        const { pen } = this;
        const width = pen.measureText(text).width, left = x - part * width;
        const box = [left - 3, y - 11, left + width + 3, y + 4];
        const corner = [0, this.height - 76, 250, this.height]; // coordinate axes and scale bar
        if ([corner, ...this.labels].every(b => b[2] <= box[0] || b[0] >= box[2] || b[3] <= box[1] || b[1] >= box[3])) {
            pen.textAlign = 'left';
            if (halo) {
                pen.strokeStyle = this.colours.card;
                pen.lineWidth = 3;
                pen.strokeText(text, left, y);
            }
            pen.fillText(text, left, y);
            this.labels.push(box);
        }
    }

    paintReference() {
        const { pen } = this;
        const motion = this.motions[0];
        if (motion.largest0 === undefined) {
            motion.largest0 = motion.largest();
        }
        if (!(motion.largest0 * this.magnify > 1e-3 * Math.max(...this.box.size))) {
            return;
        }
        pen.strokeStyle = this.colours.ghost;
        pen.lineWidth = 2.5;
        this.outline(motion, motion.reference, []);
        pen.stroke();
        pen.lineWidth = 0.5;
        this.outline({ chains: [], dots: [] }, motion.reference, motion.faces);
        pen.stroke();
    }

    /** All chains and faces as one path. */
    outline(motion, p, faces) {
        const { pen } = this;
        pen.beginPath();
        for (const chain of motion.chains) {
            this.smooth(chain, p, (x, y, i) => i ? pen.lineTo(x, y) : pen.moveTo(x, y));
        }
        for (const face of faces) {
            this.trace(face, p);
        }
        for (const node of motion.dots) {
            pen.moveTo(this.px(p, 3 * node), this.py(p, 3 * node));
            pen.lineTo(this.px(p, 3 * node) + 0.1, this.py(p, 3 * node));
        }
    }

    /** The edges of a face, added to the path. */
    trace(face, p) {
        const { pen } = this;
        face.forEach((node, i) => i ? pen.lineTo(this.px(p, 3 * node), this.py(p, 3 * node)) : pen.moveTo(this.px(p, 3 * node), this.py(p, 3 * node)));
        pen.closePath();
    }

    /** Points of a smooth curve through a chain: visit(x, y, index, previous node, next node, fraction between). */
    smooth(chain, p, visit) {
        const n = chain.length, pieces = Math.max(1, Math.min(8, Math.round(160 / n)));
        const at = k => 3 * chain[Math.min(n - 1, Math.max(0, k))];
        let count = 0;
        for (let k = 0; k < n - 1; k++) {
            const x = [-1, 0, 1, 2].map(d => this.px(p, at(k + d))), y = [-1, 0, 1, 2].map(d => this.py(p, at(k + d)));
            for (let i = k === 0 ? 0 : 1; i <= pieces; i++) {
                const s = i / pieces, r = 1 - s;
                const a = -s * r * r / 2, d = -s * s * r / 2, b = r * r * (1 + 2 * s) - d, c = s * s * (3 - 2 * s) - a;
                visit(a * x[0] + b * x[1] + c * x[2] + d * x[3], a * y[0] + b * y[1] + c * y[2] + d * y[3], count++, chain[k], chain[k + 1], s);
            }
        }
    }

    /** Paths: pale in the future, with an outline visible on any colour. */
    paintTraces() {
        const { pen } = this;
        for (const trace of this.traces) {
            for (const [part, colour, alpha, width] of [[Infinity, trace.colour, 0.5, 1.5], [this.t, 'card', 0.7, 5], [this.t, trace.colour, 1, 2.5]]) {
                pen.strokeStyle = this.colours[colour];
                pen.globalAlpha = alpha;
                pen.lineWidth = width;
                pen.beginPath();
                for (let k = 0; k < trace.points.length && trace.points[k] <= part; k += 4) {
                    const at = trace.drawn([trace.points[k + 1], trace.points[k + 2], trace.points[k + 3]], this.magnify);
                    const [x, y] = [this.px(at, 0), this.py(at, 0)];
                    k ? pen.lineTo(x, y) : pen.moveTo(x, y);
                }
                if (part < Infinity) {
                    const now = trace.drawn(trace.at(this.t), this.magnify);
                    pen.lineTo(this.px(now, 0), this.py(now, 0));
                }
                pen.stroke();
            }
            pen.strokeStyle = this.colours[trace.colour];
            this.paintMarker(trace);
        }
        pen.globalAlpha = 1;
    }

    paintMarker(trace) {
        const { pen } = this;
        const now = trace.drawn(trace.at(this.t), this.magnify);
        pen.globalAlpha = 1;
        pen.lineWidth = 2;
        pen.fillStyle = this.colours.card;
        pen.beginPath();
        pen.arc(this.px(now, 0), this.py(now, 0), 4.5, 0, 2 * Math.PI);
        pen.fill();
        pen.stroke();
    }

    /** Colour of a node. */
    colourOf(motion, node) {
        if (this.colouring === 'none') {
            return this.colours.accent;
        }
        return this.shade(this.valueOf(motion, node));
    }

    /** Is the value the same everywhere? */
    get constant() {
        const [lo, hi] = this.colourRange;
        return flat(lo, hi, this.colouring === 'temperature' ? 1 : 0, 1e-9);
    }

    /** Position of a value in the range, 0 to 1; NaN: grey. */
    level(v) {
        const [lo, hi] = this.colourRange;
        return this.constant ? NaN : (v - lo) / (hi - lo);
    }

    /** Colour of a value; grey if it is missing or constant. */
    shade(v) {
        const s = this.level(v);
        return Number.isNaN(s) ? this.colours.ghost : heatLevel(s);
    }

    valueOf(motion, node) {
        if (this.colouring === 'temperature') {
            return motion.heat[node];
        }
        if (this.colouring in motion.fields) {
            return motion.fieldAt(motion.fields[this.colouring], node);
        }
        const p = motion.places, r = motion.reference, k = 3 * node;
        return Math.hypot(p[k] - r[k], p[k + 1] - r[k + 1], p[k + 2] - r[k + 2]) / this.magnify;
    }

    paintMotion(motion) {
        const { pen } = this;
        const p = motion.places;
        const pieces = motion.faces.map(face => ({ face, z: face.reduce((sum, node) => sum + this.depth(p, 3 * node), 0) / face.length }));
        for (const chain of motion.chains) {
            let [lx, ly] = [NaN, NaN];
            this.smooth(chain, p, (x, y, i, a, b, s) => {
                if (i) {
                    pieces.push({ line: [lx, ly, x, y], a, b, s, z: this.depth(p, 3 * a) * (1 - s) + this.depth(p, 3 * b) * s });
                }
                [lx, ly] = [x, y];
            });
        }
        pieces.push(...motion.dots.map(dot => ({ dot, z: this.depth(p, 3 * dot) })));
        if (motion.faces.length || this.view.yaw || this.view.pitch) {
            pieces.sort((a, b) => a.z - b.z);
        }
        pen.lineWidth = 5;
        for (const piece of pieces) {
            if (piece.line) {
                this.paintLine(motion, piece);
            } else if (piece.face) {
                this.paintFace(motion, piece.face);
            } else {
                this.paintDot(motion, piece.dot);
            }
        }
    }

    paintLine(motion, { line, a, b, s }) {
        const { pen } = this;
        pen.strokeStyle = this.colourOf(motion, s < 0.5 ? a : b);
        if (this.colouring !== 'none') {
            pen.strokeStyle = this.shade(this.valueOf(motion, a) * (1 - s) + this.valueOf(motion, b) * s);
        }
        pen.beginPath();
        pen.moveTo(line[0], line[1]);
        pen.lineTo(line[2], line[3]);
        pen.stroke();
    }

    paintFace(motion, face) {
        const { pen } = this;
        const p = motion.places;
        pen.lineWidth = 0.7;
        if (this.colouring === 'none') {
            this.fillShape(this.colours.accent, () => this.trace(face, p));
        } else {
            const corners = face.map(node => [this.px(p, 3 * node), this.py(p, 3 * node), this.level(this.valueOf(motion, node))]);
            this.shadeFace(corners);
        }
        pen.lineWidth = 5;
    }

    fillShape(style, trace) {
        const { pen } = this;
        pen.fillStyle = pen.strokeStyle = style;
        pen.beginPath();
        trace();
        pen.fill();
        pen.stroke();
    }

    /** Shade a face with corners [x, y, level] by triangles between its edges and its centre. */
    shadeFace(corners) {
        const { pen } = this;
        const [lo, hi] = rangeOf(corners.map(c => c[2]));
        const n = corners.length, middle = [0, 1, 2].map(k => corners.reduce((sum, c) => sum + c[k], 0) / n);
        if (!(hi - lo > FINE) || Number.isNaN(middle[2])) {
            this.fillShape(Number.isNaN(middle[2]) ? this.colours.ghost : heatLevel(middle[2]), () => {
                corners.forEach(([x, y], i) => i ? pen.lineTo(x, y) : pen.moveTo(x, y));
                pen.closePath();
            });
            return;
        }
        const triangles = n === 3 ? [corners] : corners.map((c, i) => [c, corners[(i + 1) % n], middle]);
        for (const t of triangles) {
            this.fillShape(this.blend(t), () => {
                t.forEach(([x, y], i) => i ? pen.lineTo(x, y) : pen.moveTo(x, y));
                pen.closePath();
            });
        }
    }

    /** Gradient fill of a triangle with linear level. */
    blend([a, b, c]) {
        const [bx, by, bs, cx, cy, cs] = [b[0] - a[0], b[1] - a[1], b[2] - a[2], c[0] - a[0], c[1] - a[1], c[2] - a[2]];
        const area = bx * cy - cx * by;
        const g = [(bs * cy - cs * by) / area, (cs * bx - bs * cx) / area], size = g[0] * g[0] + g[1] * g[1];
        const least = [a, b, c].reduce((x, y) => (y[2] < x[2] ? y : x)), span = Math.max(a[2], b[2], c[2]) - least[2];
        if (!(Math.abs(area) > 0.01) || !(span > FINE) || !(size > 0)) {
            return heatLevel((a[2] + b[2] + c[2]) / 3);
        }
        const gradient = this.pen.createLinearGradient(least[0], least[1], least[0] + g[0] * span / size, least[1] + g[1] * span / size);
        const stops = Math.min(12, Math.ceil(span / FINE));
        for (let i = 0; i <= stops; i++) {
            gradient.addColorStop(i / stops, heatLevel(least[2] + span * i / stops));
        }
        return gradient;
    }

    paintDot(motion, node) {
        const { pen } = this;
        pen.fillStyle = this.colouring === 'none' ? this.colours.accent : this.colourOf(motion, node);
        pen.beginPath();
        pen.arc(this.px(motion.places, 3 * node), this.py(motion.places, 3 * node), 6, 0, 2 * Math.PI);
        pen.fill();
    }

    /** Overlay another run in alternating dark and light dashes, visible on any colour. */
    paintOther(motion) {
        const { pen } = this;
        pen.lineWidth = motion.faces.length ? 0.8 : 1.6;
        pen.lineCap = 'butt';
        this.outline(motion, motion.places, motion.faces);
        pen.setLineDash([5, 5]);
        for (const [colour, offset] of [[this.colours.ink, 0], [this.colours.card, 5]]) {
            pen.strokeStyle = colour;
            pen.lineDashOffset = offset;
            pen.stroke();
        }
        pen.setLineDash([]);
        pen.lineDashOffset = 0;
        pen.lineCap = 'round';
    }

    /** Coordinate axes in the corner. */
    paintAxes() {
        const { pen } = this;
        const [x0, y0, length] = [34, this.height - 34, 20];
        pen.font = '600 11px system-ui, sans-serif';
        pen.textAlign = 'center';
        pen.lineWidth = 2;
        const order = [0, 1, 2].sort((a, b) => this.basis[2][a] - this.basis[2][b]);
        for (const c of order) {
            const [dx, dy] = [this.basis[0][c], -this.basis[1][c]];
            if (Math.hypot(dx, dy) < 0.12) {
                continue;
            }
            pen.strokeStyle = pen.fillStyle = this.colours[['s3', 's0', 's2'][c]];
            pen.beginPath();
            pen.moveTo(x0, y0);
            pen.lineTo(x0 + length * dx, y0 + length * dy);
            pen.stroke();
            const beyond = 9 / Math.hypot(dx, dy); // letters clear of short axes
            pen.fillText('xyz'[c], x0 + (length + beyond) * dx, y0 + (length + beyond) * dy + 4);
        }
        paintScaleBar(this);
    }
}
