import assert from 'node:assert/strict';
import { chapter } from '../editor/chapter';
import { pageFrame } from '../editor/pageFrame';
import { Panel } from '../editor/panel';
import { pressKey } from '../editor/pressKey';
import { story } from '../editor/story';
import { until } from '../editor/until';
import type { ModelRequest } from '../support/modelServer/modelRequest';
import type { WhenStep } from '../support/modelServer/story';
import { beginGraph, FLOW, nodeBox as box } from '../support/graphStory';
import { QuickList } from '../support/quickList';

const settings = { 'cairn.model': 'openai:test-model', 'cairn.approvalMode': 'edits-and-commands' };
const file = (agent: string) => `.cairn/agents/${agent}/graph.yaml`;

const when = (test: (request: ModelRequest) => boolean, step: WhenStep['step']): WhenStep => ({ when: test, step });

const ITEMS = Array.from({ length: 20 }, (_, at) => `item-${at + 1}`);
/** The first few write a file each, which requires approval. */
const ASKING = ITEMS.slice(0, 5);
const MAP = `name: many
version: "1.1"
start: each
initial_state: { items: [${ITEMS.join(', ')}] }
nodes:
  each: { type: map, over: "{{items}}", as: item, branch: one, collect_into: results, max_concurrency: 3, next: done }
  one: { type: llm, prompt: "Do {{item}}", tools: [fs_write] }
  done: { type: end, output: "{{results}}" }
`;
const WORK = [
  when(
    ({ lastText }) => /^Do item-\d+$/.test(lastText),
    ({ lastText }) => {
      const item = lastText.slice('Do '.length);
      if (!ASKING.includes(item)) return { say: `${item} seen` };
      return { call: [{ name: 'fs_write', arguments: { path: `${item}.txt`, contents: item } }] };
    },
  ),
  when(
    ({ lastText }) => /^(?:Created|Wrote)/.test(lastText),
    ({ lastText }) => ({ say: `${/item-\d+/.exec(lastText)?.[0] ?? ''} written` }),
  ),
];

const TRY = `name: hammer
start: try
initial_state: { answer: Nothing }
nodes:
  try: { type: script, script: try.sh, fallback: instead, next: done }
  instead: { type: llm, prompt: "Do without {{initial_prompt}}", state_updates: { answer: "{{output}}" }, next: done }
  done: { type: end, output: "{{answer}}" }
`;

const LEAD = `name: lead
start: ask
nodes:
  ask: { type: agent, agent: scout, prompt: "Look at {{initial_prompt}}", state_updates: { found: "{{output}}" }, next: done }
  done: { type: end, output: "The scout says: {{found}}" }
`;
const SCOUT = '---\ndescription: Looks around\nmode: all\n---\nYou are scout.\n';

const SPEND = `name: thrifty
version: "1.1"
start: think
nodes:
  think: { type: llm, prompt: "Think about {{initial_prompt}}", tools: [fs_ls], budget: { tokens: 500 }, next: done }
  done: { type: end, output: "{{output}}" }
`;

