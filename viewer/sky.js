/* Sun, Earth and scale bar of a scene. Directions are drawn about the centre of the picture, whatever its zoom. */

const SKY = 0.4; // distance of the symbols from the centre, relative to the smaller side of the picture

/** {sun, earth, light} at time t: unit vectors, and the visible part of the Sun; null without data. */
function skyOf(run) {
    if (!run.sky) {
        return null;
    }
    const time = floats(run.frames.time), data = {};
    for (const key of ['sun', 'earth', 'light']) {
        data[key] = run.sky[key] ? floats(run.sky[key]) : null;
    }
    const sky = t => {
        const i = Math.min(Math.max(0, indexBefore(time, t)), Math.max(0, time.length - 2)), j = Math.min(i + 1, time.length - 1);
        const s = j > i ? Math.min(1, Math.max(0, (t - time[i]) / (time[j] - time[i]))) : 0;
        const at = (list, width) => list && Array.from({ length: width }, (_, c) => (1 - s) * list[width * i + c] + s * list[width * j + c]);
        return { sun: at(data.sun, 3), earth: at(data.earth, 3), light: data.light ? at(data.light, 1)[0] : 1 };
    };
    sky.title = [data.sun && 'Sun', data.earth && 'Earth'].filter(Boolean).join(' and ');
    return sky;
}

/** A text with an outline in the colour of the ground, and its rectangle kept free of other labels. */
function haloText(scene, text, x, y, align, colour) {
    const { pen } = scene;
    pen.font = '600 12px system-ui, sans-serif';
    pen.textAlign = 'left';
    const width = pen.measureText(text).width;
    const left = Math.min(Math.max(4, align === 'center' ? x - width / 2 : align === 'right' ? x - width : x), scene.width - width - 4);
    pen.lineWidth = 3.5;
    pen.strokeStyle = scene.colours.card;
    pen.fillStyle = colour;
    pen.strokeText(text, left, y);
    pen.fillText(text, left, y);
    scene.labels.push([left - 3, y - 12, left + width + 3, y + 4]);
}

/** An arrow between two points [px]. */
function flatArrow(pen, [x, y], [ex, ey]) {
    const length = Math.hypot(ex - x, ey - y), head = Math.min(9, 0.5 * length);
    const [ux, uy] = [(ex - x) / length, (ey - y) / length];
    pen.beginPath();
    pen.moveTo(x, y);
    pen.lineTo(ex - 0.6 * head * ux, ey - 0.6 * head * uy);
    pen.stroke();
    pen.beginPath();
    pen.moveTo(ex, ey);
    pen.lineTo(ex - head * ux + 0.45 * head * uy, ey - head * uy - 0.45 * head * ux);
    pen.lineTo(ex - head * ux - 0.45 * head * uy, ey - head * uy + 0.45 * head * ux);
    pen.closePath();
    pen.fill();
}

/** Disc of the Sun with rays; hollow in eclipse. */
function sunSymbol(pen, x, y, lit) {
    pen.lineWidth = 1.6;
    pen.beginPath();
    pen.arc(x, y, 6, 0, 2 * Math.PI);
    lit ? pen.fill() : pen.stroke();
    pen.beginPath();
    for (let k = 0; k < 8 && lit; k++) {
        const [c, s] = [Math.cos(k * Math.PI / 4), Math.sin(k * Math.PI / 4)];
        pen.moveTo(x + 8.5 * c, y + 8.5 * s);
        pen.lineTo(x + 11.5 * c, y + 11.5 * s);
    }
    pen.stroke();
}

function earthSymbol(pen, x, y) {
    pen.lineWidth = 1.6;
    pen.beginPath();
    pen.arc(x, y, 7, 0, 2 * Math.PI);
    pen.moveTo(x - 7, y);
    pen.lineTo(x + 7, y);
    pen.moveTo(x, y - 7);
    pen.lineTo(x, y + 7);
    pen.stroke();
}

/** Text that names a direction close to the line of sight, which has no arrow. */
function along(towards, seen) {
    return seen > 0.25 ? '' : towards > 0 ? ', behind the viewer' : ', behind the picture';
}

/** Draw the directions to the Sun, with the arrow of its light, and to the Earth. */
function paintSky(scene) {
    const { pen, sky } = scene;
    if (!sky || !scene.showSky || scene.motions[0].mode) {
        return;
    }
    const { sun, earth, light } = sky(scene.t);
    const centre = [(scene.width - scene.inset) / 2, scene.height / 2 + 8], reach = SKY * Math.min(scene.width - scene.inset, scene.height);
    for (const [name, d] of [['Earth', earth], ['Sun', sun]]) {
        if (!d || !d.every(Number.isFinite)) {
            continue;
        }
        const [u, v, w] = scene.basis.map(axis => axis[0] * d[0] + axis[1] * d[1] + axis[2] * d[2]), seen = Math.hypot(u, v);
        const at = part => [centre[0] + part * reach * u, centre[1] - part * reach * v];
        const [x, y] = at(1), lit = light > 0.005;
        const colour = scene.colours[name === 'Earth' ? 's2' : lit ? 's1' : 'soft'];
        pen.strokeStyle = pen.fillStyle = colour;
        pen.lineWidth = 2;
        if (seen > 0.25) {
            const from = 1 - 16 / (reach * seen), ends = [at(from), at(from - 0.28)];
            flatArrow(pen, ...(name === 'Earth' ? ends.reverse() : ends));
        }
        name === 'Earth' ? earthSymbol(pen, x, y) : sunSymbol(pen, x, y, lit);
        const state = name === 'Earth' ? '' : !lit ? ', eclipsed' : light < 0.995 ? `, ${Math.round(100 * light)} % visible` : '';
        haloText(scene, name + along(w, seen) + state, x, v > 0 ? y - 17 : y + 26, 'center', colour);
    }
}

const lengthNames = [['km', 1e3], ['m', 1], ['mm', 1e-3], ['\u00b5m', 1e-6]];

/** Bar of a round length beside the coordinate axes. */
function paintScaleBar(scene) {
    const { pen, k } = scene, y = scene.height - 24, x = 84;
    const length = roundStep(60 / k, 1), named = unitName('m');
    const [unit, size] = named === 'm' ? lengthNames.find(([, s]) => length >= 0.999 * s) || lengthNames[3] : [named, 1];
    const end = x + k * length;
    pen.strokeStyle = scene.colours.soft;
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.moveTo(x, y - 4);
    pen.lineTo(x, y);
    pen.lineTo(end, y);
    pen.lineTo(end, y - 4);
    pen.stroke();
    pen.font = '11px system-ui, sans-serif';
    pen.textAlign = 'center';
    pen.fillStyle = scene.colours.soft;
    pen.fillText(`${number(length / size, 3)}\u2009${unit}`, (x + end) / 2, y - 7);
}
