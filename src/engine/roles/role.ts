import type { ContentSource, Named } from '../content/contentProblem';
import type { Effort } from '../llm/model';
import { type AssistantMessage, type Message, type UserMessage, userMessage } from '../messages/message';
import type { SkillPolicy } from '../skills/skill';

/** A way to answer: a prompt and its settings. */
export interface Role extends Named {
  readonly name: string;
  readonly source: ContentSource;
  description: string;
  /** As written, with placeholders. */
  prompt: string;
  /** `provider:model`; absent: the current model. */
  model?: string;
  temperature?: number;
  topP?: number;
  /** Reasoning effort of the model. */
  effort?: Effort;
  /** Names and wildcards of the tools; null: all tools of the agent; empty: none. */
  tools: readonly string[] | null;
  /** `code`: only the first code block of an answer counts. */
  answer: 'text' | 'code';
  servers: readonly string[];
  skills: SkillPolicy;
  autoContinue: { on?: boolean; max?: number; injects?: boolean; prompt?: string };
}

/** A parsed role prompt. */
export interface RolePrompt {
  /** For the system prompt; may be empty. */
  system: string;
  /** Exchanges that show how to answer. */
  examples: readonly { input: string; output: string }[];
  /** The texts around the user's input; null: the input is sent unchanged. */
  around: readonly string[] | null;
}

const INPUT_MARK = '__INPUT__';
const EXAMPLE_MARK = /^###[ \t]*(INPUT|OUTPUT):/gm;

/** Parses a prompt of one of three kinds: around `__INPUT__`, with examples, or plain text. */
export function readRolePrompt(prompt: string): RolePrompt {
  if (prompt.includes(INPUT_MARK)) return { system: '', examples: [], around: prompt.split(INPUT_MARK) };
  const plain = { system: prompt.trim(), examples: [], around: null };
  const marks = [...prompt.matchAll(EXAMPLE_MARK)];
  const alternate = marks.every(([, kind], index) => kind === (index % 2 === 0 ? 'INPUT' : 'OUTPUT'));
  // An incomplete example would mislead the model, so the text is then used unchanged.
  if (marks.length === 0 || marks.length % 2 === 1 || !alternate) return plain;
  const texts = marks.map((mark, index) => prompt.slice(mark.index + mark[0].length, marks[index + 1]?.index).trim());
  const examples = texts.flatMap((input, index) =>
    index % 2 === 0 ? [{ input, output: texts[index + 1] ?? '' }] : [],
  );
  return { system: prompt.slice(0, marks[0]?.index).trim(), examples, around: null };
}

/** Fills the placeholders of each piece separately, so that no value is mistaken for a mark. */
export function fillRolePrompt({ system, examples, around }: RolePrompt, fill: (text: string) => string): RolePrompt {
  return {
    system: fill(system),
    examples: examples.map(({ input, output }) => ({ input: fill(input), output: fill(output) })),
    around: around && around.map(fill),
  };
}

/** Applies a role to a conversation on its way to the model; the stored messages stay as the user wrote them. */
export class RoleConversation {
  private readonly examples: readonly Message[];
  private readonly dressed = new WeakMap<UserMessage, UserMessage>();

  constructor(private readonly prompt: RolePrompt) {
    this.examples = prompt.examples.flatMap(({ input, output }, index) => exampleOf(index, input, output));
  }

  /** Puts the examples first, or wraps the prompt around the user's last message. */
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
    role: 'assistant',
    id: `example-${index}-answer`,
    time: 0,
    agent: '',
    model: '',
    finish: 'stop',
    parts: [{ type: 'text', text: output }],
  };
  return [{ ...userMessage(input, 0, false), id: `example-${index}` }, answer];
}
