import type { EditorWindow } from '../editor/editorWindow';
import type { Panel } from '../editor/panel';
import { until } from '../editor/until';
import { QuickList } from '../support/quickList';
import { pageFrame } from '../editor/pageFrame';
import { advised, ASK_CREW, atWork, brokenFile, brokenText, building, customFiles, graphFile, graphText } from './crew';
import type { Scene } from './scene';
import { turnEnds } from './turnEnds';

/** The scenes in which agents are chosen, written, and working. */
export const agentScenes: readonly Scene[] = [
  {
    name: 'agents',
    story: atWork,
    async play(panel, window) {
      await askCrew(panel, window);
      await until('one to have answered, one to write and one to think', async () => {
        const cards = (await panel.entries()).filter(({ kind }) => kind === 'agent');
        const words = cards.map(({ text }) => text).join('\n');
        return cards.some(({ status }) => status === 'completed') && /Answering/.test(words) && /Thinking/.test(words);
      });
    },
  },
  {
    name: 'agent-approval',
    story: building,
    async play(panel, window) {
      await askCrew(panel, window);
      await panel.waitForApproval();
    },
  },
  {
    name: 'window',
    story: building,
    async play(panel, window) {
      await askCrew(panel, window);
      await panel.waitForApproval();
      await panel.press('Open diff', '[data-approval-id]');
      await window.page.locator('.monaco-diff-editor .editor.modified .view-line').first().waitFor();
    },
  },
  {
    name: 'agent-answers',
    story: advised,
    async play(panel, window) {
      await askCrew(panel, window);
      await turnEnds(panel);
      await (await panel.locate('[data-kind=agent] button.fold')).last().click();
      await panel.waitForText('Compare the day afterwards.', 'agent');
    },
  },
  {
    name: 'sessions',
    story: advised,
    async play(panel, window) {
      await askCrew(panel, window);
      await turnEnds(panel);
      await panel.openHistory();
      await (await panel.locate('.sessions [aria-expanded]')).first().click();
      await (await panel.locate('.sessions li.below')).waitFor();
      await (await panel.frame()).getByRole('textbox', { name: 'Search sessions' }).focus();
    },
    after: (_window, panel) => panel.pressInTitle('Session History'),
  },
  {
    name: 'setup',
    story: [],
    files: customFiles,
    async play(panel, window) {
      await choose(window, 'cairn.chooseAgent', 'almanac');
      await choose(window, 'cairn.chooseRole', 'mentor');
      const list = new QuickList(window);
      await list.open('cairn.chooseSkills');
      for (const skill of ['leap-years', 'git-master', 'verification-gates']) {
        await list.toggle(skill);
      }
      await list.accept();
      const chip = await panel.button('Skill: verification-gates');
      await until('the chips', () => chip.isVisible());
      await (await panel.composer()).fill('Add “the day after tomorrow”, and commit it when the tests pass.');
    },
  },
  {
    name: 'customizations',
    story: [],
    files: customFiles,
    async play(panel, window) {
      await choose(window, 'cairn.chooseAgent', 'almanac');
      await window.startCommand('cairn.showCustomizations');
      const sideBar = window.page.locator('.explorer-viewlet');
      await sideBar.getByRole('treeitem', { name: 'almanac, workspace' }).waitFor();
      await sideBar.getByRole('button', { name: /^Explorer Section: sundial/ }).click();
      await sideBar.getByRole('treeitem', { name: 'almanac, workspace' }).click();
      const text = window.page.locator('.editor-instance .view-lines', { hasText: 'You are almanac.' });
      await text.waitFor();
      await panel.frame();
    },
    async after(window) {
      await window.page.getByRole('button', { name: /^Explorer Section: sundial/ }).click();
      await window.command('workbench.action.closeSidebar');
    },
  },
  {
    name: 'graph',
    story: [],
    files: { [graphFile]: graphText },
    async play(_panel, window) {
      await window.ev(async ({ vscode }, name) => {
        const [folder] = vscode.workspace.workspaceFolders ?? [];
        if (folder) await vscode.window.showTextDocument(vscode.Uri.joinPath(folder.uri, name), { preview: false });
        return null;
      }, graphFile);
      await window.startCommand('cairn.previewGraph');
      const page = await pageFrame(window, 'Graph: release-notes');
      await page.getByRole('button', { name: /^review\. approval/ }).waitFor();
    },
    after: (window) => window.command('workbench.action.closeAllEditors'),
  },
  {
    name: 'broken-agent',
    story: [],
    files: { ...customFiles, [brokenFile]: brokenText },
    async play(_panel, window) {
      await showBroken(window);
      await window.command('workbench.actions.view.problems');
      await window.page.locator('.markers-panel').getByText('descripton').first().waitFor();
    },
    async pose(window) {
      await window.command('workbench.action.focusActiveEditorGroup');
      await window.page.keyboard.press('Control+End');
      await showBroken(window);
      await window.startCommand('editor.action.triggerSuggest');
      await window.page.locator('.suggest-widget.visible .monaco-list-row').first().waitFor();
    },
    async after(window) {
      await window.page.keyboard.press('Escape');
      await window.command('workbench.action.closePanel');
    },
  },
];

async function askCrew(panel: Panel, window: EditorWindow): Promise<void> {
  await choose(window, 'cairn.chooseAgent', 'sisyphus');
  await until('sisyphus to be chosen', async () => (await panel.button('Agent: sisyphus')).isVisible());
  await panel.send(ASK_CREW);
}

/** Takes a row of a list, which appears once the files have been read. */
async function choose(window: EditorWindow, command: string, name: string): Promise<void> {
  const list = new QuickList(window);
  await list.open(command);
  await list.input().fill(name);
  await list.waitForRow(name);
  await list.row(name).click();
}

/** Opens the file with the caret after `mode: pr`, where values are completed. */
async function showBroken(window: EditorWindow): Promise<void> {
  await window.ev(async ({ vscode }, file) => {
    const [found] = await vscode.workspace.findFiles(file);
    if (!found) return null;
    const place = new vscode.Position(2, 6);
    await vscode.window.showTextDocument(found, { preview: false, selection: new vscode.Range(place, place) });
    return null;
  }, brokenFile);
}
