import { type AssistantMessage, type Message, textOf, toolCallsOf, type UserMessage } from '../../../messages/message';
import type { ToolResult } from '../../../messages/toolResult';
import { callInput } from '../../sdk/callInput';

/** What has happened in the tour so far, read from the conversation alone. */
export class TourHistory {
  private readonly since: readonly Message[];
  /** What the person asked last; steering and the word to go on do not count. */
  readonly prompt: string;
  /** True when nothing was asked before `prompt`. */
  readonly isFirst: boolean;

  constructor(messages: readonly Message[]) {
    const prompts = messages.filter((one): one is UserMessage => one.role === 'user' && !one.steering);
    const last = prompts.at(-1);
    this.prompt = last ? textOf(last) : '';
    this.isFirst = prompts.length <= 1;
    this.since = last ? messages.slice(messages.indexOf(last) + 1) : messages;
  }

  /** Whole replies since the prompt; one that was cut off is said again. */
  get replies(): number {
    return this.assistantMessages().filter(({ finish }) => finish !== 'cut-off').length;
  }

  /** What came of the last call of a tool. */
  resultOf(...names: readonly string[]): ToolResult | undefined {
    return this.since
      .flatMap((message) => (message.role === 'tool' ? message.results : []))
      .findLast(({ name }) => names.includes(name));
  }

  /** The path with which a result's call was made. */
  pathOf(result: ToolResult | undefined): string | undefined {
    const calls = this.assistantMessages().flatMap(toolCallsOf);
    const call = calls.find(({ id }) => id === result?.callId);
    const path = call && callInput(call)['path'];
    return typeof path === 'string' ? path : undefined;
  }

  private assistantMessages(): AssistantMessage[] {
    return this.since.filter((one): one is AssistantMessage => one.role === 'assistant');
  }
}
