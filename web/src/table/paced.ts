/** Calls at once when asked to, but then at most once in a pause, however often it is asked. */
export class Paced {
  private pause: ReturnType<typeof setTimeout> | undefined;
  private again = false;

  constructor(
    private readonly call: () => void,
    private readonly pauseMs: number,
  ) {}

  ask(): void {
    if (this.pause !== undefined) {
      this.again = true;
      return;
    }
    // Not by animation frames: a page in the background has none, and still has to play.
    this.pause = setTimeout(() => this.paused(), this.pauseMs);
    this.call();
  }

  /** Without a pause before it. */
  askNow(): void {
    this.end();
    this.ask();
  }

  end(): void {
    clearTimeout(this.pause);
    this.pause = undefined;
    this.again = false;
  }

  private paused(): void {
    this.pause = undefined;
    if (!this.again) return;
    this.again = false;
    this.ask();
  }
}
