import * as vscode from 'vscode';
import { type AssistantMessage, callInput, type Message, type ToolResult, type UserMessage } from '../../engine';

/** A conversation as the editor's models take it: there is no system role, so the prompt is what the person says first. */
export function vscodeMessages(system: string, messages: readonly Message[]): vscode.LanguageModelChatMessage[] {
  const head = system.trim() === '' ? [] : [vscode.LanguageModelChatMessage.User(system)];
  return [...head, ...messages.flatMap(translated)];
}

function translated(message: Message): vscode.LanguageModelChatMessage[] {
  switch (message.role) {
    case 'user':
      return userMessage(message);
    case 'assistant':
      return assistantMessage(message);
    case 'tool':
      return [vscode.LanguageModelChatMessage.User(message.results.map(resultPart))];
  }
}

function userMessage({ parts }: UserMessage): vscode.LanguageModelChatMessage[] {
  const content = parts.flatMap((part): (vscode.LanguageModelTextPart | vscode.LanguageModelDataPart)[] => {
    if (part.type === 'image')
      return [vscode.LanguageModelDataPart.image(bytes(part.image.data), part.image.mediaType)];
    return part.text.trim() === '' ? [] : [new vscode.LanguageModelTextPart(part.text)];
  });
  return content.length === 0 ? [] : [vscode.LanguageModelChatMessage.User(content)];
}

function assistantMessage({ parts }: AssistantMessage): vscode.LanguageModelChatMessage[] {
  const content = parts.flatMap((part): (vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart)[] => {
    if (part.type === 'tool-call') {
      return [new vscode.LanguageModelToolCallPart(part.call.id, part.call.name, callInput(part.call))];
    }
    return part.type === 'text' && part.text.trim() !== '' ? [new vscode.LanguageModelTextPart(part.text)] : [];
  });
  return content.length === 0 ? [] : [vscode.LanguageModelChatMessage.Assistant(content)];
}

function resultPart({ callId, status, text, images = [] }: ToolResult): vscode.LanguageModelToolResultPart {
  const said = text.trim() === '' ? '(no output)' : text;
  return new vscode.LanguageModelToolResultPart(callId, [
    new vscode.LanguageModelTextPart(status === 'error' ? `Error: ${said}` : said),
    ...images.map(({ data, mediaType }) => vscode.LanguageModelDataPart.image(bytes(data), mediaType)),
  ]);
}

function bytes(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
