import type { ContentCatalog } from '../content/contentCatalog';
import type { ContentScope, Named } from '../content/contentSource';
import type { ExpandedCommand, ExpandParts } from './expandCommand';
import type { PromptCommand } from './promptCommand';

/** Something that can be typed after `/`. */
export interface TypedCommand {
  name: string;
  description: string;
  /** What may follow the name, in words for people. */
  hint: string;
  kind: 'command' | 'skill';
}

/** In front of a name that something else has. */
const OWNERS: Record<ContentScope, string> = { builtin: 'cairn', user: 'user', workspace: 'project' };

export interface TypedCommandsParts extends Omit<ExpandParts, 'loadable'> {
  /** Names of the skills that may be loaded in a session. */
  loadable: (sessionId: string) => Promise<readonly string[]>;
}

/** What a person may type after `/`: commands, and skills. */
export class TypedCommands {
  constructor(private readonly parts: TypedCommandsParts) {}

  /** Prompts that have a name. */
  get prompts(): ContentCatalog<PromptCommand> {
    return this.parts.commands;
  }

  /**
   * All of them; a command comes before a skill of its name. Those that are called like one of `taken` are named with whose they
   * are: `project:review`.
   */
  async list(taken: readonly string[] = []): Promise<TypedCommand[]> {
    const { commands, skills } = this.parts;
    const called = ({ name, source }: Named) => (taken.includes(name) ? `${OWNERS[source.scope]}:${name}` : name);
    const written = (await commands.list()).map((one): TypedCommand => ({
      name: called(one),
      description: one.description,
      hint: one.hint,
      kind: 'command',
    }));
    const known = new Set(written.map(({ name }) => name));
    const loaded = (await skills.list())
      .filter((one) => !known.has(called(one)) && !one.notForPeople)
      .map((one): TypedCommand => {
        const { description, hint = '' } = one;
        return { name: called(one), description, hint, kind: 'skill' };
      });
    return [...written, ...loaded];
  }

  /**
   * What a message asks for that is a command, as `/review src/date.ts`; undefined of every other message. Rejects with
   * EngineError `invalid-input` when it cannot be carried out in that session.
   */
  async expand(text: string, where: { sessionId: string; workspace: string }): Promise<ExpandedCommand | undefined> {
    if (!looksTyped(text)) return undefined;
    const { expandCommand } = await import('./expandCommand');
    const { loadable } = this.parts;
    return expandCommand(text, where.workspace, { ...this.parts, loadable: () => loadable(where.sessionId) });
  }

  dispose(): void {
    this.parts.commands.dispose();
  }
}

/** Whether a message may be a command; a text after a space is none. */
export function looksTyped(text: string): boolean {
  return /^\/\S/.test(text);
}
