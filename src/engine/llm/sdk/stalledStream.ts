/** A stream from which nothing came for so long that nothing is expected any more. */
export class StalledStream extends Error {
  constructor(readonly seconds: number) {
    super(`Nothing came for ${seconds} seconds.`);
    this.name = 'StalledStream';
  }
}
