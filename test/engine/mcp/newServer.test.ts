import assert from 'node:assert/strict';
import {
  addressServer,
  commandServer,
  lineServer,
  nameForServer,
  type PackageKind,
  packageServer,
} from '../../../src/engine/mcp/newServer';

describe('A new MCP server', () => {
  it('is parsed from a shell line with leading variables', () => {
    assert.deepEqual(
      lineServer(`KEY={{KEY}} A="b c" npx -y "two words" 'it "is"' "say \\"hi\\"" C:\\tools\\x.exe D=1`),
      {
        type: 'stdio',
        command: 'npx',
        args: ['-y', 'two words', 'it "is"', 'say "hi"', 'C:\\tools\\x.exe', 'D=1'],
        env: { KEY: '{{KEY}}', A: 'b c' },
      },
    );
    assert.deepEqual(lineServer('  server '), { type: 'stdio', command: 'server' });
    for (const none of ['', '  ', 'KEY=1', 'npx "open', "it's"]) assert.equal(lineServer(none), undefined, none);
  });

  it('is installed from the registry of its package, and options are not accepted as packages', () => {
    const cases: readonly (readonly [PackageKind, string, readonly string[] | undefined])[] = [
      ['npm', '@modelcontextprotocol/server-memory', ['npx', '-y', '@modelcontextprotocol/server-memory']],
      ['npm', 'some-server@1.2.3', ['npx', '-y', 'some-server@1.2.3']],
      ['npm', '--call', undefined],
      ['npm', 'a b', undefined],
      ['npm', '../evil', undefined],
      ['pypi', 'mcp-server-fetch', ['uvx', 'mcp-server-fetch']],
      ['pypi', 'a[b]==1.0', ['uvx', 'a[b]==1.0']],
      ['pypi', '--from=x', undefined],
      [
        'docker',
        'ghcr.io/github/github-mcp-server:v1',
        ['docker', 'run', '-i', '--rm', 'ghcr.io/github/github-mcp-server:v1'],
      ],
      ['docker', '--privileged', undefined],
      ['docker', 'a; b', undefined],
    ];
    for (const [kind, text, words] of cases) {
      assert.deepEqual(packageServer(kind, text), words && commandServer(words, {}), text);
    }
  });

  it('accepts only web addresses', () => {
    assert.deepEqual(addressServer('https://mcp.example.org/x'), { type: 'http', url: 'https://mcp.example.org/x' });
    for (const none of ['', 'mcp.example.org', 'file:///etc', 'https://', 'javascript:1']) {
      assert.equal(addressServer(none), undefined, none);
    }
  });

  it('gets a unique name from its package, program or host', () => {
    const cases: readonly (readonly [string, string])[] = [
      ['npx -y @modelcontextprotocol/server-memory@latest', 'memory'],
      ['npx -y @playwright/mcp@latest', 'mcp'],
      ['uvx mcp-server-git --repository .', 'git'],
      ['python -m mcp_server_time', 'time'],
      ['docker run -i --rm ghcr.io/github/github-mcp-server:v1', 'github'],
      ['node C:\\servers\\tides.mjs', 'tides'],
      ['/opt/bin/weather --stdio', 'weather'],
      ['npx', 'npx'],
    ];
    for (const [line, name] of cases) assert.equal(nameForServer(lineServer(line) ?? {}, []), name, line);
    assert.equal(nameForServer({ url: 'https://mcp.example.org/mcp' }, []), 'example');
    assert.equal(nameForServer({ url: 'http://127.0.0.1:3000' }, []), '127-0-0-1');
    assert.equal(nameForServer({ command: 'tides' }, ['tides', 'tides-2']), 'tides-3');
  });
});
