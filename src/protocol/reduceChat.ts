import { assertNever } from '../base/errors';
import type { ChatEntry, ChatState, GraphNodeRow } from './chatState';
import type { HostEvent } from './hostEvent';

/** Maximum live output kept in a card; all of it is in the result or a file. */
const OUTPUT_TAIL = 8_000;

/**
 * Applies one event to the chat. Pure: unchanged parts keep their identity, so a view can compare by reference. Both sides use it
 * and therefore show the same. An event about an unknown entry changes nothing.
 */
export function reduceChat(state: ChatState, event: HostEvent): ChatState {
  if ('entryId' in event) return withEntry(state, event.entryId, (entry) => reduceEntry(entry, event));
  switch (event.type) {
    case 'entry-added':
      return { ...state, entries: [...state.entries, event.entry] };
    case 'approval-added':
      return { ...state, approvals: [...state.approvals, event.approval] };
    case 'approval-removed':
      return { ...state, approvals: state.approvals.filter((one) => one.approvalId !== event.approvalId) };
    case 'approval-parts-changed': {
      const { approvalId, leftOut } = event;
      const approvals = state.approvals.map((one) => (one.approvalId === approvalId ? { ...one, leftOut } : one));
      return { ...state, approvals };
    }
    case 'question-added':
      return { ...state, questions: [...state.questions, event.question] };
    case 'question-removed':
      return { ...state, questions: state.questions.filter((one) => one.questionId !== event.questionId) };
    case 'queue-changed':
      return { ...state, queued: event.queued };
    case 'run-changed':
      return { ...state, run: event.run };
    case 'resumable-changed':
      return { ...state, canResume: event.canResume };
    case 'todos-changed':
      return { ...state, todos: event.todos };
    case 'title-changed':
      return { ...state, title: event.title };
    case 'setup-changed':
      return { ...state, setup: event.setup };
    case 'model-changed':
      return { ...state, model: event.model };
    case 'approval-mode-changed':
      return { ...state, approvalMode: event.approvalMode };
    case 'review-changed':
      return { ...state, toReview: event.toReview };
    case 'usage-changed':
      return { ...state, usage: event.usage };
    case 'welcome-changed':
      return { ...state, welcome: event.welcome };
    default:
      return assertNever(event);
  }
}

type EntryEvent = Extract<HostEvent, { entryId: string }>;

function reduceEntry(entry: ChatEntry, event: EntryEvent): ChatEntry {
  switch (event.type) {
    case 'text-appended':
      return entry.kind === 'text' || entry.kind === 'thinking' ? { ...entry, text: entry.text + event.text } : entry;
    case 'text-finished':
      if (entry.kind === 'text') return { ...entry, streaming: false };
      if (entry.kind === 'thinking') return { ...entry, streaming: false, durationMs: event.durationMs };
      return entry;
    case 'tool-changed':
      return entry.kind === 'tool' ? { ...entry, ...event.changes } : entry;
    case 'agent-changed':
      return entry.kind === 'agent' ? { ...entry, ...event.changes } : entry;
    case 'graph-changed':
      return entry.kind === 'graph' ? { ...entry, ...event.changes } : entry;
    case 'graph-node-changed':
      return entry.kind === 'graph' ? { ...entry, nodes: withRow(entry.nodes, event.row) } : entry;
    case 'tool-output-appended':
      return entry.kind === 'tool' ? { ...entry, output: (entry.output + event.text).slice(-OUTPUT_TAIL) } : entry;
    default:
      return assertNever(event);
  }
}

/** Searches from the end, because the rows that change are among the last. */
function withRow(rows: readonly GraphNodeRow[], row: GraphNodeRow): readonly GraphNodeRow[] {
  const at = rows.findLastIndex(({ node, step }) => node === row.node && step === row.step);
  return at < 0 ? [...rows, row] : rows.with(at, row);
}

/** Searches from the end, because nearly always one of the last entries changes. */
function withEntry(state: ChatState, id: string, change: (entry: ChatEntry) => ChatEntry): ChatState {
  const index = state.entries.findLastIndex((entry) => entry.id === id);
  const entry = state.entries[index];
  if (!entry) return state;
  const changed = change(entry);
  return changed === entry ? state : { ...state, entries: state.entries.with(index, changed) };
}
