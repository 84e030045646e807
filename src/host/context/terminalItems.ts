import { t } from '../../base/l10n';
import { fuzzyScore } from '../../base/matching';
import { type Attachment, plainOutput, textAttachment } from '../../engine';
import type { ContextHit } from '../../protocol/hostApi';
import type { ContextItem } from '../../protocol/messageItem';
import type { RanCommand, TerminalOutputs } from './terminalOutputs';

/** Maximum characters of an output sent to the model, taken from its end. */
const MAX_TEXT = 30_000;
const MAX_LABEL = 60;
const CUT = 'The beginning of a long output is left out';

/** The output of the last commands in terminals, newest first. */
export function terminalHits({ all }: Pick<TerminalOutputs, 'all'>, words: string, max: number): ContextHit[] {
  return all
    .filter(({ command }) =>
      [command, 'terminal'].some((one) => fuzzyScore(words.toLowerCase(), one.toLowerCase()) > 0),
    )
    .slice(0, max)
    .map((one) => ({ item: itemOf(one), detail: t('Output · {0}', stateOf(one)) }));
}

function itemOf({ id, command }: RanCommand): ContextItem {
  const [line = ''] = command.split('\n');
  return { kind: 'terminal', label: line.length > MAX_LABEL ? `${line.slice(0, MAX_LABEL)}…` : line, target: id };
}

function stateOf({ exitCode }: RanCommand): string {
  if (exitCode === null) return t('still running');
  return exitCode === undefined ? 'ended' : t('exit code {0}', exitCode);
}

/** The output as sent to the model. Throws with a message for the user if it is no longer kept. */
export function terminalAttachment({ all }: Pick<TerminalOutputs, 'all'>, { label, target }: ContextItem): Attachment {
  const one = all.find(({ id }) => id === target);
  if (!one) throw new Error(t('The output of “{0}” is no longer kept. Run it again, then add it again.', label));
  const text = plainOutput(one.raw);
  const isCut = one.isCut || text.length > MAX_TEXT;
  // Starts at a line break, so that a partial line is not mistaken for a whole one.
  const end = text.slice(-MAX_TEXT);
  const shown = isCut ? `${CUT}.\n${end.slice(end.indexOf('\n') + 1)}` : text;
  const source = { kind: 'terminal' as const, label, ...(isCut && { note: CUT }) };
  return textAttachment(source, `terminal: ${one.command} (${stateOf(one)})`, shown.trim() || '(no output)');
}
