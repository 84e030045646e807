import assert from 'node:assert/strict';
import { commandWords, EngineError, narrowRule, type PermissionRule, ruleText } from '../../../src/engine';
import { withWorld } from '../../support/engineWorld';

const npmTest: PermissionRule = {
  tool: 'execute_command',
  argument: { kind: 'command', words: ['npm', 'test'] },
  action: 'allow',
};
const deny: PermissionRule = { tool: 'fetch_url', action: 'deny' };

describe('Rules in force', () => {
  it('are listed by owner, with those of the repository and the agent separate from the user’s', () =>
    withWorld(
      {
        files: {
          '.cairn/permissions.json': JSON.stringify({ rules: [{ tool: 'fs_rm', action: 'ask' }] }),
          '.cairn/agents/careful.md': '---\nname: careful\npermission:\n  bash: deny\n---\nBe careful.\n',
        },
      },
      async ({ engine, folder, sessionId }) => {
        const session = await engine.sessions.open(sessionId);
        await engine.permissions.add('user', folder, [deny]);
        await engine.permissions.add('workspace', folder, [npmTest]);
        await session.addRule({ tool: 'fs_write', action: 'allow' });
        await session.configure({ agent: 'careful' });
        const { problems, agentName, ...rules } = await engine.rules.inForce(sessionId);
        assert.deepEqual([problems, agentName], [[], 'careful']);
        const texts = Object.fromEntries(Object.entries(rules).map(([scope, of]) => [scope, of.map(ruleText)]));
        const { agent, ...others } = texts;
        assert.deepEqual(others, {
          user: ['deny fetch_url'],
          session: ['allow fs_write'],
          workspace: ['allow execute_command: npm test'],
          repository: ['ask fs_rm'],
        });
        assert.ok(
          agent?.some((text) => text.startsWith('deny ')),
          String(agent),
        );
      },
    ));

  for (const scope of ['user', 'workspace', 'session'] as const) {
    it(`can be replaced and removed one by one for the ${scope}, and concurrent changes are reported`, () =>
      withWorld({}, async ({ engine, folder, sessionId }) => {
        const session = await engine.sessions.open(sessionId);
        for (const rule of [deny, npmTest, deny]) {
          if (scope === 'session') await session.addRule(rule);
          else await engine.permissions.add(scope, folder, [rule]);
        }
        const now = async () => (await engine.rules.inForce(sessionId))[scope].map(ruleText);
        const narrower = narrowRule(npmTest) ?? npmTest;
        await engine.rules.replace({ scope, sessionId, rule: npmTest }, [narrower]);
        const narrowed = 'allow execute_command: npm test with harmless options';
        assert.deepEqual(await now(), ['deny fetch_url', narrowed, 'deny fetch_url']);
        await engine.rules.replace({ scope, sessionId, rule: deny }, []);
        assert.deepEqual(await now(), ['deny fetch_url', narrowed]);
        await assert.rejects(engine.rules.replace({ scope, sessionId, rule: npmTest }, []), (error) =>
          EngineError.is(error, 'not-found'),
        );
        assert.deepEqual(await now(), ['deny fetch_url', narrowed]);
      }));
  }

  it('become narrower step by step, for commands that are allowed', () => {
    const once = narrowRule(npmTest);
    const twice = once && narrowRule(once);
    assert.deepEqual(
      [once, twice].map((rule) => rule && ruleText(rule)),
      ['allow execute_command: npm test with harmless options', 'allow execute_command: npm test and nothing else'],
    );
    assert.equal(twice && narrowRule(twice), undefined);
    assert.equal(narrowRule(deny), undefined);
    assert.equal(narrowRule({ ...npmTest, action: 'deny' }), undefined);
  });

  it('can be created from one simple command only', () => {
    assert.deepEqual(commandWords("npm run 'my task'", 'posix'), ['npm', 'run', 'my task']);
    for (const line of ['npm test; rm -rf /', 'echo $(id)', 'a && b', 'echo "', '', 'npm test | sh']) {
      assert.equal(commandWords(line, 'posix'), null, line);
    }
  });
});
