import { rgPath } from '@vscode/ripgrep';

/** The ripgrep from the development dependencies. */
export function ripgrepHere(): string {
  return rgPath;
}
