import assert from 'node:assert/strict';
import { fuzzyScore, nearest } from '../../src/base/matching';

describe('The nearest word', () => {
  for (const [word, candidates, found] of [
    ['helpr', ['reviewer', 'helper', 'help'], 'helper'],
    ['fs_raed', ['fs_write', 'fs_read'], 'fs_read'],
    ['FS-Read', ['fs_red', 'fs_read'], 'fs_read'],
    ['prompts', ['next', 'prompt'], 'prompt'],
    ['', ['a', 'bc'], 'a'],
    ['wholly', ['other', 'words'], undefined],
    ['naïve', ['naive'], 'naive'],
    ['x'.repeat(200), ['x'.repeat(199), 'y'.repeat(200)], 'x'.repeat(199)],
    ['one', [], undefined],
  ] as const)
    it(`to ${JSON.stringify(word.slice(0, 20))} is ${JSON.stringify(found?.slice(0, 20))}`, () => {
      assert.equal(nearest(word, candidates), found);
    });

  it('is one that passes the filter, which is not called for distant candidates', () => {
    const asked: string[] = [];
    const counts = (candidate: string) => {
      asked.push(candidate);
      return candidate !== 'planned';
    };
    assert.equal(nearest('planed', ['planned', 'planet', 'wholly-other'], counts), 'planet');
    assert.deepEqual(asked, ['planned', 'planet']);
  });
});

describe('Typed letters', () => {
  for (const [typed, better, worse] of [
    ['app.ts', 'src/app.ts', 'src/my-app.ts'],
    ['app', 'lib/app.ts', 'app/x.ts'],
    ['edt', 'edit.ts', 'exdxt.ts'],
    ['edt', 'ed-to.ts', 'edato.ts'],
    ['edt', 'edit.ts', 'e/d/t.ts'],
    ['app', 'app.ts', 'far/below/here/app.ts'],
  ] as const) {
    it(`“${typed}” find ${better} before ${worse}`, () => {
      assert.ok(fuzzyScore(typed, better) > fuzzyScore(typed, worse));
      assert.ok(fuzzyScore(typed, worse) > 0);
    });
  }

  it('find nothing that lacks one of them, or has them in another order', () => {
    assert.equal(fuzzyScore('edx', 'src/edit.ts'), 0);
    assert.equal(fuzzyScore('tde', 'src/edit.ts'), 0);
  });
});
