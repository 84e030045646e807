import assert from 'node:assert/strict';
import path from 'node:path';
import type { ScriptCall } from '../../../src/engine';
import { languageOf } from '../../../src/engine/scripts/scriptDescription';
import { scriptProgram } from '../../../src/node/scripts/scriptProgram';
import { scriptPrograms } from '../../support/scriptPrograms';
import { temporaryFolder } from '../temporaryFolder';

/** Returns a call of a script with this first line. */
function callOf(file: string, firstLine: string, changes: Partial<ScriptCall> = {}): ScriptCall {
  return {
    script: { path: `/tools/${file}`, language: languageOf(file) ?? assert.fail(), text: `${firstLine}\n` },
    kind: 'tool',
    called: { name: 'a', entry: 'main', description: '', inputSchema: {}, parameters: [], takes: 'each', line: 1 },
    input: {},
    workspace: '/work',
    trustsWorkspace: true,
    environment: new Map(),
    programFolders: [],
    ask: () => Promise.resolve({ kind: 'nobody' }),
    onOutput: () => undefined,
    ...changes,
  };
}

/** Returns the words before those of Cairn’s own runner. */
function wordsOf(call: ScriptCall): string[] {
  const { file, args } = scriptProgram(call, '/run', scriptPrograms);
  const own = args.findIndex(
    (word) => word === '-c' || path.dirname(word) === scriptPrograms.assets || word === scriptPrograms.moduleRunner,
  );
  return [file, ...args.slice(0, own)];
}

describe('The first line of a script', () => {
  before(function () {
    if (process.platform === 'win32') this.skip();
  });

  for (const [file, line, words] of [
    ['a.sh', '', ['bash']],
    ['a.sh', '#!/bin/sh', ['bash']],
    ['a.sh', '#!/opt/bin/bash -e', ['/opt/bin/bash', '-e']],
    ['a.sh', '#!/usr/bin/env bash', ['bash']],
    ['a.sh', '#!/usr/bin/env -S bash -e -u', ['bash', '-e', '-u']],
    ['a.sh', '#!/usr/bin/env --split-string zsh', ['zsh']],
    ['a.sh', '#!/usr/bin/env A=1 B=2 zsh -f', ['zsh', '-f']],
    ['a.sh', '#!/usr/bin/env A=1', ['bash']],
    ['a.sh', '#!/usr/bin/env -i bash', ['bash']],
    ['a.sh', '#!', ['bash']],
    ['a.sh', '\uFEFF#! /bin/zsh\r', ['/bin/zsh']],
    ['a.py', '# no program', ['python3']],
    ['a.py', '#!/usr/bin/env python3', ['python3']],
    ['a.py', '#!/usr/bin/env python', ['python3']],
    ['a.py', '#!/usr/bin/env -S uv run --script', ['uv', 'run']],
    ['a.py', '#!/opt/python/bin/python3 -I', ['/opt/python/bin/python3', '-I']],
    ['a.ts', '', [process.execPath]],
    ['a.ts', '#!/usr/bin/env -S node --no-warnings', [process.execPath, '--no-warnings']],
    ['a.js', '#!/usr/bin/env bun', ['bun']],
  ] as const) {
    it(`of ${file} chooses ${words.join(' ')}: “${line.replace(/[^ -~]/g, '·')}”`, () =>
      assert.deepEqual(wordsOf(callOf(file, line)), words));
  }

  it('lets an editor run a script for Node, but nothing else, as Node', () => {
    const environmentOf = (line: string) => scriptProgram(callOf('a.js', line), '/run', scriptPrograms).environment;
    assert.deepEqual(environmentOf(''), { ELECTRON_RUN_AS_NODE: '1' });
    assert.deepEqual(environmentOf('#!/usr/bin/env bun'), {});
  });

  it('leaves a Python script to the Python of a workspace, if that is trusted', async () => {
    const folder = await temporaryFolder();
    try {
      const own = path.join('.venv', 'bin', 'python');
      await folder.write({ [own]: '' });
      const workspace = folder.path;
      assert.deepEqual(wordsOf(callOf('a.py', '', { workspace })), [path.join(workspace, own)]);
      assert.deepEqual(wordsOf(callOf('a.py', '#!/usr/bin/env python3', { workspace })), [path.join(workspace, own)]);
      assert.deepEqual(wordsOf(callOf('a.py', '', { workspace, trustsWorkspace: false })), ['python3']);
      assert.deepEqual(wordsOf(callOf('a.py', '#!/usr/bin/python3.12', { workspace })), ['/usr/bin/python3.12']);
    } finally {
      await folder.remove();
    }
  });

  it('of a script of a graph is followed without arguments of a tool', () => {
    const run = (file: string, line: string) => {
      const { file: program, args } = scriptProgram(callOf(file, line, { kind: 'graph' }), '/run', scriptPrograms);
      return [program, ...args];
    };
    assert.deepEqual(run('a.sh', '#!/bin/dash -e'), ['/bin/dash', '-e', '/tools/a.sh']);
    assert.deepEqual(run('a.sh', ''), ['bash', '/tools/a.sh']);
    assert.deepEqual(run('a.py', ''), ['python3', '/tools/a.py']);
  });
});
