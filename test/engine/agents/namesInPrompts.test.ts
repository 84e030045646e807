import assert from 'node:assert/strict';
import { OWN_TOOLS } from '../../../src/engine/content/toolNames';
import type { WorkMode } from '../../../src/engine';
import { withWorld } from '../../support/engineWorld';
import type { ModelRequest } from '../../support/modelServer/modelRequest';
import { PROMPTED_AGENTS } from '../../support/promptedAgents';

const MODES: readonly WorkMode[] = ['agent', 'plan', 'ask'];

/**
 * Returns the tools that the prompt mentions but the request does not offer. A name without an underscore, which may be an
 * English word, counts only between backticks.
 */
function absentNames({ messages, tools }: ModelRequest): string[] {
  const prompt = messages
    .filter(({ role }) => role === 'system')
    .map(({ text }) => text)
    .join('\n');
  const pattern = (tool: string) => (tool.includes('_') ? `(?<![\\w*])${tool}(?![\\w*])` : `\`${tool}\``);
  const named = OWN_TOOLS.filter((tool) => new RegExp(pattern(tool)).test(prompt));
  return named.filter((tool) => !tools.includes(tool));
}

describe('A prompt', () => {
  for (const trusted of [true, false])
    for (const isNobody of [false, true]) {
      const where = `in ${trusted ? 'a trusted' : 'an untrusted'} folder${isNobody ? ' without a user to answer' : ''}`;
      it(`names no unavailable tool, for every agent and mode ${where}`, () =>
        withWorld(
          {
            story: [{ when: () => true, step: { say: 'Done.' } }],
            isNobody,
            scope: () => ({ trusted, folders: [] }),
          },
          async ({ engine, server, folder }) => {
            const absent: string[] = [];
            for (const agent of PROMPTED_AGENTS)
              for (const workMode of MODES) {
                const fresh = { workspace: folder, model: 'openai:test-model', approvalMode: 'nothing' as const };
                const { id } = await engine.sessions.create({ ...fresh, name: null });
                const before = server.requests.length;
                const variables = { dsn: 'shop.db' };
                await engine.run({ sessionId: id, input: 'go', agent, workMode, variables }).outcome;
                const request = server.requests[before];
                assert.ok(request, `${agent} asked its model nothing`);
                absent.push(...absentNames(request).map((tool) => `${agent} in mode ${workMode}: ${tool}`));
              }
            assert.deepEqual(absent, []);
          },
        ));
    }
});
