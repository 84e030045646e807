import assert from 'node:assert/strict';
import { setTranslations, t } from '../../src/base/l10n';
import { readTranslations } from '../../src/protocol/panelDocument';

describe('Translatable sentences', () => {
  afterEach(() => setTranslations(undefined));

  it('are English without a translation', () => {
    assert.equal(t('Keep'), 'Keep');
    assert.equal(t('{0} of {1}', 2, 'many'), '2 of many');
  });

  it('use the translated text, which may reorder the values', () => {
    setTranslations(readTranslations({ Keep: 'Behalten', '{0} of {1}': 'von {1} schon {0}' }));
    assert.equal(t('Keep'), 'Behalten');
    assert.equal(t('{0} of {1}', 2, 3), 'von 3 schon 2');
  });

  it('fall back to English when the translation is missing or is not a string', () => {
    setTranslations(readTranslations({ Keep: '', Undo: { words: 'Zurück' }, Stop: null, Send: 'Senden' }));
    assert.deepEqual([t('Keep'), t('Undo'), t('Stop'), t('Send')], ['Keep', 'Undo', 'Stop', 'Senden']);
    assert.equal(t('constructor'), 'constructor');
  });

  it('fall back to English when the whole bundle is malformed', () => {
    for (const broken of [null, 'Keep', 7, undefined]) {
      setTranslations(readTranslations(broken));
      assert.equal(t('Keep'), 'Keep');
    }
  });

  it('do not substitute placeholders inside values, and keep placeholders without a value', () => {
    assert.equal(t('{0} and {1}', '{1}', '{0}'), '{1} and {0}');
    assert.equal(t('{0} costs $1', '$& and $1'), '$& and $1 costs $1');
    setTranslations(readTranslations({ '{0} changed': '{0} geändert {1} {9}' }));
    assert.equal(t('{0} changed', 'a.ts'), 'a.ts geändert {1} {9}');
  });
});
