import { type Disposable, onDispose } from '../../base/disposable';
import { errorText } from '../../base/errors';
import { nearest } from '../../base/matching';
import * as z from '../../base/zod';
import { callable, checkPlugin, fields } from '../checkPlugin';
import { EngineError } from '../engineError';
import { TOOL_CATEGORIES } from '../permissions/permissionRule';
import { OPENCODE_NAMES } from './openCode/openCodeNames';
import { type PluginTool, pluginTool, timeoutSchema, type ToolWrapper, wrappedTool } from './plugin/pluginTool';
import { type AnyTool, type BoundCall, isToolName, type ToolRole, type ToolTraits } from './tool';
import { ToolFailure } from './toolOutput';

/** The tools available in a run, by name. */
export class ToolRegistry {
  private readonly byName: ReadonlyMap<string, AnyTool>;
  private readonly byOwnName: ReadonlyMap<string, AnyTool>;

  /** `isHidden`: models do not see the tool, but it can be looked up. Throws if two tools have the same name. */
  constructor(
    tools: readonly AnyTool[],
    private readonly isHidden: (tool: AnyTool) => boolean = () => false,
  ) {
    this.byName = new Map(tools.map((tool) => [tool.name, tool]));
    this.byOwnName = new Map(tools.flatMap((tool) => (tool.ownName === undefined ? [] : [[tool.ownName, tool]])));
    if (this.byName.size !== tools.length) throw new Error('Two tools have the same name.');
  }

  get names(): readonly string[] {
    return [...this.byName.keys()];
  }

  get all(): readonly AnyTool[] {
    return [...this.byName.values()];
  }

  /** The tools that models see. */
  get offered(): readonly AnyTool[] {
    return this.all.filter((tool) => !this.isHidden(tool));
  }

  /** Also accepts Cairn's name of a tool that is offered under another one, which Cairn's messages to the model may use. */
  get(name: string): AnyTool | undefined {
    return this.byName.get(name) ?? this.byOwnName.get(name);
  }

  /** Whether models see a tool with this name, or with this as Cairn's name for it. */
  offers(name: string): boolean {
    const tool = this.get(name);
    return tool !== undefined && !this.isHidden(tool);
  }

  /** Whether models see a tool with this role. */
  does(role: ToolRole): boolean {
    return this.offered.some(({ traits }) => traits?.roles?.includes(role));
  }

  /** Returns a registry in which models do not see some tools, which may not be used at the moment. */
  hiding(isHidden: (tool: AnyTool) => boolean): ToolRegistry {
    return this.all.some(isHidden) ? new ToolRegistry(this.all, isHidden) : this;
  }

  /** Returns a registry without some tools; the same one if none is removed. */
  without(isLeftOut: (tool: AnyTool) => boolean): ToolRegistry {
    const kept = this.all.filter((tool) => !isLeftOut(tool));
    return kept.length === this.all.length ? this : new ToolRegistry(kept);
  }
}

const flag = z.optional(z.boolean());
const some = z.optional(z.object({}));

const toolSchema = fields({
  name: z.string(),
  description: z.string(),
  category: z.enum(TOOL_CATEGORIES),
  input: z.object({}),
  bind: callable,
  parameters: some,
  traits: some,
  concurrent: flag,
  waits: flag,
  timeoutMs: z.optional(timeoutSchema),
  ownName: z.optional(z.string()),
});

/** A change to a tool of this name that is still in effect. */
interface ToolChange {
  readonly name: string;
  readonly apply: (tool: AnyTool) => AnyTool;
}

/** All tools: those that come with Cairn and those that others register, with wrappers and replacements applied. */
export class RegisteredTools {
  private tools: readonly AnyTool[];
  private changes: readonly ToolChange[] = [];
  private registry: ToolRegistry;

  constructor(builtin: readonly AnyTool[]) {
    this.tools = builtin;
    this.registry = new ToolRegistry(builtin);
  }

  /** The registry at this moment; a run keeps the one that it began with. */
  get current(): ToolRegistry {
    return this.registry;
  }

