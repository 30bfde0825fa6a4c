/* WebGL drawing of surfaces, lines and dots in the projection of a scene. Vertices are projected on the CPU: x and y [px],
   depth, colour level, and distance behind the cut. (Other layers need the projection, too, and software renderers are slower.) */

const vertexShader = `#version 300 es
layout(location = 0) in vec4 point; // x, y, depth [px], level
layout(location = 1) in float behind;
uniform vec3 scale; // 1 / width, 1 / height, 1 / depth range
uniform vec2 dots; // size [px], depth offset to the front
out float level, depth, cut;
void main() {
    gl_Position = vec4(2.0 * point.x * scale.x - 1.0, 1.0 - 2.0 * point.y * scale.y, -point.z * scale.z - dots.y, 1.0);
    gl_PointSize = dots.x;
    level = point.w;
    depth = point.z;
    cut = behind;
}`;

/* CUT: discards fragments behind the cut. DOTS: round dots without shading. LINES: edges in one colour. Surfaces are lit from the upper left, with
   the normal from the slope of the depth. */
const fragmentShader = `
precision highp float;
in float level, depth, cut;
uniform vec3 stops[7];
uniform vec3 ghost, accent;
uniform vec3 look; // single colour (> 0.5); strength of the shading; pixels of the screen per pixel
out vec4 result;
void main() {
#ifdef CUT
    if (cut > 0.0) {
        discard;
    }
#endif
    float s = clamp(level, 0.0, 1.0) * 6.0;
    int i = min(5, int(s));
    vec3 c = look.x > 0.5 ? accent : level < -0.01 ? ghost : mix(stops[i], stops[i + 1], s - float(i));
#ifdef LINES
    result = vec4(accent, 1.0);
#else
#ifdef DOTS
    if (length(gl_PointCoord - 0.5) > 0.5) {
        discard;
    }
    result = vec4(c, 1.0);
#else
    vec3 normal = normalize(vec3(-dFdx(depth) * look.z, -dFdy(depth) * look.z, 1.0));
    result = vec4(c * mix(1.0, 0.7 + 0.32 * max(0.0, dot(normal, vec3(-0.303, 0.455, 0.837))), look.y), 1.0);
#endif
#endif
}`;

const MISSING = -1000; // level without value: so low that a triangle is grey if one corner is
const MANY = 20000; // antialiasing is off from this number of triangles on

/** A CSS colour as [r, g, b] from 0 to 1. */
const readColour = once(() => {
    const pen = el('canvas', { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true });
    return text => {
        pen.fillStyle = text;
        pen.fillRect(0, 0, 1, 1);
        return Array.from(pen.getImageData(0, 0, 1, 1).data.subarray(0, 3), x => x / 255);
    };
});

/** Triangle fans of faces, and edges of faces with only two distinct corners (compared by node numbers). */
function triangles(faces) {
    const corners = new Uint32Array(3 * faces.reduce((sum, face) => sum + face.length - 2, 0));
    const pairs = [];
    let n = 0;
    for (const face of faces) {
        const from = n;
        for (let k = 2; k < face.length; k++) {
            if (face[0] !== face[k - 1] && face[k - 1] !== face[k] && face[k] !== face[0]) {
                corners[n++] = face[0];
                corners[n++] = face[k - 1];
                corners[n++] = face[k];
            }
        }
        if (n === from && face[0] !== face[1]) {
            pairs.push([face[0], face[1]]);
        }
    }
    return { corners: corners.subarray(0, n), pairs };
}

const CREASE = Math.cos(Math.PI / 6); // an edge is drawn where its faces enclose a larger angle

/** Pairs of nodes of the edges of faces: all, or those of one face, of more than two, and of two faces at an angle. */
function edgesOf(faces, reference, all) {
    const at = (n, c) => reference[3 * n + c], edges = new Map(), base = reference.length;
    for (const face of faces) {
        const n = [0, 0, 0];
        face.forEach((a, k) => {
            const b = face[(k + 1) % face.length];
            [0, 1, 2].forEach(c => { n[c] += at(a, (c + 1) % 3) * at(b, (c + 2) % 3) - at(a, (c + 2) % 3) * at(b, (c + 1) % 3); });
        });
        const size = Math.hypot(...n) || 1, normal = n.map(x => x / size);
        face.forEach((a, k) => {
            const b = face[(k + 1) % face.length], key = Math.min(a, b) * base + Math.max(a, b), old = edges.get(key);
            if (a !== b && !old) {
                edges.set(key, { a, b, normal, draw: true });
            } else if (a !== b) {
                // the second face may be oriented either way
                old.draw = !old.normal || Math.abs(old.normal[0] * normal[0] + old.normal[1] * normal[1] + old.normal[2] * normal[2]) < CREASE;
                old.normal = null;
            }
        });
    }
    return Uint32Array.from([...edges.values()].filter(e => all || e.draw).flatMap(e => [e.a, e.b]));
}

