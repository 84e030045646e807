import { clipEnd } from '../../base/truncate';
import { pluginTool } from '../tools/plugin/pluginTool';
import type { AnyTool } from '../tools/tool';
import { ToolFailure } from '../tools/toolFailure';
import type { GraphScript } from '../tools/toolSource';
import type { ScriptFunction } from './scriptDescription';
import { scriptEnvironment } from './scriptEnvironment';
import type { ScriptEnd } from './scriptRunner';
import { type OfferedScript, type ScriptToolParts, SeenScript } from './scriptTool';

/** Stands for the whole script. */
const WHOLE: ScriptFunction = {
  name: 'main',
  description: '',
  inputSchema: { type: 'object' },
  entry: '',
  parameters: [],
  takes: 'each',
  line: 1,
};

/**
 * Returns the tool for a script that a graph node runs. A script of the user's own agent is part of the agent, which the user
 * chose. One from a workspace is judged as a command, and asks with its whole text until the user has seen it. In a read-only
 * mode, every script is judged as a command.
 */
export function graphScriptTool(
  offered: Omit<OfferedScript, 'called'>,
  { name, file, state, isReadOnly, onPrinted }: GraphScript,
  parts: ScriptToolParts,
): AnyTool {
  const seen = new SeenScript(offered, parts);
  const title = `Run ${file}`;
  const made = pluginTool({
    name,
    description: title,
    inputSchema: { type: 'object' },
    category: isReadOnly || offered.script.scope === 'workspace' ? 'execute' : 'agent',
    timeoutMs: Infinity,
    title: () => title,
    permission: () => ({ subjects: [file] }),
    run: async (_input, context) => {
      const script = await seen.readAgain();
      const { place, user } = offered;
      const runner = await parts.runner();
      const end = await runner.run(
        {
          script: script.file,
          kind: 'graph',
          called: WHOLE,
          input: state,
          workspace: context.workspace,
          trustsWorkspace: place.isHeard,
          environment: await scriptEnvironment({ script, called: WHOLE, user }, parts),
          programFolders: script.programFolder === undefined ? [] : [script.programFolder],
          ask: (question) => context.ask(question),
          onOutput: (chunk) => context.report(chunk),
        },
        context.signal,
      );
      refuseFailed(file, end);
      onPrinted(end.printed);
      return clipEnd(end.printed.trimEnd(), 4000) || 'It printed nothing.';
    },
  });
  return {
    ...made,
    traits: { kind: 'scripts', doing: 'Running', isOwn: true },
    bind(value) {
      const bound = made.bind(value);
      const unseen = bound.ok ? seen.unseen(bound.call.title) : undefined;
      if (!bound.ok || !unseen) return bound;
      return { ok: true, call: { ...bound.call, permission: { ...bound.call.permission, unseen } } };
    },
  };
}

function refuseFailed(file: string, { exitCode, signal, printed, errors }: ScriptEnd): void {
  if (exitCode === 0) return;
  const how = signal === null ? `with exit code ${exitCode}` : `by the signal ${signal}`;
  const said = errors.trim() || printed.trim();
  throw new ToolFailure('failed', `${file} ended ${how}.${said === '' ? '' : ` It said:\n${said}`}`);
}
