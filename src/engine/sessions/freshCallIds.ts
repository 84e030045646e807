import type { AssistantMessage, AssistantPart } from '../messages/message';
import type { ToolResult } from '../messages/toolResult';
import type { SessionEntry } from './sessionEntry';

/** The calls of the newest answer that had one id, under the ids that they have now. */
interface SameId {
  ids: string[];
  started: number;
  finished: number;
}

/**
 * A history in which no two calls have the same id. Histories written before calls had ids of our own may hold the vendor's,
 * and some vendors count theirs anew in each answer. What belongs to a call is what follows it before the next of its id; the
 * same history always gets the same ids, also when more was added to it.
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

  /** Of several calls with one id in an answer, the first that was told of so is the first of them, and so on. */
  private next(id: string, what: 'started' | 'finished'): string {
    const same = this.current.get(id);
    if (!same) return id;
    return same.ids[same[what]++] ?? same.ids.at(-1) ?? id;
  }
}
