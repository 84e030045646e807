/** What answered is no model: a web page, or data of another kind. `message` names what came. */
export class StrangeAnswer extends Error {
  constructor(
    what: string,
    readonly status?: number,
  ) {
    super(what);
    this.name = 'StrangeAnswer';
  }
}
