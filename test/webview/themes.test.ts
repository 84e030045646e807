import assert from 'node:assert/strict';
import { bundlePanel } from './support/bundlePanel';

describe('The panel colors', () => {
  it('are not hard-coded in the styles', async () => {
    const css = (await bundlePanel()).get('webview.css')?.toString('utf8') ?? '';
    const own = css.replace(/@font-face\s*{[^}]*}/g, '').replace(/mask-image:[^;}]*/g, '');
    const named = [...own.matchAll(/#[0-9a-f]{3,8}\b(?=[^{}]*[;}])|\b(?:rgba?|hsla?|oklch)\(/gi)].map(([text]) => text);
    assert.deepEqual(named, []);
  });
});