class Glass {
    /** `gl` is null without WebGL 2. */
    constructor(canvas, motion) {
        const { corners, pairs } = triangles(motion.faces);
        this.pairs = pairs;
        this.whole = { corners };
        this.coarse = motion.coarse && { corners: triangles(motion.coarse).corners };
        this.gl = canvas.getContext('webgl2', { antialias: corners.length < 3 * MANY });
        if (this.gl) {
            const { gl } = this;
            this.programs = {};
            [this.points, this.behind] = [0, 1].map(() => gl.createBuffer());
            for (const faces of [this.whole, this.coarse].filter(Boolean)) {
                faces.buffer = this.keep(faces.corners).buffer;
            }
            this.edges = { crease: once(() => this.keep(edgesOf(motion.faces, motion.reference, false))), mesh: once(() => this.keep(edgesOf(motion.faces, motion.reference, true))) };
            this.vertices = new Float32Array(4 * motion.nodes);
            this.far = new Float32Array(motion.nodes);
        }
    }

    /** Indices in a buffer. */
    keep(corners) {
        const { gl } = this, buffer = gl.createBuffer();
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffer);
        gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, corners, gl.STATIC_DRAW);
        return { buffer, corners };
    }

    program(defines) {
        const { gl } = this, name = defines.join();
        if (!this.programs[name]) {
            const made = gl.createProgram();
            const source = ['#version 300 es', ...defines.map(d => `#define ${d}`), fragmentShader].join('\n');
            for (const [kind, text] of [[gl.VERTEX_SHADER, vertexShader], [gl.FRAGMENT_SHADER, source]]) {
                const shader = gl.createShader(kind);
                gl.shaderSource(shader, text);
                gl.compileShader(shader);
                gl.attachShader(made, shader);
            }
            gl.linkProgram(made);
            if (!gl.getProgramParameter(made, gl.LINK_STATUS)) {
                throw new Error(gl.getProgramInfoLog(made) || 'the shaders cannot be linked');
            }
            const uniforms = {};
            for (let i = 0; i < gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS); i++) {
                const key = gl.getActiveUniform(made, i).name.replace('[0]', '');
                uniforms[key] = gl.getUniformLocation(made, key);
            }
            this.programs[name] = { made, uniforms };
        }
        gl.useProgram(this.programs[name].made);
        return this.programs[name].uniforms;
    }

    resize(width, height) {
        const { canvas } = this.gl;
        canvas.width = width;
        canvas.height = height;
    }

    clear(scene) {
        const { gl } = this, read = readColour();
        gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
        gl.clearColor(0, 0, 0, 0);
        gl.enable(gl.DEPTH_TEST);
        gl.depthFunc(gl.LEQUAL);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        this.colours = this.colours || {
            stops: new Float32Array((dark.matches ? heatStops.dark : heatStops.light).flat().map(x => x / 255)),
            ghost: read(scene.colours.ghost), accent: read(scene.colours.accent), edge: read(scene.colours.edge)
        };
    }

    /** Use a program and set its uniforms. dots: size [px], 0: none. front: depth offset. lines: edges of faces. */
    begin(scene, dots, front, lines = false) {
        const { gl } = this;
        const u = this.program([...(scene.cut ? ['CUT'] : []), ...(dots ? ['DOTS'] : []), ...(lines ? ['LINES'] : [])]);
        gl.uniform3fv(u.stops, this.colours.stops);
        gl.uniform3fv(u.ghost, this.colours.ghost);
        gl.uniform3fv(u.accent, lines ? this.colours.edge : this.colours.accent);
        gl.uniform3f(u.scale, 1 / scene.width, 1 / scene.height, 1 / (scene.k * scene.depthRange));
        gl.uniform2f(u.dots, dots * scene.ratio, front);
        gl.uniform3f(u.look, scene.colouring === 'none' ? 1 : 0, front ? 0 : scene.shade, scene.ratio);
    }

    send(buffer, place, width, data) {
        const { gl } = this;
        gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
        gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
        gl.enableVertexAttribArray(place);
        gl.vertexAttribPointer(place, width, gl.FLOAT, false, 0, 0);
    }

    /** Send distances behind the cut, negative in front of it. */
    sendBehind(cut, far) {
        if (cut) {
            this.send(this.behind, 1, 1, far);
        } else {
            this.gl.disableVertexAttribArray(1);
        }
    }

    drawFaces(scene) {
        const { gl, vertices, far } = this;
        const faces = scene.hurried && this.coarse ? this.coarse : this.whole;
        if (!faces.corners.length) {
            return;
        }
        scene.fillVertices(vertices, far);
        this.begin(scene, 0, 0);
        this.send(this.points, 0, 4, vertices);
        this.sendBehind(scene.cut, far);
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, faces.buffer);
        gl.drawElements(gl.TRIANGLES, faces.corners.length, gl.UNSIGNED_INT, 0);
        if (scene.edges && !(scene.hurried && this.coarse)) {
            const lines = this.edges[scene.edges]();
            this.begin(scene, 0, 0.0015, true);
            gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, lines.buffer);
            gl.drawElements(gl.LINES, lines.corners.length, gl.UNSIGNED_INT, 0);
        }
    }

    /** Draw rows [x, y, depth, level, behind] as triangles (size 0) or as dots of a size [px]. */
    drawPoints(scene, rows, size) {
        const { gl } = this;
        if (rows.length) {
            this.begin(scene, size, 0.002);
            this.send(this.points, 0, 4, Float32Array.from(rows.flatMap(row => row.slice(0, 4))));
            this.sendBehind(scene.cut, Float32Array.from(rows, row => row[4]));
            gl.drawArrays(size ? gl.POINTS : gl.TRIANGLES, 0, rows.length);
        }
    }
}
