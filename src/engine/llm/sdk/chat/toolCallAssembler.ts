import { newId } from '../../../../base/newId';
import type { ToolCall } from '../../../messages/toolCall';
import type { LlmEvent } from '../../llmClient';
import { type ToolCallEvent, toolCallEvent } from '../replyReader';

/** A piece of a call as Chat Completions streams it; hosts leave out what they please. */
export interface ToolCallFragment {
  index?: number | null | undefined;
  id?: string | null | undefined;
  name?: string | null | undefined;
  arguments?: string | null | undefined;
  signature?: string | null | undefined;
}

interface OpenCall extends ToolCall {
  index: number | undefined;
  /** As the host gave it; undefined when the id is ours. */
  hostId: string | undefined;
  announced: boolean;
}

/** Puts tool calls together from fragments: several at once, with or without ids and indexes. */
export class ToolCallAssembler {
  private readonly calls: OpenCall[] = [];

  /** Takes a fragment in; tells of a call as soon as its name is known. */
  *add(fragment: ToolCallFragment): Generator<LlmEvent> {
    const call = this.callOf(fragment);
    // Hosts that repeat the name with every fragment send it whole each time.
    if (fragment.name && !call.name) call.name = fragment.name;
    call.arguments += fragment.arguments ?? '';
    if (fragment.signature) call.signature = fragment.signature;
    if (call.name && !call.announced) {
      call.announced = true;
      yield { type: 'tool-call-started', id: call.id, name: call.name };
    }
  }

  /** The finished calls in the order they began; arguments are the text as it came, and `{}` when there was none. */
  finish(): ToolCall[] {
    return this.ended().map(({ call }) => call);
  }

  /** The same as events, which say where there were none. */
  ended(): ToolCallEvent[] {
    return this.calls
      .filter(({ announced }) => announced)
      .map(({ id, name, arguments: text, signature }) => {
        const call = { id, name, arguments: text, ...(signature !== undefined && { signature }) };
        return toolCallEvent(call);
      });
  }

  private callOf(fragment: ToolCallFragment): OpenCall {
    const id = fragment.id === '' ? undefined : (fragment.id ?? undefined);
    const index = fragment.index ?? undefined;
    const known = this.find(id, index);
    if (known) return known;
    // Two calls of one answer with the same id could not be told apart when their results go back.
    const taken = id === undefined || this.calls.some((call) => call.id === id);
    const call: OpenCall = {
      index,
      hostId: id,
      id: taken ? newId('call') : id,
      name: '',
      arguments: '',
      announced: false,
    };
    this.calls.push(call);
    return call;
  }

  private find(id: string | undefined, index: number | undefined): OpenCall | undefined {
    const sameIndex = this.calls.findLast((call) => call.index === index);
    if (index !== undefined) {
      // Some hosts count every call as 0 and tell them apart by id alone.
      return id !== undefined && sameIndex?.hostId !== id ? undefined : sameIndex;
    }
    return id === undefined ? this.calls.at(-1) : this.calls.find((call) => call.hostId === id);
  }
}
