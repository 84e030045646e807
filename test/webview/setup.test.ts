import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { until } from '../editor/until';
import { themes } from './preview/themes';
import { packageFile } from './support/bundlePanel';
import { chat, run, text, user } from './support/chats';
import { panelSuite } from './support/panelSuite';

const setup = {
  agent: 'code-reviewer',
  isChosen: true,
  mode: 'agent' as const,
  role: 'pirate',
  skills: ['git-master', 'verification-gates'],
  pinned: [],
  starters: ['Review what is staged', 'Review the last commit'],
  parent: null,
};
const MODES = [
  ['everything', 'Ask every time'],
  ['edits-and-commands', 'Ask before edits and commands'],
  ['review-after', 'Auto-edit, review later'],
  ['commands', 'Auto-edit, ask before commands'],
  ['nothing', 'Full auto'],
] as const;
const chips = (page: Page) => page.getByRole('list', { name: 'Role and skills' }).getByRole('listitem');
const box = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const hasFocus = (page: Page) => page.evaluate('document.activeElement.dataset.role === "message"');

/** The labels of a choice that are wider than their room. */
function cutLabels(button: Locator): Promise<string[]> {
  return button
    .locator('.choice-label')
    .evaluateAll((labels) =>
      labels.flatMap(({ textContent, scrollWidth, clientWidth }) =>
        scrollWidth > clientWidth ? [`${textContent}: ${scrollWidth} of ${clientWidth} px`] : [],
      ),
    );
}

