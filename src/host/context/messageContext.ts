import * as vscode from 'vscode';
import type { Attachment } from '../../engine';
import type { ContextHit, TypedCommand, WrittenMessage } from '../../protocol/hostApi';
import type { ContextItem, MessageItem } from '../../protocol/messageItem';
import { itemOfUri } from './contextItems';
import { FileIndex } from './fileIndex';
import type { MessageContextParts } from './readItem';

const ENDLESS_MS = 40_000;

/** Finds what can be attached to a message, and reads it when the message is sent. */
export class MessageContext {
  private readonly index: FileIndex;

  constructor(private readonly parts: MessageContextParts) {
    this.index = new FileIndex(parts.search, parts.paths, () => Date.now());
  }

  async search(query: string, signal: AbortSignal): Promise<ContextHit[]> {
    const { contextSearch } = await import('./contextSearch');
    return contextSearch({ ...this.parts, index: this.index }, query, signal);
  }

  /** Items for dropped URIs. URIs that do not refer to files are left out. */
  async fromUris(uris: readonly string[]): Promise<ContextItem[]> {
    const items = uris.map(async (text) => {
      const uri = vscode.Uri.parse(text);
      // The form of a file URI in a remote window.
      const file = uri.scheme === 'vscode-remote' ? vscode.Uri.file(uri.path) : uri;
      return file.scheme === 'file' ? await itemOfUri(file) : undefined;
    });
    return (await Promise.all(items)).flatMap((item) => (item ? [item] : []));
  }

  /** The prompts of MCP servers, in the form typed after a slash. */
  async prompts(): Promise<TypedCommand[]> {
    return (await import('../mcp/serverPrompts')).promptCommands(this.parts);
  }

  /**
   * Returns a prompt's text after asking the user for its arguments; undefined if the user canceled. Rejects with a message for
   * the user.
   */
  async writePrompt(name: string, words: string): Promise<WrittenMessage | undefined> {
    return (await import('../mcp/serverPrompts')).writePrompt(this.parts, name, words);
  }

  /** Asks the user for the parameters in a resource's URI. Returns undefined if the user canceled. */
  async fill(item: ContextItem): Promise<ContextItem | undefined> {
    return (await import('../mcp/serverResources')).fillServerResource(this.parts, item);
  }

  /** Reads all items as sent to the model. Rejects with a message that names what could not be read. */
  async read(items: readonly MessageItem[]): Promise<Attachment[]> {
    if (items.length === 0) return [];
    const { readItem } = await import('./readItem');
    const signal = AbortSignal.timeout(ENDLESS_MS);
    return (await Promise.all(items.map((item) => readItem(this.parts, item, signal)))).flat();
  }
}
