import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { QuestionAnswer, ScriptCall, ScriptFunction, ScriptKind } from '../../../src/engine';
import { scriptDescriber } from '../../../src/engine';
import { languageOf } from '../../../src/engine/scripts/scriptDescription';
import { nodeScriptRunner } from '../../../src/node/scripts/nodeScriptRunner';
import { nodeSyntaxTrees } from '../../../src/node/scripts/nodeSyntaxTrees';
import { scriptPrograms } from '../../support/scriptPrograms';
import { temporaryFolder } from '../temporaryFolder';

const describeScript = scriptDescriber(() => Promise.resolve(nodeSyntaxTrees(scriptPrograms.grammars)));

interface Ran {
  /** Defaults to the script's own description. */
  called?: ScriptFunction;
  input?: Record<string, unknown>;
  kind?: ScriptKind;
  name?: string;
  env?: NodeJS.ProcessEnv;
  environment?: Record<string, string>;
  answer?: (question: string, options: readonly string[]) => QuestionAnswer;
  signal?: AbortSignal;
  onOutput?: (chunk: string) => void;
  files?: Record<string, string>;
}

/** Runs a script as a tool. */
export async function ran(file: string, text: string, options: Ran = {}) {
  const folder = await temporaryFolder();
  const { kind = 'tool', input = {}, environment = {}, answer, env = process.env } = options;
  try {
    await folder.write({ [file]: text, ...options.files });
    const path = join(folder.path, file);
    const language = languageOf(file) ?? assert.fail();
    const script = { path, language, text };
    const { functions, problems } = await describeScript(script, kind);
    const called = options.called ?? functions.find(({ name }) => name === options.name) ?? functions[0];
    assert.ok(called, JSON.stringify(problems));
    const call: ScriptCall = {
      ...{ script, kind, called, input, workspace: folder.path, trustsWorkspace: true, programFolders: [] },
      environment: new Map(Object.entries(environment)),
      ask: ({ question, options: offered }) => Promise.resolve(answer?.(question, offered) ?? { kind: 'nobody' }),
      onOutput: (chunk) => options.onOutput?.(chunk),
    };
    const signal = options.signal ?? new AbortController().signal;
    return await nodeScriptRunner(env, scriptPrograms).run(call, signal);
  } finally {
    await folder.remove();
  }
}
