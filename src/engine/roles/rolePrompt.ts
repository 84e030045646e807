/** A role's prompt taken apart. */
export interface RolePrompt {
  /** For the system prompt; empty when the role says nothing there. */
  system: string;
  /** Exchanges that show how to answer. */
  examples: readonly { input: string; output: string }[];
  /** The texts between which the person's words are put; null: they stand for themselves. */
  around: readonly string[] | null;
}

const INPUT_MARK = '__INPUT__';
const EXAMPLE_MARK = /^###[ \t]*(INPUT|OUTPUT):/gm;

/** What kind of prompt it is: one around `__INPUT__`, one with examples, or plain words. */
export function readRolePrompt(prompt: string): RolePrompt {
  if (prompt.includes(INPUT_MARK)) return { system: '', examples: [], around: prompt.split(INPUT_MARK) };
  const plain = { system: prompt.trim(), examples: [], around: null };
  const marks = [...prompt.matchAll(EXAMPLE_MARK)];
  const alternate = marks.every(([, kind], index) => kind === (index % 2 === 0 ? 'INPUT' : 'OUTPUT'));
  // Half an example would teach the wrong thing, so then the text is taken as it is.
  if (marks.length === 0 || marks.length % 2 === 1 || !alternate) return plain;
  const texts = marks.map((mark, index) => prompt.slice(mark.index + mark[0].length, marks[index + 1]?.index).trim());
  const examples = texts.flatMap((input, index) =>
    index % 2 === 0 ? [{ input, output: texts[index + 1] ?? '' }] : [],
  );
  return { system: prompt.slice(0, marks[0]?.index).trim(), examples, around: null };
}

/** The same with its placeholders filled, each piece by itself, so that no value is taken for a mark. */
export function fillRolePrompt({ system, examples, around }: RolePrompt, fill: (text: string) => string): RolePrompt {
  return {
    system: fill(system),
    examples: examples.map(({ input, output }) => ({ input: fill(input), output: fill(output) })),
    around: around && around.map(fill),
  };
}
