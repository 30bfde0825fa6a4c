/* Full-screen player: adds units, cuts, arrows, modes and saving of files to the player of reports. */

const CYCLE = 2; // [s] duration of a cycle of a mode on the screen
const WIDE = 1100; // [px] width of the window from which the panel is open, beside the bodies
const SLOW = 36; // [ms] frame time above which large meshes are drawn coarser during playback

/** The modes of a run as motions; "time" is the fraction of a cycle. */
class Modes extends Motion {
    constructor(run) {
        const n = run.modes.names.length;
        super({ ...run, frames: { count: 1, time: run.frames.time, displacement: run.modes.displacement, temperature: run.modes.temperature } });
        this.mode = true;
        this.which = 0;
        this.number = n;
        this.time = Float64Array.of(0, 1);
        this.count = 2;
        this.temperature.range = [-1, 1];
    }

    weightsAt(t) {
        this.between = [this.which, this.which, 0, 0];
        return [[this.which, Math.sin(2 * Math.PI * t)]];
    }

    /** Largest displacement: 1 except for temperature fields without deformation. */
    largest() {
        const { codes } = this.displacement, from = 3 * this.nodes * this.which;
        let most = 0;
        for (let k = from; k < from + 3 * this.nodes && codes.length; k += 3) {
            most = Math.max(most, Math.hypot(this.displacement.at(k, 0), this.displacement.at(k + 1, 1), this.displacement.at(k + 2, 2)));
        }
        return most;
    }

    get warm() {
        const from = this.nodes * this.which;
        for (let k = from; k < from + this.nodes; k++) {
            if (Math.abs(this.temperature.at(k, 0)) > 0.5) {
                return true;
            }
        }
        return false;
    }
}

/** Add strain rates, differences of stored values. */
function addRates(motion) {
    const strains = motion.fields.filter(f => / strain/.test(f.name));
    for (const field of motion.count > 1 ? strains : []) {
        let lo = 0, hi = 0;
        const { codes, step } = field.values;
        for (let f = 0; f + 1 < motion.count; f++) {
            const h = motion.time[f + 1] - motion.time[f];
            for (let k = motion.nodes * f; k < motion.nodes * (f + 1); k++) {
                const [a, b] = [codes[k], codes[k + motion.nodes]];
                if (a !== 65535 && b !== 65535) {
                    lo = Math.min(lo, step[0] * (b - a) / h);
                    hi = Math.max(hi, step[0] * (b - a) / h);
                }
            }
        }
        motion.fields.push({ name: `rate of ${field.name}`, unit: '1/s', range: [lo, hi], values: field.values, rate: true });
    }
}

class FullPlayer extends Player {
    makeScene() {
        addRates(this.motions[0]);
        this.layers = { back: el('canvas', { class: 'layer' }), middle: el('canvas', { class: 'layer' }), front: this.canvas };
        const scene = new FullScene(this.layers, this.motions, this.traces);
        const run = this.motions[0].run;
        scene.arrows.take(run, this.motions[0], once(() => floats(run.time)));
        scene.use(this.motions[0]);
        this.units = new Map();
        return scene;
    }

    assemble(runs) {
        this.loop = false;
        this.mayHurry = true;
        const panel = el('details', { class: 'panel card' }, el('summary', {}, 'View and colours'), this.settings(runs), this.modesChoice(runs[0]), this.cutting(), this.keeping(), this.about(runs));
        panel.open = window.innerWidth > WIDE;
        panel.addEventListener('toggle', () => {
            this.scene.inset = panel.open && window.innerWidth > WIDE ? panel.offsetWidth : 0;
            this.scene.fit();
        });
        this.bar = el('div', { class: 'transport card' }, this.playButton, this.slider, this.clock);
        this.bar.hidden = !this.moving;
        return el('section', { class: 'full', 'aria-label': 'Animation' }, this.stage(), panel, this.bar);
    }

    stage() {
        const stage = super.stage();
        stage.prepend(this.layers.back, this.layers.middle);
        stage.prepend(el('h1', { class: 'full-title' }, data.title));
        return stage;
    }

    settings(runs) {
        const { scene } = this, box = super.settings(runs);
        for (const [kind, label] of [['joints', 'Joints'], ['reactions', 'Joint forces'], ['loads', 'Initial loads']]) {
            if (scene.arrows.has(kind)) {
                box.append(toggle(label, scene.arrows.show[kind], on => {
                    scene.arrows.show[kind] = on;
                    scene.draw();
                }));
            }
        }
        if (this.motions[0].faces.length && scene.glass) {
            box.append(toggle('Shade', true, on => {
                scene.shade = on ? 1 : 0;
                scene.draw();
            }), choice('Lines', [['crease', 'edges'], ['mesh', 'mesh'], ['', 'none']], scene.edges, name => {
                scene.edges = name;
                scene.draw();
            }));
        }
        if (this.motions[0].coarse && scene.glass) {
            box.append(toggle('Coarser during playback', true, on => { this.mayHurry = on; }));
        }
        this.moving && box.append(toggle('Repeat', false, on => { this.loop = on; }));
        return box;
    }

