import type { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';

export interface OpenVault {
  /** Secrets by name, without server sign-ins. */
  secrets: ReadonlyMap<string, string>;
  /** Undefined if none was given. */
  key: string | undefined;
}

export const CLOSED: OpenVault = { secrets: new Map(), key: undefined };

/** A vault that is opened once, when its contents are first needed. */
export class RunVault {
  private opening: Promise<OpenVault> | undefined;
  private now: OpenVault = CLOSED;
  private readonly changes = new Emitter<void>(() => undefined);

  constructor(private readonly unlock: () => Promise<OpenVault>) {}

  /** Returns a vault that is already open, so it never prompts. */
  static opened(open: OpenVault): RunVault {
    const vault = new RunVault(() => Promise.resolve(open));
    vault.now = open;
    vault.opening = Promise.resolve(open);
    return vault;
  }

  /** Whether the user would have to be prompted before anything is known. */
  get isLocked(): boolean {
    return this.opening === undefined;
  }

  /** Empty while the vault is locked. */
  get known(): OpenVault {
    return this.now;
  }

  /** Opens the vault, prompting the user the first time. Rejects with AbortError if they cancel. */
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
