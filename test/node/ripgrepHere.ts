import { rgPath } from '@vscode/ripgrep';

/** The ripgrep that comes with the development dependencies. */
export function ripgrepHere(): string {
  return rgPath;
}
