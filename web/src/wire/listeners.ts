/** Those who want to hear of something. */
export class Listeners<A extends unknown[]> {
  private readonly every = new Set<(...args: A) => void>();

  /** Gives back what ends it. */
  add(listener: (...args: A) => void): () => void {
    this.every.add(listener);
    return () => this.every.delete(listener);
  }

  call(...args: A): void {
    for (const listener of [...this.every]) listener(...args);
  }
}
