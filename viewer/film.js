/* Saves pictures, frames and films of the scene as files. */

const crcTable = once(() => Uint32Array.from({ length: 256 }, (_, n) => {
    let c = n;
    for (let k = 0; k < 8; k++) {
        c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    }
    return c;
}));

function crc32(data) {
    const table = crcTable();
    let c = 0xffffffff;
    for (const byte of data) {
        c = table[(c ^ byte) & 255] ^ (c >>> 8);
    }
    return (c ^ 0xffffffff) >>> 0;
}

/** Little-endian bytes of pairs [value, number of bytes]. */
function little(...pairs) {
    return Uint8Array.from(pairs.flatMap(([value, n]) => Array.from({ length: n }, (_, k) => Math.floor(value / 2 ** (8 * k)) & 255)));
}

/** ZIP archive of files [{name, data}], uncompressed since PNG is compressed. */
function zip(files) {
    const parts = [], entries = [];
    let at = 0;
    for (const { name, data } of files) {
        const text = new TextEncoder().encode(name);
        // version, flags (UTF-8 names), method, time, date (1 January 1980), CRC, sizes, length of the name, no extra fields
        const common = little([20, 2], [0x800, 2], [0, 2], [0, 2], [33, 2], [crc32(data), 4], [data.length, 4], [data.length, 4], [text.length, 2], [0, 2]);
        parts.push(little([0x04034b50, 4]), common, text, data);
        entries.push(little([0x02014b50, 4], [20, 2]), common, little([0, 2], [0, 2], [0, 2], [0, 4], [at, 4]), text);
        at += 4 + common.length + text.length + data.length;
    }
    const size = entries.reduce((sum, e) => sum + e.length, 0);
    return new Blob([...parts, ...entries, little([0x06054b50, 4], [0, 2], [0, 2], [files.length, 2], [files.length, 2], [size, 4], [at, 4], [0, 2])], { type: 'application/zip' });
}

/** Save a file by a download. */
function keep(blob, name) {
    const address = URL.createObjectURL(blob);
    const link = el('a', { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 60000);
}

class Film {
    constructor(player, name) {
        this.player = player;
        this.name = name;
        this.canvas = el('canvas');
        this.pen = this.canvas.getContext('2d');
    }

    /** Copy all layers, legend and time to one canvas. Call in the task in which they were painted: WebGL clears its buffer after it. */
    take() {
        const { scene, legend, clock } = this.player, { pen } = this;
        const { back, middle, front } = scene.canvases;
        // video encoders need even sizes
        const [w, h] = [front.width & ~1, front.height & ~1], { ratio } = scene;
        if (this.canvas.width !== w || this.canvas.height !== h) {
            [this.canvas.width, this.canvas.height] = [w, h];
        }
        pen.setTransform(1, 0, 0, 1, 0, 0);
        pen.fillStyle = styleColour('--card');
        pen.fillRect(0, 0, w, h);
        for (const layer of [back, middle, front]) {
            if (layer.width) {
                pen.drawImage(layer, 0, 0);
            }
        }
        pen.setTransform(ratio, 0, 0, ratio, 0, 0);
        if (!legend.hidden) {
            this.takeLegend(w / ratio);
        }
        pen.fillStyle = scene.colours.ink;
        pen.font = '600 13px system-ui, sans-serif';
        pen.textAlign = 'left';
        pen.fillText(`${data.title}   ${clock.textContent}`, 16, 26);
    }

    takeLegend(width) {
        const { pen } = this, { scene } = this.player;
        const [x, y, w] = [width - 226, 16, 210];
        const { title, lo, hi } = this.player.legendTexts();
        const gradient = pen.createLinearGradient(x, 0, x + w, 0);
        for (let i = 0; i <= 12; i++) {
            gradient.addColorStop(i / 12, heatColour(i / 12));
        }
        pen.fillStyle = gradient;
        pen.fillRect(x, y + 18, w, 9);
        pen.fillStyle = scene.colours.soft;
        pen.font = '12px system-ui, sans-serif';
        pen.textAlign = 'left';
        pen.fillText(title, x, y + 10);
        pen.fillText(lo, x, y + 42);
        pen.textAlign = 'right';
        pen.fillText(hi, x + w, y + 42);
    }

    png() {
        return new Promise(done => this.canvas.toBlob(done, 'image/png'));
    }

    async picture() {
        this.player.scene.paint();
        this.take();
        keep(await this.png(), `${this.name}.png`);
    }

    /** The whole motion as pictures at equal time steps, 25 per second of playback. */
    async frames(tell) {
        const { player } = this, files = [];
        const n = Math.min(1000, Math.max(2, Math.round(25 * (player.to - player.from) / player.speed) + 1));
        player.pause();
        for (let i = 0; i < n && !this.stopped; i++) {
            player.seek(player.from + (player.to - player.from) * i / (n - 1));
            player.scene.paint();
            this.take();
            files.push({ name: `${this.name}-${String(i + 1).padStart(4, '0')}.png`, data: new Uint8Array(await (await this.png()).arrayBuffer()) });
            tell(`${i + 1} of ${n}`);
        }
        if (!this.stopped) {
            keep(zip(files), `${this.name}-frames.zip`);
        }
    }

    /** Play the whole motion once and record it. */
    film(tell) {
        const { player } = this;
        const type = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'].find(x => MediaRecorder.isTypeSupported(x));
        player.scene.paint();
        this.take();
        const recorder = new MediaRecorder(this.canvas.captureStream(30), { mimeType: type, videoBitsPerSecond: 8e6 });
        const pieces = [];
        recorder.ondataavailable = e => pieces.push(e.data);
        const ended = new Promise(done => { recorder.onstop = done; });
        player.pause();
        player.seek(player.from);
        player.scene.afterPaint = () => {
            this.take();
            tell(`${Math.round(100 * (player.t - player.from) / (player.to - player.from))} %`);
        };
        player.ended = () => setTimeout(() => recorder.stop(), 200);
        recorder.start();
        player.toggle();
        return ended.then(() => {
            player.scene.afterPaint = player.ended = null;
            if (!this.stopped) {
                keep(new Blob(pieces, { type: 'video/webm' }), `${this.name}.webm`);
            }
        });
    }

    static canRecord() {
        return typeof MediaRecorder === 'function' && MediaRecorder.isTypeSupported('video/webm') && Boolean(HTMLCanvasElement.prototype.captureStream);
    }
}
