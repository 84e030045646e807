import assert from 'node:assert/strict';
import { builtinProviders } from '../../../../src/engine/builtins';
import { unlistedModel } from '../../../../src/engine/llm/model';
import { engineSettingsSchema } from '../../../../src/engine/settings';
import { startModelServer } from '../../../support/modelServer/modelServer';
import { eventsOf, failureIn, request, user } from '../support';

const QUESTION = request([user('Hello')]);

/** The built-in providers of an engine, with a server of the user’s own. */
function providersAt(baseUrl: string) {
  const settings = engineSettingsSchema().parse({ custom: { baseUrl }, openai: { baseUrl }, anthropic: { baseUrl } });
  const secrets = { get: () => Promise.resolve('test-key') };
  const clock = { now: () => Date.now(), sleep: () => new Promise<never>(() => undefined) };
  const all = builtinProviders(() => settings, { secrets, clock });
  return (id: string) => {
    const provider = all.find((one) => one.id === id) ?? assert.fail(id);
    return provider.client(unlistedModel(`${id}:test-model`));
  };
}

describe('A refused connection', () => {
  for (const id of ['openai', 'anthropic', 'custom'])
    it(`may pass where the server answered this engine before, since it may be restarting (${id})`, async () => {
      const server = await startModelServer([{ say: 'Here.' }]);
      const [known, other] = [providersAt(server.url), providersAt(server.url)];
      const first = await eventsOf(known(id), QUESTION);
      assert.equal(first.at(-1)?.type, 'finished');
      await server.close();
      assert.equal(failureIn(await eventsOf(known(id), QUESTION)).retryable, true);
      assert.equal(failureIn(await eventsOf(other(id), QUESTION)).retryable, false);
    });
});