    /* ---- modes ---- */

    modesChoice(run) {
        if (!run.modes || !run.modes.names.length) {
            return null;
        }
        this.plain = { motion: this.motions[0], moving: this.moving, speed: this.speed };
        this.modes = once(() => new Modes(run));
        const none = this.moving ? [['', 'none']] : []; // models have no motion besides their modes
        return choice('Mode', [...none, ...run.modes.names.map((name, i) => [String(i), name])], '', i => this.showMode(i === '' ? null : Number(i)));
    }

    /** Show a mode, animated with CYCLE whatever its frequency; null: back to the run. */
    showMode(i) {
        const motion = i === null ? this.plain.motion : this.modes(), { scene } = this;
        this.pause();
        if (!this.motions[0].mode) {
            this.plain.magnify = scene.magnify;
        }
        if (this.magnify) {
            this.magnify.hidden = Boolean(motion.mode);
        }
        if (motion.mode) {
            motion.which = i;
            scene.magnify = motion.largest() > 0.5 ? LEAP * (motion.run.sizes.extent || 1) : 1;
            this.reach = motion.largest();
        } else {
            this.reach = motion.largest();
            scene.magnify = this.plain.magnify;
        }
        this.motions[0] = motion;
        [this.from, this.to] = motion.mode ? [0, 1] : [motion.first, Math.max(motion.last, motion.first)];
        this.moving = motion.mode || this.plain.moving;
        this.speed = motion.mode ? 1 / CYCLE : this.plain.speed;
        this.bar.hidden = !this.moving;
        scene.use(motion);
        this.colourBy(motion.mode && motion.warm ? 'temperature' : motion.mode || !motion.temperature ? 'displacement' : 'temperature');
        this.seek(motion.mode ? 0.25 : this.from);
        if (motion.mode && !calm.matches) {
            this.toggle();
        }
    }

    /** During slow playback large meshes are drawn coarser; never in films. */
    advance(now) {
        if (this.playing && this.before !== null) {
            this.frameTime = 0.8 * this.frameTime + 0.2 * (now - this.before);
            this.slow = this.slow || this.frameTime > SLOW;
            this.scene.hurried = this.slow && this.mayHurry && !this.ended;
        }
        super.advance(now);
    }

    showButton() {
        super.showButton();
        this.frameTime = 0;
        this.scene.hurried = this.playing && this.slow && this.mayHurry && !this.ended;
        this.scene.draw();
    }

    /** Modes show the fraction of the cycle instead of a time. */
    timeText() {
        return this.motions[0].mode ? `${Math.round(100 * this.t)} % of a cycle` : super.timeText();
    }

    atEnd() {
        if (this.ended) {
            this.pause();
            this.ended();
        } else if (this.loop || this.motions[0].mode) {
            this.seek(this.from);
        } else {
            this.pause();
        }
    }

    /* ---- legend ---- */

    /** Current unit and choices of units for the colouring quantity. */
    unitNow() {
        const motion = this.motions[0], name = this.scene.colouring, field = motion.fields[name];
        const unit = motion.mode ? '-' : field ? field.unit : name === 'temperature' ? 'K' : unitName('m');
        const choices = motion.mode ? [{ unit: '-', factor: 1, offset: 0 }]
            : unitChoices(unit, name === 'temperature' ? motion.run.reference_temperature : 0);
        const key = `${motion.mode ? 'mode' : ''}${name}`;
        if (!this.units.has(key)) {
            const best = bestUnit(unit, Math.max(...this.scene.colourRange.map(Math.abs)));
            this.units.set(key, Math.max(0, name === 'temperature' ? 0 : choices.findIndex(c => c.unit === best.unit)));
        }
        return { key, choices, now: choices[this.units.get(key)] };
    }

    legendTexts() {
        const motion = this.motions[0], name = this.scene.colouring, field = motion.fields[name];
        const { now } = this.unitNow();
        const what = field ? field.name : name === 'temperature' ? 'temperature' : 'displacement';
        const unit = motion.mode ? 'of the largest' : now.unit;
        const [lo, hi] = this.scene.colourRange.map(x => number(x * now.factor + now.offset, 4));
        return { title: `${what} [${unit}]`, what, lo, hi };
    }

