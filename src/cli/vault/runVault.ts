import type { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';

export interface OpenVault {
  /** By name, without the sign-ins to servers. */
  secrets: ReadonlyMap<string, string>;
  /** Undefined where nobody gave one. */
  key: string | undefined;
}

export const CLOSED: OpenVault = { secrets: new Map(), key: undefined };

/** A vault that is opened once, when something of it is needed. */
export class RunVault {
  private opening: Promise<OpenVault> | undefined;
  private now: OpenVault = CLOSED;
  private readonly changes = new Emitter<void>(() => undefined);

  constructor(private readonly unlock: () => Promise<OpenVault>) {}

  /** One that nobody has to be asked about. */
  static opened(open: OpenVault): RunVault {
    const vault = new RunVault(() => Promise.resolve(open));
    vault.now = open;
    vault.opening = Promise.resolve(open);
    return vault;
  }

  /** A person has to be asked before more is known. */
  get isLocked(): boolean {
    return this.opening === undefined;
  }

  /** Nothing as long as it is locked. */
  get known(): OpenVault {
    return this.now;
  }

  /** Asks the person, the first time. Rejects with AbortError when they leave. */
  open(): Promise<OpenVault> {
    return (this.opening ??= this.unlock().then((open) => {
      this.now = open;
      this.changes.emit();
      return open;
    }));
  }

  onOpen(listener: () => void): Disposable {
    return this.changes.on(listener);
  }
}
