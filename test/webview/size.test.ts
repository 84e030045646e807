import assert from 'node:assert/strict';
import { bundlePanel } from './support/bundlePanel';

describe('The panel bundle', () => {
  it('loads at most 380 KiB of script initially and includes its icons', async () => {
    const files = await bundlePanel();
    const script = files.get('webview.js');
    assert.ok(script && script.length <= 380 * 1024, `${((script?.length ?? 0) / 1024).toFixed(0)} KiB`);
    const names = ['codicon.ttf', 'highlighting.js', 'pages.css', 'pages.js', 'webview.css', 'webview.js'];
    assert.deepEqual([...files.keys()].sort(), names);
  });
});
