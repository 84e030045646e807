/** Given an address that a browser came to. Gives words for the person there; undefined when nobody waits for that. */
export type TakeAddress = (address: string) => string | undefined;

/** Where a browser is sent once somebody has signed in, for one sign-in. */
export interface ReturnAddress {
  /** As the authorization server is told. */
  readonly url: string;
  /** Of the addresses that `take` is given. */
  readonly path: string;
  /** To be called once; after `close` nothing more is heard. */
  listen(take: TakeAddress): void;
  close(): Promise<void>;
}

/** The application that Cairn runs in, when browsers can open addresses there. */
export interface EditorAddress {
  /**
   * Undefined where an address of this machine serves better. With the address that a client is registered with: that one; undefined
   * when it does not lead to Cairn.
   */
  open(registered?: string): Promise<ReturnAddress | undefined>;
  /** Told, in a sentence, why one was not used after all. */
  onRefused(why: string): void;
}
