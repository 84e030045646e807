import { sep } from 'node:path';
import type { Disposable } from '../../base/disposable';

/** The editor does not report a failed rename. After this time, the file counts as not renamed. */
const RENAMED_WITHIN_MS = 30_000;

/** Files and folders that the editor is renaming. Their disappearance may be reported before their new names. */
export class MovingFiles implements Disposable {
  private readonly timers = new Map<string, NodeJS.Timeout>();

  /** `onStay` is called for files that were not renamed after all. */
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

/** Whether the path is the file itself or lies in the folder. */
export function isWithin(path: string, fileOrFolder: string): boolean {
  return path === fileOrFolder || path.startsWith(fileOrFolder + sep);
}
