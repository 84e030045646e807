import assert from 'node:assert/strict';
import { machineFacts } from '../../src/node/machineFacts';

describe('The machine facts', () => {
  const shellOf = (env: NodeJS.ProcessEnv, platform: NodeJS.Platform) => machineFacts(env, platform).shell;

  it('include PowerShell on Windows, even though cmd is set', () => {
    const ComSpec = 'C:\\Windows\\System32\\cmd.exe';
    assert.equal(shellOf({ ComSpec }, 'win32'), 'powershell');
    assert.equal(shellOf({ COMSPEC: ComSpec }, 'win32'), 'powershell');
    assert.equal(shellOf({}, 'win32'), 'powershell');
  });

  it('include the user’s shell without its folder, and none if not set', () => {
    assert.equal(shellOf({ SHELL: 'C:\\Program Files\\Git\\bin\\bash.exe', ComSpec: 'cmd.exe' }, 'win32'), 'bash');
    assert.equal(shellOf({ SHELL: '/usr/bin/zsh' }, 'linux'), 'zsh');
    assert.equal(shellOf({}, 'linux'), undefined);
  });
});
