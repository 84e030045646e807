import * as z from '../../../base/zod';
import { EngineError } from '../../engineError';
import type { FileSystem, PathStyle } from '../../ports';
import { type AnyTool, defineTool } from '../tool';
import { ToolFailure } from '../toolOutput';
import { resolvePath } from './resolvePath';

const writeInput = z.strictObject({ path: z.string().check(z.minLength(1)), contents: z.string() });
type WriteInput = z.infer<typeof writeInput>;

/** `fs_write`: writes a whole file. Its implementation is loaded on first use. */
export function writeFileTool(files: FileSystem, paths: PathStyle): AnyTool {
  const place = { files, paths };
  return defineTool<WriteInput>({
    name: 'fs_write',
    description:
      'Creates a file and its missing folders, or replaces a whole file; read an existing file first. To change part of a file use fs_edit.',
    category: 'write',
    traits: { kind: 'files', doing: 'Writing' },
    input: writeInput,
    title: ({ path }) => `Write ${path}`,
    permission: ({ path }) => ({ tool: 'fs_write', category: 'write', paths: [path] }),
    preview: async (call, context) => (await import('./edit/proposeWrite')).proposeWrite(call, context, place),
    run: async (call, context) => (await import('./edit/proposeWrite')).runWrite(call, context, place),
  });
}

const editInput = z.strictObject({
  path: z.string().check(z.minLength(1)),
  old_string: z.string().check(z.describe('Exact text, without line numbers; must occur once unless replace_all')),
  new_string: z.string(),
  replace_all: z.optional(z.boolean()),
});
type EditInput = z.infer<typeof editInput>;

/** `fs_edit`: an exact replacement in one file. Its implementation is loaded on first use. */
export function editFileTool(files: FileSystem, paths: PathStyle): AnyTool {
  const place = { files, paths };
  return defineTool<EditInput>({
    name: 'fs_edit',
    description:
      'Replaces old_string with new_string in a file. Copy old_string with its indentation, only as long as it must be to occur once. For several places use fs_patch; for a new file fs_write.',
    category: 'write',
    traits: { kind: 'files', doing: 'Editing' },
    input: editInput,
    title: ({ path }) => `Edit ${path}`,
    permission: ({ path }) => ({ tool: 'fs_edit', category: 'write', paths: [path] }),
    preview: async (call, context) => (await import('./edit/proposeEdit')).proposeEdit(call, context, place),
    run: async (call, context) => (await import('./edit/proposeEdit')).runEdit(call, context, place),
  });
}

const patchInput = z.strictObject({
  path: z.string().check(z.minLength(1)),
  contents: z.string().check(z.describe('Unified diff of this one file')),
});
type PatchInput = z.infer<typeof patchInput>;

/** `fs_patch`: applies a unified diff to one file. Its implementation is loaded on first use. */
export function patchFileTool(files: FileSystem, paths: PathStyle): AnyTool {
  return defineTool<PatchInput>({
    name: 'fs_patch',
    description:
      'Applies a unified diff to one file: hunks that begin with "@@ -10,3 +10,4 @@", lines with a space, - or + in front, two lines of context around each change. Line numbers may be off; context may not.',
    category: 'write',
    traits: { kind: 'files', doing: 'Patching' },
    input: patchInput,
    title: ({ path }) => `Patch ${path}`,
    permission: ({ path }) => ({ tool: 'fs_patch', category: 'write', paths: [path] }),
    async preview(call, { workspace, strike }) {
      const { proposePatch } = await import('./patch/applyPatch');
      return proposePatch(call, workspace, { files, paths, strike });
    },
    async run(call, context) {
      const { patched, proposePatch } = await import('./patch/applyPatch');
      const { applyChange } = await import('./edit/applyChange');
      const { shown } = resolvePath(paths, context.workspace, call.path);
      const approved =
        context.change ?? (await proposePatch(call, context.workspace, { files, paths, strike: context.strike }));
      const propose = (before: string | null) => patched(before, call.contents, shown);
      const output = await applyChange(files, approved, shown, (before) => propose(before).text, context);
      const { notes } = propose(approved.before);
      return { ...output, text: [output.text, ...notes].join('\n') };
    },
  });
}

const folderInput = z.strictObject({ path: z.string().check(z.minLength(1)) });
type FolderInput = z.infer<typeof folderInput>;

/** `fs_mkdir`: creates a folder and its parents. */
export function makeFolderTool(files: FileSystem, paths: PathStyle): AnyTool {
  return defineTool<FolderInput>({
    name: 'fs_mkdir',
    description: 'Creates a directory and any missing parents. Not needed before writing a file.',
    category: 'write',
    traits: { kind: 'files', doing: 'Creating', isUnlisted: true },
    input: folderInput,
    title: ({ path }) => `Create folder ${path}`,
    permission: ({ path }) => ({ tool: 'fs_mkdir', category: 'write', paths: [path] }),
    async run({ path }, { workspace }) {
      const { absolute, shown } = resolvePath(paths, workspace, path);
      const there = await kindOf(files, absolute);
      if (there !== null && there !== 'directory') {
        throw new ToolFailure('failed', `${shown} is a file, so a folder of that name cannot be created.`);
      }
      if (there === null) await files.makeDirectory(absolute);
      const text = there === null ? `Created the folder ${shown}.` : `The folder ${shown} already exists.`;
      return { text, detail: { kind: 'text', text } };
    },
  });
}

async function kindOf(files: FileSystem, path: string): Promise<string | null> {
  try {
    return (await files.stat(path)).kind;
  } catch (error) {
    if (EngineError.is(error, 'not-found')) return null;
    throw error;
  }
}

const removeInput = z.strictObject({
  path: z.string().check(z.minLength(1)),
  recursive: z.optional(z.boolean()).check(z.describe('Must be true to remove a folder with its contents')),
});
type RemoveInput = z.infer<typeof removeInput>;

/** `fs_rm`: removes a file, or a folder if told to, moving it to the trash if there is one. Its implementation is loaded on first use. */
export function removeFileTool(files: FileSystem, paths: PathStyle): AnyTool {
  const place = { files, paths };
  return defineTool<RemoveInput>({
    name: 'fs_rm',
    description: 'Removes a file or a folder; it goes to the trash where there is one.',
    category: 'write',
    traits: { kind: 'files', doing: 'Removing' },
    input: removeInput,
    title: ({ path, recursive }) => `Remove ${path}${recursive ? ' and all that is in it' : ''}`,
    permission: ({ path }) => ({ tool: 'fs_rm', category: 'write', paths: [path], removes: true }),
    touches: async ({ path }, context) => (await import('./removePath')).removedFiles(path, context, place),
    run: async (call, context) => (await import('./removePath')).removePath(call, context, place),
  });
}
