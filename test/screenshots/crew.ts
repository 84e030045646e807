import { call, calls, callsThenSays, idsIn, resultsIn, says, spawn } from '../engine/agents/team/teamStory';
import type { ModelRequest } from '../support/modelServer/modelRequest';
import type { Step, WhenStep } from '../support/modelServer/story';
import { edit, lookAround } from './conversation';

/** The text of the agent team in the screenshots, about the sample project. */
export const ASK_CREW = 'Refuse dates that do not exist. Look before you build.';

const CALLERS = 'Who calls parseDate, and what do they do with undefined?';
const PHRASES = 'Which phrases can give a date that does not exist?';
const ADVICE = 'Compare the day afterwards, or know the length of each month?';
const BUILD = 'Refuse dates that do not exist in src/phrases.ts';

const usage = { input: 4_200, output: 310 };
const intent = `Intent: **implementation** - refuse \`2026-02-30\` and its like.

Two explorers look for what depends on it, and the oracle weighs the two ways.`;

const found: Step = {
  say: `Only \`src/parseDate.ts\` and its test.

- \`src/parseDate.ts:13\` gives back what the phrase resolves to
- \`src/parseDate.test.ts:32\` already expects \`undefined\` for \`2026-02-30\``,
  usage,
};

const advice = `**Compare the day afterwards.** It is one line, needs no table of months, and cannot be wrong in leap years.`;

/** Titles, so that the list of sessions looks like a user's. */
export const titles: WhenStep = {
  when: ({ tools }) => tools.length === 0,
  step: { say: 'Refuse dates that do not exist' },
};

const plan = ['todo__init', { todos: ['Find what depends on it', 'Choose the way', 'Build and test it'] }] as const;
const asks = [spawn('explore', CALLERS), spawn('explore', PHRASES), spawn('oracle', ADVICE)];

/** Collects from all started agents, which in the screenshots answer at once or never. */
function collects(request: ModelRequest): Step {
  return calls(...idsIn(request).map((id) => ['agent__collect', { id }] as const));
}

const explorer = (rest: Step): WhenStep =>
  says('explore', (request) => {
    const isAboutCallers = request.messages.some(({ text }) => text.startsWith('Who calls'));
    if (isAboutCallers) return found;
    if (resultsIn(request).length === 0) return { call: lookAround, usage };
    return rest;
  });

const leads = (first: Step, last: (request: ModelRequest) => Step): WhenStep =>
  says('sisyphus', (request) => {
    const asked = request.messages.filter(({ role }) => role === 'assistant').length;
    if (asked === 0) return { ...first, say: intent, usage: { input: 9_800, output: 420 } };
    if (resultsIn(request).some((text) => text.includes('"status": "running"')) || asked === 1) {
      return collects(request);
    }
    return last(request);
  });

/** One has answered, one is reading, and one is thinking. */
export const atWork = [
  titles,
  explorer({ say: 'The last one, ', hold: 'never', usage }),
  says('oracle', { think: 'The two ways differ in what they ', hold: 'never', usage }),
  leads(calls(plan, ...asks), () => ({ say: 'Done.' })),
];

const allAnswer = [
  titles,
  explorer({ say: 'Only the last one: it hands the text to `new Date`.', usage }),
  says('oracle', { say: advice, usage }),
];

/** All have answered; the coder wants to change a file. */
export const building = [
  ...allAnswer,
  callsThenSays('coder', { call: [edit], usage: { input: 6_100, output: 290 } }, 'It is in.'),
  leads(calls(plan, ...asks), (request) =>
    idsIn(request).length < 4
      ? {
          say: 'All agree: compare the day afterwards. The coder builds it.',
          ...calls(['todo__done', { id: 1 }], ['todo__done', { id: 2 }], spawn('coder', BUILD)),
          usage: { input: 12_400, output: 260 },
        }
      : call('agent__collect', { id: idsIn(request).at(-1) }),
  ),
];

/** All have answered, and the turn ends with the conclusion. */
export const advised = [
  ...allAnswer,
  leads(calls(...asks), () => ({
    say: 'Nothing but `src/phrases.ts` has to change, and one comparison does it.',
    usage: { input: 12_400, output: 90 },
  })),
];

/** Files of a workspace with its own agents, skills, and roles. */
export const customFiles: Readonly<Record<string, string>> = {
  '.cairn/agents/almanac.md': `---
description: Knows the calendar and the phrases of Sundial
temperature: 0.2
tools: [fs_read, fs_grep, fs_edit]
enabled_skills: [leap-years, git-master, verification-gates]
conversation_starters:
  - Which phrases does parseDate understand?
  - Add a phrase, with its line in the table and a test.
  - Find dates that are read in local time.
---

You are almanac. You know how people say dates, and how this project reads them.

# How you work

- Read the table in \`src/phrases.ts\` before you answer.
- Every date is UTC at midnight. Say so when something is not.
- A new phrase gets a line in the table and a test.
`,
  '.claude/agents/test-reader.md': `---
name: test-reader
description: Reads the tests and says what they do not hold
tools: Read, Grep, Glob
---
You are test-reader.
`,
  '.cairn/skills/leap-years/SKILL.md': `---
name: leap-years
description: Use when a date may fall on 29 February
---
A year is a leap year when it can be divided by 4, but not by 100, or by 400.
`,
  '.cairn/roles/mentor.md': `---
description: Explains each step and asks back
---
Explain why before what, and end with a question.
`,
};

/** An agent with two mistakes, one of them in a half-typed word. */
export const brokenFile = '.cairn/agents/release-notes.md';
export const brokenText = `---
descripton: Writes what has changed for people
mode: primry
model: openai/gpt-5
---

You write release notes: what has changed for people, in plain words.
`;

export const graphFile = '.cairn/agents/release-notes/graph.yaml';
/** A graph with everything that a drawing can have: a fan-out, a map, a question, and a loop. */
export const graphText = `name: release-notes
description: Writes the notes of a release, and has them approved
version: "1.1"
model: openai:gpt-5
start: plan
nodes:
  plan:
    type: llm
    prompt: "List the changes since the last release: {{initial_prompt}}"
    output_schema:
      type: object
      required: [changes]
      properties: { changes: { type: array, items: { type: string } } }
    next: [describe, check]
  describe:
    type: map
    over: "{{changes}}"
    as: change
    branch: sentence
    collect_into: sentences
    max_concurrency: 3
    next: draft
  sentence:
    type: llm
    prompt: "Say in one sentence for users: {{change}}"
  check:
    type: agent
    agent: explore
    prompt: "Which of these changes break what users rely on? {{changes}}"
    state_updates: { breaking: "{{output}}" }
    next: draft
  draft:
    type: llm
    join: all
    max_visits: 4
    prompt: "Write release notes from {{sentences}} and {{breaking}}. {{remark}}"
    state_updates: { notes: "{{output}}" }
    next: review
  review:
    type: approval
    question: "Publish these notes?\\n\\n{{notes}}"
    options: [Publish, Discard]
    routes: { Publish: published, Discard: discarded }
    on_other: revise
  revise:
    type: input
    question: What should be different?
    state_updates: { remark: "{{input}}" }
    next: draft
  published: { type: end, output: "{{notes}}" }
  discarded: { type: end, output: "The notes were discarded." }
initial_state: { remark: "" }
`;
