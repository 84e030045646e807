import assert from 'node:assert/strict';
import path from 'node:path';
import { builtinTools } from '../../../src/engine/builtins';
import type { QuestionAnswer } from '../../../src/engine/events/agentEvent';
import type { TodoItem } from '../../../src/engine/messages/todoItem';
import type { FileChange } from '../../../src/engine/permissions/approvalHandler';
import type { PermissionAction } from '../../../src/engine/permissions/permissionRule';
import type { ProcessRunner } from '../../../src/engine/ports';
import { SeenFiles } from '../../../src/engine/tools/files/seenFiles';
import { Resources } from '../../../src/engine/tools/resources';
import { BackgroundCommands } from '../../../src/engine/tools/shell/backgroundCommands';
import { TodoList } from '../../../src/engine/tools/todoList';
import type { BoundCall } from '../../../src/engine/tools/tool';
import type { ToolContext } from '../../../src/engine/tools/toolContext';
import { ToolFailure, type ToolOutput } from '../../../src/engine/tools/toolOutput';
import { nodePorts } from '../../../src/node/nodePorts';
import { temporaryFolder } from '../../node/temporaryFolder';
import { PAGE_WORKER } from '../../support/pageWorker';

/** For tools that have nothing to do with skills. */
const NO_SKILLS: ToolContext['skills'] = {
  list: () => Promise.resolve([]),
  load: () => Promise.reject(new Error('There are no skills here.')),
  unload: () => Promise.reject(new Error('There are no skills here.')),
};
const alone = () => {
  throw new Error('There are no other agents here.');
};
const NO_TEAM: ToolContext['team'] = {
  ...{ spawn: alone, check: alone, collect: alone, wait: alone, list: alone, available: alone, cancel: alone },
  ...{ createTask: alone, tasks: alone, completeTask: alone, failTask: alone },
  ...{ send: alone, inbox: alone, reply: alone },
};
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Creates a real folder in which the built-in tools work as they would in a run. */
export async function toolWorld() {
  const folder = await temporaryFolder();
  const workspace = path.join(folder.path, 'work');
  await folder.write({ 'work/.keep': '' });
  const ports = nodePorts({
    env: { PATH: process.env['PATH'] },
    ripgrepCandidates: [],
    pageWorker: PAGE_WORKER,
    log: silent,
  });
  const commands = new BackgroundCommands(ports.processes, ports.clock);
  /** The timeouts of the commands, in milliseconds. */
  const limits: (number | undefined)[] = [];
  const processes: ProcessRunner = {
    run: (request, signal) => {
      limits.push(request.timeoutMs);
      return ports.processes.run(request, signal);
    },
  };
  const tools = builtinTools({ ...ports, processes, commands });
  const live: string[] = [];
  const saved: string[] = [];
  /** Hosts that a permission rule names. */
  const named: string[] = [];
  /** What the rules say about hosts; `ask` about any other. */
  const verdicts = new Map<string, PermissionAction>();
  const asked: { question: string; options: readonly string[] }[] = [];
  let todoChanges: readonly TodoItem[] = [];
  const seen = new SeenFiles();
  const todos = new TodoList([], (items) => (todoChanges = items));

  function context(more: Partial<ToolContext> = {}): ToolContext {
    return {
      ...{ runId: 'run', parentSessionId: null, turn: 1, metadata: {}, resources: Resources.none },
      signal: new AbortController().signal,
      workspace,
      sessionId: 'session',
      agent: 'coder',
      callId: 'call-1',
      todos,
      seen,
      skills: NO_SKILLS,
      team: NO_TEAM,
      strike: (text) => text,
      report: (chunk) => void live.push(chunk),
      ask(question): Promise<QuestionAnswer> {
        asked.push(question);
        return Promise.resolve({ kind: 'nobody' });
      },
      async saveOutput(text) {
        const file = path.join(folder.path, `saved/output${saved.length + 1}.txt`);
        saved.push(file);
        await ports.files.appendFile(file, text);
        return file;
      },
      untilSent: async (begin) => (await begin()) ?? assert.fail('Nobody sends results here.'),
      namesHost: (_, host) => Promise.resolve(named.includes(host)),
      excludedBelow: () => Promise.resolve(undefined),
      hostVerdict: (_, host) =>
        Promise.resolve({
          action: verdicts.get(host) ?? 'ask',
          rule: null,
          reason: 'By rule.',
          protected: false,
          part: null,
        }),
      async openOutput() {
        const file = path.join(folder.path, `saved/output${saved.length + 1}.txt`);
        saved.push(file);
        await ports.files.appendFile(file, '');
        return { path: file, append: (text) => ports.files.appendFile(file, text) };
      },
      ...more,
    };
  }

  function bind(name: string, input: unknown): BoundCall {
    const tool = tools.find((one) => one.name === name);
    assert.ok(tool, `no tool ${name}`);
    const bound = tool.bind(input);
    assert.ok(bound.ok, bound.ok ? '' : bound.issues);
    return bound.call;
  }

  return {
    workspace,
    ports,
    tools,
    limits,
    live,
    saved,
    named,
    verdicts,
    asked,
    todoChanges: () => todoChanges,
    bind,
    context,
    outside: folder.path,
    write: (files: Record<string, string | Uint8Array>) =>
      folder.write(Object.fromEntries(Object.entries(files).map(([name, contents]) => [`work/${name}`, contents]))),
    async text(name: string) {
      return new TextDecoder('utf-8', { ignoreBOM: true }).decode(
        await ports.files.readFile(path.join(workspace, name)),
      );
    },
    /** Later calls know the files that it shows or writes, as in a session. */
    async call(name: string, input: unknown, more?: Partial<ToolContext>): Promise<ToolOutput> {
      const output = await bind(name, input).run(context(more));
      if (output.seen) seen.learn(output.seen);
      return output;
    },
    async preview(name: string, input: unknown): Promise<FileChange> {
      const change = await bind(name, input).preview?.(context());
      assert.ok(change, `${name} has no preview`);
      return change;
    },
    /** Returns what is wrong with an input that is rejected. */
    refusal(name: string, input: unknown): string {
      const bound = tools.find((one) => one.name === name)?.bind(input);
      assert.ok(bound && !bound.ok, `${name} takes ${JSON.stringify(input)}`);
      return bound.issues;
    },
    /** Returns the message that the model receives for a failed call. */
    async failure(name: string, input: unknown, more?: Partial<ToolContext>): Promise<string> {
      try {
        await bind(name, input).run(context(more));
      } catch (error) {
        assert.ok(error instanceof ToolFailure, String(error));
        assert.match(error.kind, /^(?:bad-arguments|failed)$/, 'a program may decide by it');
        return error.message;
      }
      return assert.fail(`${name} did not fail`);
    },
    commands,
    async remove() {
      await commands.dispose();
      await folder.remove();
    },
  };
}

export type ToolWorld = Awaited<ReturnType<typeof toolWorld>>;
