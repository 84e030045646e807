import type { ContentCatalog } from '../content/contentCatalog';
import type { ContentScope, Named } from '../content/contentProblem';
import type { ExpandedCommand, ExpandParts } from './expandCommand';
import type { PromptCommand } from './promptCommand';

/** A name that can be typed after `/`. */
interface TypedCommand {
  name: string;
  description: string;
  /** Arguments that may follow the name, for people. */
  hint: string;
  kind: 'command' | 'skill';
}

/** Prefix of a name that is already taken. */
const OWNERS: Record<ContentScope, string> = { builtin: 'cairn', user: 'user', workspace: 'project' };

interface TypedCommandsParts extends Omit<ExpandParts, 'loadable'> {
  /** Names of the skills that may be loaded in a session. */
  loadable: (sessionId: string) => Promise<readonly string[]>;
}

/** Commands and skills that the user can type after `/`. */
export class TypedCommands {
  constructor(private readonly parts: TypedCommandsParts) {}

  /** The catalog of prompts with a name. */
  get prompts(): ContentCatalog<PromptCommand> {
    return this.parts.commands;
  }

  /**
   * Returns all commands and skills; a command takes precedence over a skill of the same name. Names that occur in `taken` are
   * prefixed with their owner: `project:review`.
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
   * Expands a message that is a command, such as `/review src/date.ts`; undefined for any other message. Rejects with EngineError
   * `invalid-input` if it cannot be carried out in that session.
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

/** Whether a message may be a command; text that starts with a space is not. */
export function looksTyped(text: string): boolean {
  return /^\/\S/.test(text);
}
