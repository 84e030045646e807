import * as z from 'zod';
import { type Disposable, onDispose } from '../../base/disposable';
import { errorText } from '../../base/errorText';
import { callable, checkPlugin } from '../checkPlugin';
import { EngineError } from '../engineError';
import { isToolName } from './isToolName';
import { OPENCODE_NAMES } from './openCode/openCodeNames';
import { TOOL_CATEGORIES } from '../permissions/permissionRule';
import { type PluginTool, pluginTool } from './plugin/pluginTool';
import type { AnyTool, BoundCall } from './tool';
import { ToolFailure } from './toolFailure';
import { ToolRegistry } from './toolRegistry';

const toolSchema = z.object({
  ...{ name: z.string(), description: z.string(), category: z.enum(TOOL_CATEGORIES) },
  ...{ input: z.object({}), bind: callable },
});

/** Every tool that there is: those that come with Cairn, and those that others register. */
export class RegisteredTools {
  private registry: ToolRegistry;

  constructor(builtin: readonly AnyTool[]) {
    this.registry = new ToolRegistry(builtin);
  }

  /** As it is at this moment; runs keep the one that they began with. */
  get current(): ToolRegistry {
    return this.registry;
  }

  /** Throws EngineError `exists` or `invalid-input`. A tool that is taken back answers no call any more, also in runs that know it. */
  register(brought: PluginTool | AnyTool): Disposable {
    checkPlugin('tool', brought, z.object({}));
    const tool = 'bind' in brought ? brought : pluginTool(brought);
    checkPlugin('tool', tool, toolSchema);
    checkSpec(tool);
    const { name } = tool;
    if (!isToolName(name)) {
      const rule = 'A name begins with a letter and has up to 64 letters, digits, “_” and “-”.';
      throw new EngineError('invalid-input', `A tool cannot be called “${name}”. ${rule}`);
    }
    if (this.registry.get(name) || Object.hasOwn(OPENCODE_NAMES, name)) {
      throw new EngineError('exists', `There is a tool “${name}” already. Give yours a name with a prefix of its own.`);
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
    this.registry = new ToolRegistry([...this.registry.all, guarded]);
    return onDispose(() => {
      isThere = false;
      this.registry = this.registry.without((one) => one === guarded);
    });
  }
}

/** What cannot be told to a model would fail every run, also those that do not want it. */
function checkSpec(tool: AnyTool): void {
  try {
    JSON.stringify(new ToolRegistry([tool]).specs);
  } catch (error) {
    const why = `what it takes cannot be told to a model (${errorText(error)}). Give it another schema.`;
    throw new EngineError('invalid-input', `The tool “${tool.name}” cannot be registered: ${why}`);
  }
}

/** Says so when it is called, and does nothing. */
function gone(name: string): BoundCall {
  const text = `The tool ${name} is gone: the extension that brought it took it back. Do without it.`;
  return {
    title: name,
    input: {},
    permission: { tool: name, category: 'agent' },
    touches: () => Promise.resolve([]),
    run: () => Promise.reject(new ToolFailure('failed', text)),
  };
}
