import assert from 'node:assert/strict';
import { setTranslations, t } from '../../src/base/l10n';
import { readTranslations } from '../../src/protocol/panelDocument';

describe('Sentences of ours', () => {
  afterEach(() => setTranslations(undefined));

  it('are English as long as nobody translates them', () => {
    assert.equal(t('Keep'), 'Keep');
    assert.equal(t('{0} of {1}', 2, 'many'), '2 of many');
  });

  it('are shown in the words of a translation, which may order the values anew', () => {
    setTranslations(readTranslations({ Keep: 'Behalten', '{0} of {1}': 'von {1} schon {0}' }));
    assert.equal(t('Keep'), 'Behalten');
    assert.equal(t('{0} of {1}', 2, 3), 'von 3 schon 2');
  });

  it('stay English where the translation has none, and where what it has is no text', () => {
    setTranslations(readTranslations({ Keep: '', Undo: { words: 'Zurück' }, Stop: null, Send: 'Senden' }));
    assert.deepEqual([t('Keep'), t('Undo'), t('Stop'), t('Send')], ['Keep', 'Undo', 'Stop', 'Senden']);
    assert.equal(t('constructor'), 'constructor');
  });

  it('stay English with a bundle that is broken as a whole', () => {
    for (const broken of [null, 'Keep', 7, undefined]) {
      setTranslations(readTranslations(broken));
      assert.equal(t('Keep'), 'Keep');
    }
  });

  it('never look for placeholders in what a value says, and leave those alone that have no value', () => {
    assert.equal(t('{0} and {1}', '{1}', '{0}'), '{1} and {0}');
    assert.equal(t('{0} costs $1', '$& and $1'), '$& and $1 costs $1');
    setTranslations(readTranslations({ '{0} changed': '{0} geändert {1} {9}' }));
    assert.equal(t('{0} changed', 'a.ts'), 'a.ts geändert {1} {9}');
  });
});
