import assert from 'node:assert/strict';
import { scriptDescriber, type ScriptKind } from '../../src/engine';
import { languageOf } from '../../src/engine/scripts/scriptDescription';
import { nodeSyntaxTrees } from '../../src/node/scripts/nodeSyntaxTrees';
import { scriptPrograms } from './scriptPrograms';

const trees = nodeSyntaxTrees(scriptPrograms.grammars);
/** Describes scripts as Cairn does. */
export const describeScript = scriptDescriber(() => Promise.resolve(trees));

/** The description of a script with that name. */
export function described(name: string, text: string, kind: ScriptKind = 'tool') {
  const language = languageOf(name) ?? assert.fail();
  return describeScript({ path: `/tools/${name}`, language, text }, kind);
}

/** The only tool of a script without problems. */
export async function only(name: string, text: string) {
  const { functions, problems } = await described(name, text);
  assert.deepEqual(problems, []);
  const [first] = functions;
  assert.ok(first && functions.length === 1);
  return first;
}

/** The schema of a function's only parameter. */
export async function property(name: string, text: string) {
  const { inputSchema } = await only(name, text);
  const { properties, required } = inputSchema;
  assert.ok(typeof properties === 'object' && properties !== null);
  const [schema] = Object.entries<unknown>({ ...properties }).map(([, value]) => value);
  return { schema, isRequired: Array.isArray(required) && required.length === 1 };
}
