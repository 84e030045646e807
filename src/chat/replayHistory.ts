import {
  type AgentSession,
  type AssistantMessage,
  type Engine,
  type Message,
  openCodeTools,
  parseToolCall,
  type SessionEntry,
  type ToolCall,
  type ToolRegistry,
} from '../engine';
import type { TimedEvent } from './eventProjector';

/** The parts of the engine needed to replay messages. */
type ReplayParts = Pick<Engine, 'tools' | 'costOf'>;

/**
 * Returns a stored session as the events that would have produced it, so that it looks the same as it did live. `from` is the
 * index of the first entry to replay.
 */
export function replayHistory(session: AgentSession, engine: ReplayParts, from = 0): TimedEvent[] {
  const { title, titleUsage } = session.metadata;
  const renamed: TimedEvent[] = title === '' ? [] : [{ ...stamp('', 0), type: 'session-renamed', title }];
  const named = from === 0 && titleUsage ? [replayAside({ ...titleUsage, time: 0 }, '', engine)] : [];
  let runId = '';
  return [...renamed, ...named].concat(
    session.history.flatMap((entry, at) => {
      if (entry.type === 'run-started') runId = entry.runId;
      return at < from ? [] : replayEntry(entry, runId, engine);
    }),
  );
}

function replayEntry(entry: SessionEntry, runId: string, engine: ReplayParts): TimedEvent[] {
  switch (entry.type) {
    case 'run-started':
      return [{ ...stamp(runId, entry.time), ...entry }];
    case 'run-finished': {
      const { outcome, durationMs } = entry;
      return [{ ...stamp(runId, entry.time), type: 'run-finished', outcome, durationMs }];
    }
    case 'todos':
      return [{ ...stamp(runId, entry.time), type: 'todo-changed', items: entry.items }];
    case 'message':
      return replayMessage(entry.message, runId, engine);
    case 'tool-started':
      return [{ ...stamp(runId, entry.time), type: 'tool-started', callId: entry.callId }];
    case 'compacted':
      return [{ ...stamp(runId, entry.time), type: 'session-compressed', text: entry.text }];
    case 'agent-spawned':
    case 'agent-finished':
    case 'auto-continued':
    case 'skill-loaded':
    case 'skill-unloaded':
      return [{ ...stamp(runId, entry.time), ...entry }];
    case 'graph-ran':
      return replayGraph(entry, runId);
    case 'used-aside':
      return [replayAside(entry, runId, engine)];
    case 'rule-added':
    case 'rules-cleared':
    case 'file-changed':
    case 'pruned':
    case 'told':
      return [];
  }
}

function replayGraph({ graphId, name, beganAt, nodes, time }: EntryOf<'graph-ran'>, runId: string): TimedEvent[] {
  const at = (when: number) => ({ ...stamp(runId, when), graphId });
  return [
    { ...at(beganAt), type: 'graph-started', name, resumed: false },
    ...nodes.map((node): TimedEvent => ({ ...at(time), type: 'node-finished', ...node })),
  ];
}

type EntryOf<T extends SessionEntry['type']> = Extract<SessionEntry, { type: T }>;

function replayAside(
  { model, usage, time }: Omit<Extract<SessionEntry, { type: 'used-aside' }>, 'type'>,
  runId: string,
  engine: ReplayParts,
): TimedEvent {
  const costUsd = engine.costOf(model, usage);
  return { ...stamp(runId, time), type: 'usage-reported', model, usage, contextWindow: null, costUsd, aside: true };
}

function replayMessage(message: Message, runId: string, engine: ReplayParts): TimedEvent[] {
  switch (message.role) {
    case 'user':
      return message.automatic ? [] : [{ ...stamp(runId, message.time), type: 'message-taken', message }];
    case 'tool':
      return message.results.map((result) => ({ ...stamp(runId, message.time), type: 'tool-finished', result }));
    case 'assistant':
      return replayReply(message, runId, engine);
  }
}

function replayReply(message: AssistantMessage, runId: string, engine: ReplayParts): TimedEvent[] {
  const at = stamp(runId, message.time, message.agent);
  const parts = message.parts.flatMap((part): TimedEvent[] => {
    switch (part.type) {
      case 'text':
        return [{ ...at, type: 'text-delta', text: part.text }];
      case 'thinking':
        return [
          { ...at, type: 'thinking-delta', text: part.text },
          { ...at, type: 'thinking-finished' },
        ];
      case 'tool-call':
        return [{ ...at, type: 'tool-prepared', callId: part.call.id, ...describeCall(part.call, engine.tools) }];
      case 'redacted-thinking':
        return [];
    }
  });
  const { usage } = message;
  const costUsd = usage ? engine.costOf(message.model, usage) : null;
  const { model } = message;
  const reported: TimedEvent[] = usage
    ? [{ ...at, type: 'usage-reported', model, usage, contextWindow: null, costUsd }]
    : [];
  return [...parts, ...reported, { ...at, type: 'reply-finished', message }];
}

function describeCall(call: ToolCall, tools: ToolRegistry) {
  const parsed = parseToolCall(call, tools.get(call.name) ? tools : openCodeTools(tools));
  if (parsed instanceof Error) return { tool: call.name, category: 'agent' as const, title: call.name };
  return { tool: call.name, category: parsed.tool.category, title: parsed.bound.title };
}

function stamp(runId: string, time: number, agent = 'coder') {
  return { runId, time, agentPath: [agent] };
}
