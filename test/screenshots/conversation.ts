import type { StepCall } from '../support/modelServer/story';

/** The text of the conversations in the screenshots, about the sample project. Fixed, so that screenshots stay comparable. */
export const WHY = 'Why does parseDate accept 30 February?';

export const lookAround: readonly StepCall[] = [
  { name: 'fs_read', arguments: { path: 'src/parseDate.ts' } },
  { name: 'fs_read', arguments: { path: 'src/phrases.ts' } },
  { name: 'fs_grep', arguments: { pattern: 'new Date\\(', path: 'src' } },
];

/** The part of a longer answer that has arrived so far. */
export const HALF_ANSWER = `The last phrase in \`src/phrases.ts\` hands the text to \`new Date\`, and **JavaScript rolls over**: the 30th of February becomes the 2nd of March. Nothing looks at the result afterwards.

Two ways to refuse it:

1. compare the day of the result with the day that was typed
2. check the month's length first

The first needs no table of months:

\`\`\`ts
function realDate(text: string): Date | undefined {
  const date = new Date(\`\${text}T00:00:00Z\`);
  // A rolled-over date no longer begins with what was typed.
  return date.toISOString().startsWith(text) ? date : undefined;
}
\`\`\`

The other phrases count from today, so they`;

export const REST_OF_ANSWER = ' cannot roll over, and stay as they are.\n';

export const FIX = 'Refuse dates that do not exist, and run the tests.';

export const edit: StepCall = {
  name: 'fs_edit',
  arguments: {
    path: 'src/phrases.ts',
    old_string: '  { pattern: /^(\\d{4}-\\d{2}-\\d{2})$/, resolve: (match) => new Date(`${match[1]}T00:00:00Z`) },',
    new_string: [
      '  {',
      '    pattern: /^(\\d{4}-\\d{2}-\\d{2})$/,',
      '    resolve: (match) => {',
      '      const date = new Date(`${match[1]}T00:00:00Z`);',
      '      return date.toISOString().startsWith(match[1]) ? date : undefined;',
      '    },',
      '  },',
    ].join('\n'),
  },
};

export const INTRODUCE_EDIT = `JavaScript **rolls over** here, and nothing looks at the result:

\`\`\`ts
new Date('2026-02-30T00:00:00Z'); // 2 March
\`\`\`

I compare it with what was typed, in \`src/phrases.ts\`.`;

const CHECK_FILE = 'scripts/check.mjs';
export const checkCommand: StepCall = { name: 'execute_command', arguments: { command: `node ${CHECK_FILE}` } };
/** The same, but still running when the screenshot is taken. */
export const slowCheckCommand: StepCall = {
  name: 'execute_command',
  arguments: { command: `node ${CHECK_FILE} --watch` },
};

/** Stands in for a test run. Needs nothing but Node and always prints the same. */
export const files: Readonly<Record<string, string>> = {
  [CHECK_FILE]: `const passed = [
  'understands phrases that are counted from today',
  'finds the next weekday',
  '"next friday", said on a friday, is a week away',
  'refuses a date that does not exist',
  'says nothing about text it does not understand',
];
console.log('Checking src/parseDate.test.ts\\n');
for (const name of passed) console.log('\\u001b[32m✔\\u001b[0m ' + name);
console.log('\\n5 passed, 0 failed');
if (process.argv.includes('--watch')) {
  console.log('Waiting for changes');
  setTimeout(() => undefined, 600_000);
}
`,
};

export const PLAN = ['Find where the date rolls over', 'Refuse it', 'Run the tests'];

export const SUMMARY = `\`parseDate\` now refuses dates that do not exist:

| text | before | now |
| --- | --- | --- |
| \`2026-02-28\` | 28 February | 28 February |
| \`2026-02-30\` | 2 March | not understood |

All five tests pass.`;

export const QUESTION = 'Should a date in the past be refused as well?';
export const ANSWERS = ['Yes, everywhere', 'Only in reminders', 'No, keep them'];
