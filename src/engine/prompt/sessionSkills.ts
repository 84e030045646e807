import { matchesWildcard, nearest } from '../../base/matching';
import { memoizeByObject } from '../../base/memoizeByObject';
import type { ContentCatalog } from '../content/contentCatalog';
import { filesBelow } from '../content/filesBelow';
import type { AgentEventBody } from '../events/agentEvent';
import type { ScopedEmitter } from '../events/scopedEmitter';
import type { FileSystem, PathStyle } from '../ports';
import type { AgentSession } from '../sessions/agentSession';
import type { SessionMetadata } from '../sessions/sessionEntry';
import { type ResolvedSkills, resolveSkills, type Skill, type SkillLevels } from '../skills/skill';
import type { LoadedSkill, ShelvedSkill, SkillShelf } from '../tools/toolContext';
import { ToolFailure } from '../tools/toolOutput';
import type { ToolRegistry } from '../tools/toolRegistry';

const MAX_FILES = 40;

interface SessionSkillsParts {
  session: Pick<AgentSession, 'note'> & {
    readonly metadata: Pick<SessionMetadata, 'workspace' | 'skills' | 'skillPolicy'>;
    configure(changes: Partial<Pick<SessionMetadata, 'skills'>>): Promise<void>;
  };
  catalog: ContentCatalog<Skill>;
  /** Called repeatedly, because the user may change these settings during a run. */
  levels(): Omit<SkillLevels, 'session'>;
  /** All tools that a skill may add. */
  available: ToolRegistry;
  /** Fills the placeholders in a skill. */
  fill(text: string): string;
  emitter: ScopedEmitter;
  ports: { files: FileSystem; paths: PathStyle };
}

/**
 * The skills of a run. The session stores which are loaded, so that the user may load and unload skills during the run; their
 * content stays as it was when they were loaded.
 */
export class SessionSkills implements SkillShelf {
  private readonly held = new Map<string, Skill>();
  private readonly acted = new Set<string>();
  private readonly told = new Set<string>();
  private areNamed = false;
  private readonly changedByCall = new Set<string>();

  constructor(private readonly parts: SessionSkillsParts) {}

  /** Returns the loaded skills that may be used, in the order of loading. */
  async active(): Promise<readonly Skill[]> {
    const loaded = this.parts.session.metadata.skills;
    for (const name of this.held.keys()) if (!loaded.includes(name)) this.held.delete(name);
    if (loaded.length === 0) return [];
    const { names } = await this.resolved();
    const found = await Promise.all(loaded.filter((name) => names.includes(name)).map((name) => this.hold(name)));
    return found.flatMap((skill) => skill ?? []);
  }

  /** Returns the names of all skills that the user or an agent's file may load here. */
  async loadable(): Promise<readonly string[]> {
    return (await this.resolved()).names;
  }

  /** Returns the skills that the model may load, and how it learns about them. */
  async offered(): Promise<{ skills: readonly Skill[]; told: ResolvedSkills }> {
    const told = await this.resolved();
    const all = await this.parts.catalog.list();
    return {
      skills: all.filter(
        (skill) =>
          told.names.includes(skill.name) && skill.forModel && this.lackedBy(skill).length === 0 && this.isOfUse(skill),
      ),
      told,
    };
  }

  /** Returns the ids of MCP servers that a skill needs but the agent lacks. */
  private lackedBy({ servers }: Skill): readonly string[] {
    if (servers.length === 0) return servers;
    const { all } = this.parts.available;
    return servers.filter((id) => !all.some(({ traits }) => traits?.servers?.includes(id)));
  }

  /**
   * Returns the names of the tools that a skill adds, resolved against all tools. Built-in skills add none unless skills are
   * named explicitly, so that an agent with few tools keeps to them.
   */
  toolsOf({ tools, source }: Skill): string[] {
    if (source.scope === 'builtin' && !this.areNamed) return [];
    return this.parts.available.names.filter((name) => tools.some((pattern) => matchesWildcard(pattern, name)));
  }

  /** Returns the readable folders of loaded skills; a workspace's folder only if no link leads to it. */
  async ownFolders(): Promise<string[]> {
    const found = (await this.active()).map(async ({ source, folder }) => {
      if (folder === null || (source.scope === 'workspace' && (await this.isLinked(folder)))) return [];
      return [folder];
    });
    return (await Promise.all(found)).flat();
  }

  /** A link in a repository may lead anywhere. */
  private async isLinked(folder: string): Promise<boolean> {
    const { session, ports } = this.parts;
    const { workspace } = session.metadata;
    const [home, real] = await Promise.all([ports.files.realPath(workspace), ports.files.realPath(folder)]);
    return real !== ports.paths.resolve(home, ports.paths.relative(workspace, folder));
  }

  /** Records that these skills were part of a request to the model. */
  used(skills: readonly Skill[]): void {
    for (const { name } of skills) this.acted.add(name);
  }

  async list(): Promise<readonly ShelvedSkill[]> {
    const { skills } = await this.offered();
    const loaded = this.parts.session.metadata.skills;
    return skills.map((skill) => {
      const { name, description } = skill;
      return { name, description, tools: this.toolsOf(skill), loaded: loaded.includes(name) };
    });
  }

  async load(name: string): Promise<LoadedSkill> {
    const { session, catalog, emitter } = this.parts;
    const skill = (await this.offered()).skills.find((one) => one.name === name);
    if (!skill) throw await this.notOffered(name, await catalog.find(name));
    if (session.metadata.skills.includes(name)) {
      throw new ToolFailure('failed', `The skill ${name} is already loaded; you have its instructions.`);
    }
    this.held.set(name, skill);
    this.changedByCall.add(name);
    await session.configure({ skills: [...session.metadata.skills, name] });
    await tellSkill({ type: 'skill-loaded', skill: name }, { session, emitter });
    const { folder } = skill;
    return { name, body: this.bodyOf(skill), folder, files: await this.filesOf(skill), tools: this.toolsOf(skill) };
  }

