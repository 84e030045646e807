import { newId } from '../../../../base/newId';
import type { ToolCall } from '../../../messages/toolCall';
import type { LlmEvent } from '../../llmClient';
import { type ToolCallEvent, toolCallEvent } from '../replyReader';

/** A piece of a call as Chat Completions streams it. Hosts may omit any field. */
export interface ToolCallFragment {
  index?: number | null | undefined;
  id?: string | null | undefined;
  name?: string | null | undefined;
  arguments?: string | null | undefined;
  signature?: string | null | undefined;
}

interface OpenCall extends ToolCall {
  index: number | undefined;
  /** The ID the host sent; undefined if it sent none. */
  hostId: string | undefined;
  announced: boolean;
}

/** Assembles tool calls from fragments: possibly several at once, with or without IDs and indexes. */
export class ToolCallAssembler {
  private readonly calls: OpenCall[] = [];

  /** Adds a fragment. Emits `tool-call-started` as soon as the call's name is known. */
  *add(fragment: ToolCallFragment): Generator<LlmEvent> {
    const call = this.callOf(fragment);
    // Hosts that repeat the name in every fragment send it in full each time.
    if (fragment.name && !call.name) call.name = fragment.name;
    call.arguments += fragment.arguments ?? '';
    if (fragment.signature) call.signature = fragment.signature;
    if (call.name && !call.announced) {
      call.announced = true;
      yield { type: 'tool-call-started', id: call.id, name: call.name };
    }
  }

  /** Returns the finished calls in the order they began. Arguments are the raw text, or `{}` if there was none. */
  finish(): ToolCall[] {
    return this.ended().map(({ call }) => call);
  }

  /** Returns the finished calls as events, which also tell where arguments were missing. */
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
    // Two calls with the same ID in one answer could not be told apart when their results are sent back.
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
      // Some hosts give every call index 0 and distinguish them only by ID.
      return id !== undefined && sameIndex?.hostId !== id ? undefined : sameIndex;
    }
    return id === undefined ? this.calls.at(-1) : this.calls.find((call) => call.hostId === id);
  }
}
