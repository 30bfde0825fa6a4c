/* The animation: a scene with playback, views, colours, and mouse, touch and keyboard input. */

const MATCH = 1e-3; // tolerance for matching a probe with a node, relative to the largest displacement

/** Time history of a probe with three components. */
function spaceCurve(probe, time) {
    const axes = probe.curves.map(packed => curve(packed, time)());
    const [from, to] = [axes[0].t[0], axes[0].t[axes[0].t.length - 1]];
    return { axes, from, to, at: t => axes.map(c => valueAt(c, Math.min(to, Math.max(from, t)))) };
}

/** The node whose displacements at five stored times equal those of a probe; null if it is not unique. */
function nodeOf(probe, motion) {
    const frames = [0, 1, 2, 3, 4].map(i => Math.round(i * (motion.count - 1) / 4)), allowed = MATCH * motion.largest();
    const want = frames.map(f => probe.at(motion.time[f]));
    const near = [];
    for (let k = 0; k < motion.nodes && near.length < 2; k++) {
        const off = frames.map((f, i) => Math.hypot(...want[i].map((x, c) => x - motion.displacement.at(3 * (motion.nodes * f + k) + c, c))));
        if (Math.max(...off) <= allowed) {
            near.push(k);
        }
    }
    return near.length === 1 ? near[0] : null;
}

/** Paths of position probes, and of displacement probes whose node is unique. */
function tracesOf(run, time, motion) {
    const out = [];
    const spatial = run.probes.filter(p => p.components.length === 3 && p.components[0] === 'x');
    for (const quantity of ['position', 'displacement']) {
        for (const probe of spatial.filter(p => p.quantity === quantity)) {
            const { axes, from, to, at } = spaceCurve(probe, time);
            const node = quantity === 'position' ? null : nodeOf({ at }, motion);
            if (out.length >= 6 || (quantity === 'displacement' && node === null)) {
                continue;
            }
            const about = node === null ? [0, 0, 0] : [0, 1, 2].map(c => motion.reference[3 * node + c]);
            const place = t => at(t).map((x, c) => about[c] + x);
            const n = Math.min(600, axes[0].t.length);
            const points = new Float64Array(4 * n);
            for (let i = 0; i < n; i++) {
                points[4 * i] = n > 1 ? from + (to - from) * i / (n - 1) : from;
                points.set(place(points[4 * i]), 4 * i + 1);
            }
            out.push({ name: probe.name, colour: `s${out.length}`, points, drawn: x => x, at: place });
        }
    }
    return out;
}

/** Magnify paths like bodies: about the reference position of the nearest node. */
function anchorTraces(traces, motion) {
    motion.moveTo(motion.first, 1);
    for (const trace of traces) {
        const x0 = [...trace.points.subarray(1, 4)];
        let least = Infinity, node = 0;
        for (let k = 0; k < motion.nodes; k++) {
            const d = Math.hypot(...x0.map((x, c) => x - motion.places[3 * k + c]));
            [least, node] = d < least ? [d, k] : [least, node];
        }
        const about = x0.map((x, c) => x - motion.places[3 * node + c] + motion.reference[3 * node + c]);
        trace.drawn = (x, magnify) => x.map((v, c) => about[c] + magnify * (v - about[c]));
    }
}

class Player {
    constructor(runs, time, axis) {
        this.axis = axis;
        this.motions = runs.map(run => new Motion(run));
        this.traces = tracesOf(runs[0], time, this.motions[0]);
        anchorTraces(this.traces, this.motions[0]);
        const motion = this.motions[0];
        this.from = motion.first;
        this.to = Math.max(motion.last, motion.first);
        this.moving = motion.count > 1 && this.to > this.from;
        this.canvas = el('canvas', {
            class: 'scene', tabindex: '0', role: 'img',
            'aria-label': `${this.moving ? 'Animation of the deformed shape. Space plays and pauses, left and right arrows step, with' : 'The deformed shape. With'} Shift arrows turn, plus and minus zoom, 0 shows everything.`
        });
        this.t = this.moving ? this.from : this.to;
        this.speed = this.moving ? roundStep((this.to - this.from) / 6, 1) : 1;
        this.playing = false;
        this.scene = this.makeScene();
        this.chooseMagnification();
        this.build(runs);
        this.colourBy(motion.temperature && !flat(...motion.temperature.range, 1) ? 'temperature'
            : motion.chains.length + motion.faces.length && this.reach > 0 ? 'displacement' : 'none');
        this.listen();
        this.seek(this.t);
        onTheme.push(() => this.showBar());
    }

