import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { story } from '../editor/story';
import { until } from '../editor/until';
import { chooseAgent } from '../support/chooseAgent';

const settings = { 'cairn.model': 'openai:test-model', 'cairn.approvalMode': 'nothing' };

const GRAPH = `
name: flow
start: plan
nodes:
  plan: { type: llm, prompt: "Plan {{initial_prompt}}", state_updates: { plan: "{{output}}" }, next: gate }
  gate:
    type: approval
    question: "Do this? {{plan}}"
    options: [Do it, Leave it]
    routes: { Do it: name, Leave it: left }
    on_other: left
  name: { type: input, question: "How is it called?", validation: "len(input) >= 3", state_updates: { called: "{{input}}" }, next: done }
  done: { type: end, output: "It is called {{called}}." }
  left: { type: end, output: "Nothing was done." }
`;

describe('Graphs in the editor', () => {
  story(
    'are shown node by node during the run, and ask the user until the answer is valid',
    {
      settings,
      model: [{ when: ({ lastText }) => lastText.startsWith('Plan a'), step: { say: 'A tower of stones.' } }],
    },
    async ({ session, panel }) => {
      const path = join(session.configDir, 'agents/flow/graph.yaml');
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, GRAPH);
      await panel.open();
      await chooseAgent(panel, 'flow');
      await panel.send('a landmark');
      const frame = await panel.frame();
      await frame.getByRole('article', { name: 'Graph flow, running' }).waitFor();
      await frame.getByText('Do this? A tower of stones.').first().waitFor();
      await panel.answer('Do it');
      await frame.getByText('How is it called?').first().waitFor();
      await panel.answer('Al');
      await frame.getByText('The answer must have at least 3 characters; it has 2.').first().waitFor();
      await panel.answer('Cairn');
      await panel.waitForText('It is called Cairn.', 'text');
      const card = frame.getByRole('article', { name: 'Graph flow, finished' });
      await card.waitFor();
      const rows = card.getByRole('listitem');
      await until('all nodes', async () => (await rows.count()) === 4);
      assert.deepEqual(
        (await rows.allInnerTexts()).map((row) => /^done:\s+(\w+)/.exec(row)?.[1]),
        ['plan', 'gate', 'name', 'done'],
      );
    },
  );
});
