import { t } from '../base/l10n';
import type { AgentSession, Attachment, Engine, ExpandedCommand } from '../engine';
import type { ModelChoice } from '../protocol/chatState';
import type { MessageItem } from '../protocol/messageItem';
import type { ChatMessage } from './messageQueue';

export interface ReadMessageParts {
  session: AgentSession;
  engine: Engine;
  model: ModelChoice;
  /** Reads a message's attachments. Rejects with a message that names what could not be read. */
  read: (items: readonly MessageItem[]) => Promise<Attachment[]>;
  /** Reports parts of a command that have no effect here. */
  warn: (text: string) => void;
  onSkillLoaded: () => void;
}

type Read = Required<Pick<ChatMessage, 'attachments'>> & Pick<ChatMessage, 'run'>;

/** Reads a message's attachments and expands it if it is a command. Rejects with a message for the user if it cannot be sent. */
export async function readMessage(message: ChatMessage, parts: ReadMessageParts): Promise<Read> {
  const command = await commandOf(message.text, parts);
  const items = await parts.read(message.items ?? []);
  const attachments = [...(command ? [command.attachment] : []), ...(message.attachments ?? []), ...items];
  await refuseUnseen(attachments, parts);
  return { attachments, ...(command && { run: command.run }) };
}

/** Expands a message that is a command and loads the skill it needs. Returns undefined for other messages. */
async function commandOf(text: string, parts: ReadMessageParts): Promise<ExpandedCommand | undefined> {
  const { session, engine, warn, onSkillLoaded } = parts;
  const where = { sessionId: session.id, workspace: session.metadata.workspace };
  const command = await engine.typed.expand(text, where);
  for (const note of command?.notes ?? []) warn(note);
  const { skills } = session.metadata;
  if (command?.skill !== undefined && !skills.includes(command.skill)) {
    await session.configure({ skills: [...skills, command.skill] });
    onSkillLoaded();
  }
  return command;
}

/** Throws if there is an image but the model does not support images. */
async function refuseUnseen(attachments: readonly Attachment[], { engine, model }: ReadMessageParts): Promise<void> {
  if (!attachments.some(({ type }) => type === 'image')) return;
  if (await engine.sees(model.id, AbortSignal.timeout(5_000))) return;
  throw new Error(t('{0} does not support images. Remove the image, or choose a model that does.', model.label));
}
