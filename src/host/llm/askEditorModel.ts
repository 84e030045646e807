import * as vscode from 'vscode';
import { isAbort, untilAborted } from '../../base/abort';
import { errorText } from '../../base/errors';
import { t } from '../../base/l10n';
import {
  type AssistantMessage,
  callInput,
  type LlmEvent,
  type LlmRequest,
  type Message,
  type Model,
  type ToolResult,
  type UserMessage,
} from '../../engine';

/** Streams an answer from one of the editor's models. `find` returns the model, or undefined if the editor does not currently have it. */
export async function* askEditorModel(
  model: Model,
  find: (signal: AbortSignal) => Promise<vscode.LanguageModelChat | undefined>,
  request: LlmRequest,
  signal: AbortSignal,
): AsyncGenerator<LlmEvent, void, void> {
  const cancellation = new vscode.CancellationTokenSource();
  const stop = () => cancellation.cancel();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const chat = await find(signal);
    if (!chat) {
      yield failed(signal.aborted ? 'cancelled' : 'unknown-model', missing(model));
      return;
    }
    const tools = request.tools.map(({ name, description, parameters }) => {
      return { name, description, inputSchema: parameters };
    });
    const messages = vscodeMessages(request.system, request.messages);
    const sent = chat.sendRequest(messages, { tools }, cancellation.token);
    const { stream } = await untilAborted(Promise.resolve(sent), signal);
    yield* events(stream, signal);
  } catch (error) {
    yield failure(error, model, signal);
  } finally {
    signal.removeEventListener('abort', stop);
    // Also runs when the caller leaves the loop, so that the request does not continue.
    cancellation.cancel();
    cancellation.dispose();
  }
}

async function* events(stream: AsyncIterable<unknown>, signal: AbortSignal): AsyncGenerator<LlmEvent, void, void> {
  const parts = stream[Symbol.asyncIterator]();
  let calls = 0;
  for (;;) {
    const next = await untilAborted(Promise.resolve(parts.next()), signal);
    if (next.done) break;
    const part = next.value;
    if (part instanceof vscode.LanguageModelTextPart) yield { type: 'text-delta', text: part.value };
    if (part instanceof vscode.LanguageModelToolCallPart) {
      calls++;
      const call = { id: part.callId, name: part.name, arguments: JSON.stringify(part.input) };
      yield { type: 'tool-call-started', id: call.id, name: call.name };
      yield { type: 'tool-call', call };
    }
  }
  yield { type: 'finished', reason: calls > 0 ? 'tool-calls' : 'stop' };
}

function failure(error: unknown, model: Model, signal: AbortSignal): LlmEvent {
  if (signal.aborted || isAbort(error))
    return failed('cancelled', t('The request to the editor’s model was canceled.'));
  const says = errorText(error);
  if (!(error instanceof vscode.LanguageModelError)) {
    return failed('server', t('{0} did not answer: {1} Try again, or choose another model.', model.label, says));
  }
  switch (error.code) {
    case vscode.LanguageModelError.NoPermissions().code:
      // Not an authentication failure: no API key would help.
      return failed(
        'bad-request',
        t(
          'The editor does not let Cairn use {0}: {1} Allow it in the editor, or choose another model.',
          model.label,
          says,
        ),
      );
    case vscode.LanguageModelError.NotFound().code:
      return failed('unknown-model', missing(model));
    case vscode.LanguageModelError.Blocked().code:
      return failed(
        'rate-limit',
        t('{0} is rate-limiting requests: {1} Wait a moment, or choose another model.', model.label, says),
      );
    default:
      return failed('server', t('{0} did not answer: {1} Try again, or choose another model.', model.label, says));
  }
}

function failed(reason: Extract<LlmEvent, { type: 'failed' }>['failure']['reason'], message: string): LlmEvent {
  return { type: 'failed', failure: { reason, message } };
}

function missing({ id }: Model): string {
  return t(
    'The editor currently has no model "{0}". Choose another one in the model list, or sign in to the extension that provides it.',
    id,
  );
}

/** Converts a conversation for the editor's models. They have no system role, so the system prompt becomes the first user message. */
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
