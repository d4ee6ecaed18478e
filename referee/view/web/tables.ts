// The match as tables: the position of a step, and the times of all turns. Each table is made when
// it is opened.
import { html } from './dom.js';
import { Frame, LedgerEntry, letterOf, Match } from './view.js';

function table(caption: string, head: string[], rows: (Node | string)[][]): HTMLTableElement {
  return html('table', {}, html('caption', {}, caption),
    html('thead', {}, html('tr', {}, ...head.map((text) => html('th', { scope: 'col' }, text)))),
    html('tbody', {}, ...rows.map((row) => html('tr', {}, ...row.map((cell) => html('td', {}, cell))))));
}

const pieceNames: Record<string, string> = {
  PIECE_KIND_PAWN: 'pawn', PIECE_KIND_STACK: 'stack', PIECE_KIND_BAR: 'piece', PIECE_KIND_COUNTER: 'counter',
};

export class PositionTable {
  readonly element = html('details', {}, html('summary', {}, 'Position as a table'));
  private readonly body = html('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Position' });
  private frame?: Frame;

  constructor(private readonly match: Match) {
    this.element.append(this.body);
    this.element.addEventListener('toggle', () => this.draw());
  }
  show(frame: Frame): void {
    this.frame = frame;
    this.draw();
  }
  private draw(): void {
    if (!this.element.open || this.frame === undefined) return;
    const { geometry } = this.match;
    const placeName = (place: number) => geometry?.places[place].name ?? '';
    const rows = this.frame.pieces.map((piece) => [
      letterOf(piece.seat), pieceNames[piece.kind] ?? piece.kind,
      piece.end === piece.place ? placeName(piece.place) : `${placeName(piece.place)} to ${placeName(piece.end)}`,
    ]);
    this.body.replaceChildren(html('p', { class: 'notation' }, this.frame.position));
    if (geometry) this.body.append(table('Pieces', ['Seat', 'Piece', 'Place'], rows));
  }
}

export class LedgerTable {
  readonly element = html('details', {}, html('summary', {}, 'All turns and their time'));

  constructor(private readonly match: Match, private readonly goTo: (step: number) => void) {
    this.element.addEventListener('toggle', () => this.draw(), { once: true });
  }

  private draw(): void {
    const head = ['Turn', 'Seat', 'Move', 'Charged', 'Limit', 'Bot', 'Network', 'Referee', 'Link lost', 'Special'];
    this.element.append(html('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'All turns' },
      table('Milliseconds', head, this.match.ledger.map((entry) => this.row(entry)))));
  }

  private row(entry: LedgerEntry): (Node | string)[] {
    const ms = (us?: number) => (us === undefined ? '' : (us / 1000).toFixed(3));
    const special = entry.detail === '' ? entry.mark : `${entry.mark}: ${entry.detail}`;
    if (entry.turn === 0) return ['', '', '', '', '', '', '', '', '', special];
    return [this.link(entry), letterOf(entry.seat),
      entry.frame === undefined ? '' : this.match.frames[entry.frame].move,
      ms(entry.chargedUs), ms(entry.limitUs), ms(entry.botUs), ms(entry.networkUs), ms(entry.refereeUs),
      ms(entry.pausedUs), special];
  }

  private link({ turn, frame }: LedgerEntry): Node | string {
    if (frame === undefined) return String(turn);
    const button = html('button', { type: 'button', class: 'plain', 'aria-label': `Go to turn ${turn}` }, String(turn));
    button.addEventListener('click', () => this.goTo(frame));
    return button;
  }
}
