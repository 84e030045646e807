import type { AssistantMessage, AssistantPart } from '../messages/message';
import type { ToolResult } from '../messages/toolResult';
import type { SessionEntry } from './sessionEntry';

/** The calls in the latest answer that share an id, under their new ids. */
interface SameId {
  ids: string[];
  started: number;
  finished: number;
}

/**
 * Returns the history with unique call ids. Histories written before Cairn assigned ids may contain those of vendors, some of
 * which reuse ids in each answer. An entry belongs to the last preceding call with its id. Deterministic: a history gets the same
 * ids even after more entries are appended.
 */
export function freshCallIds(entries: readonly SessionEntry[]): SessionEntry[] {
  const history = new CallIds();
  return entries.map((entry) => history.take(entry));
}

class CallIds {
  private readonly used = new Set<string>();
  private readonly current = new Map<string, SameId>();

  take(entry: SessionEntry): SessionEntry {
    switch (entry.type) {
      case 'message': {
        const { message } = entry;
        if (message.role === 'assistant') return { ...entry, message: this.takeCalls(message) };
        if (message.role === 'tool') {
          return { ...entry, message: { ...message, results: message.results.map((one) => this.takeResult(one)) } };
        }
        return entry;
      }
      case 'tool-started':
        return { ...entry, callId: this.next(entry.callId, 'started') };
      case 'agent-spawned': {
        const same = entry.callId === null ? undefined : this.current.get(entry.callId);
        return same ? { ...entry, callId: same.ids[Math.max(0, same.started - 1)] ?? entry.callId } : entry;
      }
      default:
        return entry;
    }
  }

  private takeCalls(message: AssistantMessage): AssistantMessage {
    const here = new Map<string, SameId>();
    const parts = message.parts.map((part): AssistantPart => {
      if (part.type !== 'tool-call') return part;
      const { id } = part.call;
      const same = here.get(id) ?? { ids: [], started: 0, finished: 0 };
      here.set(id, same);
      this.current.set(id, same);
      const fresh = this.freshId(id);
      same.ids.push(fresh);
      return fresh === id ? part : { type: 'tool-call', call: { ...part.call, id: fresh } };
    });
    return { ...message, parts };
  }

  private freshId(id: string): string {
    let fresh = id;
    for (let again = 2; this.used.has(fresh); again++) fresh = `${id}_again${again}`;
    this.used.add(fresh);
    return fresh;
  }

  private takeResult(result: ToolResult): ToolResult {
    return { ...result, callId: this.next(result.callId, 'finished') };
  }

  /** If several calls in an answer share an id, entries are assigned to them in order. */
  private next(id: string, what: 'started' | 'finished'): string {
    const same = this.current.get(id);
    if (!same) return id;
    return same.ids[same[what]++] ?? same.ids.at(-1) ?? id;
  }
}
