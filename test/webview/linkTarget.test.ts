import assert from 'node:assert/strict';
import { parseLinkTarget } from '../../webview/markdown/linkTarget';

describe('parseLinkTarget', () => {
  for (const url of ['https://example.com/a?b#c', 'HTTP://example.com', 'mailto:a@example.com']) {
    it(`follows ${url}`, () => assert.deepEqual(parseLinkTarget(url), { kind: 'url', url }));
  }

  const files: [string, string, number?][] = [
    ['src/date.ts', 'src/date.ts'],
    ['src/date.ts#L40', 'src/date.ts', 40],
    ['src/date.ts#L40-L92', 'src/date.ts', 40],
    ['src/date.ts:40', 'src/date.ts', 40],
    ['date.ts:40:7', 'date.ts', 40],
    ['./my%20file.md', './my file.md'],
  ];
  for (const [href, path, line] of files) {
    it(`opens ${href} as a file`, () =>
      assert.deepEqual(parseLinkTarget(href), { kind: 'file', path, ...(line === undefined ? {} : { line }) }));
  }

  const refused = [
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
  ];
  /** Paths on a server of a Windows network, written in different ways. */
  const shares = [
    String.raw`\\evil\share\x`,
    '/%2Fevil.test/x',
    '%5C%5Cevil%5Cx',
    String.raw`\/evil/x`,
    String.raw`/\evil/x`,
  ];
  for (const href of [
    ...refused,
    ...shares,
    'command:workbench.action.quit',
    'file:///etc/passwd',
    '//evil.test/x',
    '#top',
    '',
  ]) {
    it(`rejects ${JSON.stringify(href)}`, () => assert.equal(parseLinkTarget(href), undefined));
  }
});
