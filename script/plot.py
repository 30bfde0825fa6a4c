"""Plots with axes as SVG, for the figures of the documentation."""
import math

STYLE = (".grid{stroke:#e8ebef;fill:none}.tick{font-size:13px;fill:#374151}.label{font-size:14px;fill:#111827}")
COLOURS = ("#1f6f8b", "#b4472f", "#4a7c2c", "#7b4ea3", "#b8860b", "#374151", "#c2528b", "#2f8f8f")


def text(x, y, words, kind="tick", anchor="start"):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}">{words}</text>'


def page(width, height, parts):
    """a complete SVG file"""
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" font-family="Helvetica, Arial, sans-serif">')
    return "\n".join([head, f"<style>{STYLE}</style>", '<rect width="100%" height="100%" fill="#fff"/>', *parts, "</svg>"])


def round_ticks(low, high, about=6):
    """round tick values between low and high"""
    step = 10.0 ** math.floor(math.log10((high - low) / about))
    step *= next(k for k in (1, 2, 5, 10) if (high - low) / (k * step) <= about)
    return [k * step for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


class Axes:
    """a frame (left, top, right, bottom) on the page with ranges x and y; log_x, log_y: logarithmic"""

    def __init__(self, frame, x, y, log_x=False, log_y=False):
        self.left, self.top, self.right, self.bottom = frame
        self.x, self.y, self.log_x, self.log_y = x, y, log_x, log_y
        self.parts = []

    @staticmethod
    def part(value, ends, logarithmic):
        low, high = ends
        return math.log(value / low) / math.log(high / low) if logarithmic else (value - low) / (high - low)

    def place(self, x, y):
        """position of a point on the page"""
        across, up = self.part(x, self.x, self.log_x), self.part(y, self.y, self.log_y)
        return self.left + across * (self.right - self.left), self.bottom - up * (self.bottom - self.top)

    def across(self, ticks, label=None):
        """x axis: ticks, grid lines, label"""
        for n in ticks:
            x, y = self.place(n, self.y[0])
            self.parts.append(f'<path d="M{x:.1f} {self.top}V{y:.1f}" class="grid"/>')
            self.parts.append(text(x, y + 20, f"{n:g}", anchor="middle"))
        if label:
            self.parts.append(text((self.left + self.right) / 2, self.bottom + 44, label, "label", "middle"))

    def up(self, ticks, label=None, scale=1.0):
        """y axis: ticks (labels times `scale`), grid lines, label"""
        for n in ticks:
            x, y = self.place(self.x[0], n)
            self.parts.append(f'<path d="M{x:.1f} {y:.1f}H{self.right}" class="grid"/>')
            self.parts.append(text(x - 8, y + 4, f"{n * scale:.6g}", anchor="end"))
        if label:
            self.parts.append(text(self.left - 50, self.top - 14, label, "label"))

    def curve(self, points, colour, dash="", width=2.0):
        """polyline without indistinguishable points; points outside of the frame interrupt it"""
        path, pen, last = [], "M", (-1.0, -1.0)
        for x, y in points:
            if not (self.x[0] <= x <= self.x[1] and self.y[0] <= y <= self.y[1]):
                pen = "M"
                continue
            a, b = self.place(x, y)
            if pen == "M" or math.hypot(a - last[0], b - last[1]) > 0.7:
                path.append(f"{pen}{a:.1f} {b:.1f}")
                pen, last = "L", (a, b)
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(f'<path d="{"".join(path)}" stroke="{colour}" stroke-width="{width:g}" fill="none"{dashes}/>')

    def mark(self, x, y, colour, hollow=False):
        a, b = self.place(x, y)
        fill = "#fff" if hollow else colour
        self.parts.append(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="4" stroke="{colour}" fill="{fill}"/>')

    def key(self, names):
        """legend of curves (text, colour, dash) beside the frame"""
        for k, (words, colour, dash) in enumerate(names):
            y = self.top + 12 + 20 * k
            dashes = f' stroke-dasharray="{dash}"' if dash else ""
            self.parts.append(f'<path d="M{self.right + 12} {y}h26" stroke="{colour}" stroke-width="2"{dashes}/>')
            self.parts.append(text(self.right + 44, y + 4, words))
