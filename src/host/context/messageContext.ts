import * as vscode from 'vscode';
import type { Attachment } from '../../engine';
import type { ContextHit, TypedCommand, WrittenMessage } from '../../protocol/hostApi';
import type { ContextItem, MessageItem } from '../../protocol/messageItem';
import { itemOfUri } from './contextItems';
import { FileIndex } from './fileIndex';
import type { MessageContextParts } from './readItem';

const ENDLESS_MS = 40_000;

/** What goes with a message: finds it, and reads it when the message is sent. */
export class MessageContext {
  private readonly index: FileIndex;

  constructor(private readonly parts: MessageContextParts) {
    this.index = new FileIndex(parts.search, parts.paths, () => Date.now());
  }

  async search(query: string, signal: AbortSignal): Promise<ContextHit[]> {
    const { contextSearch } = await import('./contextSearch');
    return contextSearch({ ...this.parts, index: this.index }, query, signal);
  }

  /** What was dropped; addresses of other things than files are left out. */
  async fromUris(uris: readonly string[]): Promise<ContextItem[]> {
    const items = uris.map(async (text) => {
      const uri = vscode.Uri.parse(text);
      // The address of a file as a remote window knows it.
      const file = uri.scheme === 'vscode-remote' ? vscode.Uri.file(uri.path) : uri;
      return file.scheme === 'file' ? await itemOfUri(file) : undefined;
    });
    return (await Promise.all(items)).flatMap((item) => (item ? [item] : []));
  }

  /** The prompts of MCP servers, as they are typed after a slash. */
  async prompts(): Promise<TypedCommand[]> {
    return (await import('../mcp/serverPrompts')).promptCommands(this.parts);
  }

  /** What a prompt says, once the person gave what it asks for; undefined when they left. Rejects with a sentence. */
  async writePrompt(name: string, words: string): Promise<WrittenMessage | undefined> {
    return (await import('../mcp/serverPrompts')).writePrompt(this.parts, name, words);
  }

  /** Has the person give the values that the address of a resource asks for; undefined when they left. */
  async fill(item: ContextItem): Promise<ContextItem | undefined> {
    return (await import('../mcp/serverResources')).fillServerResource(this.parts, item);
  }

  /** Everything as the model gets it. Rejects with a sentence that names what could not be read. */
  async read(items: readonly MessageItem[]): Promise<Attachment[]> {
    if (items.length === 0) return [];
    const { readItem } = await import('./readItem');
    const signal = AbortSignal.timeout(ENDLESS_MS);
    return (await Promise.all(items.map((item) => readItem(this.parts, item, signal)))).flat();
  }
}
