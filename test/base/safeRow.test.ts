import assert from 'node:assert/strict';
import { safeFileName, safeLabel, safeLine, safeNotice, safeRow, safeWords } from '../../src/base/shown/safeText';
import { safeDialog } from '../../src/base/shown/shownLines';
import { TRICKY_TEXTS } from '../support/trickyTexts';

/** Matches control, bidirectional, and invisible characters. */
const NEVER = /[^\P{Cc}\t\n]|\p{Cf}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}/u;
const ICON = /(?<!\\)\$\([\w~-]+\)/;
const LINK = /\]\(/;

/** Deceptive texts, each also with an icon and a link that runs a command. */
const TEXTS = TRICKY_TEXTS.flatMap(({ name, text }) => [
  { name, text },
  { name: `${name}, an icon and a link`, text: `$(check) [Allow](command:evil) ${text}` },
]);

describe('Untrusted text anywhere in the editor', () => {
  it('hides nothing in a list row and adds no icon', () => {
    for (const { name, text } of TEXTS) {
      const row = safeRow({ icon: 'warning', label: text, description: text, detail: text, id: 7 });
      assert.equal(row.id, 7);
      assert.ok(row.label.startsWith('$(warning) '), name);
      for (const words of [row.label.replace('$(warning) ', ''), row.description, row.detail]) {
        assert.ok(!NEVER.test(words) && !ICON.test(words) && !words.includes('\n'), `${name}: ${words}`);
        assert.ok(words.endsWith('END') && !/ {61}/.test(words), `${name}: ${words}`);
      }
    }
    assert.deepEqual(safeRow({ label: '$(zap) x' }), { label: '\\$(zap) x' });
  });

  it('hides nothing in the words above a list', () => {
    for (const { name, text } of TEXTS) {
      const { title, placeHolder, matchOnDetail } = safeWords({ title: text, placeHolder: text, matchOnDetail: true });
      for (const words of [title, placeHolder, safeWords({ placeholder: text }).placeholder]) {
        assert.ok(!NEVER.test(words) && !words.includes('\n'), `${name}: ${words}`);
      }
      assert.ok(matchOnDetail);
    }
  });

  it('hides nothing in a notification, adds no link, and shows its end before the editor truncates it', () => {
    for (const { name, text } of TEXTS) {
      const words = safeNotice(`Cairn: ${text}`, 900);
      assert.ok(!NEVER.test(words) && !LINK.test(words) && !words.includes('\n'), `${name}: ${words}`);
      assert.ok(words.endsWith('END') && words.length <= 1000, `${name}: ${words}`);
    }
  });

  it('hides nothing in a title or document name', () => {
    for (const { name, text } of TEXTS) {
      for (const words of [safeLabel(text, 100), safeFileName(text), safeLine(text, 300, 'exact')]) {
        assert.ok(!NEVER.test(words) && !words.includes('\n') && words.endsWith('END'), `${name}: ${words}`);
      }
      assert.doesNotMatch(safeFileName(text), /[\\/]/);
    }
  });

  it('hides nothing in a dialog, which marks omitted lines and fits on the screen', () => {
    for (const { name, text } of TEXTS) {
      const dialog = safeDialog(text, 'exact');
      assert.ok(!NEVER.test(dialog.text) && dialog.text.endsWith('END'), `${name}: ${dialog.text}`);
      assert.ok(dialog.text.split('\n').length <= 31 && dialog.text.length <= 2100, name);
      assert.equal(dialog.isWhole, !name.startsWith('100,000'), name);
    }
    const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`).join('\n');
    assert.match(safeDialog(lines, 'exact').text, /line 14\n… \+10 lines …\nline 25\n/);
    assert.equal(safeDialog(lines, 'exact').isWhole, false);
    assert.match(safeDialog('ls \u202e#', 'exact').warning ?? '', /reading direction/);
  });
});
