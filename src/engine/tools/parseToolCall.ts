import { clipEnd } from '../../base/truncate';
import { type CallArguments, callArguments } from '../messages/callArguments';
import type { ToolCall } from '../messages/toolCall';
import { meantTool } from './meantTool';
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
    const meant = meantTool(call.name, registry.names);
    const hint = meant === undefined ? `. The tools are: ${registry.names.join(', ')}.` : `; use ${meant}.`;
    return new ToolFailure('unknown-tool', `There is no tool "${call.name}"${hint}`);
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
  if (call.struck) return new ToolFailure('failed', notKept(call));
  const read = callArguments(call);
  return read.ok ? read.value : new ToolFailure('bad-arguments', whatIsWrong(call, read));
}

function notKept({ name }: ToolCall): string {
  return `${name} was not carried out: it waited when Cairn was ended, and the secret in its arguments was not kept. Call it again if it is still wanted.`;
}

function whatIsWrong(call: ToolCall, { problem, says }: Extract<CallArguments, { ok: false }>): string {
  const { name } = call;
  if (problem === 'cut') {
    const parts =
      'Call again with all of them. What is too long for one answer goes in parts, one call in each answer.';
    return `${name} was not carried out: its arguments end before they are whole (${says}). They ended with: ${endOf(call)}\n${parts}`;
  }
  if (problem === 'deep')
    return `${name} was not carried out: its arguments are ${says}. Call again with simpler ones.`;
  return `The arguments of ${name} are not JSON (${says}). You sent: ${clipEnd(call.arguments, 200)}\nCall again with one JSON object.`;
}

function endOf({ arguments: given }: ToolCall): string {
  return given.length > 120 ? `…${given.slice(-120).toWellFormed()}` : given;
}
