import assert from 'node:assert/strict';
import { changedJson } from '../../../src/engine/mcp/changedJson';
import { plainJson } from '../../../src/engine/mcp/plainJson';
import { isRecord } from '../../../src/base/isRecord';

type Servers = Record<string, unknown>;

function changed(text: string, edit: (servers: Servers) => Servers): string {
  const data: unknown = text === '' ? {} : JSON.parse(plainJson(text));
  if (!isRecord(data)) throw new Error('no object');
  const servers = isRecord(data['mcpServers']) ? data['mcpServers'] : {};
  return changedJson(text, data, { ...data, mcpServers: edit(servers) });
}

const without = (name: string) => (servers: Servers) =>
  Object.fromEntries(Object.entries(servers).filter(([key]) => key !== name));
const add = (servers: Servers) => ({ ...servers, new: { command: 'n', args: ['-y'] } });

describe('An edit of a JSON file', () => {
  it('keeps its comments, order and formatting', () => {
    const text = `// Mine.
{
    "theme": [1,2,  3],
    "mcpServers": {
        // The first.
        "z": {"command":"z",   "args":["1"]}, // about z
        "a": { "url": "https://a.example" }, /* about a */
        // the end
    },
}
`;
    assert.equal(
      changed(text, add),
      text.replace(
        ' /* about a */',
        ` /* about a */
        "new": {
            "command": "n",
            "args": [
                "-y"
            ]
        }`,
      ),
    );
    const off = changed(text, (servers) => ({ ...servers, z: { command: 'z', args: ['1'], offer: 'off' } }));
    assert.equal(off, text.replace('["1"]}', '["1"], "offer": "off"}'));
    assert.equal(changed(text, without('z')), text.replace(/ {8}"z".*\n/, ''));
    assert.equal(changed(text, without('a')), text.replace(/ {8}"a".*\n/, ''));
  });

  it('works with any existing content', () => {
    const cases = [
      '',
      '{}',
      '{"mcpServers":{}}',
      '{"mcpServers":{"a":{}}}',
      '{ "mcpServers": { // none yet\n } }',
      '\uFEFF{\r\n\t"mcpServers": {\r\n\t\t"a": {} // last\r\n\t}\r\n}\r\n',
      '{\n"mcpServers": {"a": {} /* over\ntwo lines */\n}}',
      '{\n"mcpServers": {"a": "//no, comment /* }" \n,}}',
      '{"mcpServers": null, "b": 1}',
      '{"b": 1,}',
    ];
    for (const text of cases) {
      const more = changed(text, add);
      const found: unknown = JSON.parse(plainJson(more));
      assert.ok(isRecord(found) && isRecord(found['mcpServers']), text);
      assert.deepEqual(found['mcpServers']['new'], { command: 'n', args: ['-y'] }, text);
      for (const comment of text.match(/\/\/ (?:none yet|last)|\/\* over\ntwo lines \*\//g) ?? [])
        assert.ok(more.includes(comment), more);
      assert.equal(more.includes('\r\n'), text.includes('\r\n'), more);
      assert.doesNotMatch(more.replaceAll('\r\n', ''), /\r/);
      // And back again.
      const less: unknown = JSON.parse(plainJson(changed(more, without('new'))));
      assert.ok(isRecord(less) && isRecord(less['mcpServers']) && !('new' in less['mcpServers']), text);
    }
  });

  it('is rejected when the result would not be as intended', () => {
    assert.throws(() => changed('{"mcpServers": {"a": {"x": 1}, "a": {"x": 2}}}', without('a')), {
      reason: 'invalid-input',
    });
  });
});
