import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { EditorSession } from './editorSession';
import type { EditorWindow } from './editorWindow';
import { repoRoot } from './repoRoot';

/**
 * Saves diagnostics for a failure to `.build/failures/<name>/`: a screenshot, the console, and the documents of each window, the
 * trace, and the editor's logs. Returns that folder. Never rejects: the failure itself matters more.
 */
export async function keepEvidence(name: string, session: EditorSession): Promise<string> {
  const dir = path.join(repoRoot, '.build', 'failures', name.replace(/[^\w-]+/g, '-').slice(0, 80));
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { recursive: true });
  const attempts = [...session.windows.entries()].flatMap(([index, window]) => [
    window.page.screenshot({ path: path.join(dir, `window-${index + 1}.png`), timeout: 10_000 }),
    writeFile(path.join(dir, `console-${index + 1}.txt`), window.console.lines.join('\n')),
    keepDocuments(window, path.join(dir, `window-${index + 1}`)),
  ]);
  attempts.push(
    ...session.server.logPaths.map((log) => cp(log, path.join(dir, path.basename(log)), { recursive: true })),
  );
  if (session.options.trace) attempts.push(session.browser.tracing.stop({ path: path.join(dir, 'trace.zip') }));
  const results = await Promise.allSettled(attempts);
  const missing = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
  if (missing.length > 0) await writeFile(path.join(dir, 'not-kept.txt'), missing.join('\n'));
  return path.relative(repoRoot, dir);
}

/** Saves the current DOM of the workbench and each panel for inspection. */
async function keepDocuments({ page }: EditorWindow, name: string): Promise<void> {
  const panels = page.frames().filter((frame) => frame.url().includes('fake.html'));
  const files = [page.mainFrame(), ...panels].map(async (frame, index) =>
    writeFile(`${name}-document-${index}.html`, await frame.content()),
  );
  await Promise.all(files);
}
