import assert from 'node:assert/strict';
import { shellDialect } from '../../src/node/machineFacts';

describe('shellDialect', () => {
  it('uses bash if available, or else sh', () => {
    assert.equal(shellDialect({}, 'linux', (file) => file === '/usr/bin/bash').file, '/usr/bin/bash');
    assert.equal(shellDialect({}, 'darwin', (file) => file === '/bin/sh').file, '/bin/sh');
    assert.equal(shellDialect({}, 'linux', () => false).file, 'sh');
  });

  it('uses PowerShell on Windows, or else cmd', () => {
    const powershell = shellDialect({ SystemRoot: 'C:\\Windows' }, 'win32', () => true);
    assert.match(powershell.file, /powershell\.exe$/);
    const encoded = powershell.args('echo "a b"').at(-1) ?? '';
    assert.match(Buffer.from(encoded, 'base64').toString('utf16le'), /^echo "a b"$/m);
    const cmd = shellDialect({}, 'win32', () => false);
    assert.deepEqual([cmd.file, ...cmd.args('echo "a"')], ['cmd.exe', '/d', '/s', '/c', '"echo "a""']);
    assert.ok(cmd.verbatim);
  });
});
