import { nearest } from '../../base/matching';
import { clipEnd } from '../../base/truncate';
import { type CallArguments, callArguments } from '../messages/callArguments';
import type { ToolCall } from '../messages/toolCall';
import type { AnyTool, BoundCall } from './tool';
import { ToolFailure } from './toolOutput';
import type { ToolRegistry } from './toolRegistry';

export interface ParsedCall {
  tool: AnyTool;
  bound: BoundCall;
}

/** Finds the tool and validates its input. Returns a ToolFailure, worded for the model, if something is wrong. */
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

/** Tool names that models know from elsewhere, in lowercase letters and digits only, and Cairn's tool for the same job. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  read: 'fs_read',
  readfile: 'fs_read',
  view: 'fs_read',
  openfile: 'fs_read',
  cat: 'fs_read',
  write: 'fs_write',
  writefile: 'fs_write',
  writetofile: 'fs_write',
  createfile: 'fs_write',
  savefile: 'fs_write',
  edit: 'fs_edit',
  editfile: 'fs_edit',
  multiedit: 'fs_patch',
  replace: 'fs_edit',
  strreplace: 'fs_edit',
  strreplaceeditor: 'fs_edit',
  strreplacebasededittool: 'fs_edit',
  replaceinfile: 'fs_edit',
  searchreplace: 'fs_edit',
  applypatch: 'fs_patch',
  patch: 'fs_patch',
  applydiff: 'fs_patch',
  ls: 'fs_ls',
  list: 'fs_ls',
  listdir: 'fs_ls',
  listdirectory: 'fs_ls',
  listfiles: 'fs_ls',
  glob: 'fs_glob',
  find: 'fs_glob',
  findfiles: 'fs_glob',
  filesearch: 'fs_glob',
  grep: 'fs_grep',
  search: 'fs_grep',
  searchfiles: 'fs_grep',
  grepsearch: 'fs_grep',
  searchfilecontent: 'fs_grep',
  ripgrep: 'fs_grep',
  bash: 'execute_command',
  shell: 'execute_command',
  sh: 'execute_command',
  terminal: 'execute_command',
  exec: 'execute_command',
  execcommand: 'execute_command',
  runcommand: 'execute_command',
  runshellcommand: 'execute_command',
  runterminalcmd: 'execute_command',
  localshell: 'execute_command',
  powershell: 'execute_command',
  webfetch: 'fetch_url',
  fetch: 'fetch_url',
  fetchwebpage: 'fetch_url',
  browse: 'fetch_url',
  todowrite: 'todo__init',
  updateplan: 'todo__init',
  todoread: 'todo__list',
  task: 'agent__spawn',
  agent: 'agent__spawn',
  newtask: 'agent__spawn',
  askuserquestion: 'user__ask',
  askfollowupquestion: 'user__ask',
  askuser: 'user__ask',
  skill: 'skill__load',
};

/** Returns the available tool that was most likely meant by an unknown name. */
export function meantTool(name: string, names: readonly string[]): string | undefined {
  // `functions.fs_read`, `tools/fs_read`, `default_api:fs_read`
  const last = name.split(/[./:]/).findLast((part) => part !== '') ?? name;
  const plain = last.toLowerCase().replace(/[^a-z0-9]/g, '');
  const same = names.find((one) => one.replace(/[^a-z0-9]/gi, '').toLowerCase() === plain);
  if (same !== undefined) return same;
  const ours = Object.hasOwn(ELSEWHERE, plain) ? ELSEWHERE[plain] : undefined;
  return ours !== undefined && names.includes(ours) ? ours : nearest(last, names);
}
