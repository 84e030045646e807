import { EngineError } from '../../engineError';
import type { OneQuestion } from '../../llm/askOnce';
import type { Ports } from '../../ports';
import { codeOfReply } from './codeOfReply';
import { type SelectedPart, selectionQuestion } from './selectionQuestion';

export interface SelectionEdit extends SelectedPart {
  sessionId: string;
}

type Ask = (question: OneQuestion) => Promise<string>;

/**
 * The lines that are to stand in the place of a part of a file, as a model answers; `onProgress` is given what tells
 * them as far as they have come. The model is shown no known secret. Rejects with EngineError `invalid-input` for a part that holds one, else as `ask` does.
 */
export async function editSelection(
  edit: SelectedPart,
  ask: Ask,
  ports: Pick<Ports, 'strike' | 'strikePieces' | 'secretsKnown'>,
  onProgress: (linesSoFar: () => string[]) => void,
): Promise<string[]> {
  await ports.secretsKnown?.();
  const strike = ports.strike ?? ((text) => text);
  if (strike(edit.part) !== edit.part) {
    const text = 'The selection holds a secret, which models are not shown. Select the lines without it.';
    throw new EngineError('invalid-input', text);
  }
  const { before, after, wish } = edit;
  const shown = { ...edit, before: strike(before), after: strike(after), wish: strike(wish) };
  const pieces = ports.strikePieces?.();
  let reply = '';
  const onText = (piece: string) => {
    reply += pieces ? pieces.push(piece) : piece;
    onProgress(() => codeOfReply(reply, edit.part, true));
  };
  // The answer that is given back has lost the white space at both ends.
  await ask({ ...selectionQuestion(shown), onText, whole: true });
  reply += pieces?.end() ?? '';
  return codeOfReply(reply, edit.part, false);
}