    makeScene() {
        return new Scene(this.canvas, this.motions, this.traces);
    }

    /** Magnify small displacements by a round factor. */
    chooseMagnification() {
        const motion = this.motions[0];
        const extent = motion.run.sizes.extent || 1;
        this.reach = motion.largest();
        this.factors = [];
        if (this.reach > 0 && this.reach < 0.05 * extent) {
            const factor = Math.min(1e6, roundStep(0.1 * extent / this.reach, 1));
            this.factors = factor > 1 ? [1, factor] : [1];
            this.setMagnification(factor);
            this.scene.chooseView();
        }
    }

    setMagnification(factor) {
        this.scene.magnify = factor;
        this.scene.measure();
        this.scene.fit();
        this.follow();
    }

    /* ---- controls ---- */

    build(runs) {
        this.playButton = el('button', { type: 'button', class: 'play', onclick: () => this.toggle() });
        this.slider = el('input', {
            type: 'range', min: 0, max: 1000, step: 'any', value: 0, 'aria-label': 'Time',
            oninput: () => this.seek(this.from + (this.to - this.from) * this.slider.value / 1000)
        });
        this.clock = el('output', { class: 'clock' });
        this.legend = el('div', { class: 'legend' });
        this.node = this.assemble(runs);
        this.showButton();
        this.scene.blocked = () => this.overlays();
    }

    /** Rectangles of buttons and legend on the canvas [left, top, right, bottom]. */
    overlays() {
        const at = this.canvas.getBoundingClientRect();
        return [...this.node.querySelectorAll('.views .chip, .full-title'), this.legend].map(node => node.getBoundingClientRect()).filter(r => r.width > 0)
            .map(r => [r.left - at.left, r.top - at.top, r.right - at.left, r.bottom - at.top]);
    }

    assemble(runs) {
        const step = (label, sign, text) => el('button', { type: 'button', class: 'chip', 'aria-label': label, onclick: () => this.step(sign) }, text);
        const bar = this.moving ? el('div', { class: 'transport' }, this.playButton, step('One step back', -1, '\u2039'),
            step('One step on', 1, '\u203a'), this.slider, this.clock) : null;
        return el('section', { class: 'card player', 'aria-label': this.moving ? 'Animation' : 'Shape' }, this.stage(), bar, this.settings(runs), this.help());
    }

    stage() {
        const views = [['front', 'Front'], ['side', 'Side'], ['top', 'Top'], ['space', '3D']];
        return el('div', { class: 'stage' }, this.canvas, this.legend,
            el('div', { class: 'views', role: 'group', 'aria-label': 'View' },
                views.map(([name, label]) => el('button', { type: 'button', class: 'chip', onclick: () => this.scene.look(name) }, label)),
                el('button', { type: 'button', class: 'chip', onclick: () => this.scene.fit() }, 'Fit')));
    }

    settings(runs) {
        const motion = this.motions[0], scene = this.scene;
        const redraw = set => on => {
            set(on);
            scene.draw();
        };
        const colours = [['temperature', 'temperature'], ['displacement', 'displacement'], ...motion.fields.map((f, i) => [String(i), f.name]),
            ['none', 'one colour']].slice(motion.temperature ? 0 : 1);
        this.colourChoice = choice('Colour', colours, 'none', name => this.colourBy(name));
        const speeds = [0.1, 0.2, 0.5, 1, 2, 5, 10].map(k => this.speed * k);
        return el('div', { class: 'chips settings' },
            this.moving && choice('Speed', speeds.map(s => [String(s), `${number(s, 2)}\u2009\u00d7`]), String(this.speed), s => { this.speed = Number(s); }),
            this.colourChoice,
            this.factors.length > 1 && this.magnifier(),
            this.traces.length > 0 && this.moving && toggle(['Paths of ', this.traces.map(t => t.name).join(', ')], true, redraw(on => { scene.showTraces = on; })),
            scene.sky && toggle(scene.sky.title, true, redraw(on => { scene.showSky = on; })),
            runs.length > 1 && toggle([runs.slice(1).map(run => run.label).join(', '), ' (dashed)'], true, redraw(on => { scene.showOther = on; })));
    }

