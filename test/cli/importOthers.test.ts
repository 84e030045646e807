import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { homeWith, stateOf, textBelow } from './importedFolders';
import { inShell } from './inShell';

describe('cairn import --from gemini', function () {
  this.timeout(60_000);

  it('imports servers, sessions with their folder, and commands in place', () =>
    inShell([], async (shell) => {
      const place = join(await homeWith(shell, 'gemini', '.'), '.gemini');
      const before = await stateOf(place);
      const { out } = await shell.cairn(['import', '--from', 'gemini']);
      assert.deepEqual(await stateOf(place), before);
      const config = join(shell.folder, 'config');
      const { mcpServers } = JSON.parse(await readFile(join(config, 'mcp.json'), 'utf8')) as {
        mcpServers: Record<string, Record<string, unknown>>;
      };
      assert.deepEqual(mcpServers['birds'], {
        type: 'stdio',
        command: 'npx',
        args: ['birds-mcp'],
        env: { BIRDS_TOKEN: '{{BIRDS_TOKEN}}', REGION: '$REGION' },
      });
      assert.deepEqual(mcpServers['trains'], { type: 'sse', url: 'https://trains.example.org/sse' });
      assert.equal(mcpServers['boats']?.['type'], 'http');
      assert.match(out, /Left out, because only the other tool has it: timeout, trust/);
      assert.match(out, /command 1 in commands: skipped\n.*Cairn reads them where they are/);
      assert.match(out, /secret GEMINI_API_KEY: skipped/);
      assert.match(out, /:\d+: this is not a message/);
      const kept = await textBelow(config);
      assert.match(kept, /Many birds call[^]*"status":"ok","text":"04:10 bittern"[^]*It is the bittern/);
      assert.match(kept, /"name":"run_shell_command","status":"error"/);
      assert.match(kept, /"workspace": "\/work\/marsh"/);
      assert.doesNotMatch(`${kept}${out}`, /Request cancelled|bt_0192|bk_5647|AIzaSy/);
    }));
});

describe('cairn import --from goose', function () {
  this.timeout(60_000);

  it('imports servers and sessions, and turns recipes into agents', () =>
    inShell([], async (shell) => {
      const place = join(await homeWith(shell, 'goose', '.'), '.config', 'goose');
      const before = await stateOf(place);
      const { out } = await shell.cairn(['import', '--from', 'goose']);
      assert.deepEqual(await stateOf(place), before);
      const config = join(shell.folder, 'config');
      const agent = await readFile(join(config, 'agents', 'keeper.md'), 'utf8');
      assert.match(
        agent,
        /name: tower\n[^]*default: north[^]*- Is the light on\?[^]*Keep the light of \{\{tower\}\} burning/,
      );
      assert.equal((await shell.cairn(['--validate', config])).status, 0);
      assert.match(await readFile(join(config, 'config.yaml'), 'utf8'), /model: anthropic:claude-sonnet-4/);
      const servers = await readFile(join(config, 'mcp.json'), 'utf8');
      assert.match(servers, /"command": "uvx"[^]*"LIGHT_API_KEY": "\{\{LIGHT_API_KEY\}\}"/);
      assert.match(servers, /"url": "https:\/\/fog\.example\.org\/mcp"[^]*"disabled": true/);
      assert.match(out, /MCP server developer: skipped\n.*built into goose/);
      assert.match(out, /It is called “The lamp \(from goose\)”/);
      assert.match(out, /20250811_093000\.jsonl:6: it is not JSON/);
      const kept = await textBelow(config);
      assert.match(
        kept,
        /Is the lamp clean\?[^]*"name":"developer__shell","status":"ok","text":"dust\.txt"[^]*dust on it/,
      );
      assert.doesNotMatch(`${kept}${out}`, /lk_998877|sk-ant-api03/);
    }));
});

describe('cairn import --from aichat', function () {
  this.timeout(60_000);

  it("recognizes a folder by AIChat's two agent files and merges them into one agent", () =>
    inShell([], async (shell) => {
      await homeWith(shell, 'aichat');
      const listed = await shell.cairn(['import', '--list', '--from', join('.config', 'aichat')]);
      assert.match(listed.out, /^aichat\t/);
      await shell.cairn(['import', '--from', 'aichat']);
      const config = join(shell.folder, 'config');
      const agent = await readFile(join(config, 'agents', 'archivist', 'config.yaml'), 'utf8');
      assert.match(agent, /description: Finds books[^]*model: openai:gpt-4o-mini/);
      assert.match(await readFile(join(config, 'agents', 'archivist', 'tools.sh'), 'utf8'), /find_book/);
      assert.equal((await shell.cairn(['--validate', config])).status, 0);
      assert.match((await shell.cairn(['--list', 'agents'])).out, /^archivist\b/m);
    }));
});
