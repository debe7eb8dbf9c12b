// Time as the reader sets it. No clock is read here: whoever draws says how many seconds went by.

export const speeds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

export class Timeline {
  time: number;
  playing = false;
  loop = true;
  speed = 1;

  constructor(public from: number, public until: number) {
    this.time = from;
  }

  seek(time: number): void {
    this.time = Math.min(this.until, Math.max(this.from, time));
  }
  toggle(): void {
    if (!this.playing && !this.loop && this.time >= this.until) this.time = this.from;
    this.playing = !this.playing;
  }
  /** The next speed up (1) or down (-1). */
  changeSpeed(by: number): void {
    const nearest = speeds.reduce((best, one, i) => (Math.abs(Math.log(one / this.speed)) < Math.abs(Math.log((speeds[best] ?? 1) / this.speed)) ? i : best), 0);
    this.speed = speeds[Math.min(speeds.length - 1, Math.max(0, nearest + by))] ?? this.speed;
  }
  /** So many seconds of the reader's time later. */
  advance(seconds: number): void {
    if (!this.playing) return;
    const length = this.until - this.from;
    const time = this.time + seconds * this.speed;
    if (time <= this.until) this.time = time;
    else if (this.loop && length > 0) this.time = this.from + ((time - this.from) % length);
    else {
      this.time = this.until;
      this.playing = false;
    }
  }
}