    /** Slider of the magnification from 1 to ten times the initial factor, logarithmic, in round numbers. */
    magnifier() {
        const top = 10 * this.factors[this.factors.length - 1];
        const factorAt = part => Number(Math.pow(top, part).toPrecision(2));
        const text = el('output', {}, `${number(this.scene.magnify, 3)}\u2009\u00d7`);
        const slider = el('input', {
            type: 'range', class: 'magnify', min: 0, max: 1, step: 'any', value: Math.log(this.scene.magnify) / Math.log(top), 'aria-label': 'Magnification of displacements',
            oninput: () => {
                this.scene.magnify = factorAt(Number(slider.value));
                text.textContent = `${number(this.scene.magnify, 3)}\u2009\u00d7`;
                slider.setAttribute('aria-valuetext', text.textContent);
                this.scene.draw();
            },
            onchange: () => this.setMagnification(factorAt(Number(slider.value)))
        });
        this.magnify = el('label', { class: 'choice' }, el('span', {}, 'Displacements'), slider, text);
        return this.magnify;
    }

    help() {
        const keys = [...(this.moving ? [['Space', 'play, pause'], ['\u2190 \u2192', 'step']] : []), ['Shift + arrows', 'turn'], ['+ \u2212', 'zoom'], ['0', 'fit']];
        return [el('p', { class: 'hint mouse' }, 'Drag to turn, Shift + drag to move; the wheel zooms after a click. ', el('span', {}, keys.map(([key, what]) => [el('kbd', {}, key), ` ${what}  `]))),
            el('p', { class: 'hint touch' }, 'Drag with one finger to turn, with two to move and zoom.')];
    }

    colourBy(name) {
        const motion = this.motions[0];
        this.scene.colouring = name;
        this.scene.colourRange = name === 'temperature' ? motion.temperature.range : name in motion.fields ? motion.fields[name].range : [0, this.reach];
        this.colourChoice.querySelector('select').value = name;
        this.showBar();
        this.scene.draw();
        this.follow();
    }

    /** Notify other pictures of the same motion. */
    follow() {
        if (this.changed) {
            this.changed();
        }
    }

    showBar() {
        const name = this.scene.colouring;
        this.legend.hidden = name === 'none';
        const [lo, hi] = this.scene.colourRange;
        const field = this.motions[0].fields[name];
        const [what, unit] = field ? [field.name, field.unit] : name === 'temperature' ? ['temperature increment', 'K'] : ['displacement', unitName('m')];
        const title = `${what} [${unit}]`;
        this.scene.draw();
        if (name !== 'none' && this.scene.constant) {
            this.legend.replaceChildren(el('span', {}, el('i', { class: 'swatch one' }), `${what}: ${number(lo, 3)}\u2009${unit}`));
            return;
        }
        this.legend.replaceChildren(el('span', {}, title),
            el('i', { style: `background:${heatGradient()}` }), el('span', { class: 'ends' }, el('b', {}, number(lo, 3)), el('b', {}, number(hi, 3))));
    }

    /* ---- time ---- */

    showButton() {
        this.playButton.textContent = this.playing ? '\u275a\u275a' : '\u25b6\ufe0e';
        this.playButton.setAttribute('aria-label', this.playing ? 'Pause' : 'Play');
        this.playButton.classList.toggle('on', this.playing);
    }

    toggle() {
        if (!this.moving) {
            return;
        }
        this.playing = !this.playing;
        this.showButton();
        if (this.playing) {
            if (this.t >= this.to) {
                this.seek(this.from);
            }
            this.before = null;
            requestAnimationFrame(now => this.advance(now));
        }
    }

    pause() {
        if (this.playing) {
            this.toggle();
        }
    }

    advance(now) {
        if (!this.playing) {
            return;
        }
        const passed = this.before === null ? 0 : Math.min(0.1, (now - this.before) / 1000);
        this.before = now;
        const t = this.t + passed * this.speed;
        this.seek(Math.min(t, this.to));
        if (t >= this.to) {
            this.atEnd();
        }
        if (this.playing) {
            requestAnimationFrame(later => this.advance(later));
        }
    }

