// The viewer of a match, for replays and running matches: the parts and their controls.
import { Board } from './board.js';
import { Chart } from './chart.js';
import { button, html, icon, nameText } from './dom.js';
import { Key } from './keys.js';
import { Panel, verdictText } from './panel.js';
import { Player } from './player.js';
import { seatSign } from './shapes.js';
import { LedgerTable, PositionTable } from './tables.js';
import { letterOf, Match, nameOf } from './view.js';

const icons = {
  start: 'M2 2h2v12H2zM14 2v12L5 8z', back: 'M12 2v12L3 8z', play: 'M4 2v12l9-6z', pause: 'M3 2h3.5v12H3zM9.5 2H13v12H9.5z',
  on: 'M3 2v12l7-6zM11 2h2v12h-2z', end: 'M12 2h2v12h-2zM2 2v12l9-6z', former: 'M9 2v12L1 8zM11 6h4v4h-4z',
  next: 'M7 2v12l8-6zM1 6h4v4H1z', turn: 'M8 2a6 6 0 1 0 6 6h-2a4 4 0 1 1-4-4v3l5-4-5-4z',
};

// A match that can be stepped through. Frames may be added while it runs.
export class MatchPage {
  readonly player: Player;
  seat: number;  // the seat at the bottom
  private readonly panel: Panel;
  private readonly board?: Board;
  private readonly drawing = html('pre', { class: 'drawing', tabindex: 0, 'aria-label': 'The board' });
  private readonly chart: Chart;
  private readonly position: PositionTable;
  private readonly slider = html('input', { type: 'range', min: 0, 'aria-label': 'Step of the match' });
  private readonly turn = html('input', { type: 'number', min: 0, 'aria-label': 'Go to turn', class: 'turn' });
  private readonly play = button('Play', icon(icons.play), 'Space', () => this.player.togglePlay());
  private readonly turns = html('span');
  private readonly speed = html('span', { class: 'speed' });
  private readonly note = html('p', { class: 'note', role: 'status' });

  // `address` receives the step and the seat after each change.
  constructor(match: Match, seat: number, private readonly help: HTMLDialogElement,
    private readonly address: (turn: number, seat: number) => void) {
    this.seat = seat < match.bots.length ? seat : 0;
    this.player = new Player(match, (stepped) => this.draw(stepped));
    this.panel = new Panel(match);
    this.chart = new Chart(match, (step) => this.player.goTo(step));
    this.position = new PositionTable(match);
    if (match.geometry) this.board = new Board(match.geometry);
    this.board?.turnTo(this.seat);
  }

  get match(): Match {
    return this.player.match;
  }

  elements(): HTMLElement[] {
    const stage = html('div', { class: 'stage' }, this.board ? this.board.element : this.drawing, this.controls());
    const side = html('div', { class: 'side' }, this.panel.seats, this.panel.happened, this.panel.next,
      this.panel.time, this.note);
    const course = html('section', { class: 'course', 'aria-label': 'Course of the match' },
      this.chart.element as unknown as HTMLElement, this.chart.legend());
    const ledger = new LedgerTable(this.match, (step) => this.player.goTo(step));
    return [html('div', { class: 'match' }, stage, side), course, this.position.element,
      ...(this.match.ledger.length > 0 ? [ledger.element] : [])];
  }

  // Call after frames or the verdict were added to the match.
  grow(): void {
    this.chart.update();
    this.showLength();
  }

  say(text: string): void {
    this.note.textContent = text;
  }
  toEvent(direction: 1 | -1): void {
    if (!this.player.goToEvent(direction)) this.say(`No event ${direction > 0 ? 'after' : 'before'} this.`);
  }
  turnBoard(): void {
    this.seat = (this.seat + 1) % this.match.bots.length;
    this.board?.turnTo(this.seat);
    this.draw(false);
    this.say(this.board ? `Seat ${letterOf(this.seat)} sits below.` : 'This board is text and does not turn.');
  }
  askForTurn(): void {
    this.player.stop();
    this.draw(false);
    this.turn.focus();
    this.turn.select();
  }

  private showLength(): void {
    const { player } = this;
    this.slider.max = String(player.last);
    this.turn.max = String(this.match.frames[player.last].turn);
    this.turns.textContent = ` of ${this.turn.max}`;
  }

