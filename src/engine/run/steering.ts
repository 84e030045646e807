/** Messages that arrive while a run is under way, waiting for the next request to the model. */
export class Steering {
  private texts: string[] = [];

  send(text: string): void {
    this.texts.push(text);
  }

  get waiting(): boolean {
    return this.texts.length > 0;
  }

  take(): string[] {
    const taken = this.texts;
    this.texts = [];
    return taken;
  }
}
