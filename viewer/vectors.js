/* Marks: symbols of joints, arrows of joint forces over time, from probes, and of initial loads. */

const FEW_JOINTS = 8; // names are drawn up to this number

class Arrows {
    constructor() {
        this.all = [];
        this.nodes = [];
        this.joints = [];
        this.show = { joints: true, reactions: true, loads: false };
    }

    /** Create arrows from the marks of a run; a joint force follows the node at the initial position of the joint. */
    take(run, motion, time) {
        const near = 1e-6 * (run.sizes.extent || 1) + 2 * Math.hypot(...motion.displacement.step); // positions are rounded
        motion.moveTo(motion.first, 1);
        for (const mark of run.marks || []) {
            if (mark.place.length < 3) {
                continue;
            }
            const node = nodeAt(motion, mark.place, near);
            const name = mark.name.replace(/^(?:joint|load) '(.*)'.*$/, '$1');
            // a joint off the nodes is drawn only where it cannot move
            if (mark.joint && (node >= 0 || mark.ground)) {
                this.joints.push({ name, node, place: mark.place, type: mark.type, ground: mark.ground });
            }
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
        return kind === 'joints' ? this.joints.length > 0 : this.all.some(a => a.kind === kind);
    }

    /** Does anything move with time? */
    get moving() {
        return this.all.length + this.joints.length > 0;
    }

    /** Types of the joints with their symbols: lines of the legend. */
    legend() {
        const names = new Map();
        this.joints.forEach(j => names.set(j.type, [...(names.get(j.type) || []), j.name]));
        return [...names].map(([type, list]) => `${symbolOf(type).word}: ${type || 'joint'} (${list.slice(0, 6).join(', ')}${list.length > 6 ? ', \u2026' : ''})`);
    }

    paintJoints(scene) {
        for (const joint of this.joints) {
            const p = joint.node >= 0 ? scene.motions[0].places : joint.place, at = joint.node >= 0 ? 3 * joint.node : 0;
            const [x, y] = [scene.px(p, at), scene.py(p, at)];
            paintJoint(scene, joint, x, y);
        }
        scene.pen.font = '11px system-ui, sans-serif';
        for (const joint of this.joints.length <= FEW_JOINTS ? this.joints : []) {
            const p = joint.node >= 0 ? scene.motions[0].places : joint.place, at = joint.node >= 0 ? 3 * joint.node : 0;
            scene.pen.fillStyle = scene.colours.ink;
            scene.placeLabel(joint.name, scene.px(p, at) + 10, scene.py(p, at) - 8, 0, true);
        }
    }

    /** Draw; the longest arrow of all times has a fixed fraction of the picture size. */
    paint(scene) {
        const motion = scene.motions[0];
        if (this.show.joints && !motion.mode) {
            this.paintJoints(scene);
        }
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
            flatArrow(pen, [x, y], [x + dx, y + dy]);
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

/** Symbol of a type of joint: its shape, and its name in the legend. */
function symbolOf(type) {
    if (/clamp|tie/.test(type)) {
        return { shape: 'square', word: 'Square' };
    }
    if (/prismatic|cylindrical|screw|guide|on_line|on_plane|planar|on_curve|distance/.test(type)) {
        return { shape: 'slider', word: 'Wide rectangle' };
    }
    if (/spherical|universal/.test(type)) {
        return { shape: 'ball', word: 'Filled circle' };
    }
    return /revolute|motor|rotation|gear/.test(type) ? { shape: 'pin', word: 'Ring with dot' } : { shape: 'diamond', word: 'Diamond' };
}

/** Draw a joint at (x, y); joints to the ground stand on a hatched line. */
function paintJoint(scene, joint, x, y) {
    const { pen } = scene, { shape } = symbolOf(joint.type);
    pen.lineWidth = 1.6;
    pen.strokeStyle = scene.colours.ink;
    pen.fillStyle = scene.colours.card;
    if (joint.ground) {
        pen.beginPath();
        pen.moveTo(x - 9, y + 11);
        pen.lineTo(x + 9, y + 11);
        for (let k = -9; k <= 9; k += 6) {
            pen.moveTo(x + k, y + 11);
            pen.lineTo(x + k - 4, y + 16);
        }
        pen.moveTo(x, y);
        pen.lineTo(x - 7, y + 11);
        pen.moveTo(x, y);
        pen.lineTo(x + 7, y + 11);
        pen.stroke();
    }
    pen.beginPath();
    if (shape === 'square') {
        pen.rect(x - 4.5, y - 4.5, 9, 9);
    } else if (shape === 'slider') {
        pen.rect(x - 8, y - 4, 16, 8);
    } else if (shape === 'diamond') {
        pen.moveTo(x, y - 6);
        [[6, 0], [0, 6], [-6, 0]].forEach(([a, b]) => pen.lineTo(x + a, y + b));
        pen.closePath();
    } else {
        pen.arc(x, y, 5, 0, 2 * Math.PI);
    }
    pen.fill();
    pen.stroke();
    if (shape === 'pin' || shape === 'ball') {
        pen.fillStyle = scene.colours.ink;
        pen.beginPath();
        pen.arc(x, y, shape === 'pin' ? 1.5 : 3.2, 0, 2 * Math.PI);
        pen.fill();
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
