import * as z from 'zod';
import { AbortError } from '../../../src/base/abort';
import { EngineError, type McpLink, type RemoteLaunch, type SignInPage } from '../../../src/engine';
import { type AnswerParts, answerServer } from '../../../src/engine/mcp/questions/answerServer';
import { readToolList } from '../../../src/engine/mcp/serverLists';
import { nodeMcpConnector } from '../../../src/node/mcp/nodeMcpConnector';
import { memorySignIns } from '../memorySignIns';

/** Where a scenario of the conformance suite is played, and what its client knows in advance. */
export const visitSchema = z.object({
  address: z.string(),
  scenario: z.string(),
  context: z.object({
    client_id: z.optional(z.string()),
    client_secret: z.optional(z.string()),
    toolCalls: z.optional(z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) }))),
  }),
});
type Visit = z.infer<typeof visitSchema>;

/** A user gives up after being asked this often to sign in to one server. */
const MOST_SIGN_INS = 3;

/** The document that the suite knows, named as a user names their own. */
const CLIENT_DOCUMENT = 'https://conformance-test.local/client-metadata.json';

/** Uses a server like an agent: signs in if required, and calls all of its tools. Rejects with the connector's error. */
export async function visit({ address, context, scenario }: Visit): Promise<void> {
  const { signal } = new AbortController();
  const connector = nodeMcpConnector({ env: process.env, fetch, signIns: memorySignIns() });
  const { client_id: clientId, client_secret: clientSecret } = context;
  const registered = clientId !== undefined && { clientId, ...(clientSecret !== undefined && { clientSecret }) };
  const oauth = scenario === 'auth/basic-cimd' ? { clientMetadataUrl: CLIENT_DOCUMENT } : registered;
  const launch: RemoteLaunch = { type: 'http', url: address, headers: {}, ...(oauth && { oauth }) };
  for (let signIns = 0; ; signIns++) {
    try {
      const link = await connector.connect(launch, quiet, signal);
      await callAll(link, context.toolCalls, signal).finally(() => link.close());
      return;
    } catch (error) {
      if (!EngineError.is(error, 'denied') || signIns >= MOST_SIGN_INS) throw error;
      await connector.signIn(launch, browser, signal);
    }
  }
}

const quiet = {
  timeoutMs: 20_000,
  secrets: [],
  onSaid: () => undefined,
  onEnd: () => undefined,
  onListsChanged: () => undefined,
};

/** A user who signs in at once and pastes the address they are sent back to. */
const browser: SignInPage = {
  async show(address) {
    const { headers } = await fetch(address, { redirect: 'manual' });
    return headers.get('location') ?? Promise.reject(new AbortError());
  },
};

/** Accepts whatever a form proposes. */
const person: AnswerParts = {
  server: 'conformance',
  report: () => undefined,
  openPage: undefined,
  ask({ options, question }) {
    const proposed = /It proposes (.*)\.$/m.exec(question)?.[1] ?? '-';
    const wanted = ['Answer', 'Send', proposed].find((one) => options.includes(one));
    return Promise.resolve({ kind: 'answered', texts: [wanted ?? proposed] });
  },
};

async function callAll(link: McpLink, wanted: Visit['context']['toolCalls'], signal: AbortSignal): Promise<void> {
  if (!link.abilities.has('tools')) return;
  const { tools } = await readToolList((cursor) => link.listTools(cursor, signal), link.sendsHeaders);
  const usual = tools.map(({ name }) => ({ name, arguments: name === 'add_numbers' ? { a: 5, b: 3 } : {} }));
  for (const { name, arguments: input } of wanted ?? usual) {
    await link.callTool(name, input, {
      signal,
      timeoutMs: 20_000,
      schema: tools.find((tool) => tool.name === name)?.parameters,
      onProgress: () => undefined,
      onQuestion: (question) => answerServer(question, person),
    });
  }
}
