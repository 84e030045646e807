import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { countTokens } from 'gpt-tokenizer';
import { createEngine, type LlmEvent, type LlmRequest, type Provider, startRun } from '../../../src/library';
import { PROMPTED_AGENTS } from '../../support/promptedAgents';
import type { Row } from '../row';

/**
 * Usage: node promptRows.mjs ROUNDS SCRATCH
 *
 * Measures what each built-in agent sends before the conversation starts, in an empty folder: the tokens of its prompt, and of
 * its tools with names, descriptions, and schemas, by OpenAI's o200k encoding. Other vendors count slightly differently.
 */
async function measurePrompts(scratch: string): Promise<Row[]> {
  const folder = path.join(scratch, 'prompts');
  mkdirSync(folder, { recursive: true });
  const engine = createEngine({ workspace: folder, configFolder: path.join(folder, '.config'), env: {} });
  const seen: LlmRequest[] = [];
  engine.registerProvider(listening(seen));
  try {
    const rows: Row[] = [];
    for (const agent of PROMPTED_AGENTS) {
      const before = seen.length;
      const wishes = {
        input: 'Hi.',
        agent,
        model: 'listening:any',
        workspace: folder,
        approvalMode: 'nothing',
      } as const;
      const outcome = await (await startRun(engine, { ...wishes, variables: { dsn: 'shop.db' } })).outcome;
      const request = seen[before];
      if (outcome.kind !== 'completed' || !request)
        throw new Error(`${agent} sent nothing: ${JSON.stringify(outcome)}`);
      rows.push(
        { what: `prompt of ${agent}`, value: countTokens(request.system), unit: 'tokens', digits: 0 },
        {
          what: `its ${request.tools.length} tools`,
          value: countTokens(JSON.stringify(request.tools)),
          unit: 'tokens',
          digits: 0,
        },
      );
    }
    return rows;
  } finally {
    await engine.shutDown();
  }
}

function listening(seen: LlmRequest[]): Provider {
  return {
    id: 'listening',
    label: 'Listening',
    needsKey: false,
    isReady: () => Promise.resolve(true),
    client: () => ({
      async *stream(request: LlmRequest): AsyncGenerator<LlmEvent> {
        seen.push(request);
        yield { type: 'text-delta', text: 'Hi.' };
        yield { type: 'finished', reason: 'stop' };
      },
    }),
  };
}

const [, scratch = ''] = process.argv.slice(2);
console.log(JSON.stringify(await measurePrompts(scratch)));
