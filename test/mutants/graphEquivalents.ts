import type { Equivalent } from './equivalent';

const graphs = 'src/engine/graphs';

/** Equivalents in the code for graph runs. */
export const graphEquivalents: readonly Equivalent[] = [
  {
    file: `${graphs}/graphRun.ts`,
    line: 'const seconds = (timeoutMs ?? 0) / 1000;',
    change: 'timeoutMs ?? 0 → timeoutMs',
    why: 'Without a timeout, no run is late.',
  },
  {
    file: `${graphs}/graphRun.ts`,
    line: 'const thrown = error instanceof Error && isAbort(error) ? error : new Error(errorText(error));',
    change: 'error instanceof Error && isAbort(error) → (error instanceof Error) || (isAbort(error))',
    why: 'Once a run is cancelled, its outcome no longer depends on the error.',
  },
  {
    file: `${graphs}/record/runView.ts`,
    line: 'const time = (times.get(view.node) ?? 0) + 1;',
    change: '0 → (0 + 1)',
    why: 'The number is only part of a key that both runs build in the same way.',
  },
  {
    file: `${graphs}/record/progress.ts`,
    line: 'this.sessions.set(keyOf(turn), { sessionId, hasFailed: false });',
    change: 'false → true',
    why: 'It is read only when the same run works there again, which it does after a failure.',
  },
  {
    file: 'src/engine/runtime/graph/graphProgram.ts',
    line: "const whole = before.tokens > 0 ? ', including what was used before it was stopped' : '';",
    change: '0 → (0 + 1)',
    why: 'No request uses a single token.',
  },
  {
    file: 'src/engine/runtime/graph/graphProgram.ts',
    line: "if (event.type !== 'node-finished' || this.nodes.length >= MOST_NODES) return;",
    change: 'this.nodes.length >= MOST_NODES → (this.nodes.length) > (MOST_NODES)',
    why: 'A choice: how many nodes a card shows, one more or less.',
  },
];
