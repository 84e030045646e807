import assert from 'node:assert/strict';
import { type FrontMatterCursor, frontMatterCursor } from '../../../src/host/customize/frontMatterCursor';

/** The cursor at the bar in the text. */
function cursorIn(text: string, isYaml = false): FrontMatterCursor | undefined {
  const before = text.slice(0, text.indexOf('|')).split('\n');
  const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  return frontMatterCursor(text.replace('|', '').split('\n'), position, isYaml);
}

function shortly(text: string, isYaml = false): string | undefined {
  const cursor = cursorIn(text, isYaml);
  return cursor && `${cursor.kind} ${cursor.where.join('.')} ${cursor.start}`;
}

describe('The cursor position in front matter', () => {
  const cases: Record<string, [text: string, place: string | undefined]> = {
    'is a key at the start of a line': ['---\nmo|\n---\n', 'key  0'],
    'is a key on an empty line': ['---\nmode: all\n|\n---\n', 'key  0'],
    'is a key while the end is not typed yet': ['---\nmode: all\nde|', 'key  0'],
    'is a value after a colon': ['---\nmode: pri|\n---\n', 'value mode 6'],
    'is an empty value': ['---\nmode: |\n---\n', 'value mode 6'],
    'is a value in brackets': ['---\ntools: [fs_read, fs_|]\n---\n', 'value tools 17'],
    'is a value after a comma': ['---\ntools: Read, Gr|\n---\n', 'value tools 13'],
    'is a value in a list': ['---\ntools:\n  - fs_read\n  - fs_|\n---\n', 'value tools.0 4'],
    'is a value in an unindented list': ['---\ntools:\n- fs_|\n---\n', 'value tools.0 2'],
    'is a nested key': ['---\npermission:\n  ed|\n---\n', 'key permission 2'],
    'is a nested value': ['---\npermission:\n  edit: |\n---\n', 'value permission.edit 8'],
    'is a value of a quoted key': [
      '---\npermission:\n  bash:\n    git *: allow\n    "*": d|\n---\n',
      'value permission.bash.* 9',
    ],
    'is a value of a key with spaces': [
      '---\npermission:\n  bash:\n    git push *: d|\n---\n',
      'value permission.bash.git push * 16',
    ],
    'is a value nested two keys deep': [
      '---\npermission:\n  task:\n    explore: d|\n---\n',
      'value permission.task.explore 13',
    ],
    'is a key after a nested one': ['---\npermission:\n  edit: deny\nmo|\n---\n', 'key  0'],
    'is a value at the start of a list item': ['---\nvariables:\n  - na|\n---\n', 'value variables.0 4'],
    'is a key of a map in a list': ['---\nvariables:\n  - name: city\n    de|\n---\n', 'key variables.0 4'],
    'is a value of a map in a list': ['---\nvariables:\n  - name: |\n---\n', 'value variables.0.name 10'],
    'is undefined in the text below': ['---\nmode: all\n---\nmo|\n', undefined],
    'is undefined in a file without front matter': ['mo|\n', undefined],
    'is undefined in a comment': ['---\n# mo|\n---\n', undefined],
    'is undefined on the first line': ['--|-\nmode: all\n---\n', undefined],
    'is unaffected by comments and empty lines': [
      '---\npermission:\n\n  # what it may\n  ed|\n---\n',
      'key permission 2',
    ],
  };
  for (const [title, [text, place]] of Object.entries(cases)) {
    it(title, () => {
      assert.equal(shortly(text), place);
    });
  }

  it('covers the whole of a YAML file', () => {
    assert.equal(shortly('auto_|\n', true), 'key  0');
    assert.equal(shortly('global_tools:\n  - fs|\n', true), 'value global_tools.0 4');
  });

  it('includes the existing keys, and whether a colon follows', () => {
    const cursor = cursorIn('---\nname: a\nvariables:\n  - name: b\n|mode: all\nhidden: true\n---\n');
    assert.deepEqual(cursor?.siblings.sort(), ['hidden', 'name', 'variables']);
    assert.equal(cursor.hasColon, true);
    const inner = cursorIn('---\nvariables:\n  - name: a\n    default: x\n  - name: b\n    |\n---\n');
    assert.deepEqual(inner?.siblings, ['name']);
  });
});
