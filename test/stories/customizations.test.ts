import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { EditorWindow } from '../editor/editorWindow';
import { Panel } from '../editor/panel';
import { repeatUntil } from '../editor/repeatUntil';
import { story } from '../editor/story';
import { until } from '../editor/until';
import { QuickList } from '../support/quickList';

const settings = { 'cairn.model': 'openai:test-model' };
const agent = (head: string, prompt: string) => `---\n${head}\n---\n${prompt}\n`;

/** A row of the Customizations view, by its accessible name. */
function row(window: EditorWindow, label: string | RegExp): Locator {
  return window.page.locator('.explorer-viewlet').getByRole('treeitem', { name: label });
}

/** Shows the view as tall as possible, because long lists are rendered only in part. */
async function openView(window: EditorWindow): Promise<void> {
  await window.startCommand('cairn.showCustomizations');
  await row(window, /^coder, built-in/).waitFor();
  const files = window.page.locator('.explorer-viewlet').getByRole('button', { name: /^Explorer Section: sundial/ });
  await repeatUntil(
    'the section of files to be closed',
    () => files.click({ timeout: 5000 }),
    async () => (await files.getAttribute('aria-expanded')) === 'false',
    'redrawn',
  );
}

/** Expands a group of the view until one of its rows is shown. */
async function openGroup(window: EditorWindow, group: RegExp, child: string | RegExp): Promise<void> {
  await repeatUntil(
    `the group ${String(group)} to be opened`,
    () => row(window, group).click({ timeout: 5000 }),
    () => row(window, child).isVisible(),
    'redrawn',
  );
}

/** Opens a row's menu and takes an entry. */
async function takeFromMenu(window: EditorWindow, label: RegExp, entry: string): Promise<void> {
  const item = window.page.getByRole('menuitem', { name: entry });
  await repeatUntil(
    'the menu to be open',
    () => row(window, label).click({ button: 'right', timeout: 5000 }),
    () => item.isVisible(),
    'redrawn',
  );
  // A menu does not accept clicks right after opening.
  await until(`the entry ${entry} to be taken`, async () => {
    if (await item.isVisible()) await item.click({ timeout: 2000 });
    return !(await item.isVisible());
  });
}

/** The text and path of the focused editor. */
function shown(window: EditorWindow): Promise<{ path: string; text: string; scheme: string } | undefined> {
  return window.ev(({ vscode }) => {
    const document = vscode.window.activeTextEditor?.document;
    return document && { path: document.uri.path, text: document.getText(), scheme: document.uri.scheme };
  });
}