  async unload(name: string): Promise<void> {
    const { skills } = this.parts.session.metadata;
    if (!skills.includes(name)) {
      const loaded = skills.length > 0 ? `Loaded are: ${skills.join(', ')}.` : 'None is.';
      throw new ToolFailure('bad-arguments', `The skill ${name} is not loaded. ${loaded}`);
    }
    this.changedByCall.add(name);
    await this.drop([name]);
  }

  /** Returns the text of a skill with its placeholders filled. */
  bodyOf({ body, folder }: Skill): string {
    return this.parts.fill(fillSkillPlaces(body, folder, this.parts.session.metadata.workspace));
  }

  /** Returns and clears the skills that the model itself loaded or unloaded since the last call, and therefore knows about. */
  takeChangedByCall(): ReadonlySet<string> {
    const taken = new Set(this.changedByCall);
    this.changedByCall.clear();
    return taken;
  }

  /** Ends a turn: unloads the skills with `autoUnload` that have been used. */
  async endTurn(): Promise<void> {
    const over = (await this.active()).filter(({ name, autoUnload }) => autoUnload && this.acted.has(name));
    await this.drop(over.map(({ name }) => name));
  }

  /** Whether the agent may have every tool that a built-in skill mentions; always true for other skills. */
  private isOfUse(skill: Skill): boolean {
    return skill.source.scope !== 'builtin' || toolsNamedIn(skill).every((name) => this.parts.available.get(name));
  }

  private async drop(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    const { session, emitter } = this.parts;
    await session.configure({ skills: session.metadata.skills.filter((name) => !names.includes(name)) });
    for (const name of names) {
      this.held.delete(name);
      await tellSkill({ type: 'skill-unloaded', skill: name }, { session, emitter });
    }
  }

  private async hold(name: string): Promise<Skill | undefined> {
    const skill = this.held.get(name) ?? (await this.parts.catalog.find(name));
    if (skill) this.held.set(name, skill);
    return skill;
  }

  private async resolved(): Promise<ResolvedSkills> {
    const { session, catalog, emitter } = this.parts;
    const installed = (await catalog.list()).map(({ name }) => name);
    const levels = { ...this.parts.levels(), session: session.metadata.skillPolicy };
    const resolved = resolveSkills(levels, installed);
    this.areNamed = resolved.named;
    for (const text of resolved.problems) {
      if (!this.told.has(text)) emitter.emit({ type: 'notice', level: 'warning', text });
      this.told.add(text);
    }
    return resolved;
  }

  private async notOffered(name: string, known: Skill | undefined): Promise<ToolFailure> {
    const names = (await this.offered()).skills.map((skill) => skill.name);
    const lacked = known ? this.lackedBy(known) : [];
    if (lacked.length > 0) {
      const servers = lacked.join(', ');
      return new ToolFailure('failed', `The skill ${name} needs MCP servers (${servers}), which are not available.`);
    }
    if (known) return new ToolFailure('failed', `The skill ${name} is not enabled here.${listed(names)}`);
    const meant = nearest(name, names);
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
    return new ToolFailure('bad-arguments', `There is no skill “${name}”.${hint}${listed(names)}`);
  }

  private async filesOf({ folder, source }: Skill): Promise<string[]> {
    const { files, paths } = this.parts.ports;
    if (folder === null) return [];
    // A link in a repository may lead anywhere.
    const within = source.scope === 'workspace' ? folder : undefined;
    const found = await filesBelow(folder, files, paths, { within });
    return found
      .filter((path) => path !== source.path)
      .slice(0, MAX_FILES)
      .map((path) => paths.relative(folder, path));
  }
}

const toolsNamedIn = memoizeByObject(({ body }: Skill): readonly string[] =>
  [...body.matchAll(/`([a-z]+__[a-z_]+)`/g)].map(([, name = '']) => name),
);

function listed(names: readonly string[]): string {
  return names.length > 0 ? ` Enabled are: ${names.join(', ')}.` : ' No skill is enabled.';
}

/** Records that a skill was loaded or unloaded, and then emits the event. */
export async function tellSkill(
  happened: Extract<AgentEventBody, { type: 'skill-loaded' | 'skill-unloaded' }>,
  { session, emitter }: { session: Pick<AgentSession, 'note'>; emitter: ScopedEmitter },
): Promise<void> {
  await session.note(happened);
  emitter.emit(happened);
}

/** `${CLAUDE_SKILL_DIR}` and its names in other tools: the folder of the skill. */
const OWN_FOLDER = /\$\{(?:CLAUDE_SKILL_DIR|CLAUDE_SKILL_ROOT|SKILL_DIR)\}|\{baseDir\}/g;
/** The folder of the skill's plugin, which contains `skills/`. */
const PLUGIN_FOLDER = /\$\{CLAUDE_PLUGIN_ROOT\}/g;
const WORKSPACE = /\$\{CLAUDE_PROJECT_DIR\}/g;

/** Fills in the paths that a skill refers to. */
function fillSkillPlaces(body: string, folder: string | null, workspace: string): string {
  const filled = body.replace(WORKSPACE, () => workspace);
  if (folder === null) return filled;
  const plugin = folder.replace(/[\\/]skills?[\\/](?!.*[\\/]skills?[\\/]).*$/, '');
  return filled.replace(OWN_FOLDER, () => folder).replace(PLUGIN_FOLDER, () => plugin);
}
