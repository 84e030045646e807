/** Takes the address a browser opened and returns a text for the user; undefined if nothing is waiting for it. */
export type TakeAddress = (address: string) => string | undefined;

/** The redirect address of one sign-in. */
export interface ReturnAddress {
  /** The address sent to the authorization server. */
  readonly url: string;
  /** The path of the addresses passed to `take`. */
  readonly path: string;
  /** Starts listening; call only once. Nothing is reported after `close`. */
  listen(take: TakeAddress): void;
  close(): Promise<void>;
}

/** The application Cairn runs in, if browsers can open addresses in it. */
export interface EditorAddress {
  /**
   * Returns the application's address; undefined if a loopback address works better. With `registered`, returns that address;
   * undefined if it does not lead to Cairn.
   */
  open(registered?: string): Promise<ReturnAddress | undefined>;
  /** Called with the reason, as a sentence, if the address was not used after all. */
  onRefused(why: string): void;
}
