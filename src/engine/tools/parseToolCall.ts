import { jsonrepair } from 'jsonrepair';
import { errorText } from '../../base/errorText';
import type { ToolCall } from '../messages/toolCall';
import type { AnyTool, BoundCall } from './tool';
import { ToolFailure } from './toolFailure';
import type { ToolRegistry } from './toolRegistry';

export interface ParsedCall {
  tool: AnyTool;
  bound: BoundCall;
}

/** Finds the tool and checks its input. What is wrong comes back as a ToolFailure in words for the model. */
export function parseToolCall(call: ToolCall, registry: ToolRegistry): ParsedCall | ToolFailure {
  const tool = registry.get(call.name);
  if (!tool) {
    const names = registry.names.join(', ');
    return new ToolFailure('unknown-tool', `There is no tool "${call.name}". The tools are: ${names}.`);
  }
  const input = parseArguments(call);
  if (input instanceof ToolFailure) return input;
  const bound = tool.bind(input);
  if (bound.ok) return { tool, bound: bound.call };
  return new ToolFailure(
    'bad-arguments',
    `The arguments of ${call.name} do not fit: ${bound.issues}. Correct them and call again.`,
  );
}

function parseArguments(call: ToolCall): unknown {
  const text = call.arguments.trim() === '' ? '{}' : call.arguments;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    return repairedArguments(text) ?? brokenArguments(call, error);
  }
}

/** Models forget quotes and brackets; what can be read without guessing at values is read. */
function repairedArguments(text: string): unknown {
  try {
    const value: unknown = JSON.parse(jsonrepair(text));
    // Repair turns plain prose into a string; only an object can be meant as arguments.
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function brokenArguments(call: ToolCall, error: unknown): ToolFailure {
  const shown = call.arguments.length > 200 ? `${call.arguments.slice(0, 200)}…` : call.arguments;
  return new ToolFailure(
    'bad-arguments',
    `The arguments of ${call.name} are not JSON (${errorText(error)}). You sent: ${shown}\nCall again with one JSON object.`,
  );
}
