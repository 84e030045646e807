import assert from 'node:assert/strict';
import { shellName } from '../../../src/node/machineFacts';
import { withWorld } from '../../support/engineWorld';

const bodyOf = (request: { body: unknown } | undefined) => JSON.stringify(request?.body);

describe('The request of an agent', () => {
  it('names the shell that its commands run in', () =>
    withWorld({ story: [{ say: '.' }], commandShell: 'zsh-like' }, async (world) => {
      await world.play('hello');
      assert.match(world.server.requests[0]?.messages[0]?.text ?? '', /; commands run in zsh-like\n/);
      assert.match(
        shellName('C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe'),
        /PowerShell 5\.1.*no &&/,
      );
      assert.equal(shellName('/bin/bash'), 'bash');
    }));

  it('includes no tool or text about one that an untrusted folder forbids', () =>
    withWorld({ story: [{ say: '.' }], scope: () => ({ trusted: false, folders: [] }) }, async (world) => {
      await world.play('hello');
      const [request] = world.server.requests;
      assert.deepEqual(
        request?.tools.filter((name) => /write|edit|patch|mkdir|fs_rm|execute|fetch/.test(name)),
        [],
      );
      assert.ok(request.tools.includes('fs_read'));
      assert.doesNotMatch(bodyOf(request), /change its files/);
    }));

  it('includes no question tools when no one can ever answer', () =>
    withWorld({ story: [{ say: '.' }, { say: '.' }], isNobody: true }, async (world) => {
      await world.play('hello');
      assert.doesNotMatch(bodyOf(world.server.requests[0]), /user__|Put a question/);
    }));

  it('includes no built-in skill about tools that the agent cannot have', () =>
    withWorld({ story: [{ say: '.' }] }, async (world) => {
      await world.play('hello');
      assert.doesNotMatch(bodyOf(world.server.requests[0]), /parallel-research|oracle-protocol|delegation-protocol/);
      assert.match(bodyOf(world.server.requests[0]), /git-master/);
    }));

  it('does not mention an inbox to an agent chosen by the user', () =>
    withWorld({ story: [{ say: '.' }] }, async (world) => {
      await world.play('where is it?', { agent: 'explore' });
      assert.doesNotMatch(bodyOf(world.server.requests[0]), /inbox|send_message/);
    }));
});
