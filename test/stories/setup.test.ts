import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { chapter } from '../editor/chapter';
import type { EditorWindow } from '../editor/editorWindow';
import type { Panel } from '../editor/panel';
import { repeatUntil } from '../editor/repeatUntil';
import { story } from '../editor/story';
import { until } from '../editor/until';
import type { ModelServer } from '../support/modelServer/modelServer';
import { QuickList } from '../support/quickList';

const settings = { 'cairn.model': 'openai:test-model' };
const files = {
  '.cairn/agents/guide.md':
    '---\ndescription: Shows the way\nconversation_starters: ["Where is {{__cwd__}}?", Which way is north?]\n---\nYou are guide.',
  '.cairn/agents/helper.md': '---\ndescription: Only others start it\nmode: subagent\n---\nYou are helper.',
  '.cairn/agents/keeper.md': '---\nagent_session: logbook\n---\nYou are keeper.',
  '.cairn/agents/visitor.md': '---\nagent_session: temp\nmodel: openai/gpt-4.1\n---\nYou are visitor.',
  '.cairn/agents/asker.md': '---\nvariables:\n  - { name: city, description: Which city }\n---\nYou know {{city}}.',
  '.cairn/roles/pirate.md': '---\ndescription: Talks like one\n---\nTalk like a pirate, always.',
  '.cairn/skills/knots/SKILL.md': '---\nname: knots\ndescription: How to tie them\n---\nOver, under, through.',
  '.cairn/skills/maps/SKILL.md': '---\nname: maps\ndescription: How to read them\n---\nNorth is up.',
};
/** The system prompt of the nth request, not counting those for titles. */
const systemOf = (model: ModelServer, at: number) =>
  model.requests.filter(({ tools }) => tools.length > 0)[at]?.messages[0]?.text ?? '';

/** Takes a row of the list that a command opens. */
async function choose(command: string, row: string, { panel, window }: { panel: Panel; window: EditorWindow }) {
  const list = new QuickList(window);
  await list.open(command);
  await list.waitForRow(row);
  await panel.pick(row);
}

/** Opens the list of skills, including all those from the stories' files. */
async function openSkills(list: QuickList): Promise<void> {
  await list.open('cairn.chooseSkills');
  await list.waitForRow('How to tie them');
}

/** Types a command and runs it with Enter. */
async function enter(panel: Panel, text: string): Promise<void> {
  const composer = await panel.composer();
  await composer.fill(text);
  await composer.press('Enter');
}

async function waitForButton(panel: Panel, name: string): Promise<void> {
  await until(`the button “${name}”`, async () => (await panel.button(name)).isVisible());
}

