/**
 * The lower bound for an agent loop in Node: no SDK, no validation, no session. The command line is compared with it. Usage: node
 * floorAgent.mjs BASE_URL WORKSPACE PROMPT
 */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import path from 'node:path';

interface Call {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

interface Message {
  role: string;
  content: string;
  tool_calls?: Call[];
  tool_call_id?: string;
}

interface Delta {
  content?: string;
  tool_calls?: { index: number; id?: string; function: { name?: string; arguments?: string } }[];
}

const [url = '', workspace = '', prompt = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
const tools = [tool('read_file', 'path'), tool('list_dir', 'path'), tool('shell', 'command')];

function tool(name: string, key: string) {
  const parameters = { type: 'object', properties: { [key]: { type: 'string' } }, required: [key] };
  return { type: 'function', function: { name, description: name, parameters } };
}

async function run(name: string, { path: target = '', command = '' }: Record<string, string>): Promise<string> {
  if (name === 'read_file') return readFile(path.resolve(workspace, target), 'utf8');
  if (name === 'list_dir') return (await readdir(path.resolve(workspace, target))).join('\n');
  return new Promise((resolve) =>
    execFile('bash', ['-c', command], { cwd: workspace }, (error, out, err) =>
      resolve(`exit ${error?.code ?? 0}\n${out}${err}`),
    ),
  );
}

function take(message: Message, delta: Delta): void {
  message.content += delta.content ?? '';
  for (const part of delta.tool_calls ?? []) {
    const calls = (message.tool_calls ??= []);
    const empty = { name: part.function.name ?? '', arguments: '' };
    const call = (calls[part.index] ??= { id: part.id ?? '', type: 'function', function: empty });
    call.function.arguments += part.function.arguments ?? '';
  }
}

interface Chunk {
  choices: { delta: Delta }[];
}

/** The floor program trusts its input: validation is part of the overhead that the comparison measures. */
function isChunk(value: unknown): value is Chunk {
  return value !== null;
}

function isInput(value: unknown): value is Record<string, string> {
  return value !== null;
}

function parse<T>(text: string, isT: (value: unknown) => value is T): T {
  const value: unknown = JSON.parse(text);
  if (isT(value)) return value;
  throw new Error(`Not understood: ${text}`);
}

function chat(messages: readonly Message[]): Promise<Message> {
  const body = JSON.stringify({ model: 'mock', stream: true, messages, tools });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const asked = request(`${url}/chat/completions`, { method: 'POST', agent, headers }, (response) => {
      const message: Message = { role: 'assistant', content: '' };
      let buffer = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        const events = (buffer + chunk).split('\n\n');
        buffer = events.pop() ?? '';
        for (const event of events) {
          if (event === 'data: [DONE]') continue;
          const [choice] = parse(event.slice('data: '.length), isChunk).choices;
          if (choice) take(message, choice.delta);
        }
      });
      response.on('end', () => resolve(message));
      response.on('error', reject);
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

const messages: Message[] = [
  { role: 'system', content: 'You are a coding agent.' },
  { role: 'user', content: prompt },
];
for (;;) {
  const message = await chat(messages);
  messages.push(message);
  if (!message.tool_calls) {
    console.log(message.content);
    break;
  }
  for (const call of message.tool_calls) {
    const content = await run(call.function.name, parse(call.function.arguments, isInput));
    messages.push({ role: 'tool', tool_call_id: call.id, content });
  }
}
agent.destroy();
