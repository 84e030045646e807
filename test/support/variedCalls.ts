import { seededRandom } from './seededRandom';

export interface VariedCall {
  name: string;
  arguments: Record<string, unknown>;
}

/** Texts in which quotes, brackets, escapes, and line ends appear where a cut is easily mistaken for an end. */
const PIECES = [
  ...['rm -rf build', '/tmp/x', ' && ', 'echo "a"', "it's", '{', '}', '[1]', '\\', '\n', '\t', ': ', ', ', '👋', 'ß'],
  ...['{"a":1}', '"}', '\\"', '// x', 'null', '</think>', 'const x = `${y}`;', '\u2028', '0'],
];

/** Generates calls, the same for the same seed: commands, files, edits, lists, nested input, and calls without input. */
export function variedCalls(count: number, seed: number): VariedCall[] {
  const random = seededRandom(seed);
  const below = (most: number) => Math.floor(random() * most);
  const text = (most: number) => Array.from({ length: 1 + below(most) }, () => PIECES[below(PIECES.length)]).join('');
  const makers: readonly (() => VariedCall)[] = [
    () => ({ name: 'execute_command', arguments: { command: text(5), timeout_seconds: below(100) } }),
    () => ({ name: 'fs_write', arguments: { path: `${text(2)}.txt`, contents: text(12) } }),
    () => ({ name: 'fs_edit', arguments: { path: 'a.ts', old_string: text(6), new_string: text(6) } }),
    () => ({ name: 'todo__init', arguments: { todos: Array.from({ length: 1 + below(4) }, () => text(2)) } }),
    () => ({
      name: 'plugin_call',
      arguments: { deep: { list: [below(9), null, { yes: below(2) === 0, t: text(3) }] } },
    }),
    () => ({ name: 'fs_ls', arguments: {} }),
  ];
  return Array.from(
    { length: count },
    (_, index) => makers[index % makers.length]?.() ?? { name: 'fs_ls', arguments: {} },
  );
}