describe('The session setup', () => {
  const scene = chapter({ settings, files });

  scene(
    'takes an agent by name after /, and opens the agent’s own session',
    [{ say: 'First.' }, { say: 'Kept.' }, { say: 'Kept again.' }],
    async ({ panel, model }) => {
      await panel.open();
      await panel.send('hello');
      await panel.waitForText('First.', 'text');
      await enter(panel, '/agent keeper');
      await waitForButton(panel, 'Agent: keeper');
      await until('its own session', async () => (await panel.entries()).length === 0);
      await panel.send('note this');
      await panel.waitForText('Kept.', 'text');
      assert.match(systemOf(model, 1), /^You are keeper\./);
      await panel.openSession('hello');
      await panel.waitForText('First.', 'text');
      await waitForButton(panel, 'Agent: coder');
      await enter(panel, '/agent keepr');
      await until('the hint', async () =>
        (await panel.frame()).getByRole('alert').getByText('Did you mean “keeper”?').isVisible(),
      );
      await enter(panel, '/agent keeper');
      await panel.waitForText('Kept.', 'text');
    },
  );

  story(
    'takes a skill, whose tools are refused once it is removed, even in the middle of a turn',
    {
      settings: { ...settings, 'cairn.approvalMode': 'nothing' },
      files: {
        '.cairn/agents/coder.md': '---\ntools: [fs_read]\nenabled_skills: [shell-work]\n---\nYou are reader.',
        '.cairn/skills/shell-work/SKILL.md':
          '---\nname: shell-work\ndescription: Runs things\nenabled_tools: [execute_command]\n---\nRun them.',
      },
      model: [
        {
          say: 'I read first.',
          chunk: 100,
          hold: 'read',
          call: [{ name: 'fs_read', arguments: { path: 'README.md' } }],
        },
        { call: [{ name: 'execute_command', arguments: { command: 'touch ran.txt' } }] },
        { say: 'I may not run it.' },
      ],
    },
    async ({ panel, window, model, workspace }) => {
      const toolsOf = (at: number) => model.requests.filter(({ tools }) => tools.length > 0)[at]?.tools ?? [];
      await panel.open();
      const list = new QuickList(window);
      await list.open('cairn.chooseSkills');
      await list.waitForRow('Runs things');
      await list.toggle('shell-work');
      await list.accept();
      await waitForButton(panel, 'Skill: shell-work');
      await panel.send('run it');
      await panel.waitForText('I read first.', 'text');
      await panel.press('Remove skill shell-work');
      await until('the chip to be gone', async () => (await (await panel.button('Skill: shell-work')).count()) === 0);
      model.release('read');
      await panel.waitForText('I may not run it.', 'text');
      assert.ok(toolsOf(0).includes('execute_command'));
      assert.deepEqual(toolsOf(1), toolsOf(0), 'what was sent stays as it was');
      const answers = model.requests.map(({ lastText }) => lastText).join('\n');
      assert.match(answers, /execute_command comes with the skill shell-work, which is not loaded/);
      assert.equal(workspace.exists('ran.txt'), false, 'nor is it run when the model calls it all the same');
    },
  );

  scene(
    'takes several skills from a list, removes one, shows one loaded by the model, and survives a reload',
    [
      { call: [{ name: 'skill__load', arguments: { name: 'git-master' } }] },
      { say: 'I know about commits.' },
      { say: 'And of maps.' },
    ],
    async ({ panel, window, model }) => {
      await panel.open();
      const list = new QuickList(window);
      await openSkills(list);
      await list.toggle('knots');
      await list.toggle('maps');
      await list.accept();
      await waitForButton(panel, 'Skill: knots');
      await panel.press('Remove skill knots');
      await until('the chip to be gone', async () => (await (await panel.button('Skill: knots')).count()) === 0);
      await panel.send('hello');
      await panel.waitForText('Skill git-master loaded', 'notice');
      await waitForButton(panel, 'Skill: git-master');
      await panel.waitForText('I know about commits.', 'text');
      assert.match(systemOf(model, 0), /# Skill: maps\nNorth is up\./);
      assert.doesNotMatch(systemOf(model, 0), /Over, under/);
      const asked = () => model.requests.filter(({ tools }) => tools.length > 0);
      assert.match(asked()[1]?.lastText ?? '', /The skill git-master is loaded/);
      await window.reload();
      await panel.open();
      await panel.waitForText('Skill git-master loaded', 'notice');
      await waitForButton(panel, 'Skill: git-master');
      await openSkills(list);
      await list.toggle('git-master');
      await list.accept();
      await until('the chip to be gone', async () => (await (await panel.button('Skill: git-master')).count()) === 0);
      await panel.send('and now?');
      await panel.waitForText('And of maps.', 'text');
      assert.match(asked()[2]?.messages.at(-1)?.text ?? '', /The skill git-master is unloaded/);
      assert.match(systemOf(model, 2), /# Skill: maps/);
    },
  );

  scene(
    'takes an agent that asks for its variables',
    [({ messages }) => ({ say: messages[0]?.text.split('\n', 1)[0] ?? '' })],
    async ({ panel, window }) => {
      await panel.open();
      await choose('cairn.chooseAgent', 'asker', { panel, window });
      await waitForButton(panel, 'Agent: asker');
      await panel.send('where am I?');
      assert.match(await panel.waitForQuestion(), /Which city/);
      await panel.answer('Oslo');
      await panel.waitForText('You know Oslo.', 'text');
    },
  );

  scene(
    'takes a role after a preview, and removes it again',
    [{ say: 'Arr.' }, { say: 'Good day.' }],
    async ({ panel, window, model }) => {
      await panel.open();
      const list = new QuickList(window);
      await list.open('cairn.chooseRole');
      await list.waitForRow(/^No role.*current/);
      await list.waitForNone('create-title', 'functions', 'shell', '{{');
      await list.input().fill('');
      const preview = window.page.locator('.editor-instance .view-lines', { hasText: 'Talk like a pirate, always.' });
      await repeatUntil(
        'its prompt',
        () => list.pressButton('pirate', /./),
        async () => (await preview.count()) > 0,
        'redrawn',
      );
      await panel.pick('pirate');
      await waitForButton(panel, 'Role: pirate');
      await panel.send('hello');
      await panel.waitForText('Arr.', 'text');
      assert.match(systemOf(model, 0), /Talk like a pirate, always\./);
      await panel.press('Remove role pirate');
      await until('the chip to be gone', async () => (await (await panel.button('Role: pirate')).count()) === 0);
      await panel.send('and now?');
      await panel.waitForText('Good day.', 'text');
      assert.doesNotMatch(systemOf(model, 1), /pirate/);
    },
  );

  scene(
    'offers only the skills that the user allows, or none at all',
    [
      { call: [{ name: 'skill__load', arguments: { name: 'maps' } }] },
      { say: 'I know knots only.' },
      { say: 'I know nothing.' },
    ],
    async ({ panel, window, model }) => {
      const asked = () => model.requests.filter(({ tools }) => tools.length > 0);
      await panel.open();
      const list = new QuickList(window);
      await openSkills(list);
      await list.toggle('knots');
      await list.toggle('No others');
      await list.accept();
      await waitForButton(panel, 'Skill: knots');
      await panel.send('hello');
      await panel.waitForText('I know knots only.', 'text');
      assert.match(systemOf(model, 0), /# Skill: knots/);
      assert.doesNotMatch(systemOf(model, 0), /- maps:/);
      assert.match(asked()[1]?.lastText ?? '', /The skill maps is not enabled here\. Enabled are: knots\./);
      await list.open('cairn.chooseSkills');
      await list.waitForRow('How to read them');
      await list.toggle('No skills');
      await list.accept();
      await until('the chip to be gone', async () => (await (await panel.button('Skill: knots')).count()) === 0);
      await panel.send('and now?');
      await panel.waitForText('I know nothing.', 'text');
      assert.ok(!asked()[2]?.tools.some((name) => name.startsWith('skill__')));
      assert.match(asked()[2]?.messages.at(-1)?.text ?? '', /The skill knots is unloaded/);
    },
  );

  scene(
    'takes an agent from the palette, with its starters, until its chip is removed',
    [{ say: 'North is there.' }, { say: 'Back again.' }],
    async ({ panel, window, model, workspace }) => {
      await panel.open();
      await panel.window.setPanelWidth(300);
      await waitForButton(panel, 'Agent: coder');
      const list = new QuickList(window);
      await list.open('cairn.chooseAgent');
      await list.waitForRow('Shows the way');
      const rows = await list.rows();
      assert.match(rows.join('\n'), /^asker.*This workspace$/m);
      await list.waitForActive(/^coder.*current/);
      await list.waitForNone('file-reviewer', 'demo');
      await list.input().fill('coder');
      await list.waitForRow(/coder.*current/);
      await panel.pick('guide');
      await waitForButton(panel, 'Agent: guide');
      await waitForButton(panel, `Where is ${workspace.path}?`);
      await panel.press('Which way is north?');
      await panel.waitForText('North is there.', 'text');
      assert.match(systemOf(model, 0), /^You are guide\./);
      await panel.press('Remove agent guide');
      await waitForButton(panel, 'Agent: coder');
      await panel.send('and now?');
      await panel.waitForText('Back again.', 'text');
      assert.match(systemOf(model, 1), /^You are coder/);
    },
  );

  // Last, because there is no way to get a window without that agent again.
  scene(
    'takes an agent with its own model that starts anew each time, until it is removed',
    [{ say: 'Hello.' }, { say: 'Good evening.' }],
    async ({ panel, window, model, workspace }) => {
      await panel.open();
      await choose('cairn.chooseAgent', 'visitor', { panel, window });
      await waitForButton(panel, 'Agent: visitor');
      await waitForButton(panel, 'Model: GPT-4.1');
      await panel.send('knock');
      await panel.waitForText('Hello.', 'text');
      assert.equal(model.requests[0]?.model, 'gpt-4.1');
      await choose('cairn.chooseAgent', 'visitor', { panel, window });
      await until('a new session', async () => (await panel.entries()).length === 0);
      await waitForButton(panel, 'Agent: visitor');
      await rm(workspace.resolve('.cairn/agents/visitor.md'));
      await until('its model to be no more', async () => (await panel.button('Model: test-model')).isVisible());
      await panel.send('again');
      await panel.waitForText('There is no agent “visitor”', 'notice');
      await panel.press('Choose another agent');
      await panel.pick('coder');
      await waitForButton(panel, 'Agent: coder');
      await panel.send('good evening');
      await panel.waitForText('Good evening.', 'text');
    },
  );
});
