import assert from 'node:assert/strict';
import { machineFacts } from '../../src/node/machineFacts';

describe('what is told of this machine', () => {
  const shellOf = (env: NodeJS.ProcessEnv, platform: NodeJS.Platform) => machineFacts(env, platform).shell;

  it('names PowerShell on Windows, where each machine also has cmd', () => {
    const ComSpec = 'C:\\Windows\\System32\\cmd.exe';
    assert.equal(shellOf({ ComSpec }, 'win32'), 'powershell');
    assert.equal(shellOf({ COMSPEC: ComSpec }, 'win32'), 'powershell');
    assert.equal(shellOf({}, 'win32'), 'powershell');
  });

  it('names the shell that somebody chose, without its folder, and none where nobody did', () => {
    assert.equal(shellOf({ SHELL: 'C:\\Program Files\\Git\\bin\\bash.exe', ComSpec: 'cmd.exe' }, 'win32'), 'bash');
    assert.equal(shellOf({ SHELL: '/usr/bin/zsh' }, 'linux'), 'zsh');
    assert.equal(shellOf({}, 'linux'), undefined);
  });
});
