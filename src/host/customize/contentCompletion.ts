import * as vscode from 'vscode';
import { safeLine } from '../../base/shown/safeText';
import type { Engine, HelpKey, HelpName } from '../../engine';
import { type FrontMatterCursor, frontMatterCursor } from './frontMatterCursor';

/** Completes keys and values in the file of an agent, skill, or role. */
export async function contentCompletion(
  engine: Engine,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<vscode.CompletionItem[]> {
  const place = engine.content.placeOf(document.uri.fsPath);
  if (!place) return [];
  const cursor = cursorAt(document, position);
  const begun = begunReference(document, position);
  if (!cursor && begun === undefined) return [];
  const help = await engine.content.help(place, document.getText());
  if (begun !== undefined && help.references) return referenceItems(help.references(), begun, document, position);
  if (!cursor) return [];
  const range = new vscode.Range(position.with({ character: cursor.start }), position);
  if (cursor.kind === 'key') {
    const keys = (await help.keys(cursor.where)).filter(({ name }) => !cursor.siblings.includes(name));
    return keys.map((key, index) => keyItem(key, cursor, range, index));
  }
  // An entry in a list of maps starts with a key.
  const inEntry = await help.keys(cursor.where);
  if (inEntry.length > 0) return inEntry.map((key, index) => keyItem(key, cursor, range, index));
  const values = await help.values(cursor.where);
  return values.map((value, index) =>
    valueItem(value, /^[*&!%@`]/.test(value.name) ? `"${value.name}"` : value.name, range, index),
  );
}

/** The part typed so far of a key in a template; undefined outside one. */
function begunReference(document: vscode.TextDocument, position: vscode.Position): string | undefined {
  return /\{\{(\w*)$/.exec(document.lineAt(position).text.slice(0, position.character))?.[1];
}

/** The keys that a template may reference. */
function referenceItems(
  names: readonly HelpName[],
  begun: string,
  document: vscode.TextDocument,
  position: vscode.Position,
): vscode.CompletionItem[] {
  const range = new vscode.Range(position.translate(0, -begun.length), position);
  const end = document.lineAt(position).text.slice(position.character).startsWith('}}') ? '' : '}}';
  return names.map((value, index) => valueItem(value, `${value.name}${end}`, range, index));
}

function valueItem({ name, description }: HelpName, text: string, range: vscode.Range, index: number) {
  const item = new vscode.CompletionItem(safeLine(name, 200, 'exact'), vscode.CompletionItemKind.Value);
  item.filterText = name;
  item.insertText = text;
  item.detail = safeLine(description.split('\n', 1)[0] ?? '');
  return ordered(item, range, index);
}

/** Explains the key under the pointer. */
export async function contentHover(
  engine: Engine,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<vscode.Hover | undefined> {
  const place = engine.content.placeOf(document.uri.fsPath);
  const range = document.getWordRangeAtPosition(position, /[\w-]+/);
  const cursor = place && range && cursorAt(document, range.end);
  if (!place || !cursor?.hasColon) return undefined;
  const text = (await engine.content.help(place, document.getText())).describe([
    ...cursor.where,
    document.getText(range),
  ]);
  return text === undefined ? undefined : new vscode.Hover(new vscode.MarkdownString(text), range);
}

/** Shows third-party text verbatim, never as Markdown. */
export function plainHover(text: string, range: vscode.Range): vscode.Hover {
  return new vscode.Hover(new vscode.MarkdownString().appendText(safeLine(text, 500)), range);
}

function cursorAt(document: vscode.TextDocument, position: vscode.Position): FrontMatterCursor | undefined {
  return frontMatterCursor(document.getText().split(/\r?\n/), position, document.fileName.endsWith('.yaml'));
}

function keyItem(key: HelpKey, cursor: FrontMatterCursor, range: vscode.Range, index: number): vscode.CompletionItem {
  const item = new vscode.CompletionItem(key.name, vscode.CompletionItemKind.Property);
  item.documentation = new vscode.MarkdownString(key.description);
  const name = /^[*&!%@`]/.test(key.name) ? `"${key.name}"` : key.name;
  item.insertText = cursor.hasColon ? name : `${name}:${key.shape === 'map' ? '\n  ' : ' '}`;
  if (!cursor.hasColon) item.command = { command: 'editor.action.triggerSuggest', title: 'Suggest values' };
  return ordered(item, range, index);
}

/** Keeps Cairn's order: the schemas list common keys first. */
function ordered(item: vscode.CompletionItem, range: vscode.Range, index: number): vscode.CompletionItem {
  item.range = range;
  item.sortText = String(index).padStart(4, '0');
  return item;
}
