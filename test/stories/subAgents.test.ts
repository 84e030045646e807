import assert from 'node:assert/strict';
import {
  agentFile,
  call,
  calls,
  callsThenSays,
  leadsUntilDone,
  resultsIn,
  says,
  spawn,
} from '../engine/agents/team/teamStory';
import { chapter } from '../editor/chapter';
import { pressInDialog } from '../editor/pressInDialog';
import { repeatUntil } from '../editor/repeatUntil';
import { shownPanels } from '../editor/shownPanels';
import { until } from '../editor/until';

const settings = { 'cairn.model': 'openai:test-model' };
const freely = { ...settings, 'cairn.approvalMode': 'nothing' };
/** The default agent, which is the leader here. */
const leader = { '.cairn/agents/coder.md': '---\ncan_spawn_agents: true\n---\nYou are lead.' };
const files = { ...leader, ...agentFile('explore'), ...agentFile('oracle') };

describe('Started agents', () => {
  const scene = chapter({ settings: freely, files });

  scene(
    'ask for approval in their card, by name',
    {
      settings: { 'cairn.approvalMode': undefined },
      model: [
        callsThenSays('explore', call('fs_write', { path: 'notes.txt', contents: 'found\n' }), 'Written.'),
        leadsUntilDone(calls(spawn('explore', 'Write it down.')), 'It is written down.'),
      ],
    },
    async ({ panel, workspace }) => {
      await panel.open();
      await panel.send('go');
      assert.match(await panel.waitForApproval(), /explore: [^]*notes\.txt/);
      await panel.approve();
      await panel.waitForText('It is written down.', 'text');
      assert.equal(await workspace.read('notes.txt'), 'found\n');
    },
  );

  scene(
    'are deleted with the session that started them, and their tab shows another one',
    {
      model: [
        callsThenSays('explore', call('fs_ls', {}), 'I have seen it.'),
        {
          when: ({ messages }) => messages.some(({ text }) => text === 'and now?'),
          step: { say: 'Heard in another session.' },
        },
        leadsUntilDone(calls(spawn('explore', 'Look around here.')), 'Both have seen it.'),
      ],
    },
    async ({ panel, window }) => {
      await panel.open();
      await panel.send('go');
      await panel.waitForText('Both have seen it.', 'text');
      await (await panel.locate('[data-kind=agent]')).first().hover();
      await panel.press('Open the transcript of explore');
      const drawn = () => shownPanels(window);
      const isChild = ({ text }: { text: string }) => text.includes('Look around here.') && !text.includes('Both have');
      const tab = await until('its transcript in a tab', async () => (await drawn()).find(isChild));
      await panel.openHistory();
      const dialog = window.page.locator('.monaco-dialog-box');
      await repeatUntil(
        'a question',
        async () => (await panel.locate('.session-row')).first().press('Delete', { timeout: 5000 }),
        () => dialog.isVisible(),
        'redrawn',
      );
      await until('the question', async () =>
        /session of the agent it started is deleted too/.test(await dialog.innerText()),
      );
      await pressInDialog(window, 'Delete');
      await until(
        'both to show another',
        async () => !(await drawn()).some(({ text }) => text.includes('Look around')),
      );
      const composer = tab.frame.getByRole('textbox', { name: 'Message' });
      await until('the words in it', async () => {
        await composer.fill('and now?', { timeout: 5000 });
        return (await composer.inputValue({ timeout: 5000 })) === 'and now?';
      });
      await repeatUntil(
        'them to be sent',
        () => composer.press('Enter', { timeout: 5000 }),
        async () => (await composer.inputValue()) === '',
        'redrawn',
      );
      await until('an answer in the tab', async () =>
        (await tab.frame.locator('main.panel').innerText()).includes('Heard in another session.'),
      );
    },
  );

  scene(
    'are restored by a reload in the middle, with their sessions listed under the one that started them',
    {
      model: [
        says('explore', { say: 'Found it.' }),
        says('oracle', { say: 'Thinking it over.', hold: 'over' }),
        leadsUntilDone(calls(spawn('explore', 'Look for it.'), spawn('oracle', 'Think about it.')), 'Both.'),
      ],
    },
    async ({ panel, window, model }) => {
      await panel.open();
      await panel.send('find and think');
      const done = async () =>
        (await panel.entries()).some(({ kind, status }) => kind === 'agent' && status === 'completed');
      await until('one to be done', done);
      await window.reloadWebviews();
      await until('its card to be there again', done);
      await panel.waitForText('Think about it.', 'agent');
      model.release('over');
      await panel.waitForText('Both.', 'text');
      await panel.openHistory();
      const rows = await panel.locate('.session-row');
      await until('one session on the top level', async () => (await rows.count()) === 1);
      await panel.pressOne('its agents', async () => (await panel.locate('.sessions [aria-expanded=false]')).first());
      await until('those of the agents below', async () => (await rows.count()) === 3);
      assert.deepEqual((await rows.allInnerTexts()).map((text) => text.split('\n', 1)[0]?.trim()).slice(1), [
        'explore Look for it.',
        'oracle Think about it.',
      ]);
    },
  );

  scene(
    'resume where they were when started again with their session',
    {
      model: [
        says('explore', (request) => ({
          say: `Answer ${request.messages.filter(({ role }) => role === 'user').length}.`,
        })),
        says('lead', (request) => {
          const results = request.messages.flatMap((message) => message.results.map(({ text }) => text));
          const session = /"session_id": "([^"]+)"/.exec(results.join())?.[1];
          const id = /agent_explore_\w+/.exec(results.join())?.[0];
          const steps = [
            calls(spawn('explore', 'First.')),
            call('agent__collect', { id }),
            call('agent__spawn', { agent: 'explore', prompt: 'Second.', session_id: session }),
            call('agent__collect', { id }),
          ];
          return steps[results.length] ?? { say: 'Asked twice.' };
        }),
      ],
    },
    async ({ panel }) => {
      await panel.open();
      await panel.send('go');
      await panel.waitForText('Asked twice.', 'text');
      await panel.unfold('last', 'Answer 2.');
      await panel.openHistory();
      await panel.pressOne('its agents', async () => (await panel.locate('.sessions [aria-expanded=false]')).first());
      await until('one session of the agent', async () => (await (await panel.locate('.session-row')).count()) === 2);
    },
  );

  scene(
    'have one card each while they work in parallel, which folds to their result',
    [
      says('explore', (request) => ({ say: `Found ${request.lastText}.`, hold: request.lastText })),
      says('oracle', { say: 'The **first** way is better.' }),
      leadsUntilDone(
        calls(spawn('explore', 'the parser'), spawn('explore', 'the tests'), spawn('oracle', 'Which way?')),
        'All three have answered.',
      ),
    ],
    async ({ panel, model }) => {
      await panel.open();
      await panel.send('look into it');
      await panel.waitForText('the parser', 'agent');
      await panel.waitForText('the tests', 'agent');
      const oracle = await until('the oracle to be done', async () =>
        (await panel.entries()).find(
          ({ kind, text, status }) => kind === 'agent' && text.includes('Which way?') && status === 'completed',
        ),
      );
      assert.doesNotMatch(oracle.text, /is better/, 'it is folded');
      await until('the state to say so', async () =>
        /agents? running|Waiting for agent|Wait/i.test(await panel.runState()),
      );
      model.release('the tests');
      model.release('the parser');
      await panel.waitForText('All three have answered.', 'text');
      await panel.unfold('last', 'The first way is better.');
      const said = (await panel.entries()).filter(({ kind }) => kind === 'text');
      assert.equal(said.length, 1, 'what they say is theirs');
    },
  );

  scene(
    'ask the user by name, and get the answer',
    [
      callsThenSays(
        'explore',
        call('user__ask', { question: 'Which parser?', options: ['old', 'new'] }),
        (request) => ({
          say: `Looked at: ${resultsIn(request)[0] ?? ''}`,
        }),
      ),
      leadsUntilDone(calls(spawn('explore', 'Look at the parser.')), 'Thank you.'),
    ],
    async ({ panel, model }) => {
      await panel.open();
      await panel.send('go');
      assert.match(await panel.waitForQuestion(), /explore asks: Which parser\?/);
      await panel.answer('new');
      await panel.waitForText('Thank you.', 'text');
      assert.ok(model.requests.some(({ lastText }) => lastText.includes('new')));
    },
  );

  scene(
    'can be stopped one by one, and the others continue',
    [
      says('explore', { say: 'Never ends', hold: 'never' }),
      says('oracle', { say: 'Wise words.', hold: 'wise' }),
      leadsUntilDone(calls(spawn('explore', 'Look.'), spawn('oracle', 'Think.')), 'One of two.'),
    ],
    async ({ panel, model }) => {
      await panel.open();
      await panel.send('go');
      await panel.waitForText('Think.', 'agent');
      await panel.press('Stop explore');
      await until('it to be stopped', async () =>
        (await panel.entries()).some(({ kind, status }) => kind === 'agent' && status === 'cancelled'),
      );
      model.release('wise');
      await panel.waitForText('One of two.', 'text');
    },
  );

  scene(
    'show their whole transcript in their own tab, even while they work',
    [
      callsThenSays('explore', call('fs_ls', {}), {
        say: 'I have seen the first half and the second.',
        chunk: 14,
        hold: 'half',
      }),
      leadsUntilDone(calls(spawn('explore', 'Look around here.')), 'Seen.'),
    ],
    async ({ panel, window, model }) => {
      await panel.open();
      await panel.send('go');
      await panel.waitForText('Answering', 'agent');
      await panel.press('Open the transcript of explore');
      const tab = await until('its transcript in a tab', async () =>
        (await shownPanels(window)).find(
          ({ text }) => text.includes('Look around here.') && text.includes('I have seen'),
        ),
      );
      assert.doesNotMatch(tab.text, /second/);
      model.release('half');
      await until('the rest of it', async () =>
        (await shownPanels(window)).some(({ text }) => text.includes('the first half and the second.')),
      );
      await until('the end in the chat that started it', async () =>
        (await shownPanels(window)).some(({ text }) => text.includes('Seen.')),
      );
      const inTab = await until('the tab of the agent', async () =>
        (await shownPanels(window)).find(({ text }) => text.includes('Transcript of explore')),
      );
      assert.equal(await inTab.frame.getByRole('textbox', { name: 'Message', exact: true }).count(), 0);
      await panel.pressOne('Back to go', async () => inTab.frame.getByRole('button', { name: 'Back to go' }));
      await until('what started it, in both', async () =>
        (await shownPanels(window)).every(({ text }) => text.includes('Seen.')),
      );
    },
  );
});