describe('Graph nodes', () => {
  const scene = chapter({ settings, viewport: { width: 1900, height: 1000 } });

  scene(
    'of a map of 20 run three at a time, and five of them ask',
    { model: WORK, files: { [file('many')]: MAP } },
    async ({ window, panel, model, workspace }) => {
      const frame = await beginGraph(window, panel, 'all of it', 'many');
      await box(frame, /^one, 20 items: 3 running · 17 waiting$/).waitFor();
      await panel.waitForApproval();
      await box(frame, /^each, asking you · /).waitFor();
      // Nothing else is started while they wait.
      assert.equal(model.requests.length, 3);
      for (const item of ASKING) {
        await panel.waitForApproval();
        await panel.approve();
        const count = () => Promise.resolve(ASKING.filter((one) => workspace.exists(`${one}.txt`)).length);
        await until('one more file', async () => (await count()) > ASKING.indexOf(item));
      }
      await box(frame, /^each, done · 20 items done · /).waitFor();
      await frame.getByText(/^completed · /).waitFor();
      const { text } = await panel.waitForText('item-20 seen', 'text');
      assert.deepEqual(
        [...text.matchAll(/item-\d+ [a-z]+/g)].map(([words]) => words),
        ITEMS.map((item) => (ASKING.includes(item) ? `${item} written` : `${item} seen`)),
      );
    },
  );

  scene(
    'continue with their fallback when they fail, and show why',
    {
      model: [when(({ lastText }) => lastText === 'Do without a hammer', { say: 'With a stone.' })],
      files: { [file('hammer')]: TRY, '.cairn/agents/hammer/try.sh': 'echo no such luck >&2\nexit 3\n' },
    },
    async ({ window, panel }) => {
      const frame = await beginGraph(window, panel, 'a hammer', 'hammer');
      await panel.approve();
      await box(frame, /^try, failed, fallback taken · .*no such luck.*Went to instead$/s).waitFor();
      await frame.getByText(/^completed · /).waitFor();
      await panel.waitForText('With a stone.', 'text');
    },
  );

  scene(
    'forward what an agent that they started asks',
    {
      model: [
        when(({ lastText }) => lastText.endsWith('Look at the bridge'), {
          call: [
            { name: 'user__ask', arguments: { question: 'Which bridge?', options: ['The old one', 'The new one'] } },
          ],
        }),
        when(({ lastText }) => /The old one/.test(lastText), { say: 'It is made of wood.' }),
      ],
      files: { [file('lead')]: LEAD, '.cairn/agents/scout.md': SCOUT },
    },
    async ({ window, panel }) => {
      const frame = await beginGraph(window, panel, 'the bridge', 'lead');
      assert.match(await panel.waitForQuestion(), /Which bridge\?/);
      await box(frame, /^ask, asking you · /).waitFor();
      await panel.answer('The old one');
      await panel.waitForText('The scout says: It is made of wood.', 'text');
    },
  );

  scene(
    'end when their budget is exhausted',
    {
      model: [
        when(({ lastText }) => lastText === 'Think about rain', {
          call: [{ name: 'fs_ls', arguments: {} }],
          usage: { input: 900, output: 100 },
        }),
      ],
      files: { [file('thrifty')]: SPEND },
    },
    async ({ window, panel, model }) => {
      const frame = await beginGraph(window, panel, 'rain', 'thrifty');
      await box(frame, /^think, failed · .*limit of tokens was reached/s).waitFor();
      await frame.getByText(/^failed · /).waitFor();
      assert.equal(model.requests.length, 1);
    },
  );

  story(
    'that were asking when the window was killed ask again in a new one, without repeating earlier work',
    {
      settings,
      model: [when(({ lastText }) => lastText === 'Plan a tower', { say: 'A tower of stones.' })],
      files: { [file('flow')]: FLOW },
    },
    async ({ session, window, panel, model }) => {
      await beginGraph(window, panel, 'a tower', 'flow');
      await (await panel.frame()).getByText('Do this? A tower of stones.').first().waitFor();
      await window.killExtensionHost();

      const other = await session.openWindow();
      const list = new QuickList(other);
      await new Panel(other).open();
      await list.open('cairn.showGraphRuns');
      await list.waitForRow(/flow.*not finished/);
      await list.accept();
      const frame = await pageFrame(other, 'Graph run: flow');
      await box(frame, /^plan, done · /).waitFor();
      await pressKey(frame.getByRole('button', { name: 'Continue', exact: true }));
      const asked = new Panel(other);
      await box(frame, /^gate, asking you · /).waitFor();
      await asked.answer('Do it');
      await asked.waitForText('Built: A tower of stones.', 'text');
      assert.equal(model.requests.filter(({ lastText }) => lastText === 'Plan a tower').length, 1);
    },
  );
});