describe('The setup of a session', () => {
  const open = panelSuite();

  it('shows the default agent, and nothing that could be removed', async () => {
    const { page, host } = await open({ state: chat() });
    await page.getByRole('button', { name: 'Agent: coder' }).click();
    await until('the command', () => host.asked('command/run').length === 1);
    assert.deepEqual(host.asked('command/run'), [{ command: 'chooseAgent' }]);
    assert.equal(await chips(page).count(), 0);
    assert.equal(await page.getByRole('button', { name: /^Remove/ }).count(), 0);
  });

  it('shows agent, role and skills as they change, and opens the list for each', async () => {
    const { page, host } = await open({ state: chat() });
    host.emit({ type: 'setup-changed', setup });
    await page.getByRole('button', { name: 'Agent: code-reviewer', exact: true }).waitFor();
    assert.deepEqual(
      (await chips(page).allInnerTexts()).map((label) => label.trim()),
      ['pirate', 'git-master', 'verification-gates'],
    );
    await page.getByRole('button', { name: 'Role: pirate' }).click();
    await page.getByRole('button', { name: 'Skill: git-master' }).press('Enter');
    await until('both commands', () => host.asked('command/run').length === 2);
    assert.deepEqual(host.asked('command/run'), [{ command: 'chooseRole' }, { command: 'chooseSkills' }]);
    host.emit({ type: 'setup-changed', setup: { ...setup, isChosen: false, role: null, skills: [], pinned: [] } });
    await chips(page).first().waitFor({ state: 'detached' });
  });

  it('shows the agent’s mode, and the approval mode only where the agent may change something', async () => {
    const { page, host } = await open({ state: chat() });
    await page.getByRole('button', { name: 'Approvals: Ask before edits and commands' }).waitFor();
    await page.getByRole('button', { name: 'Mode: Agent' }).press('Enter');
    await until('the command', () => host.asked('command/run').length === 1);
    assert.deepEqual(host.asked('command/run'), [{ command: 'chooseMode' }]);
    host.emit({ type: 'setup-changed', setup: { ...setup, mode: 'plan' } });
    await page.getByRole('button', { name: 'Mode: Plan' }).waitFor();
    assert.equal(await page.getByRole('button', { name: /^Approvals/ }).count(), 0);
  });

  it('removes each of them by button, with mouse or key, and returns to the message', async () => {
    const { page, host } = await open({ state: chat({ setup }) });
    await page.getByRole('button', { name: 'Remove agent code-reviewer' }).click();
    await until('the focus to be in the message', () => hasFocus(page));
    await page.getByRole('button', { name: 'Remove role pirate' }).press('Enter');
    await page.getByRole('button', { name: 'Remove skill git-master' }).press(' ');
    await until('the skill to be unloaded', () => host.asked('setup/unload-skill').length === 1);
    assert.deepEqual(host.asked('setup/choose'), [
      { sessionId: 'session', kind: 'agent', name: null },
      { sessionId: 'session', kind: 'role', name: null },
    ]);
    assert.deepEqual(host.asked('setup/unload-skill'), [{ sessionId: 'session', name: 'git-master' }]);
    await until('the focus to be in the message again', () => hasFocus(page));
  });

  it('shows why something could not be removed', async () => {
    const { page, host } = await open({ state: chat({ setup }) });
    host.failing.set('setup/choose', 'The session is on a disk that is full.');
    await page.getByRole('button', { name: 'Remove role pirate' }).click();
    await page.getByRole('alert').getByText('The role was not changed. The session is on a disk').waitFor();
    assert.equal(await chips(page).count(), 3);
  });

  it('offers the agent’s starters, and sends one on click', async () => {
    const { page, host } = await open({ state: chat() });
    await page.getByRole('button', { name: 'Explain how this project is built' }).waitFor();
    host.emit({ type: 'setup-changed', setup });
    await page.getByText('Agent: code-reviewer').waitFor();
    await page.getByRole('button', { name: 'Review the last commit' }).click();
    await until('the message', () => host.asked('run/start').length === 1);
    assert.deepEqual(host.asked('run/start'), [{ sessionId: 'session', text: 'Review the last commit' }]);
    assert.equal(await page.getByRole('button', { name: 'Explain how this project is built' }).count(), 0);
  });

  it('chooses agent and role by name after /, and restores the text for an unknown agent', async () => {
    const { page, host } = await open({ state: chat() });
    await box(page).fill('/agent sisyphus');
    await box(page).press('Enter');
    await until('the agent', () => host.asked('setup/choose').length === 1);
    assert.deepEqual(host.asked('setup/choose'), [{ sessionId: 'session', kind: 'agent', name: 'sisyphus' }]);
    assert.equal(await box(page).inputValue(), '');
    host.failing.set('setup/choose', 'There is no role “pirat”. Did you mean “pirate”?');
    await box(page).fill('/role pirat');
    await box(page).press('Enter');
    await page.getByRole('alert').getByText('Did you mean “pirate”?').waitFor();
    assert.equal(await box(page).inputValue(), '/role pirat');
    await box(page).fill('/skills');
    await box(page).press('Enter');
    await until('the list of skills', () => host.asked('command/run').length === 1);
    assert.deepEqual(host.asked('command/run'), [{ command: 'chooseSkills' }]);
  });

  for (const width of [240, 273, 320, 360, 420, 480, 540, 600])
    it(`never cuts off the name of an approval mode at ${width} px`, async () => {
      const model = { id: 'anthropic:claude-sonnet-5-5', label: 'Claude Sonnet 5.5', scripted: false };
      const { page, host } = await open({ state: chat({ model }), width });
      for (const isChosen of [false, true]) {
        host.emit({
          type: 'setup-changed',
          setup: { ...setup, agent: isChosen ? 'code-reviewer' : 'coder', isChosen },
        });
        for (const [mode, name] of MODES) {
          host.emit({ type: 'approval-mode-changed', approvalMode: mode });
          const button = page.getByRole('button', { name: `Approvals: ${name}`, exact: true });
          await button.waitFor();
          assert.deepEqual(await cutLabels(button), []);
          const seen = await button.boundingBox();
          assert.ok(seen && seen.width >= 24 && seen.x >= 0 && seen.x + seen.width <= width, name);
        }
      }
    });

  it('shows the whole names of a usual agent and model in the narrowest panel', async () => {
    const { page } = await open({ state: chat(), width: 240 });
    for (const role of ['mode', 'agent', 'model'])
      assert.deepEqual(await cutLabels(page.locator(`[data-role=${role}]`)), []);
  });

  for (const theme of ['darkModern', 'lightModern', 'highContrast'] as const) {
    it(`passes axe at 240 px in ${theme}, without horizontal overflow`, async () => {
      const entries = [
        user('u', 'Go'),
        { kind: 'notice', id: 'n', level: 'quiet', text: 'Skill git-master loaded', action: null } as const,
        text('t', 'I look at the commits.'),
      ];
      const state = chat({ setup, entries, run: run('thinking') });
      const { page } = await open({ state, theme: themes[theme], width: 240 });
      await page.getByText('Skill git-master loaded').waitFor();
      assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
      for (const name of ['Agent: code-reviewer', 'Stop']) {
        const seen = await page.getByRole('button', { name, exact: true }).boundingBox();
        assert.ok(seen && seen.width >= 24 && seen.x >= 0 && seen.x + seen.width <= 240, name);
      }
      await page.evaluate(await packageFile('axe-core', 'axe.min.js'));
      const { violations } = await page.evaluate<{ violations: { id: string; nodes: { failureSummary: string }[] }[] }>(
        'axe.run()',
      );
      assert.deepEqual(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.failureSummary).join('; ')}`),
        [],
      );
    });
  }
});
