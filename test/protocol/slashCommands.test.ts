import assert from 'node:assert/strict';
import { readSlashText } from '../../src/protocol/slashCommands';

describe('Text that begins with a slash', () => {
  const kindOf = (text: string) => readSlashText(text).kind;

  it('is a command, a choice by name, something unknown, or a message', () => {
    const agent = readSlashText('/agent');
    assert.equal(agent.kind === 'command' && agent.command.command, 'chooseAgent');
    assert.deepEqual(readSlashText('/Agent  code-reviewer '), {
      kind: 'choice',
      takes: 'agent',
      name: 'code-reviewer',
    });
    assert.deepEqual(readSlashText('/role pirate'), { kind: 'choice', takes: 'role', name: 'pirate' });
    assert.deepEqual(readSlashText('/skills maps'), { kind: 'unknown', name: 'skills', isKnown: true });
    assert.deepEqual(readSlashText('/agents'), { kind: 'unknown', name: 'agents', isKnown: false });
    assert.equal(kindOf('/etc/hosts is wrong'), 'message');
    assert.equal(kindOf(' /agent x'), 'message');
  });
});
