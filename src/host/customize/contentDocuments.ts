import * as vscode from 'vscode';
import { errorText } from '../../base/errors';
import { t } from '../../base/l10n';
import { safeFileName, safeLine, safeText } from '../../base/shown/safeText';
import type { EffectivePrompt, Engine } from '../../engine';
import { CONTENT_SCHEME } from '../contributionPoints';
import type { ContentProblems } from './contentProblems';

/** The URI of a file, read-only for built-ins. */
export function contentUri({ scope, path }: { scope: string; path: string }): vscode.Uri {
  if (scope !== 'builtin') return vscode.Uri.file(path);
  return vscode.Uri.file(path).with({ scheme: CONTENT_SCHEME, authority: 'builtin' });
}

/** The document that shows an agent's prompt and tools. */
export function effectivePromptUri(agent: string): vscode.Uri {
  const path = `/Effective prompt of ${safeFileName(agent)}.md`;
  return vscode.Uri.from({ scheme: CONTENT_SCHEME, authority: 'prompt', path, query: agent });
}

/** The text of a read-only document: built-in content or an effective prompt. */
export async function contentDocument(engine: Engine, uri: vscode.Uri, workspace: string): Promise<string> {
  // The editor does not highlight invisible characters in Markdown.
  if (uri.authority === 'prompt') return safeText(await promptText(engine, uri.query, workspace));
  // Only built-in content has documents of this kind.
  const file = vscode.Uri.file(uri.path);
  if (engine.content.placeOf(file.fsPath)?.root.scope !== 'builtin') return '';
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
}

async function promptText(engine: Engine, agent: string, workspace: string): Promise<string> {
  try {
    return promptDocument(agent, await engine.effectivePrompt(agent, { workspace }));
  } catch (error) {
    return `# ${t('Effective prompt of {0}', agent)}\n\n${errorText(error)}\n`;
  }
}

function promptDocument(agent: string, { prompt, tools, model }: EffectivePrompt): string {
  const listed = tools.map(({ name, description }) => `- \`${name}\`: ${description.split('\n', 1)[0] ?? ''}`);
  return [
    `# ${t('Effective prompt of {0}', agent)}`,
    t('What the agent receives with its first request in a new session here. Nothing was run.'),
    t('Model: `{0}`', model),
    `## ${t('Tools ({0})', tools.length)}`,
    listed.join('\n') || t('None.'),
    `## ${t('Prompt')}`,
    prompt,
    '',
  ].join('\n\n');
}

/** Offers fixes that replace a misspelled word, or that write or remove something elsewhere in the document. */
export async function contentFixes(
  engine: Engine,
  problems: ContentProblems,
  document: vscode.TextDocument,
  range: vscode.Range,
): Promise<vscode.CodeAction[]> {
  const place = engine.content.placeOf(document.uri.fsPath);
  const here = problems.curable(document.uri).filter((one) => one.range.intersection(range) !== undefined);
  if (!place || here.length === 0) return [];
  const { version } = document;
  const text = document.getText();
  const fixes = here.map(async ({ range: wrong, instead, remedies }) => {
    const words =
      instead === undefined
        ? []
        : [{ title: t('Change to “{0}”', safeLine(instead, 100, 'exact')), at: wrong, text: instead }];
    const others = remedies.length === 0 ? [] : await engine.content.fixes(place, text, remedies);
    return [
      ...words,
      ...others.map(({ title, start, end, text: written }) => {
        const at = new vscode.Range(start.line - 1, start.column - 1, end.line - 1, end.column - 1);
        return { title: safeLine(title, 200, 'exact'), at, text: written };
      }),
    ].map((fix) => ({ ...fix, wrong }));
  });
  const all = (await Promise.all(fixes)).flat();
  // After an edit, the ranges no longer match.
  if (document.isClosed || document.version !== version) return [];
  const diagnostics = vscode.languages.getDiagnostics(document.uri);
  return all.map(({ title, at, text: written, wrong }) => {
    const fix = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    fix.edit = new vscode.WorkspaceEdit();
    fix.edit.replace(document.uri, at, written);
    fix.isPreferred = all.length === 1;
    fix.diagnostics = diagnostics.filter((one) => one.range.isEqual(wrong));
    return fix;
  });
}