describe('The Customizations view', () => {
  story(
    'shows all items, which one takes precedence and which is broken, and picks up a new file',
    {
      settings,
      files: {
        '.cairn/agents/coder.md': agent('description: Ours', 'You are ours.'),
        '.claude/agents/checker.md': agent('description: Checks', 'You check.'),
        '.cairn/agents/broken.md': agent('descripton: Typo', 'Hm.'),
        '.cairn/skills/our-api/SKILL.md': agent('description: Our API', 'It is ours.'),
      },
    },
    async ({ window, workspace }) => {
      const header = window.page.getByRole('button', { name: /^Cairn Customizations/ });
      assert.equal(await header.getAttribute('aria-expanded'), 'false');
      await openView(window);
      await row(window, 'coder, workspace').waitFor();
      await row(window, 'coder, built-in · replaced by workspace').waitFor();
      await row(window, 'checker, workspace, Claude · for other agents').waitFor();
      await row(window, /^broken\.md, cannot be used: Unknown key “descripton”/).waitFor();
      await openGroup(window, /^Skills, 9/, 'our-api, workspace');
      await openGroup(window, /^Roles/, /^code, built-in/);
      await workspace.write('.cairn/agents/fresh.md', agent('description: Fresh', 'You are fresh.'));
      await row(window, 'fresh, workspace').waitFor();
      await repeatUntil(
        'the built-in to be shown',
        () => row(window, 'coder, built-in · replaced by workspace').click({ timeout: 5000 }),
        async () => (await shown(window))?.scheme === 'cairn-content',
        'redrawn',
      );
      const builtin = await shown(window);
      assert.match(builtin?.text ?? '', /^---\n/);
      const isReadOnly = await window.ev(async ({ vscode }) => {
        const editor = vscode.window.activeTextEditor;
        const before = editor?.document.version;
        await vscode.commands.executeCommand('type', { text: 'x' });
        return before === editor?.document.version;
      });
      assert.ok(isReadOnly);
    },
  );

  story(
    'creates an agent from a template and starts a chat with it',
    { settings, model: [({ messages }) => ({ say: messages[0]?.text.split('\n', 1)[0] ?? '' })] },
    async ({ window, workspace }) => {
      const panel = new Panel(window);
      await window.startCommand('cairn.newAgent');
      await panel.pick('This workspace');
      await panel.typeInput('not a name');
      await window.page.getByText('Use up to 64 letters, digits, dashes and underscores.').waitFor();
      await panel.typeInput('coder');
      await window.page.getByText('This will replace the existing agent “coder”.').waitFor();
      await panel.giveInput('helper');
      await until('the new file', async () => /\/\.cairn\/agents\/helper\.md$/.test((await shown(window))?.path ?? ''));
      assert.match(await workspace.read('.cairn/agents/helper.md'), /^description: Say what helper does/m);
      await workspace.write('.cairn/agents/helper.md', agent('description: Helps', 'You are the helper of tests.'));
      // Until it is read again, a chat would begin with the template.
      const list = new QuickList(window);
      await list.openUntil('cairn.chooseAgent', 'helper', 'Helps');
      await list.dismiss();
      await openView(window);
      await takeFromMenu(window, /^helper, workspace/, 'Start Chat with Agent');
      await until('the composer', async () => (await panel.composer()).isVisible(), 60_000);
      await until('the agent', async () => (await panel.button('Agent: helper')).isVisible());
      await panel.send('who are you?');
      await panel.waitForText('You are the helper of tests.', 'text');
    },
  );

  story(
    'duplicates a built-in into the workspace, where it takes precedence, and shows its edited prompt',
    { settings, files: { 'AGENTS.md': 'Use tabs.' } },
    async ({ window, workspace }) => {
      await openView(window);
      await takeFromMenu(window, /^explore, built-in/, 'Duplicate to Workspace');
      await until('the copy', async () => /\/\.cairn\/agents\/explore\.md$/.test((await shown(window))?.path ?? ''));
      await row(window, 'explore, workspace').waitFor();
      await row(window, /^explore, built-in · replaced by workspace/).waitFor();
      await window.startCommand('cairn.showEffectivePrompt');
      await new Panel(window).pick('explore');
      await until('the effective prompt', async () => (await shown(window))?.scheme === 'cairn-content');
      const before = await shown(window);
      for (const part of ['Model: `openai:test-model`', '- `fs_read`: ', 'Use tabs.', '# Where you are']) {
        assert.ok(before?.text.includes(part), part);
      }
      assert.ok(!before?.text.includes('`fs_write`'));
      // Unsaved changes do not count, even when everything is read again.
      await window.ev(async ({ vscode }, path) => {
        const edit = new vscode.WorkspaceEdit();
        edit.replace(vscode.Uri.file(path), new vscode.Range(0, 0, 100, 0), 'Half a sen');
        await vscode.workspace.applyEdit(edit);
        return null;
      }, workspace.resolve('.cairn/agents/explore.md'));
      await workspace.write('.cairn/agents/other.md', agent('description: Other', 'You are another.'));
      await row(window, 'other, workspace').waitFor();
      await row(window, 'explore, workspace').waitFor();
      await window.ev(async ({ vscode }, path) => {
        const document = vscode.workspace.textDocuments.find(({ uri }) => uri.fsPath === path);
        if (document) await vscode.window.showTextDocument(document);
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
        return null;
      }, workspace.resolve('.cairn/agents/explore.md'));
      await until('the effective prompt again', async () => (await shown(window))?.scheme === 'cairn-content');
      await workspace.write('.cairn/agents/explore.md', agent('description: Looks', 'You only look at {{__os__}}.'));
      await until('the prompt to follow', async () => /You only look at \w+\./.test((await shown(window))?.text ?? ''));
      assert.match((await shown(window))?.text ?? '', /`fs_write`/);
    },
  );

  story(
    'shows nothing from an untrusted folder',
    {
      settings: { ...settings, 'security.workspace.trust.enabled': true },
      files: { '.cairn/agents/lurker.md': agent('descripton: Typo', 'Hm.'), '.cairn/roles/rogue.md': 'Be bad.\n' },
    },
    async ({ window, workspace }) => {
      await openView(window);
      await openGroup(window, /^Roles/, /^shell, built-in/);
      assert.equal(await row(window, /rogue|lurker/).count(), 0);
      await workspace.write('.cairn/roles/rogue.md', 'Be worse.\n');
      await window.startCommand('workbench.trust.manage');
      const editor = window.page.locator('.workspace-trust-editor');
      const problems = () =>
        window.ev(({ vscode }) => vscode.languages.getDiagnostics().flatMap(([, all]) => all).length);
      assert.equal(await problems(), 0);
      await repeatUntil(
        'the folder to be trusted',
        () => editor.getByRole('button', { name: 'Trust', exact: true }).click({ timeout: 5000 }),
        () => window.ev(({ vscode }) => vscode.workspace.isTrusted),
        'redrawn',
      );
      await row(window, 'rogue, workspace').waitFor();
      await row(window, /^lurker\.md, cannot be used/).waitFor();
      await until('the problem', async () => (await problems()) === 1);
    },
  );
});