    showBar() {
        const { legend } = this, name = this.scene.colouring;
        legend.hidden = name === 'none';
        if (legend.hidden) {
            return;
        }
        const { key, choices, now } = this.unitNow();
        this.scene.draw();
        const { what, lo, hi } = this.legendTexts();
        const unit = choices.length > 1
            ? choice('Unit', choices.map((c, i) => [String(i), c.unit]), String(this.units.get(key)), i => {
                this.units.set(key, Number(i));
                this.showBar();
            }) : this.motions[0].mode ? ' of the largest' : ` [${choices[0].unit}]`;
        if (this.scene.constant) {
            legend.replaceChildren(el('span', {}, el('i', { class: 'swatch one' }), `${what}: ${lo}\u2009${now.unit}`));
            return;
        }
        legend.replaceChildren(el('span', { class: 'row' }, what, unit), el('i', { style: `background:${heatGradient()}` }),
            el('span', { class: 'ends' }, el('b', {}, lo), el('b', {}, hi)));
    }

    /* ---- cuts ---- */

    cutting() {
        const { scene } = this;
        if (!this.motions[0].faces.length || !scene.glass) {
            return null;
        }
        let axis = '', part = 0.5, sign = 1;
        const slider = el('input', { type: 'range', min: 0, max: 1, step: 'any', value: 0.5, 'aria-label': 'Position of the cut', hidden: true, oninput: () => set(axis, Number(slider.value), sign) });
        const flip = el('button', { type: 'button', class: 'chip', hidden: true, onclick: () => set(axis, part, -sign) }, 'Other side');
        const set = (a, p, s) => {
            [axis, part, sign] = [a, p, s];
            slider.hidden = flip.hidden = a === '';
            const c = Number(a), { lo, hi } = scene.box;
            const normal = [0, 1, 2].map(k => (k === c ? sign : 0));
            scene.cut = a === '' ? null : { normal, at: sign * (lo[c] + part * (hi[c] - lo[c])) };
            scene.draw();
        };
        return el('div', { class: 'chips settings' }, choice('Cut', [['', 'none'], ['0', 'normal to x'], ['1', 'normal to y'], ['2', 'normal to z']], '', a => set(a, part, sign)), slider, flip);
    }

    /* ---- files ---- */

    keeping() {
        const film = new Film(this, (data.runs[0].file || 'scene').replace(/\.h5$/, ''));
        const state = el('output', { class: 'note' });
        const busy = work => async () => {
            buttons.forEach(b => { b.disabled = true; });
            try {
                await work(text => { state.textContent = text; });
                state.textContent = '';
            } catch (error) {
                state.textContent = error.message;
            }
            buttons.forEach(b => { b.disabled = false; });
        };
        const button = (label, title, work) => el('button', { type: 'button', class: 'chip', title, onclick: busy(work) }, label);
        const buttons = [button('Picture', 'Current view as PNG', () => film.picture()),
            button('Frames', 'The whole motion as PNG pictures in a ZIP archive', tell => film.frames(tell)),
            Film.canRecord() && button('Film', 'The whole motion as WebM, recorded while it plays once', tell => film.film(tell))].filter(Boolean);
        this.film = film;
        return el('div', { class: 'chips settings' }, el('span', { class: 'note' }, 'Save'), buttons, state);
    }

    /** Notes on accuracy and on what is not shown. */
    about(runs) {
        const run = runs[0], motion = this.motions[0], u = motion.displacement;
        const within = Math.max(...u.step) / 2;
        const lines = !this.moving ? [`${whole(run.mesh.nodes)} of ${whole(run.mesh.all_nodes)} nodes.`] : [`${whole(run.mesh.nodes)} of ${whole(run.mesh.all_nodes)} nodes at ${whole(run.frames.count)} of ${whole(run.frames.all)} output times; cubic interpolation between them.`,
            `Positions are accurate to ${number(within, 2)} ${unitName('m')}${motion.temperature ? `, temperatures to ${number(motion.temperature.step[0] / 2, 2)} K` : ''} (stored with 16 bits).`];
        if (run.coarse) {
            lines.push(`If the browser is too slow, only ${whole(run.coarse.nodes)} nodes are drawn during playback; still pictures and saved files show all nodes.`);
        }
        if (this.moving && !motion.fields.some(f => f.unit === 'Pa')) {
            lines.push('No stresses in this run; output: {stress: true, strain: true} stores them for the bodies that support them.');
        }
        if (this.moving && !this.scene.arrows.has('reactions')) {
            lines.push('No joint forces in this run; probes {joint: NAME, quantity: joint_force} store them.');
        }
        if (this.moving && !motion.temperature) {
            lines.push('No temperatures: the model has none.');
        }
        lines.push(...this.scene.arrows.legend());
        if (!this.scene.glass) {
            lines.push('This browser has no WebGL 2: drawing is slow, without cuts and shading.');
        }
        return el('details', { class: 'meaning' }, el('summary', {}, 'What is shown'), lines.map(text => el('p', { class: 'hint' }, text)), this.help());
    }
}
