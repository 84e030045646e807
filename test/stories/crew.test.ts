import assert from 'node:assert/strict';
import {
  agentFile,
  call,
  calls,
  callsThenSays,
  idsIn,
  leadsUntilDone,
  resultsIn,
  says,
  spawn,
} from '../engine/agents/team/teamStory';
import { chapter } from '../editor/chapter';
import { story } from '../editor/story';
import { until } from '../editor/until';
import { QuickList } from '../support/quickList';
import { isGone } from '../support/isGone';

const settings = { 'cairn.model': 'openai:test-model' };
const freely = { ...settings, 'cairn.approvalMode': 'nothing' };
const leader = { '.cairn/agents/coder.md': '---\ncan_spawn_agents: true\n---\nYou are lead.' };

describe('The crew', () => {
  const scene = chapter({ settings });

  scene(
    'runs two explorers and the oracle in parallel, led by sisyphus, folds their cards to answers, and ends',
    [
      callsThenSays('explore', call('fs_ls', { path: 'src' }), ({ messages }) => ({
        say: `Evidence of ${messages.find(({ role }) => role === 'user')?.text.split('\n', 1)[0] ?? ''}.`,
        hold: 'looked',
      })),
      says('oracle', { say: 'The **strict** way.', hold: 'looked' }),
      says('sisyphus', (request) => {
        if (idsIn(request).length === 0)
          return {
            say: 'Intent: exploration - find out who calls it.',
            ...calls(spawn('explore', 'callers'), spawn('explore', 'tests'), spawn('oracle', 'Strict or lenient?')),
          };
        const isCollected = resultsIn(request).some((text) => text.includes('"completed"'));
        if (!isCollected) return calls(...idsIn(request).map((id) => ['agent__collect', { id }] as const));
        return { say: `All three: ${resultsIn(request).join(' ')}` };
      }),
    ],
    async ({ panel, window, model }) => {
      await panel.open();
      const list = new QuickList(window);
      await list.open('cairn.chooseAgent');
      // Long lists are rendered only in part.
      await list.input().fill('sisyphus');
      await list.waitForRow('Leads larger work');
      await panel.pick('sisyphus');
      await until('sisyphus', async () => (await panel.button('Agent: sisyphus')).isVisible());
      await panel.send('Who calls parseDate?');
      const cards = async (status: string) =>
        (await panel.entries()).filter((entry) => entry.kind === 'agent' && entry.status === status);
      // Two from sisyphus, two from each explorer, and one from the oracle; none of the three has answered.
      await model.untilRequests(7);
      await until('three at work at once', async () => (await cards('running')).length === 3);
      model.release('looked');
      const said = await panel.waitForText('All three:', 'text');
      for (const part of ['Evidence of callers.', 'Evidence of tests.', 'The strict way.'])
        assert.ok(said.text.includes(part), part);
      const folded = await until('three to be done', async () => {
        const done = await cards('completed');
        return done.length === 3 ? done : undefined;
      });
      assert.doesNotMatch(folded.map(({ text }) => text).join(), /Evidence|strict way/);
      await panel.unfold('first', 'Evidence of callers.');
      await until('the turn to end', async () => (await panel.entries()).some(({ kind }) => kind === 'turn'));
      await until('the composer to send again', async () => (await panel.button('Send')).isVisible());
    },
  );

  story(
    'is stopped with its leader: the cards say so, and their processes are gone',
    {
      settings: freely,
      files: { ...leader, ...agentFile('explore'), ...agentFile('oracle') },
      model: [
        says('explore', call('execute_command', { command: 'echo $$ > explore.pid; echo begun; sleep 600' })),
        says('oracle', call('execute_command', { command: 'echo $$ > oracle.pid; echo begun; sleep 600' })),
        leadsUntilDone(calls(spawn('explore', 'Look.'), spawn('oracle', 'Think.')), 'Never said.'),
      ],
    },
    async ({ panel, workspace }) => {
      await panel.open();
      await panel.send('go');
      const pidOf = (agent: string) =>
        until(`the command of ${agent}`, async () => {
          if (!workspace.exists(`${agent}.pid`)) return undefined;
          return Number(await workspace.read(`${agent}.pid`)) || undefined;
        });
      const pids = [await pidOf('explore'), await pidOf('oracle')];
      assert.deepEqual(pids.map(isGone), [false, false]);
      await panel.stop();
      await until('both to be stopped', async () => {
        const cards = (await panel.entries()).filter(({ kind }) => kind === 'agent');
        return (
          cards.length === 2 && cards.every(({ status, text }) => status === 'cancelled' && text.includes('stopped'))
        );
      });
      await until('their processes to be gone', () => Promise.resolve(pids.every(isGone)));
      await until('the composer to send again', async () => (await panel.button('Send')).isVisible());
      assert.ok(!(await panel.entries()).some(({ text }) => text.includes('Never said.')));
    },
  );
});
