import { closeSync, constants, existsSync, openSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { EngineError } from '../engine';
import { resolveLinks } from './nodePaths';

/** Linux: opens a folder that may not be readable. */
const O_PATH = 0x20_0000;

/** The real path that a file had when its change was judged. Loaded with the first such change. */
interface JudgedPlace {
  /** Throws EngineError `io` if the file's path leads elsewhere. */
  check(): void;
  /**
   * Opens its folder, which must exist, and returns a path that leads to it even after a link takes its place; undefined if the
   * system has none. Throws EngineError `io` if a link took its place before.
   */
  hold(): { path: string; close(): void } | undefined;
}

export function judgedPlace(file: string, real: string): JudgedPlace {
  const folder = path.dirname(real);
  const refuseUnless = (found: string, wanted: string) => {
    if (found !== wanted) throw leadsElsewhere(file, found, wanted);
  };
  return {
    check: () => refuseUnless(resolveLinks(file), real),
    hold() {
      if (process.platform !== 'linux' || !existsSync('/proc/self/fd')) return undefined;
      const handle = openSync(folder, O_PATH | constants.O_DIRECTORY);
      const held = { path: `/proc/self/fd/${handle}`, close: () => closeSync(handle) };
      try {
        refuseUnless(readlinkSync(held.path), folder);
        return held;
      } catch (error) {
        held.close();
        throw error;
      }
    },
  };
}

/** Returns the error for a file whose real path is no longer the one for which its change was judged. */
export function leadsElsewhere(file: string, found: string, judged: string): EngineError {
  return new EngineError(
    'io',
    `${file} now leads to ${found}, not to ${judged}; nothing was written. Check the links in its path, then try again.`,
  );
}
