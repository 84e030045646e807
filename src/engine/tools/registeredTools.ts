import * as z from '../../base/zod';
import { type Disposable, onDispose } from '../../base/disposable';
import { errorText } from '../../base/errorText';
import { nearest } from '../../base/nearest';
import { callable, checkPlugin, fields } from '../checkPlugin';
import { EngineError } from '../engineError';
import { type AnyTool, type BoundCall, isToolName, type ToolTraits } from './tool';
import { OPENCODE_NAMES } from './openCode/openCodeNames';
import { TOOL_CATEGORIES } from '../permissions/permissionRule';
import { type PluginTool, pluginTool, timeoutSchema } from './plugin/pluginTool';
import { type ToolWrapper, wrappedTool } from './plugin/wrappedTool';
import { ToolFailure } from './toolFailure';
import { ToolRegistry } from './toolRegistry';

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
  return traits && { ...traits, quiet: undefined };
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
