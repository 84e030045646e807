import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { nodeFileSystem } from '../../../src/node/nodeFileSystem';
import { OtherProcess } from '../../support/otherProcess/otherProcess';
import { temporaryFolder, type TemporaryFolder } from '../temporaryFolder';

describe('Appending to a file', () => {
  const files = nodeFileSystem(false);
  let folder: TemporaryFolder;
  let file: string;

  beforeEach(async () => {
    folder = await temporaryFolder();
    file = path.join(folder.path, 'history.jsonl');
  });
  afterEach(() => folder.remove());

  it('starts a new line after a truncated one', async () => {
    await writeFile(file, 'one\ntw');
    await files.appendLine(file, 'three');
    await files.appendLine(file, 'four');
    assert.equal(await readFile(file, 'utf8'), 'one\ntw\nthree\nfour\n');
  });

  it('writes long texts in full and in order', async () => {
    const text = 'ü'.repeat(3_000_000);
    await files.appendFile(file, text);
    await files.appendLine(file, 'end');
    assert.equal(await readFile(file, 'utf8'), `${text}\nend\n`);
  });

  it('leaves no partial line after a failed write, so that the next line is intact', async function () {
    if (process.platform === 'win32') this.skip();
    await files.appendLine(file, 'first');
    // As on a full disk, part of a line still fits.
    const limited = await OtherProcess.start('ulimit -f 16');
    try {
      for (const length of [60_000, 2_000_000]) {
        assert.match(await limited.ask({ do: 'append', file, length }), /failed:.*would exceed/);
        assert.equal(await readFile(file, 'utf8'), 'first\n');
      }
    } finally {
      await limited.kill();
    }
    await files.appendLine(file, 'second');
    assert.equal(await readFile(file, 'utf8'), 'first\nsecond\n');
  });
});
