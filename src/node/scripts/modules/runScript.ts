import { appendFile, readFile } from 'node:fs/promises';
import * as nodeModule from 'node:module';
import { pathToFileURL } from 'node:url';

/** The call to make, written by `scriptProgram.ts`. */
interface Call {
  script: string;
  entry: string;
  takes: 'each' | 'object';
  order: readonly string[];
  input: Readonly<Record<string, unknown>>;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isCall(value: unknown): value is Call {
  return isRecord(value) && typeof value['script'] === 'string' && typeof value['entry'] === 'string';
}

/** Finds `export function run`, `exports.run =`, or a property of the default export. */
function exported(loaded: unknown, entry: string): unknown {
  if (!isRecord(loaded)) return undefined;
  const own = loaded[entry];
  if (own !== undefined) return own;
  const whole = loaded['default'];
  if (entry === 'run' && typeof whole === 'function') return whole;
  return isRecord(whole) ? whole[entry] : undefined;
}

/** Converts a result to text; empty for values that are not data, such as functions. */
function textOf(result: unknown): string {
  if (result === undefined || result === null) return '';
  if (typeof result === 'bigint') return result.toString();
  if (typeof result === 'function' || typeof result === 'symbol') return '';
  return typeof result === 'string' ? result : JSON.stringify(result, undefined, 2);
}

async function main(): Promise<void> {
  // Only for this process, not for those it starts.
  delete process.env['ELECTRON_RUN_AS_NODE'];
  const [, , file = ''] = process.argv;
  const call: unknown = JSON.parse(await readFile(file, 'utf8'));
  if (!isCall(call)) throw new Error(`${file} contains no call.`);
  // Other runtimes, such as Bun, load TypeScript natively.
  if (process.versions['bun'] === undefined && process.versions['deno'] === undefined) {
    nodeModule.register(new URL('./scriptHooks.mjs', import.meta.url));
  }
  const loaded: unknown = await import(pathToFileURL(call.script).href);
  // A graph's script does all its work when it is loaded.
  if (call.entry === '') return;
  const run = exported(loaded, call.entry);
  if (typeof run !== 'function') throw new Error(`${call.script} exports no function ${call.entry}.`);
  const given = call.takes === 'object' ? [call.input] : call.order.map((name) => call.input[name]);
  const result: unknown = await Reflect.apply(run, undefined, given);
  const output = process.env['LLM_OUTPUT'];
  if (output !== undefined) await appendFile(output, textOf(result));
}

// If this rejects, the runtime prints the error and exits with status 1.
await main();