  private controls(): HTMLElement {
    const { player } = this;
    this.showLength();
    this.slider.addEventListener('input', () => player.goTo(Number(this.slider.value)));
    this.turn.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') player.goToTurn(Number(this.turn.value));
      if (event.key === 'Enter' || event.key === 'Escape') this.turn.blur();
    });
    this.turn.addEventListener('change', () => player.goToTurn(Number(this.turn.value)));
    return html('div', { class: 'controls' }, this.slider,
      html('div', { class: 'buttons' },
        button('To the start', icon(icons.start), 'Home', () => player.goTo(0)),
        button('Previous event', icon(icons.former), 'Up', () => this.toEvent(-1)),
        button('Step back', icon(icons.back), 'Left', () => player.goTo(player.step - 1)),
        this.play,
        button('Step on', icon(icons.on), 'Right', () => player.goTo(player.step + 1)),
        button('Next event', icon(icons.next), 'Down', () => this.toEvent(1)),
        button('To the end', icon(icons.end), 'End', () => player.goTo(player.last)),
        html('label', { class: 'at' }, 'Turn ', this.turn, this.turns),
        button('Slower', '<', '<', () => player.faster(-1)), this.speed, button('Faster', '>', '>', () => player.faster(1)),
        button('Turn the board', icon(icons.turn), 'f', () => this.turnBoard()),
        button('Help', '?', '?', () => this.help.showModal())));
  }

  draw(stepped: boolean): void {
    const { player } = this;
    const frame = this.match.frames[player.step];
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches || (player.playing && player.seconds < 0.25);
    this.board?.draw(frame, stepped && !still);
    if (!this.board) this.drawing.textContent = frame.drawing;
    this.panel.show(player.step, player.playing);
    this.chart.show(player.step);
    this.position.show(frame);
    this.slider.value = String(player.step);
    this.slider.setAttribute('aria-valuetext', `turn ${frame.turn}`);
    if (document.activeElement !== this.turn) this.turn.value = String(frame.turn);
    this.play.replaceChildren(icon(player.playing ? icons.pause : icons.play));
    this.play.setAttribute('aria-label', player.playing ? 'Pause' : 'Play');
    this.speed.textContent = `${player.seconds} s`;
    this.say('');
    this.address(frame.turn, this.seat);
  }
}

// The players, the game and the result.
export function matchHeader(match: Match): HTMLElement {
  const names = match.bots.flatMap((_, seat) => [
    ...(seat > 0 ? [html('span', { class: 'versus' }, ' – ')] : []),
    html('span', { class: 'player' }, seatSign(seat, letterOf(seat)), nameText(nameOf(match, seat)))]);
  const about = [match.game, `match ${match.matchId}`, match.createTime.replace('T', ' ').replace('Z', ' UTC'),
    `time ${match.timeControl}`];
  return html('header', {}, html('h1', {}, ...names), html('p', {}, about.join(' · ')),
    html('p', { class: 'verdict' }, verdictText(match)));
}

// The keys for the shown match. `live` goes to the newest frame.
export function matchKeys(shown: () => MatchPage | undefined, help: () => HTMLDialogElement, live: () => void): Key[] {
  const go = (to: (player: Player) => void) => {
    const page = shown();
    if (page !== undefined) to(page.player);
  };
  return [
    { keys: ['ArrowLeft'], shown: '←', help: 'a step back', act: () => go((player) => player.goTo(player.step - 1)) },
    { keys: ['ArrowRight'], shown: '→', help: 'a step on', act: () => go((player) => player.goTo(player.step + 1)) },
    { keys: ['ArrowUp'], shown: '↑', help: 'to the previous event: capture, fault, forfeit, new leader', act: () => shown()?.toEvent(-1) },
    { keys: ['ArrowDown'], shown: '↓', help: 'to the next event', act: () => shown()?.toEvent(1) },
    { keys: [' '], shown: 'Space', help: 'plays, or no longer', act: () => go((player) => player.togglePlay()) },
    { keys: ['<', '>'], shown: '< >', help: 'slower, faster', act: (key) => go((player) => player.faster(key === '<' ? -1 : 1)) },
    { keys: ['Home'], shown: 'Home', help: 'to the start', act: () => go((player) => player.goTo(0)) },
    { keys: ['End'], shown: 'End', help: 'to the end', act: () => go((player) => player.goTo(player.last)) },
    { keys: [...'0123456789'], shown: '0 – 9', help: 'to so many tenths of the match', act: (key) => go((player) => player.goToTenth(Number(key))) },
    { keys: ['g'], shown: 'g', help: 'to a turn: its number, then Enter', act: () => shown()?.askForTurn() },
    { keys: ['f'], shown: 'f', help: 'turns the board to the next seat', act: () => shown()?.turnBoard() },
    { keys: ['l'], shown: 'l', help: 'to what happens now, in a match that runs', act: live },
    { keys: ['?'], shown: '?', help: 'shows these keys', act: () => (help().open ? help().close() : help().showModal()) },
  ];
}
