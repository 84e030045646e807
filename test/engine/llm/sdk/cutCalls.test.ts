import assert from 'node:assert/strict';
import { collectReply } from '../../../../src/engine/llm/collectReply';
import { callArguments } from '../../../../src/engine/messages/callArguments';
import { toolCallsOf } from '../../../../src/engine/messages/message';
import { startModelServer } from '../../../support/modelServer/modelServer';
import type { Step } from '../../../support/modelServer/story';
import { type VariedCall, variedCalls } from '../../../support/variedCalls';
import { NEVER, request, user } from '../support';
import { PROTOCOLS } from './protocols';

const CALLS = variedCalls(200, 11);
const FINISHES = [undefined, 'stop', 'length'] as const;

/** An answer with one call for every position at which the arguments can be cut off. */
function everyCut({ name, arguments: given }: VariedCall, finish: Step['finish']): Step {
  const text = JSON.stringify(given);
  const call = Array.from({ length: text.length + 1 }, (_, end) => ({ name, arguments: text.slice(0, end) }));
  return { call, chunk: 4096, ...(finish && { finish }) };
}

for (const protocol of PROTOCOLS) {
  describe(`A call from ${protocol.label} with truncated arguments`, function () {
    this.timeout(120_000);
    for (const finish of FINISHES) {
      it(`is complete or absent, at every cut, when the answer ends with ${finish ?? 'tool calls'}`, async () => {
        const server = await startModelServer(CALLS.map((call) => everyCut(call, finish)));
        try {
          const client = protocol.client(server.url);
          for (const { arguments: wanted } of CALLS) {
            const header = { agent: 'coder', model: 'p:m', time: 0 };
            const { message } = await collectReply(
              client.stream(request([user('Go')]), NEVER),
              header,
              () => undefined,
            );
            const calls = toolCallsOf(message);
            const whole = JSON.stringify(wanted).length;
            assert.equal(calls.length, whole + 1);
            for (const [end, call] of calls.entries()) {
              const read = callArguments(call);
              // Some hosts write a call without arguments as an empty string.
              const empty = end === 0 && finish !== 'length';
              assert.equal(read.ok, end === whole || empty, `${call.arguments} of ${JSON.stringify(wanted)}`);
              if (read.ok) assert.deepEqual(read.value, empty ? {} : wanted);
            }
          }
        } finally {
          await server.close();
        }
      });
    }
  });
}
