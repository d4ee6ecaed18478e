// The position of a viewer in a match, and its changes. Draws nothing.
import { frameOfTurn, Match } from './view.js';

// Seconds for each step, slowest first.
const intervals = [2, 1, 0.5, 0.25, 0.1];

export class Player {
  step = 0;
  playing = false;
  private speed = 1;
  private timer?: number;

  // `changed` is called after every change. `stepped`: the change was one step forwards.
  constructor(readonly match: Match, private readonly changed: (stepped: boolean) => void) {}

  get last(): number {
    return Math.max(0, this.match.frames.length - 1);
  }
  get seconds(): number {
    return intervals[this.speed];
  }

  goTo(step: number): void {
    const at = Math.min(this.last, Math.max(0, step));
    const stepped = at === this.step + 1;
    this.step = at;
    if (at === this.last) this.stop();
    this.changed(stepped);
  }
  goToTurn(turn: number): void {
    this.goTo(frameOfTurn(this.match, turn));
  }
  goToTenth(tenth: number): void {
    this.goTo(Math.round((this.last * tenth) / 10));
  }

  // Goes to the next or the previous step with an event. Returns false if there is none.
  goToEvent(direction: 1 | -1): boolean {
    for (let step = this.step + direction; step >= 0 && step <= this.last; step += direction) {
      if (this.match.frames[step].events.length === 0) continue;
      this.goTo(step);
      return true;
    }
    return false;
  }

  togglePlay(): void {
    if (this.playing) {
      this.stop();
    } else {
      if (this.step === this.last) this.step = 0;
      this.playing = this.last > 0;
      this.schedule();
    }
    this.changed(false);
  }
  stop(): void {
    this.playing = false;
    clearTimeout(this.timer);
  }
  faster(by: 1 | -1): void {
    this.speed = Math.min(intervals.length - 1, Math.max(0, this.speed + by));
    if (this.playing) this.schedule();
    this.changed(false);
  }

  private schedule(): void {
    clearTimeout(this.timer);
    if (!this.playing) return;
    this.timer = window.setTimeout(() => {
      this.goTo(this.step + 1);
      this.schedule();
    }, 1000 * this.seconds);
  }
}
