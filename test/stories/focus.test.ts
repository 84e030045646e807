import assert from 'node:assert/strict';
import { chapter } from '../editor/chapter';
import type { EditorWindow } from '../editor/editorWindow';
import type { Panel } from '../editor/panel';
import { repeatUntil } from '../editor/repeatUntil';
import { story } from '../editor/story';
import { until } from '../editor/until';
import { QuickList } from '../support/quickList';

const settings = { 'cairn.model': 'openai:test-model' };
const files = { 'code.txt': 'nothing is typed here\n' };
const write = (path: string) => ({ name: 'fs_write', arguments: { path, contents: 'written\n' } });
const run = (command: string) => ({ name: 'execute_command', arguments: { command } });

/** Focuses the text editor. */
async function beginInCode(window: EditorWindow, path: string): Promise<void> {
  await window.ev(async ({ vscode }, file) => {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file));
    return null;
  }, path);
  const isFocused = () => window.page.locator('.editor-instance .monaco-editor.focused').first().isVisible();
  await until('the text editor to have the focus', isFocused);
}

/** What has the focus in the panel: a control's role, the entry it belongs to, or nothing. */
async function focusInPanel(panel: Panel): Promise<string | null> {
  return (await panel.frame()).evaluate<string | null>(`(() => {
    const { activeElement } = document;
    if (!document.hasFocus() || !activeElement) return null;
    return activeElement.dataset.role ?? activeElement.closest('article')?.dataset.tool ?? null;
  })()`);
}

function typed(panel: Panel, text: string): Promise<boolean> {
  return until(`“${text}” in the message`, async () => (await (await panel.composer()).inputValue()) === text);
}