  /** Throws EngineError `exists` or `invalid-input`. Once disposed, the tool answers no more calls, even in runs that know it. */
  register(brought: PluginTool | AnyTool): Disposable {
    const tool = checkedTool(brought);
    const { name } = tool;
    if (this.registry.get(name) || Object.hasOwn(OPENCODE_NAMES, name)) {
      const hint = 'Give yours a name with a prefix of its own, or replace it with replaceTool.';
      throw new EngineError('exists', `There is a tool “${name}” already. ${hint}`);
    }
    let isThere = true;
    const guarded: AnyTool = {
      ...tool,
      // A third-party tool must not keep its calls out of the chat.
      traits: undefined,
      bind(input) {
        return isThere ? tool.bind(input) : { ok: true, call: gone(name) };
      },
    };
    this.tools = [...this.tools, guarded];
    this.rebuild();
    return onDispose(() => {
      isThere = false;
      this.tools = this.tools.filter((one) => one !== guarded);
      this.rebuild();
    });
  }

  /**
   * Replaces the tool of the same name; the replacement has its own input, category and permission. What prompts and the panel
   * know about the original still applies, except that the chat always shows its calls. Throws EngineError `not-found` or
   * `invalid-input`.
   */
  replace(brought: PluginTool | AnyTool): Disposable {
    const tool = checkedTool(brought);
    this.mustHave(tool.name, 'replaced');
    return this.change(tool.name, (isThere) => (replaced) => ({
      ...tool,
      traits: audible(tool.traits ?? replaced.traits),
      bind: (input) => (isThere() ? tool : replaced).bind(input),
    }));
  }

  /** Puts `wrapper` around the calls of a tool, outside any existing wrappers. Throws EngineError `not-found` or `invalid-input`. */
  wrap(name: string, wrapper: ToolWrapper): Disposable {
    checkPlugin('wrapper', { name, wrapper }, z.object({ name: z.string(), wrapper: callable }));
    this.mustHave(name, 'wrapped');
    return this.change(name, (isThere) => (tool) => wrappedTool(tool, wrapper, isThere));
  }

  private change(name: string, make: (isThere: () => boolean) => ToolChange['apply']): Disposable {
    let isThere = true;
    const change: ToolChange = { name, apply: make(() => isThere) };
    this.changes = [...this.changes, change];
    this.rebuild();
    return onDispose(() => {
      isThere = false;
      this.changes = this.changes.filter((one) => one !== change);
      this.rebuild();
    });
  }

  private mustHave(name: string, what: string): void {
    if (this.registry.names.includes(name)) return;
    const meant = nearest(name, this.registry.names);
    const hint = meant === undefined ? 'Name one of engine.tools.' : `Did you mean “${meant}”?`;
    throw new EngineError('not-found', `There is no tool “${name}” that could be ${what}. ${hint}`);
  }

  private rebuild(): void {
    const changed = (tool: AnyTool) =>
      this.changes.reduce((one, { name, apply }) => (name === tool.name ? apply(one) : one), tool);
    this.registry = new ToolRegistry(this.tools.map(changed));
  }
}

function audible(traits: ToolTraits | undefined): ToolTraits | undefined {
  return traits && { ...traits, quiet: undefined, advises: undefined };
}

/** Throws EngineError `invalid-input`. */
function checkedTool(brought: PluginTool | AnyTool): AnyTool {
  checkPlugin('tool', brought, z.object({}));
  const tool = 'bind' in brought ? brought : pluginTool(brought);
  checkPlugin('tool', tool, toolSchema);
  checkSpec(tool);
  if (isToolName(tool.name)) return tool;
  const rule = 'Names start with a letter and have up to 64 letters, digits, “_”, and “-”.';
  throw new EngineError('invalid-input', `“${tool.name}” is not a valid tool name. ${rule}`);
}

/** A tool that cannot be described to a model would fail every run, even those that do not use it. */
function checkSpec(tool: AnyTool): void {
  try {
    JSON.stringify(tool.parameters);
    if (!(tool.input instanceof z.AnySchema)) throw new Error('its input is not a schema');
  } catch (error) {
    throw untold(tool.name, error);
  }
}

/** Creates the error for a tool whose schema cannot be described to models. */
export function untold(name: string, error: unknown): EngineError {
  const why = `its parameters cannot be described to a model (${errorText(error)}). Give it another schema.`;
  return new EngineError('invalid-input', `The tool “${name}” cannot be registered: ${why}`);
}

/** Returns a call that only fails with a message. */
function gone(name: string): BoundCall {
  const text = `The tool ${name} is no longer available: its extension removed it. Continue without it.`;
  return {
    title: name,
    input: {},
    permission: { tool: name, category: 'agent' },
    touches: () => Promise.resolve([]),
    run: () => Promise.reject(new ToolFailure('failed', text)),
  };
}
