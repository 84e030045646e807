/** The command was called in a way that it cannot carry out; the message says what to write instead. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
