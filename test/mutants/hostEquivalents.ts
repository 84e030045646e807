import type { Equivalent } from './equivalent';

/** Equivalents in the code for sessions, files, and locks. */
export const hostEquivalents: readonly Equivalent[] = [
  {
    file: 'src/engine/sessions/sessionCatalog.ts',
    line: 'if (!this.lent.get(id)?.deref()) this.lent.delete(id);',
    change: 'this.lent.delete(id); → nothing',
    why: 'It only lets go of a reference to nothing, which counts as none.',
  },
  {
    file: 'src/engine/sessions/exportSession.ts',
    line: 'const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));',
    change: '2 → (2 + 1)',
    why: 'A fence of four signs looks like one of three.',
  },
  {
    file: 'src/engine/run/fitting/fitConversation.ts',
    line: 'const mark = choosePruneMark(session.context, keep, () => false);',
    change: 'false → undefined',
    why: 'Both mean that it goes on.',
  },
  {
    file: 'src/node/writeAtomically.ts',
    line: "if (errorCode(error) === 'ENOENT') return null;",
    change: 'null → undefined',
    why: 'It only matters whether there is one.',
  },
  {
    file: 'src/node/locks/lockFile.ts',
    line: 'const TURN_AGAIN_MS = 10;',
    change: '10 → (10 + 1)',
    why: 'A choice: how long to wait before looking again.',
  },
  {
    file: 'src/node/locks/lockFile.ts',
    line: 'const AGAIN_MS = 5;',
    change: '5 → (5 + 1)',
    why: 'A choice: how long to wait before looking again.',
  },
  {
    file: 'src/node/mcp/signIn/returnAddress.ts',
    line: 'const SIGN_IN_MS = 10 * 60_000;',
    change: '60_000 → (60_000 + 1)',
    why: 'A choice: some milliseconds more to sign in.',
  },
  {
    file: 'src/node/mcp/signIn/returnAddress.ts',
    line: "inTime.addEventListener('abort', () => reject(new EngineError('io', 'The sign-in timed out. Try again.')), {",
    change: "'io' → ''",
    why: 'Nothing reads the kind of this error, only its words are shown.',
  },
  {
    file: 'src/node/mcp/signIn/signIn.ts',
    line: "private readonly ownState = randomBytes(32).toString('base64url');",
    change: '32 → (32 + 1)',
    why: 'A choice: how many random bytes nobody can guess.',
  },
];
