/* Arrows: joint forces over time, from probes, and initial loads. */

class Arrows {
    constructor() {
        this.all = [];
        this.nodes = [];
        this.show = { reactions: true, loads: false };
    }

    /** Create arrows from the marks of a run; a joint force follows the node at the initial position of the joint. */
    take(run, motion, time) {
        const near = 1e-6 * (run.sizes.extent || 1);
        motion.moveTo(motion.first, 1);
        for (const mark of run.marks || []) {
            if (mark.place.length < 3) {
                continue;
            }
            const node = nodeAt(motion, mark.place, near);
            const name = mark.name.replace(/^(?:joint|load) '(.*)'.*$/, '$1');
            for (const i of mark.probes) {
                const curves = run.probes[i].curves.map(packed => curve(packed, time)());
                const reach = Math.max(0, ...curves.map(c => Math.max(...rangeOf(c.v).map(Math.abs))).filter(Number.isFinite));
                this.all.push({ kind: 'reactions', name, node, place: mark.place, reach, colour: 's2', at: t => curves.map(c => valueAt(c, Math.min(t, c.t[c.t.length - 1]))) });
            }
            const reach = Math.hypot(...mark.force);
            if (!mark.joint && reach > 0) {
                this.all.push({ kind: 'loads', name, node, place: mark.place, reach, colour: 's3', at: t => (t === motion.first ? mark.force : null) });
            }
        }
        this.nodes = this.all.filter(a => a.node >= 0).map(a => a.node);
    }

    has(kind) {
        return this.all.some(a => a.kind === kind);
    }

    /** Draw; the longest arrow of all times has a fixed fraction of the picture size. */
    paint(scene) {
        const motion = scene.motions[0];
        const shown = motion.mode ? [] : this.all.filter(a => this.show[a.kind]);
        const largest = Math.max(...shown.map(a => a.reach));
        for (const arrow of shown) {
            const force = arrow.at(scene.t);
            const size = force ? Math.hypot(...force) : 0;
            if (size > 0 && largest > 0) {
                this.paintOne(scene, arrow, force, size, 0.16 * Math.min(scene.width, scene.height) / largest);
            }
        }
    }

    paintOne(scene, arrow, force, size, pixels) {
        const { pen } = scene;
        const p = arrow.node >= 0 ? scene.motions[0].places : arrow.place, at = arrow.node >= 0 ? 3 * arrow.node : 0;
        const [x, y] = [scene.px(p, at), scene.py(p, at)];
        const along = c => scene.basis[c].reduce((sum, b, k) => sum + b * force[k], 0) * pixels;
        const [dx, dy] = [along(0), -along(1)], length = Math.hypot(dx, dy);
        pen.strokeStyle = pen.fillStyle = scene.colours[arrow.colour];
        pen.lineWidth = 2;
        if (length > 1) {
            const head = Math.min(9, 0.5 * length), [ux, uy] = [dx / length, dy / length];
            pen.beginPath();
            pen.moveTo(x, y);
            pen.lineTo(x + dx - 0.6 * head * ux, y + dy - 0.6 * head * uy);
            pen.stroke();
            pen.beginPath();
            pen.moveTo(x + dx, y + dy);
            pen.lineTo(x + dx - head * ux + 0.45 * head * uy, y + dy - head * uy - 0.45 * head * ux);
            pen.lineTo(x + dx - head * ux - 0.45 * head * uy, y + dy - head * uy + 0.45 * head * ux);
            pen.closePath();
            pen.fill();
        }
        pen.font = '600 12px system-ui, sans-serif';
        pen.textAlign = dx < 0 ? 'right' : 'left';
        pen.strokeStyle = scene.colours.card;
        pen.lineWidth = 3.5;
        const { factor, unit } = bestUnit('N', size);
        const text = `${arrow.name} ${number(size * factor, 3)}\u2009${unit}`;
        const [tx, ty] = [x + dx + (dx < 0 ? -6 : 6), y + dy + 4];
        pen.strokeText(text, tx, ty);
        pen.fillText(text, tx, ty);
    }
}

/** The node within `near` of a position at the start of the motion, or -1. */
function nodeAt(motion, place, near) {
    let best = -1, least = near;
    for (let k = 0; k < motion.nodes; k++) {
        const d = Math.hypot(motion.places[3 * k] - place[0], motion.places[3 * k + 1] - place[1], motion.places[3 * k + 2] - place[2]);
        if (d <= least) {
            [best, least] = [k, d];
        }
    }
    return best;
}
