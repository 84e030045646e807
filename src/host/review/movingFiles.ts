import { sep } from 'node:path';
import type { Disposable } from '../../base/disposable';

/** The editor does not say when it could not rename a file; what it has not told of by then stays. */
const RENAMED_WITHIN_MS = 30_000;

/** Files and folders that the editor is renaming: that they are gone may be heard of before their new names. */
export class MovingFiles implements Disposable {
  private readonly timers = new Map<string, NodeJS.Timeout>();

  /** `onStay` is told of what was not renamed after all. */
  constructor(private readonly onStay: (path: string) => void) {}

  begin(path: string): void {
    this.end(path);
    const stays = () => {
      this.end(path);
      this.onStay(path);
    };
    this.timers.set(path, setTimeout(stays, RENAMED_WITHIN_MS));
  }

  end(path: string): void {
    clearTimeout(this.timers.get(path));
    this.timers.delete(path);
  }

  has(path: string): boolean {
    return [...this.timers.keys()].some((moving) => isWithin(path, moving));
  }

  dispose(): void {
    for (const path of [...this.timers.keys()]) this.end(path);
  }
}

/** The file itself, or one in the folder. */
export function isWithin(path: string, fileOrFolder: string): boolean {
  return path === fileOrFolder || path.startsWith(fileOrFolder + sep);
}