    /** End of playback. */
    atEnd() {
        this.pause();
    }

    timeText() {
        return `${this.t.toFixed(Math.min(9, Math.max(0, 2 - Math.floor(Math.log10(this.to - this.from || 1)))))} s`;
    }

    seek(t) {
        this.t = Math.min(this.to, Math.max(this.from, t));
        this.slider.value = this.moving ? 1000 * (this.t - this.from) / (this.to - this.from) : 0;
        const text = this.timeText();
        this.clock.textContent = text;
        this.slider.setAttribute('aria-valuetext', text);
        this.scene.show(this.t);
        this.axis.showMoment(this.moving ? this.t : null);
    }

    /** Move by `far` stored times. */
    step(sign, far = 1) {
        const { time, count } = this.motions[0];
        this.pause();
        const i = indexBefore(time, this.t + (sign > 0 ? 1e-9 : -1e-9) * (this.to - this.from));
        const k = sign > 0 ? i + far : i - far + (time[i] < this.t - 1e-9 * (this.to - this.from) ? 1 : 0);
        this.seek(time[Math.min(count - 1, Math.max(0, k))]);
    }

    /* ---- mouse, fingers, keys ---- */

    listen() {
        const c = this.canvas;
        this.fingers = new Map();
        c.addEventListener('pointerdown', e => {
            c.setPointerCapture(e.pointerId);
            this.fingers.set(e.pointerId, [e.clientX, e.clientY]);
        });
        c.addEventListener('pointermove', e => this.fingers.has(e.pointerId) && this.drag(e));
        for (const name of ['pointerup', 'pointercancel']) {
            c.addEventListener(name, e => this.fingers.delete(e.pointerId));
        }
        c.addEventListener('contextmenu', e => e.preventDefault());
        c.addEventListener('dblclick', () => this.scene.fit());
        c.addEventListener('wheel', e => {
            if (document.activeElement === c || e.ctrlKey) {
                e.preventDefault();
                const box = c.getBoundingClientRect();
                this.scene.zoomAt(Math.exp(-0.0015 * e.deltaY), e.clientX - box.left, e.clientY - box.top);
            }
        }, { passive: false });
        this.node.addEventListener('keydown', e => this.key(e));
    }

    drag(e) {
        const all = [...this.fingers.values()];
        const old = this.fingers.get(e.pointerId);
        const now = [e.clientX, e.clientY];
        const [dx, dy] = [now[0] - old[0], now[1] - old[1]];
        this.fingers.set(e.pointerId, now);
        if (all.length === 2) {
            const other = all.find(f => f !== old);
            const box = this.canvas.getBoundingClientRect();
            const between = f => Math.max(10, Math.hypot(f[0] - other[0], f[1] - other[1]));
            this.scene.move(dx / 2, dy / 2);
            this.scene.zoomAt(between(now) / between(old), (now[0] + other[0]) / 2 - box.left, (now[1] + other[1]) / 2 - box.top);
        } else if (e.shiftKey || e.buttons & 6) {
            this.scene.move(dx, dy);
        } else {
            this.scene.turn(-0.008 * dx, 0.008 * dy);
        }
    }

    key(e) {
        const inList = e.target.tagName === 'SELECT';
        const onButton = e.target.tagName === 'BUTTON';
        if (inList || e.ctrlKey || e.metaKey || e.altKey) {
            return;
        }
        const turn = { ArrowLeft: [0.1, 0], ArrowRight: [-0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] }[e.key];
        const [w, h] = [this.canvas.clientWidth / 2, this.canvas.clientHeight / 2];
        const actions = {
            ' ': () => this.toggle(), ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1),
            PageUp: () => this.step(-1, 10), PageDown: () => this.step(1, 10),
            Home: () => this.seek(this.from), End: () => this.seek(this.to),
            '+': () => this.scene.zoomAt(1.25, w, h), '=': () => this.scene.zoomAt(1.25, w, h), '-': () => this.scene.zoomAt(0.8, w, h), 0: () => this.scene.fit()
        };
        if (e.shiftKey && turn) {
            this.scene.turn(...turn);
        } else if (e.key in actions && !(e.key === ' ' && onButton)) {
            actions[e.key]();
        } else {
            return;
        }
        e.preventDefault();
    }
}
