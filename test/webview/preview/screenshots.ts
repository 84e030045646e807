import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { repoRoot } from '../../editor/repoRoot';
import { launchBrowser, openPanel } from '../support/panelPage';
import { openedParts, type Pose } from './openedParts';
import { scenes } from './scenes';
import { themes } from './themes';

/** Everything at the usual width in dark, and a selection in other themes and widths. */
const SHOTS: { scene: string; theme: keyof typeof themes; width: number }[] = [
  ...Object.keys(scenes()).map((scene) => ({ scene, theme: 'darkModern' as const, width: 380 })),
  ...[
    'answer',
    'approval',
    'command',
    'finished',
    'empty',
    'notices',
    'checkbox',
    'parts',
    'edits',
    'review',
    'agents',
    'agentAsks',
    'graph',
    'setupFull',
    'setupEmpty',
    'modePlan',
    'modeFullAuto',
  ].flatMap((scene) => [
    { scene, theme: 'lightModern' as const, width: 700 },
    { scene, theme: 'highContrast' as const, width: 280 },
    { scene, theme: 'highContrastLight' as const, width: 380 },
    { scene, theme: 'darkModern' as const, width: 280 },
  ]),
  { scene: 'answer', theme: 'lightModern', width: 1200 },
];

const POSED = [
  { theme: 'darkModern', width: 380 },
  { theme: 'lightModern', width: 240 },
  { theme: 'highContrast', width: 300 },
] as const;

/** What is visible only while hovered, focused, or open: maps a name to a scene and what to do there. */
const POSES: Record<string, Pose> = {
  ...openedParts,
  focus: { scene: 'approval', act: (page) => page.getByRole('button', { name: 'Reject', exact: true }).focus() },
  reason: { scene: 'approval', act: (page) => page.getByRole('button', { name: /with reason/ }).click() },
  editsReason: {
    scene: 'edits',
    act: (page) => page.getByRole('button', { name: 'Reject all with reason…' }).click(),
  },
  always: { scene: 'approval', act: (page) => page.getByRole('button', { name: 'Always…' }).click() },
  todos: { scene: 'command', act: (page) => page.getByRole('region', { name: 'To-dos' }).getByRole('button').click() },
  hover: { scene: 'finished', act: (page) => page.getByText('Edit src/date.ts').hover() },
  group: { scene: 'finished', act: (page) => page.getByText('Read 3 files').click() },
  files: { scene: 'finished', act: (page) => page.getByRole('button', { name: /2 files/ }).click() },
  pinned: {
    scene: 'approval',
    act: async (page) => {
      await page.locator('.transcript').hover();
      await page.mouse.wheel(0, -2_000);
      await page.getByRole('button', { name: /Waiting for your approval/ }).waitFor();
    },
  },
};

/** Writes a screenshot of each state. `only` filters by a part of the name. Returns the folder. */
export async function takeScreenshots(only = ''): Promise<string> {
  const folder = path.join(repoRoot, '.build', 'screenshots', 'webview');
  await mkdir(folder, { recursive: true });
  const browser = await launchBrowser();
  try {
    for (const { scene, theme, width } of SHOTS) {
      const name = `${scene}-${theme}-${width}`;
      const state = scenes()[scene];
      if (!state || !name.includes(only)) continue;
      const panel = await openPanel(browser, { state, theme: themes[theme], width, height: 760 });
      await panel.page.locator('textarea').waitFor();
      await panel.page.waitForTimeout(250); // Colors are added when the page is idle, without an event.
      await panel.page.screenshot({ path: path.join(folder, `${name}.png`) });
      if (panel.problems.length > 0) console.error(name, panel.problems);
      await panel.close();
    }
    for (const [name, { scene, act }] of Object.entries(POSES)) {
      const state = scenes()[scene];
      if (!state || !name.includes(only)) continue;
      for (const { theme, width } of POSED) {
        const panel = await openPanel(browser, { state, theme: themes[theme], width, height: 760 });
        await panel.page.locator('textarea').waitFor();
        await act(panel.page, panel.host);
        await panel.page.waitForTimeout(250);
        await panel.page.screenshot({ path: path.join(folder, `pose-${name}-${theme}-${width}.png`) });
        await panel.close();
      }
    }
  } finally {
    await browser.close();
  }
  return folder;
}
