import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { openedParts, type Pose } from './preview/openedParts';
import { scenes } from './preview/scenes';
import { type Theme, themes } from './preview/themes';
import { bundlePanel, packageFile } from './support/bundlePanel';
import { chat } from './support/chats';
import { FOREIGN_COLOURS } from './support/colourProbes';
import { TWO_FRAMES } from './support/frames';
import { panelSuite } from './support/panelSuite';
import { showTheme } from './support/showTheme';

interface AxeResult {
  violations: { id: string; help: string; nodes: { target: unknown; failureSummary: string }[] }[];
}

const KINDS = {
  dark: 'vscode-dark',
  light: 'vscode-light',
  'high contrast dark': 'vscode-high-contrast',
  'high contrast light': 'vscode-high-contrast vscode-high-contrast-light',
};
/** High contrast differs in few places; opened parts are checked in every theme. */
const IN_HIGH_CONTRAST = {
  highContrast: ['approval', 'notices', 'edits', 'review', ...Object.keys(openedParts)],
  highContrastLight: ['approval', 'finished', 'parts', ...Object.keys(openedParts)],
};

/** A theme in which every variable that the panel uses is a different green. */
async function greens(classes: string): Promise<Theme> {
  const files = await bundlePanel();
  const sources = ['webview.js', 'webview.css'].map((name) => files.get(name)?.toString('utf8') ?? '').join('');
  const names = [...sources.matchAll(/--vscode-([a-zA-Z]+(?:-[a-zA-Z]+)+|[a-zA-Z]+)/g)].flatMap(
    ([, name]) => name ?? [],
  );
  const known = Object.values(themes).flatMap(({ colors }) => Object.keys(colors));
  const asked = [...new Set([...names, ...known])].filter((name) => !/font|size|weight/i.test(name));
  return { classes, colors: Object.fromEntries(asked.map((name, at) => [name, `rgb(0, ${60 + (at % 180)}, 0)`])) };
}

/** From axe's default rules. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Only `colours` if nothing else can differ from the previous theme. */
async function findings(page: Page, what: 'all' | 'colours'): Promise<string[]> {
  const options = what === 'all' ? {} : { runOnly: COLOUR_RULES };
  const { violations } = await page.evaluate<AxeResult>(`axe.run(${JSON.stringify(options)})`);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.failureSummary).join('; ')}`);
}

describe('A scene of the panel', () => {
  const open = panelSuite();
  const all = scenes();
  const unopened = Object.keys(all).map((scene): [string, Pose] => [scene, { scene, act: () => Promise.resolve() }]);

  for (const [name, { scene, act }] of [...unopened, ...Object.entries(openedParts)]) {
    it(`“${name}” is accessible and uses only theme colors in every theme`, async function () {
      this.timeout(120_000);
      const { page, host } = await open({ state: all[scene] ?? chat(), theme: themes.darkModern });
      await act(page, host);
      await page.evaluate(TWO_FRAMES);
      await page.evaluate(await packageFile('axe-core', 'axe.min.js'));
      assert.deepEqual(await findings(page, 'all'), [], 'for axe in darkModern');
      for (const theme of ['lightModern', 'highContrast', 'highContrastLight'] as const) {
        if (theme !== 'lightModern' && !IN_HIGH_CONTRAST[theme].includes(name)) continue;
        await showTheme(page, themes[theme]);
        const what = theme === 'lightModern' ? 'colours' : 'all';
        assert.deepEqual(await findings(page, what), [], `for axe in ${theme}`);
      }
      for (const [kind, classes] of Object.entries(KINDS)) {
        await showTheme(page, await greens(classes));
        assert.deepEqual(await page.evaluate<string[]>(FOREIGN_COLOURS), [], `in greens, ${kind}`);
      }
    });
  }
});
