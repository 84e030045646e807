import assert from 'node:assert/strict';
import { shellName } from '../../../src/node/shellDialect';
import { withWorld } from '../../support/engineWorld';

const bodyOf = (request: { body: unknown } | undefined) => JSON.stringify(request?.body);

describe('what an agent is offered', () => {
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

  it('has no tool that a folder without trust forbids, and no text says otherwise', () =>
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

  it('has no question where nobody can ever answer', () =>
    withWorld({ story: [{ say: '.' }, { say: '.' }], isNobody: true }, async (world) => {
      await world.play('hello');
      assert.doesNotMatch(bodyOf(world.server.requests[0]), /user__|Put a question/);
    }));

  it('has no skill of ours that tells of tools which the agent cannot have', () =>
    withWorld({ story: [{ say: '.' }] }, async (world) => {
      await world.play('hello');
      assert.doesNotMatch(bodyOf(world.server.requests[0]), /parallel-research|oracle-protocol|delegation-protocol/);
      assert.match(bodyOf(world.server.requests[0]), /git-master/);
    }));

  it('tells an agent that a person chose nothing of an inbox', () =>
    withWorld({ story: [{ say: '.' }] }, async (world) => {
      await world.play('where is it?', { agent: 'explore' });
      assert.doesNotMatch(bodyOf(world.server.requests[0]), /inbox|send_message/);
    }));
});
