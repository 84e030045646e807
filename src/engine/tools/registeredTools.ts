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

/** What was done to a tool of a name, and not taken back since. */
interface ToolChange {
  readonly name: string;
  readonly apply: (tool: AnyTool) => AnyTool;
}

/** Every tool that there is: those that come with Cairn, and those that others register, as others wrapped and replaced them. */
export class RegisteredTools {
  private tools: readonly AnyTool[];
  private changes: readonly ToolChange[] = [];
  private registry: ToolRegistry;

  constructor(builtin: readonly AnyTool[]) {
    this.tools = builtin;
    this.registry = new ToolRegistry(builtin);
  }

  /** As it is at this moment; runs keep the one that they began with. */
  get current(): ToolRegistry {
    return this.registry;
  }

  /** Throws EngineError `exists` or `invalid-input`. A tool that is taken back answers no call any more, also in runs that know it. */
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
      // What others bring cannot have the chat keep quiet about it.
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
   * Puts a tool in the place of the one of its name, with its own input, category and permission; what prompts and panel have
   * to know of the other one holds, but the chat always shows its calls. Throws EngineError `not-found` or `invalid-input`.
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

  /** Has `wrapper` stand around the calls of a tool, outside of those that do already. Throws EngineError `not-found` or `invalid-input`. */
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

/** What cannot be told to a model would fail every run, also those that do not want it. */
function checkSpec(tool: AnyTool): void {
  try {
    JSON.stringify(tool.parameters);
    if (!(tool.input instanceof z.AnySchema)) throw new Error('its input is not a schema');
  } catch (error) {
    throw untold(tool.name, error);
  }
}

/** Of a tool whose schema is none for models. */
export function untold(name: string, error: unknown): EngineError {
  const why = `its parameters cannot be described to a model (${errorText(error)}). Give it another schema.`;
  return new EngineError('invalid-input', `The tool “${name}” cannot be registered: ${why}`);
}

/** Says so when it is called, and does nothing. */
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
