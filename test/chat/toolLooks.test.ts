import assert from 'node:assert/strict';
import * as z from 'zod';
import { EventProjector, type TimedEvent } from '../../src/chat/eventProjector';
import type { ToolCategory } from '../../src/engine';
import { builtinTools } from '../../src/engine/builtins';
import { BackgroundCommands } from '../../src/engine/tools/shell/backgroundCommands';
import { defineTool, type ToolTraits } from '../../src/engine/tools/tool';
import { RegisteredTools } from '../../src/engine/tools/toolRegistry';
import { nodePorts } from '../../src/node/nodePorts';
import type { ChatState } from '../../src/protocol/chatState';
import { reduceChat } from '../../src/protocol/reduceChat';
import { isShownElsewhere, toolGroups } from '../../webview/transcript/toolGroups';
import { emptyChat } from '../support/emptyChat';
import { withWorld } from '../support/engineWorld';
import type { Step } from '../support/modelServer/story';

const ports = nodePorts();
const builtin = builtinTools({ ...ports, commands: new BackgroundCommands(ports.processes, ports.clock) });

/** A tool that Cairn knows only by its definition. */
function newTool(traits: ToolTraits) {
  return defineTool({
    name: 'acme_look',
    description: 'Looks something up.',
    category: 'read',
    traits,
    input: z.strictObject({}),
    title: () => 'Query the index',
    permission: () => ({ tool: 'acme_look', category: 'read' }),
    run: () => Promise.resolve({ text: '' }),
  });
}

/** Returns the chat after this many calls of the tool; the last one is `under way` or has finished with the given outcome. */
function chatWith(traits: ToolTraits, calls: number, last: 'under way' | 'ok' | 'error') {
  const tool = newTool(traits);
  const projector = new EventProjector((name) => (name === tool.name ? tool.traits : undefined));
  const at = { runId: 'r', agentPath: ['coder'], time: 0 };
  const events: TimedEvent[] = [{ ...at, type: 'run-started', model: 'demo:tour' }];
  for (let call = 1; call <= calls; call++) {
    const callId = `c${call}`;
    events.push(
      { ...at, type: 'tool-prepared', callId, tool: tool.name, category: tool.category, title: 'Query the index' },
      { ...at, type: 'tool-started', callId },
    );
    if (call === calls && last === 'under way') continue;
    const status = call === calls && last === 'error' ? 'error' : 'ok';
    events.push({
      ...at,
      type: 'tool-finished',
      result: { callId, name: tool.name, status, text: '', detail: null, durationMs: 1 },
    });
  }
  return events.flatMap((event) => projector.project(event)).reduce(reduceChat, emptyChat('s'));
}

describe('A tool that defines its own appearance in the chat', () => {
  it('shows its own label while it runs', () => {
    assert.equal(chatWith({ doing: 'Querying' }, 1, 'under way').run?.activity, 'Querying the index');
    assert.equal(chatWith({}, 1, 'under way').run?.activity, 'Query the index');
  });

  it('is summarized with its own wording', () => {
    const summary = (traits: ToolTraits) => toolGroups(chatWith(traits, 3, 'ok').entries).get('c1')?.summary;
    assert.equal(summary({ counted: 'search' }), 'Searched 3 times');
    assert.equal(summary({}), 'Looked at 3 other things');
  });

  it('has no line when another part of the panel shows its result, unless it failed', () => {
    const lines = (traits: ToolTraits, last: 'ok' | 'error') =>
      chatWith(traits, 1, last).entries.filter((entry) => entry.kind === 'tool' && !isShownElsewhere(entry)).length;
    assert.equal(lines({ quiet: true }, 'ok'), 0);
    assert.equal(lines({ quiet: true }, 'error'), 1);
    assert.equal(lines({}, 'ok'), 1);
  });

  it('has a readable label while its arguments stream, and its name when they never arrive', () => {
    const projector = new EventProjector((tool) => builtin.find((one) => one.name === tool)?.traits);
    const whose = { runId: 'r', agentPath: ['coder'], time: 0, callId: 'c' };
    const result = {
      callId: 'c',
      name: 'fs_edit',
      status: 'error' as const,
      text: 'No path.',
      detail: null,
      durationMs: 1,
    };
    const titles = (event: TimedEvent, state: ChatState) => {
      const next = projector.project(event).reduce(reduceChat, state);
      return { next, said: next.entries.flatMap((entry) => (entry.kind === 'tool' ? [entry.title] : [])) };
    };
    const announced = titles({ ...whose, type: 'tool-announced', tool: 'fs_edit', category: 'write' }, emptyChat('s'));
    assert.deepEqual(announced.said, ['Editing…']);
    assert.deepEqual(titles({ ...whose, type: 'tool-finished', result }, announced.next).said, ['fs_edit']);
  });

  it('is marked if Cairn words its failures, so that the panel can leave out the advice for the model', () => {
    const marked = (traits: ToolTraits) =>
      chatWith(traits, 1, 'error').entries.flatMap((entry) => (entry.kind === 'tool' ? [entry.advises] : []));
    assert.deepEqual(marked({ advises: true }), [true]);
    assert.deepEqual(marked({ kind: 'files' }), [undefined]);
    assert.deepEqual(
      builtin.filter(({ traits }) => !traits?.advises).map(({ name }) => name),
      [],
    );
    const tools = new RegisteredTools(builtin);
    tools.replace({ ...newTool({}), name: 'fs_edit', traits: undefined });
    assert.equal(tools.current.get('fs_edit')?.traits?.advises, undefined);
  });

  it('is not marked as a shell command when it runs something else', () => {
    const looks = (name: string, category: ToolCategory) => {
      const projector = new EventProjector((tool) => builtin.find((one) => one.name === tool)?.traits);
      const announced: TimedEvent = {
        runId: 'r',
        agentPath: ['coder'],
        time: 0,
        type: 'tool-announced',
        callId: 'c',
        tool: name,
        category,
      };
      const { entries } = projector.project(announced).reduce(reduceChat, emptyChat('s'));
      return entries.flatMap((entry) => (entry.kind === 'tool' ? [entry.isScript ?? false] : []));
    };
    assert.deepEqual(looks('execute_command', 'execute'), [false]);
    assert.deepEqual(looks('fs_write', 'write'), [false]);
    assert.deepEqual(looks('hello', 'execute'), [true]);
  });
});

describe('A repeated identical call', () => {
  it('explains why it was not run and is grouped with the others in one line', () => {
    const read: Step = { call: [{ name: 'fs_read', arguments: { path: 'a.txt' } }] };
    const story = [read, read, read, read, read, { say: 'I am stuck.' }];
    return withWorld({ files: { 'a.txt': 'heron' }, story }, async (world) => {
      const projector = new EventProjector();
      const { events } = await world.play('read');
      const { entries } = events.flatMap((event) => projector.project(event)).reduce(reduceChat, emptyChat('s'));
      const texts = entries.flatMap((one) =>
        one.kind === 'tool' && one.detail?.kind === 'text' ? [one.detail.text] : [],
      );
      const told = 'Not run, because the agent had made the same call before, with the same result.';
      assert.deepEqual(texts, [told, told, told]);
      const [group] = toolGroups(entries).values();
      assert.equal(group?.summary, 'Read 2 files, skipped 3 repeated calls');
    });
  });
});
