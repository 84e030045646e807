/** What answered is no model: a web page, or data of another kind. `message` names what came. */
export class UnexpectedResponse extends Error {
  constructor(
    what: string,
    readonly status?: number,
  ) {
    super(what);
    this.name = 'UnexpectedResponse';
  }
}
