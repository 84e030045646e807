import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const WORKBENCH = 'out/vs/code/browser/workbench/workbench.js';
const EXTENSION_HOST = 'out/vs/workbench/api/node/extensionHostProcess.js';

/** Matches `isProposedApiEnabled`, patched to always return true, before the function that throws if it returns false. */
const ALWAYS_ALLOWED =
  /function ([\w$]+)\(([\w$]+),([\w$]+)\)\{return ?!0\}(?=function [\w$]+\([\w$]+,[\w$]+\)\{if\(!\1\([\w$]+,[\w$]+\)\)throw new Error\(`Extension '\$\{[^}]*\}' CANNOT use API proposal)/;
const ALLOWED_FOR_ALL = /this\._envEnablesProposedApiForAll=!0/;

/**
 * Makes the editor server in `serverDir` reject proposed API, as a user's editor does. The published server allows all of it, so
 * an extension that uses it would pass every test here and fail for every user.
 */
export async function refuseProposedApi(serverDir: string): Promise<void> {
  const honest = 'function $1($2,$3){return!!($2.enabledApiProposals&&$2.enabledApiProposals.includes($3))}';
  await replaceOnce(path.join(serverDir, WORKBENCH), ALWAYS_ALLOWED, honest);
  await replaceOnce(path.join(serverDir, WORKBENCH), ALLOWED_FOR_ALL, 'this._envEnablesProposedApiForAll=!1');
  await replaceOnce(path.join(serverDir, EXTENSION_HOST), ALWAYS_ALLOWED, honest);
}

async function replaceOnce(file: string, pattern: RegExp, replacement: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  if (!pattern.test(text)) {
    throw new Error(
      `The check for proposed API was not found in ${file}. The editor server was built differently from the version ` +
        'this was written for: adapt test/editor/refuseProposedApi.ts to it.',
    );
  }
  await writeFile(file, text.replace(pattern, replacement));
}
