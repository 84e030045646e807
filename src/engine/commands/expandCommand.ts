import type { ContentCatalog } from '../content/contentCatalog';
import { EngineError } from '../engineError';
import { type Attachment, commandAttachment } from '../messages/attachment';
import type { PathStyle } from '../ports';
import type { Skill } from '../skills/skill';
import { fillCommand, splitWords } from './fillCommand';
import type { ReadingMode } from '../permissions/workMode';
import type { PromptCommand } from './promptCommand';

/** What a command message asks for in addition to its text. */
export interface ExpandedCommand {
  attachment: Attachment;
  /** Overrides for this message: agent, model, mode, and tools. */
  run: { agent?: string; model?: string; workMode?: ReadingMode; tools?: readonly string[] };
  /** A skill that must be loaded for it. */
  skill?: string;
  /** The parts of the command that do not apply here, one sentence each. */
  notes: readonly string[];
}

export interface ExpandParts {
  commands: ContentCatalog<PromptCommand>;
  skills: ContentCatalog<Skill>;
  paths: PathStyle;
  /** Whether an agent of this name exists. */
  hasAgent: (name: string) => Promise<boolean>;
  /** Whether the model can be used. */
  isReady: (modelId: string) => Promise<boolean>;
  /** Names of the skills that may be loaded where the message is sent. */
  loadable: () => Promise<readonly string[]>;
}

/**
 * Expands a message that begins with the name of a command or a skill; undefined for any other message. Rejects with EngineError
 * `invalid-input` if the skill may not be loaded.
 */
export async function expandCommand(
  text: string,
  workspace: string,
  parts: ExpandParts,
): Promise<ExpandedCommand | undefined> {
  const [, name, args = ''] = /^\/(\S+)(?:\s+([^]*))?$/.exec(text.trimEnd()) ?? [];
  if (name === undefined) return undefined;
  const plain = name.replace(/^(?:project|user|cairn):/, '');
  const command = (await parts.commands.find(name)) ?? (await parts.commands.find(plain));
  if (command) return ofCommand(command, { args: args.trim(), workspace }, parts);
  const skill = (await parts.skills.find(name)) ?? (await parts.skills.find(plain));
  return skill && !skill.notForPeople ? ofSkill(skill, args.trim(), parts) : undefined;
}

async function ofCommand(
  command: PromptCommand,
  values: { args: string; workspace: string },
  { paths, hasAgent, isReady }: ExpandParts,
): Promise<ExpandedCommand> {
  const { name, source, body, agent, model, workMode, tools } = command;
  const from = source.scope === 'workspace' ? paths.relative(values.workspace, source.path) : source.path;
  // A file written for another tool names agents and models of that tool.
  const isOurs = source.world === 'cairn';
  const counts = model !== undefined && (isOurs || (await isReady(model)));
  const answers = agent !== undefined && (isOurs || (await hasAgent(agent)));
  const notes = [
    ...(model === undefined || counts
      ? []
      : [`/${name} asks for ${model}, which is not available here; this session’s model answers.`]),
    ...(agent === undefined || answers
      ? []
      : [`/${name} asks for the agent “${agent}”, which does not exist here; this session’s agent answers.`]),
  ];
  return {
    attachment: commandAttachment(name, from, fillCommand(body, { ...values, world: source.world })),
    run: {
      ...(answers && { agent }),
      ...(counts && { model }),
      ...(workMode && { workMode }),
      ...(tools && { tools }),
    },
    notes,
  };
}

async function ofSkill(skill: Skill, args: string, { loadable }: ExpandParts): Promise<ExpandedCommand> {
  const { name } = skill;
  if (!(await loadable()).includes(name)) {
    const text = `The skill “${name}” is not enabled here. Enable it with “Choose Skills”, or put a space before the message.`;
    throw new EngineError('invalid-input', text);
  }
  const said = args === '' ? '' : ` The user adds: ${args}`;
  const words = [`Work by the skill “${name}”, which is loaded.${said}`, ...standFor(skill, args)].join('\n');
  return { attachment: commandAttachment(name, `skill ${name}`, words), run: {}, skill: name, notes: [] };
}

/** The prompt contains the skill unchanged, so the values of its placeholders are given next to it. */
function standFor({ body }: Skill, args: string): string[] {
  if (!/\$(?:ARGUMENTS|\d)/.test(body)) return [];
  const words = splitWords(args);
  const first = /\$0(?!\d)/.test(body) ? 0 : 1;
  const numbered = words.map((word, at) => `$${at + first} for “${word}”`);
  const all = args === '' ? 'nothing, since nothing was said' : `“${args}”`;
  return [`In its instructions $ARGUMENTS stands for ${[all, ...numbered].join(', ')}.`];
}
