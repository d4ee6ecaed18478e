// The signs of seats: each has its own shape and colour, so that either is enough.
import { svg } from './dom.js';

const sides = [0, 4, 3, 4, 5, 6];  // 0: a circle; the second square stands on a corner
const turns = [0, 45, 0, 0, 0, 30];

// The outline of a seat's pawn around (x, y).
export function seatShape(seat: number, x: number, y: number, radius: number): SVGElement {
  const kind = seat % sides.length;
  const className = `seat${seat % 10}`;
  if (sides[kind] === 0) return svg('circle', { class: className, cx: x, cy: y, r: radius });
  const reach = radius * (sides[kind] === 3 ? 1.28 : sides[kind] === 4 ? 1.2 : 1.1);
  const points = Array.from({ length: sides[kind] }, (_, i) => {
    const angle = ((turns[kind] + (360 * i) / sides[kind] - 90) * Math.PI) / 180;
    const lower = sides[kind] === 3 ? radius * 0.14 : 0;
    return `${(x + reach * Math.cos(angle)).toFixed(1)},${(y + lower + reach * Math.sin(angle)).toFixed(1)}`;
  });
  return svg('polygon', { class: className, points: points.join(' '), 'stroke-linejoin': 'round' });
}

// The sign as a separate picture, beside text.
export function seatSign(seat: number, letter: string): SVGElement {
  return svg('svg', { class: 'sign', viewBox: '-50 -50 100 100', 'aria-hidden': 'true' },
    seatShape(seat, 0, 0, 36), svg('text', { class: `on-seat`, x: 0, y: 14, 'font-size': 40 }, letter));
}

const pips: Record<number, number[]> = {
  1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8],
};

export function die(value: number): SVGElement {
  const face = svg('svg', { class: 'die', viewBox: '0 0 30 30', role: 'img', 'aria-label': String(value) },
    svg('rect', { x: 1, y: 1, width: 28, height: 28, rx: 6 }));
  for (const pip of pips[value] ?? []) {
    face.append(svg('circle', { cx: 7.5 + 7.5 * (pip % 3), cy: 7.5 + 7.5 * Math.floor(pip / 3), r: 2.6 }));
  }
  return face;
}
