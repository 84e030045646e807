import { type AssistantMessage, type Message, type UserMessage, userMessage } from '../messages/message';
import type { RolePrompt } from './rolePrompt';

/** How a role changes a conversation on its way to the model; what is kept stays as the person said it. */
export class RoleConversation {
  private readonly examples: readonly Message[];
  private readonly dressed = new WeakMap<UserMessage, UserMessage>();

  constructor(private readonly prompt: RolePrompt) {
    this.examples = prompt.examples.flatMap(({ input, output }, index) => exampleOf(index, input, output));
  }

  /** Examples come first; the person's last words are put into the prompt that is written around them. */
  apply(messages: readonly Message[]): readonly Message[] {
    const { around } = this.prompt;
    if (around === null) return this.examples.length > 0 ? [...this.examples, ...messages] : messages;
    const last = messages.findLast((message): message is UserMessage => message.role === 'user' && !message.steering);
    return messages.map((message) => (message === last ? this.dress(last, around) : message));
  }

  private dress(message: UserMessage, around: readonly string[]): UserMessage {
    const before = this.dressed.get(message);
    if (before) return before;
    const typed = message.parts.findLast((part) => part.type === 'text' && !part.attachment);
    const said = typed?.type === 'text' ? typed.text : '';
    const text = { type: 'text' as const, text: around.join(said) };
    const dressed = { ...message, parts: [...message.parts.filter((part) => part !== typed), text] };
    this.dressed.set(message, dressed);
    return dressed;
  }
}

function exampleOf(index: number, input: string, output: string): [UserMessage, AssistantMessage] {
  const answer: AssistantMessage = {
    ...{ role: 'assistant', id: `example-${index}-answer`, time: 0, agent: '', model: '', finish: 'stop' },
    parts: [{ type: 'text', text: output }],
  };
  return [{ ...userMessage(input, 0, false), id: `example-${index}` }, answer];
}
