import assert from 'node:assert/strict';
import { launchText, startText } from '../../../src/engine/mcp/mcpServer';
import { parseServers, type ServerKey } from '../../../src/engine/mcp/serverFiles';

const parse = (text: string, key: ServerKey = 'mcpServers', folder = '/work') =>
  parseServers(text, { path: '/work/mcp.json', scope: 'workspace', key, folder });
const launches = (text: string, key?: ServerKey) => parse(text, key).servers.map(({ launch }) => launch);

describe('An MCP server file', () => {
  it('is read as Coyote and Claude Code write it, with and without a type (P-8.1)', () => {
    const text = JSON.stringify({
      mcpServers: {
        one: { type: 'stdio', command: 'npx', args: ['-y', 'x'], env: { LEVEL: 3, ON: true }, cwd: '/elsewhere' },
        two: { command: 'uvx', autoApprove: [] },
        three: { type: 'http', url: 'https://example.com/mcp', headers: { 'X-Key': '{{KEY}}' } },
        four: { url: 'https://example.com/mcp' },
        five: { type: 'sse', url: 'http://example.com/sse' },
      },
    });
    assert.deepEqual(launches(text), [
      { type: 'stdio', command: 'npx', args: ['-y', 'x'], cwd: '/elsewhere', env: { LEVEL: '3', ON: 'true' } },
      { type: 'stdio', command: 'uvx', args: [], cwd: '/work', env: {} },
      { type: 'http', url: 'https://example.com/mcp', headers: { 'X-Key': '{{KEY}}' } },
      { type: 'http', url: 'https://example.com/mcp', headers: {} },
      { type: 'sse', url: 'http://example.com/sse', headers: {} },
    ]);
    assert.deepEqual(parse(text).problems, []);
  });

  it('accepts all common type names, and rejects servers with nothing to start', () => {
    const url = 'https://example.com/mcp';
    const text = JSON.stringify({
      mcpServers: {
        ...{ one: { type: 'local', command: ['x', 'y'] }, two: { type: 'streamable-http', url } },
        ...{
          three: { type: 'remote', url },
          four: { command: '' },
          five: { command: [] },
          six: { type: 'other', url },
        },
        ...{ seven: { command: 'z' }, eight: { command: ['z'] } },
      },
    });
    assert.deepEqual(
      parse(text).servers.map(({ id, launch }) => [id, launch.type]),
      [
        ['one', 'stdio'],
        ['two', 'http'],
        ['three', 'http'],
        ['seven', 'stdio'],
        ['eight', 'stdio'],
      ],
    );
    assert.deepEqual(
      parse(text).problems.map((problem) => /“(\w+)” is left out/.exec(problem)?.[1]),
      ['four', 'five', 'six'],
    );
  });

  it('is read as Cline, Windsurf, and Gemini CLI write it', () => {
    const url = 'https://example.com/mcp';
    const text = JSON.stringify({
      mcpServers: {
        one: { type: 'streamableHttp', url },
        two: { type: 'HTTP', url },
        three: { transport: 'sse', url },
        four: { transportType: 'sse', url },
        five: { transport: 'streamable_http', url },
        six: { serverUrl: url },
        seven: { httpUrl: url },
        eight: { serverUrl: 'file:///a' },
      },
    });
    assert.deepEqual(
      parse(text).servers.map(({ id, launch }) => [id, launch.type]),
      [
        ...['one', 'two'].map((id) => [id, 'http']),
        ...['three', 'four'].map((id) => [id, 'sse']),
        ...['five', 'six', 'seven'].map((id) => [id, 'http']),
      ],
    );
    assert.match(parse(text).problems.join(), /“eight” is left out/);
  });

  it('leaves out the tools of a server that other programs leave out', () => {
    const offersOf = (fields: object) => {
      const [server] = parse(JSON.stringify({ mcpServers: { one: { command: 'x', ...fields } } })).servers;
      return [server?.offer, server?.offerOf, server?.onlyTools];
    };
    for (const key of ['disabledTools', 'disabled_tools', 'excludeTools'])
      assert.deepEqual(offersOf({ [key]: ['a', 'b'] }), [undefined, { a: 'off', b: 'off' }, undefined], key);
    for (const key of ['enabledTools', 'enabled_tools', 'includeTools'])
      assert.deepEqual(
        offersOf({ [key]: ['a', 'b'], excludeTools: ['b'] }),
        [undefined, { b: 'off' }, ['a', 'b']],
        key,
      );
    assert.deepEqual(offersOf({ includeTools: ['a'], offer: 'always' }), ['always', {}, ['a']]);
    assert.deepEqual(offersOf({ includeTools: [] }), [undefined, {}, undefined]);
    assert.deepEqual(offersOf({ excludeTools: 'a, b', transport: { kind: 1 } }), [
      undefined,
      { a: 'off', b: 'off' },
      undefined,
    ]);
  });

  it('is read as VS Code writes it, with comments and the folder', () => {
    const text = `{
  // Ours
  "inputs": [],
  "servers": {
    "one": { "command": "\${workspaceFolder}/run.sh", "args": ["// no comment", "/* nor this */"], },
    /* "off": {} */
  },
}`;
    assert.deepEqual(launches(text, 'servers'), [
      { type: 'stdio', command: '/work/run.sh', args: ['// no comment', '/* nor this */'], cwd: '/work', env: {} },
    ]);
  });

  it('knows the name of the folder and what separates paths', () => {
    const args = ['${workspaceFolder}${pathSeparator}a', '${workspaceFolderBasename}${/}b'];
    const text = JSON.stringify({ servers: { one: { command: 'run', args } } });
    const argsIn = (folder: string) => {
      const file = { path: '/x/mcp.json', scope: 'workspace', key: 'servers', folder } as const;
      return parseServers(text, file).servers.map(({ launch }) => launch.type === 'stdio' && launch.args);
    };
    assert.deepEqual(argsIn('/work/tides'), [['/work/tides/a', 'tides/b']]);
    assert.deepEqual(argsIn('C:\\work\\tides'), [['C:\\work\\tides\\a', 'tides\\b']]);
  });

  it('is read as OpenCode writes it, without a problem when its settings have no servers', () => {
    const local = { type: 'local', command: ['npx', 'x'], environment: { A: 'b' } };
    const text = JSON.stringify({ mcp: { one: local, two: { type: 'remote', url: 'https://example.com' } } });
    assert.deepEqual(launches(text, 'mcp'), [
      { type: 'stdio', command: 'npx', args: ['x'], cwd: '/work', env: { A: 'b' } },
      { type: 'http', url: 'https://example.com', headers: {} },
    ]);
    assert.deepEqual(parse('{"model": "x"}', 'mcp'), { servers: [], problems: [] });
  });

  it('accepts sign-in settings of Claude Code and OpenCode, and shows the identity', () => {
    const url = 'https://example.com/mcp';
    const text = JSON.stringify({
      mcpServers: {
        one: {
          type: 'http',
          url,
          oauth: { clientId: 'cairn', callbackPort: 8080, redirectUri: 'http://127.0.0.1:8080/cb' },
        },
        two: { url, oauth: { clientId: 'a b', clientSecret: '{{KEY}}', scopes: ['read', 'write'] } },
        three: { url, oauth: false },
        four: { url, oauth: { clientMetadataUrl: 'https://team.example/client.json' } },
      },
    });
    const [one, two, three, four] = launches(text);
    assert.ok(one && two && three && four);
    assert.equal(launchText(one), `${url} (signs you in as cairn)`);
    assert.equal(launchText(two), `${url} (signs you in as 'a b' with {{KEY}})`);
    assert.equal(launchText(three), url);
    assert.equal(launchText(four), `${url} (signs you in as https://team.example/client.json)`);
    assert.deepEqual('oauth' in two && two.oauth, { clientId: 'a b', clientSecret: '{{KEY}}', scope: 'read write' });
  });

  it('keeps the line of each of many servers, even of one with an escaped name', () => {
    const names = Array.from({ length: 150 }, (_, at) => `server${at}`);
    const lines = names.map((name) => `"${name}": { "command": "x", "args": ["{", "\\"", "//"] }, // “${name}”: {`);
    const { servers, problems } = parse(`{ "mcpServers": {\n${lines.join('\n')}\n"q\\u0041": { "command": "x" } } }`);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      servers.slice(0, 150).map(({ source }) => source.line),
      names.map((_, at) => at + 2),
    );
    assert.deepEqual([servers[150]?.id, servers[150]?.source.line], ['qA', 1]);
  });

  it('accepts only the https address of a file as client metadata', () => {
    for (const clientMetadataUrl of ['http://team.example/client.json', 'https://team.example', 'client.json']) {
      const text = JSON.stringify({
        mcpServers: { one: { url: 'https://example.com/mcp', oauth: { clientMetadataUrl } } },
      });
      const { servers, problems } = parse(text);
      assert.deepEqual(servers, []);
      assert.match(problems.join(), /“one” is left out: oauth\.clientMetadataUrl: must be/);
    }
  });

  it('reports an invalid server with its line, and drops only that one (P-8.1)', () => {
    const { servers, problems } = parse(`{
  "mcpServers": {
    "good": { "command": "x" },
    "typed": { "command": 7 },
    "empty": {},
    "address": { "url": "file:///etc/passwd" },
    "asks": { "command": "x", "args": ["\${input:token}"] },
    "off": { "command": "x", "disabled": true },
    "off2": { "command": "x", "enabled": false },
    "far": { "type": "http" }
  }
}`);
    assert.deepEqual(
      servers.map(({ id, source }) => [id, source.line]),
      [['good', 3]],
    );
    assert.equal(problems.length, 5);
    assert.match(
      problems[0] ?? '',
      /^\/work\/mcp\.json:4: the server “typed” is left out: command: must be text, or a list of texts\./,
    );
    assert.match(problems[1] ?? '', /:5: the server “empty” is left out: it needs a command, or a url/);
    assert.match(problems[2] ?? '', /:6: the server “address” is left out: url: /);
    assert.match(problems[3] ?? '', /:7: the server “asks” .* the input “token”.*Write \{\{token\}\}/);
    assert.match(problems[4] ?? '', /:10: the server “far” is left out: a server of the type “http” needs a url\./);
  });

  it('reports invalid JSON or missing servers', () => {
    assert.match(parse('{\n "mcpServers": {\n  nonsense').problems.join(), /^\/work\/mcp\.json:3: this is not JSON/);
    assert.match(parse('{"servers": {}}').problems.join(), /:1: there is no “mcpServers”; write/);
    assert.match(parse('{"mcpServers": []}').problems.join(), /must be an object that maps names to servers/);
  });

  it('reports how many servers it has beyond the limit', () => {
    const many = Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`s${at}`, { command: 'x' }]));
    const { servers, problems } = parse(JSON.stringify({ mcpServers: many }));
    assert.equal(servers.length, 200);
    assert.match(problems.join(), /:1: it has 250 servers; only the first 200 are used\.$/);
  });

  it('with a huge malformed string yields no servers', () => {
    const quotes = `{"mcpServers": "${'\\"'.repeat(400_000)}`;
    assert.equal(parse(quotes).servers.length, 0);
  });

  it('gives each server a unique name that is valid in tools (P-8.2)', () => {
    const ids = ['my server', 'my.server', 'a__b', '日本', 'x'.repeat(80)];
    const text = JSON.stringify({ mcpServers: Object.fromEntries(ids.map((id) => [id, { command: 'x' }])) });
    assert.deepEqual(
      parse(text).servers.map(({ name }) => name),
      ['my_server', 'my_server-2', 'a_b', 'server', 'x'.repeat(24)],
    );
  });

  it('shows everything that affects what is started or contacted', () => {
    const input = (id: string, fallback?: string) => ({
      id,
      type: 'promptString',
      ...(fallback && { default: fallback }),
    });
    const oauth = { clientId: 'me', scope: 'read write', redirectUri: 'http://127.0.0.1:8080/cb', callbackPort: 8080 };
    const text = JSON.stringify({
      inputs: [input('asked'), input('level', 'very high')],
      mcpServers: {
        elsewhere: { command: './start', cwd: '/tmp/their own' },
        here: { command: './start', cwd: '${workspaceFolder}' },
        given: { command: 'tides', args: ['${input:asked}', '${input:level}'] },
        odd: { command: 'tides', env: { 'A=1 B': '2' } },
        disguised: { url: 'https://example.com:443@evil.example/mcp' },
        rights: { url: 'https://example.com/mcp', oauth },
      },
    });
    assert.deepEqual(parse(text).servers.map(startText), [
      "./start (in '/tmp/their own')",
      './start',
      "tides '${input:asked}' '${input:level}' (${input:level} is 'very high' unless another value is given)",
      "'A=1 B'=2 tides",
      'https://example.com:443@evil.example/mcp (the host is evil.example)',
      "https://example.com/mcp (signs you in as me) (asks for the rights 'read write') (sends you back to http://127.0.0.1:8080/cb) (sends you back to port 8080)",
    ]);
  });

  it('shows a whole launch in one line, as typed in a shell', () => {
    const text = JSON.stringify({
      mcpServers: {
        one: { command: 'npx', args: ['a b', "it's"], env: { A: 'b c' } },
        two: { url: 'https://example.com', headers: { Key: 'x' } },
      },
    });
    assert.deepEqual(launches(text).map(launchText), ["A='b c' npx 'a b' 'it'\\''s'", "https://example.com 'Key: x'"]);
  });
});