describe('The focus', () => {
  const scene = chapter({ settings, files });

  scene(
    'returns to the message from every list of the panel, whether picked or not, by keys or mouse',
    [],
    async ({ panel, window, workspace }) => {
      await beginInCode(window, workspace.resolve('code.txt'));
      await panel.open();
      const list = new QuickList(window);
      let letters = '';
      const openBy = async (what: string) => {
        if (what === '/role' || what === '/skills') {
          await (await panel.composer()).fill(what);
          await window.page.keyboard.press('Enter');
          letters = '';
        } else {
          await panel.pressOne(what, async () => (await panel.locate(`[data-role=${what}]`)).first());
        }
        await list.focused();
      };
      for (const [what, row] of [
        ['model', 'Claude Haiku 4.5'],
        ['agent', 'coder'],
        ['approval-mode', 'Ask every time'],
        ['/role', 'No role'],
        ['/skills', 'No skills'],
      ] as const) {
        for (const way of ['Escape', 'Enter', 'the mouse'] as const) {
          await openBy(what);
          await list.input().fill(row);
          if (what === '/skills') await list.waitForRow(row);
          else await list.waitForActive(new RegExp(row));
          if (way !== 'the mouse') await list.input().press(way);
          else if (what === '/skills') await list.pressOk();
          else await panel.pick(row);
          await list.input().waitFor({ state: 'hidden' });
          await until(`the message to have the focus after ${way} in ${what}`, async () => {
            return (await focusInPanel(panel)) === 'message';
          });
          await window.page.keyboard.type('z');
          letters += 'z';
          await typed(panel, letters);
        }
      }
      assert.equal(await textOfFile(window), files['code.txt']);
    },
  );

  scene(
    'stays in an editor list opened while the panel was still being asked to take the focus',
    [],
    async ({ panel, window, workspace }) => {
      await beginInCode(window, workspace.resolve('code.txt'));
      await panel.open();
      await beginInCode(window, workspace.resolve('code.txt'));
      const list = new QuickList(window);
      await list.open('workbench.action.quickOpen');
      // Simulates its late arrival on a slow machine.
      for (const kind of ['focus-composer', 'go-on']) {
        const late = `new Promise((done) => {
          window.addEventListener('message', () => requestAnimationFrame(() => done(null)), { once: true });
          window.postMessage({ kind: '${kind}' });
        })`;
        await (await panel.frame()).evaluate(late);
        assert.equal(await focusInPanel(panel), null);
        await window.page.keyboard.type('code');
      }
      assert.equal(await list.input().inputValue(), 'codecode');
      await list.dismiss();
      await panel.open();
      await window.page.keyboard.type('z');
      await typed(panel, 'z');
      assert.equal(await textOfFile(window), files['code.txt']);
    },
  );

  story(
    'stays in the code that the user turned to while a new API key is tested',
    {
      settings,
      files,
      key: false,
      model: [{ when: ({ tools }) => tools.length === 0, step: { say: 'Tried.', hold: 'tested' } }],
    },
    async ({ panel, window, workspace, model }) => {
      await panel.open();
      await panel.send('hello');
      await panel.press('Set API key');
      await panel.pick('OpenAI');
      await panel.giveInput('test-key');
      await until('the message to have the focus', async () => (await focusInPanel(panel)) === 'message');
      await model.untilRequests(1);
      await beginInCode(window, workspace.resolve('code.txt'));
      model.release('tested');
      await window.page.getByText('Key works.').first().waitFor();
      await window.page.keyboard.type('typed ');
      await until('it in the code', async () => (await textOfFile(window)) === `typed ${files['code.txt']}`);
    },
  );

  scene(
    'is not needed to notice a waiting background session: badge and status bar show it and lead to it',
    [{ hold: 'away', call: [write('a.txt')] }, { say: 'Done.' }],
    async ({ panel, window, model }) => {
      await panel.open();
      await panel.send('write it');
      await panel.waitForText('write it', 'user');
      await window.command('cairn.newSession');
      await until('the new session', async () => (await panel.entries()).length === 0);
      model.release('away');
      const status = window.page.locator('.statusbar-item[id="cairn-agents.cairn.status"]');
      await status.filter({ hasText: 'Waiting for you: ' }).waitFor();
      await window.sideBar().locator('.badge-content', { hasText: '1' }).first().waitFor();
      await repeatUntil(
        'the session that waits',
        () => status.click({ timeout: 5000 }),
        async () => (await (await panel.locate('[data-approval-id]')).count()) > 0,
        'redrawn',
      );
      await panel.approve();
      await panel.waitForText('Done.', 'text');
      await until('the badge to be gone', async () => {
        return (await window.sideBar().locator('.badge-content', { hasText: '1' }).count()) === 0;
      });
    },
  );

  scene(
    'moves to the next pending request after the key chord, which works from the code as well',
    [{ call: [run('echo first')] }, { call: [write('a.txt'), write('b.txt')] }, { say: 'Done.' }],
    async ({ panel, window, workspace }) => {
      await panel.open();
      await panel.send('go on');
      await panel.waitForApproval();
      await beginInCode(window, workspace.resolve('code.txt'));
      await panel.answerByKeys('Control+k', 'Control+y');
      await panel.waitForTool('execute_command', 'ok');
      await panel.waitForTool('fs_write', 'waiting');
      await panel.press('Open diff of a.txt');
      await window.page
        .locator('.monaco-diff-editor .editor.modified.focused, .monaco-diff-editor .modified .focused')
        .first()
        .waitFor();
      await panel.answerByKeys('Control+k', 'Control+y');
      await panel.waitForTool('fs_write', 'ok');
      await until('the next request to have the focus', async () => {
        return (await focusInPanel(panel)) === 'fs_write';
      });
      await panel.accept('Accept b.txt');
      await panel.waitForText('Done.', 'text');
      assert.equal(await workspace.read('a.txt'), 'written\n');
      assert.equal(await workspace.read('code.txt'), files['code.txt']);
    },
  );
});

function textOfFile(window: EditorWindow): Promise<string | undefined> {
  return window.ev(({ vscode }) =>
    vscode.workspace.textDocuments.find(({ uri }) => uri.path.endsWith('code.txt'))?.getText(),
  );
}
