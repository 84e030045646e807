import assert from 'node:assert/strict';
import { openedParts } from './preview/openedParts';
import { scenes } from './preview/scenes';
import { type Theme, themes } from './preview/themes';
import { bundlePanel } from './support/bundlePanel';
import { chat } from './support/chats';
import { panelSuite } from './support/panelSuite';

/**
 * Every colour that is painted, of every element, also inside of the toolkit's parts, with where it is. What has red or blue in
 * it is none of a theme that has only greens. Text, because it runs in the page.
 */
const FOREIGN = `(() => {
  const elements = (root) => [...root.querySelectorAll('*')].flatMap((one) => [one, ...(one.shadowRoot ? elements(one.shadowRoot) : [])]);
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const isForeign = (colour) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [red, , blue, alpha] = context.getImageData(0, 0, 1, 1).data;
    return alpha > 8 && (red > 24 || blue > 24);
  };
  const painted = (one, pseudo) => {
    const style = getComputedStyle(one, pseudo);
    if (pseudo && style.content === 'none') return [];
    const sides = ['Top', 'Right', 'Bottom', 'Left'].filter((side) => parseFloat(style['border' + side + 'Width']) > 0);
    return [
      ['color', style.color],
      ['background', style.backgroundColor],
      ...sides.map((side) => ['border', style['border' + side + 'Color']]),
      ...(style.outlineStyle !== 'none' ? [['outline', style.outlineColor]] : []),
    ];
  };
  const found = elements(document.body).flatMap((one) =>
    one.checkVisibility()
      ? ['', '::before', '::after'].flatMap((pseudo) =>
          painted(one, pseudo || null)
            .filter(([, colour]) => isForeign(colour))
            .map(([what, colour]) => one.tagName + '.' + one.className + pseudo + ' ' + what + ' ' + colour))
      : []);
  return [...new Set(found)];
})()`;

/** A theme in which every variable that the panel asks for is another green. */
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

describe('The colours of the panel', () => {
  const open = panelSuite();
  const kinds = {
    dark: 'vscode-dark',
    light: 'vscode-light',
    'high contrast dark': 'vscode-high-contrast',
    'high contrast light': 'vscode-high-contrast vscode-high-contrast-light',
  };
  for (const [kind, classes] of Object.entries(kinds)) {
    it(`are all the theme's own in ${kind}`, async function () {
      this.timeout(60_000);
      const theme = await greens(classes);
      const all = scenes();
      const poses = [
        ...Object.keys(all).map((scene) => ({ scene, act: () => Promise.resolve() })),
        ...Object.values(openedParts),
      ];
      for (const { scene, act } of poses) {
        const panel = await open({ state: all[scene] ?? chat(), theme });
        await act(panel.page, panel.host);
        assert.deepEqual(await panel.page.evaluate<string[]>(FOREIGN), [], scene);
        await panel.close();
      }
    });
  }

  it('are named nowhere in the styles', async () => {
    const css = (await bundlePanel()).get('webview.css')?.toString('utf8') ?? '';
    const own = css.replace(/@font-face\s*{[^}]*}/g, '').replace(/mask-image:[^;}]*/g, '');
    const named = [...own.matchAll(/#[0-9a-f]{3,8}\b(?=[^{}]*[;}])|\b(?:rgba?|hsla?|oklch)\(/gi)].map(([text]) => text);
    assert.deepEqual(named, []);
  });
});
