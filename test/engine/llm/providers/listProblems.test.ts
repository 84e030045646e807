import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { ModelCatalog } from '../../../../src/engine/llm/modelCatalog';
import type { Provider } from '../../../../src/engine/llm/provider';
import { COMPATIBLE_HOSTS } from '../../../../src/engine/llm/providers/compatibleHosts';
import { ollamaProvider } from '../../../../src/engine/llm/providers/ollama';
import { openaiCompatibleProvider } from '../../../../src/engine/llm/providers/openaiCompatible';
import { ProviderRegistry } from '../../../../src/engine/llm/providerRegistry';
import { instantClock } from '../instantClock';
import { NEVER } from '../support';

const noKey = () => Promise.resolve(undefined);

function customServer(baseUrl: string): Provider {
  const host = COMPATIBLE_HOSTS.find(({ id }) => id === 'custom');
  assert.ok(host);
  return openaiCompatibleProvider(host, { baseUrl, apiKey: noKey }, instantClock());
}

/** Returns the problems that a provider reports when its models are listed. */
async function told(provider: Provider, isBrought = false): Promise<string[]> {
  const problems: string[] = [];
  const none = isBrought ? [] : [provider];
  const registry = new ProviderRegistry(none, new ModelCatalog([]), [], (problem) => problems.push(problem));
  if (isBrought) registry.register(provider);
  for (const one of registry.providers) {
    assert.deepEqual(await registry.listedBy(one, NEVER), []);
    assert.deepEqual(one.listProblem?.() === undefined ? [] : [one.listProblem()], problems);
  }
  return problems;
}

describe('A provider without a model list', () => {
  it('reports when another server answers at its address, and when none does', async () => {
    const server = createServer((_, response) => response.writeHead(404).end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert.ok(typeof address === 'object' && address);
    const elsewhere = `http://127.0.0.1:${address.port}/elsewhere`;
    try {
      assert.match(
        (await told(customServer(elsewhere))).join(),
        /^Custom server did not list its models: .*\/elsewhere\/models answered 404\. Check its address/,
      );
      const ollama = ollamaProvider({ baseUrl: elsewhere, apiKey: noKey }, instantClock());
      assert.match(
        (await told(ollama)).join(),
        /^Ollama did not list its models: .*\/elsewhere\/api\/tags answered 404\./,
      );
    } finally {
      server.close();
      server.closeAllConnections();
    }
    assert.match(
      (await told(customServer('http://127.0.0.1:9'))).join(),
      /127\.0\.0\.1:9\/models sent an unreadable answer/,
    );
  });

  it('forwards the error of a provider from an extension', async () => {
    const brought: Provider = {
      id: 'acme',
      label: 'Acme',
      needsKey: false,
      isReady: () => Promise.resolve(true),
      listModels: () => Promise.reject(new Error('The licence has ended')),
      client: () => assert.fail('Nothing is asked'),
    };
    assert.deepEqual(await told(brought, true), ['Acme lists no models: The licence has ended.']);
  });
});
