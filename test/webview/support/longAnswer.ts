/** The parts that an answer is made of, each with its number: prose, a list, code, and a table, as in a model's answers. */
const PARTS: readonly ((at: number) => string)[] = [
  (at) =>
    `## Part ${at}\n\nThe parser never checks that the **day** exists, and so a date rolls over into the next month.`,
  (at) =>
    [1, 2, 3, 4, 5]
      .map((item) => `- point ${item} of part ${at}, see \`src/date.ts\` and [its test](test/date.ts)`)
      .join('\n'),
  (at) =>
    `\`\`\`ts\n${[1, 2, 3, 4, 5, 6, 7, 8].map((line) => `const value${line} = parse('${line}/0${at % 9}', { strict: true, line: ${at} }); // why`).join('\n')}\n\`\`\``,
  (at) =>
    `| name | value | why |\n| --- | --- | --- |\n${[1, 2, 3, 4].map((row) => `| row ${row} of part ${at} | \`${at * row}\` | as it was |`).join('\n')}`,
];

/** Markdown of at least this many characters, with all kinds of blocks. */
export function longAnswer(length: number): string {
  let text = '';
  for (let at = 0; text.length < length; at++) text += `${PARTS[at % PARTS.length]?.(at) ?? ''}\n\n`;
  return text;
}
