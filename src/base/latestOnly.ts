/** Keeps what was asked earlier and answered late from replacing what was asked after it. */
export class LatestOnly<Subject extends object> {
  private readonly newest = new WeakMap<Subject, symbol>();

  /** Asks anew about the subject; what is returned tells whether this is still the newest question about it. */
  begin(subject: Subject): () => boolean {
    const question = Symbol('question');
    this.newest.set(subject, question);
    return () => this.newest.get(subject) === question;
  }
}
