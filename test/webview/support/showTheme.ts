import type { Page } from 'playwright-core';
import type { Theme } from '../preview/themes';
import { TWO_FRAMES } from './frames';

/** Changes the theme of an open panel like the editor: other variables and another class in the same document. */
export async function showTheme(page: Page, { classes, colors }: Theme): Promise<void> {
  const variables = Object.entries(colors).map(([name, value]) => [`--vscode-${name.replaceAll('.', '-')}`, value]);
  await page.evaluate(`(async () => {
    const root = document.documentElement;
    const wanted = new Map(${JSON.stringify(variables)});
    const written = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).filter((rule) => rule.selectorText === 'html');
    const before = [root.style, ...written.map(({ style }) => style)].flatMap((style) => [...style]);
    for (const name of before) {
      if (name.startsWith('--vscode-') && !/font|size|weight/i.test(name) && !wanted.has(name)) root.style.setProperty(name, 'initial');
    }
    for (const [name, value] of wanted) root.style.setProperty(name, value);
    document.body.className = ${JSON.stringify(classes)} + ' vscode-reduce-motion';
    // What listens to the class draws in the next frame.
    await ${TWO_FRAMES};
  })()`);
}
