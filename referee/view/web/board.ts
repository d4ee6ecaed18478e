// The board: draws places once, and pieces and marks for each frame.
import { svg } from './dom.js';
import { seatShape } from './shapes.js';
import { Frame, Geometry, letterOf, Mark, Piece } from './view.js';

interface Point { x: number; y: number }

const animationMs = 180;

export class Board {
  readonly element = svg('svg', { class: 'board', role: 'img' });
  private readonly ground = svg('g');
  private readonly men = svg('g');
  private readonly marks = svg('g');
  private points: Point[] = [];

  constructor(private readonly geometry: Geometry) {
    this.element.setAttribute('viewBox', `0 0 ${geometry.width} ${geometry.height}`);
    this.element.append(this.ground, this.men, this.marks);
  }

  // Turns the board so that `seat` is at the bottom. The caller must then draw the frame again.
  turnTo(seat: number): void {
    const angle = ((this.geometry.seatAngles[seat] ?? 0) * Math.PI) / 180;
    const cx = this.geometry.width / 2, cy = this.geometry.height / 2;
    this.points = this.geometry.places.map(({ x, y }) => ({
      x: cx + (x - cx) * Math.cos(angle) - (y - cy) * Math.sin(angle),
      y: cy + (x - cx) * Math.sin(angle) + (y - cy) * Math.cos(angle),
    }));
    this.ground.replaceChildren(...this.links(), ...this.geometry.places.map((_, index) => this.place(index)));
  }

  draw(frame: Frame, animate: boolean): void {
    this.element.setAttribute('aria-label', `The board. ${frame.text}`);
    const pieces = frame.pieces.map((piece) => this.piece(piece));
    this.men.replaceChildren(...pieces);
    const marks = frame.marks.map((mark) => this.mark(mark, frame.seat ?? 0));
    this.marks.replaceChildren(...marks);
    if (animate) this.animate(frame, pieces);
  }

  // Animates moved pieces from their old places.
  private animate(frame: Frame, pieces: SVGElement[]): void {
    for (const mark of frame.marks.filter(({ kind }) => kind === 'MARK_KIND_MOVED')) {
      const from = this.points[mark.from], to = this.points[mark.to];
      frame.pieces.forEach((piece, i) => {
        if (piece.place !== mark.to || piece.seat !== frame.seat || piece.kind === 'PIECE_KIND_BAR') return;
        pieces[i].animate(
          [{ transform: `translate(${from.x - to.x}px, ${from.y - to.y}px)` }, { transform: 'none' }],
          { duration: animationMs, easing: 'ease-out' });
      });
    }
  }

  private links(): SVGElement[] {
    return this.geometry.links.map(({ from, to }) => {
      const a = this.points[from], b = this.points[to];
      return svg('line', { class: 'link', x1: a.x, y1: a.y, x2: b.x, y2: b.y });
    });
  }

  private place(index: number): SVGElement {
    const place = this.geometry.places[index];
    const { x, y } = this.points[index];
    const group = svg('g', { class: `place ${place.kind.replace('PLACE_KIND_', '').toLowerCase()}` });
    group.append(svg('title', {}, place.name));
    if (place.kind === 'PLACE_KIND_CELL') {
      group.append(svg('rect', { x: x - 49, y: y - 49, width: 98, height: 98, rx: 8 }));
    } else {
      group.append(svg('circle', { cx: x, cy: y, r: 46 }));
    }
    if (place.kind === 'PLACE_KIND_BRIDGE') group.append(svg('circle', { class: 'inner', cx: x, cy: y, r: 37 }));
    if (place.seat !== undefined) group.classList.add(`edge${place.seat % 10}`);
    if (place.landmark) group.append(svg('text', { x, y: y + 11, 'font-size': 30 }, place.name));
    return group;
  }

  private piece(piece: Piece): SVGElement {
    const { x, y } = this.points[piece.place];
    const group = svg('g', { class: 'piece' });
    const label = (text: string, at: Point, size: number) =>
      group.append(svg('text', { class: 'on-seat', x: at.x, y: at.y + size * 0.36, 'font-size': size }, text));
    const letter = letterOf(piece.seat);
    if (piece.kind === 'PIECE_KIND_BAR') {
      const { shape, middle, length } = this.bar(piece.place, piece.end, piece.seat);
      shape.classList.add(`seat${piece.seat % 10}`);
      group.append(shape);
      label(`${letter}${length}`, middle, 40);
    } else if (piece.kind === 'PIECE_KIND_COUNTER') {
      const at = { x: x + (piece.seat === 0 ? -22 : 22), y: y + (piece.seat === 0 ? -22 : 22) };
      group.classList.add('counter');
      group.append(seatShape(piece.seat, at.x, at.y, 24));
      label(letter.toUpperCase(), at, 30);
    } else if (piece.kind === 'PIECE_KIND_STACK') {
      group.append(seatShape(piece.seat, x - 8, y - 8, 34), seatShape(piece.seat, x + 6, y + 6, 34));
      label(`${letter}2`, { x: x + 6, y: y + 6 }, 34);
    } else {
      group.append(seatShape(piece.seat, x, y, 39));
      label(letter, { x, y }, 44);
    }
    return group;
  }

  // A bar over all places from one to the other. The shape of its corners differs by seat.
  private bar(from: number, to: number, seat: number) {
    const a = this.points[from], b = this.points[to];
    const left = Math.min(a.x, b.x) - 38, top = Math.min(a.y, b.y) - 38;
    const width = Math.abs(a.x - b.x) + 76, height = Math.abs(a.y - b.y) + 76;
    const shape = svg('rect', { x: left, y: top, width, height, rx: seat % 2 === 0 ? 38 : 5 });
    const length = Math.round(Math.max(width, height) / 100);
    return { shape, middle: { x: left + width / 2, y: top + height / 2 }, length };
  }

  private mark(mark: Mark, seat: number): SVGElement {
    const a = this.points[mark.from], b = this.points[mark.to];
    if (mark.kind === 'MARK_KIND_LAID' || mark.kind === 'MARK_KIND_REMOVED') {
      const { shape } = this.bar(mark.from, mark.to, seat);
      shape.classList.add(mark.kind === 'MARK_KIND_LAID' ? 'laid' : 'removed');
      return shape;
    }
    if (mark.kind === 'MARK_KIND_CAPTURED') {
      return svg('path', { class: 'captured', d: `M${b.x + 22} ${b.y - 46}l24 24m0 -24l-24 24` });
    }
    return this.arrow(a, b);
  }

  // An arrow from the edge of one place to the middle of another, with a ring around both.
  private arrow(a: Point, b: Point): SVGElement {
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const dx = (b.x - a.x) / length, dy = (b.y - a.y) / length;
    const tip = { x: b.x - 47 * dx, y: b.y - 47 * dy };
    const group = svg('g', { class: 'moved' },
      svg('circle', { cx: a.x, cy: a.y, r: 40 }), svg('circle', { cx: b.x, cy: b.y, r: 47 }));
    if (length > 100) {
      const head = `M${tip.x - 26 * dx + 15 * dy} ${tip.y - 26 * dy - 15 * dx}L${tip.x} ${tip.y}` +
        `L${tip.x - 26 * dx - 15 * dy} ${tip.y - 26 * dy + 15 * dx}`;
      group.append(svg('path', { d: `M${a.x + 40 * dx} ${a.y + 40 * dy}L${tip.x} ${tip.y}${head}` }));
    }
    return group;
  }
}
