/* Small pictures of the modes of a reduced model: mode shapes, and temperature fields with their static deformation. */

/** One mode as a motion with a single stored time. */
function standing(run, i) {
    const { modes } = run, n = run.mesh.nodes;
    const motion = new Motion({ ...run, frames: { count: 1, time: run.frames.time, displacement: modes.displacement, temperature: modes.temperature } });
    const move = parts(modes.displacement, 3), heat = parts(modes.temperature, 1);
    motion.time = Float64Array.of(0);
    motion.displacement = { ...move, codes: move.codes.subarray(3 * n * i, 3 * n * (i + 1)), at: (k, c) => move.at(3 * n * i + k, c) };
    motion.temperature = { ...heat, codes: heat.codes.subarray(n * i, n * (i + 1)), at: k => heat.at(n * i + k, 0), range: [-1, 1] };
    motion.warm = Array.from({ length: n }, (_, k) => Math.abs(heat.at(n * i + k, 0))).some(x => x > 0.5);
    return motion;
}

/** Flat structures that move in their plane are seen from the front, others obliquely; z upwards. */
function modeView(scene, motion) {
    const range = c => rangeOf(Array.from({ length: motion.nodes }, (_, k) => motion.reference[3 * k + c]));
    const size = [0, 1, 2].map(c => range(c)[1] - range(c)[0]);
    const least = [2, 1, 0].reduce((best, c) => (size[c] < 0.999 * size[best] ? c : best));
    const moved = [0, 1, 2].map(c => Math.max(...Array.from({ length: motion.nodes }, (_, k) => Math.abs(motion.displacement.at(3 * k + c, c)))));
    const across = moved[least] > Math.max(...moved.filter((_, c) => c !== least));
    const flat = !motion.faces.length || (size[least] < 0.2 * Math.max(...size) && !across);
    scene.view = new View(flat && least === 2 ? 1 : 2);
    scene.look(!flat ? 'space' : least === 0 ? 'side' : 'front');
}

function modePicture(run, i, scenes) {
    const motion = standing(run, i), name = run.modes.names[i];
    const canvas = el('canvas', { class: 'mode', role: 'img', 'aria-label': name });
    const scene = new Scene(canvas, [motion], [], true);
    scene.magnify = motion.largest() > 0.5 ? LEAP * (run.sizes.extent || 1) : 1;
    scene.colouring = motion.warm ? 'temperature' : 'displacement';
    scene.colourRange = motion.warm ? [-1, 1] : [0, 1];
    scenes.push([scene, motion]);
    return el('div', {}, canvas, el('span', { class: 'note' }, name));
}

/** All mode pictures of a run. */
function modesFigure(run) {
    const scenes = [];
    const frames = run.modes.names.map((name, i) => modePicture(run, i, scenes));
    for (const [scene, motion] of scenes) {
        scene.measure();
        modeView(scene, motion);
        scene.show(0);
    }
    const held = run.modes.names.some(name => name.startsWith('temperature'));
    return el('figure', { class: 'card figure modes' }, el('figcaption', {}, el('h3', {}, 'Modes of the reduced model in the initial state'),
        el('span', { class: 'note' }, held ? 'temperature fields from least (dark) to largest, with the static deformation under the constraints' : 'coloured by displacement')),
    el('div', { class: 'frames' }, frames));
}
