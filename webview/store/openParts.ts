import { type Disposable, Emitter } from '../../src/base/disposable';

/** Parts of the panel that are closed by default. Only one is open at a time. */
export type PanelPart = 'find' | 'sessions';

export class OpenParts implements Disposable {
  private readonly changes = new Emitter<PanelPart | null>((error) => reportError(error));
  private open: PanelPart | null = null;

  get current(): PanelPart | null {
    return this.open;
  }

  /** Also called when a part that is already open is requested again, so that it takes focus. */
  onChange(listener: (part: PanelPart | null) => void): Disposable {
    return this.changes.on(listener);
  }

  show(part: PanelPart): void {
    this.open = part;
    this.changes.emit(part);
  }

  close(): void {
    if (this.open === null) return;
    this.open = null;
    this.changes.emit(null);
  }

  dispose(): void {
    this.changes.dispose();
  }
}
