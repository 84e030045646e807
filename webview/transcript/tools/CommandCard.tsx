import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { t } from '../../../src/base/l10n';
import { safeLine } from '../../../src/base/shown/safeText';
import type { PendingApproval, ToolEntry } from '../../../src/protocol/chatState';
import { Fold } from '../../ui/Fold';
import { IconButton } from '../../ui/Icon';
import { useNow, useOpen, usePanel } from '../../ui/panelContext';
import { durationWords } from '../../ui/words';
import { ApprovalBar } from '../ask/ApprovalBar';
import { EndMark, ShownText, UnseenWarning } from '../ask/ShownText';
import { terminalLines, type TerminalPiece } from './terminalLines';

interface CommandCardProps {
  entry: ToolEntry;
  command: string;
  approval: PendingApproval | null;
  settled: boolean;
}

/** A command with the end of its output; once it has succeeded and its turn is over, only the last few lines stay visible. */
export function CommandCard({ entry, command, approval, settled }: CommandCardProps) {
  const { editor, run } = usePanel();
  const output = outputOf(entry);
  const [open, setOpen] = useOpen(entry.id, !(settled && hasSucceeded(entry)));
  const isOver = !approval && ['ok', 'error', 'rejected', 'cancelled'].includes(entry.status);
  return (
    <div class={isOver && (!open || output === '') ? 'card folded' : 'card'} data-approval-id={approval?.approvalId}>
      <div class="card-head">
        <Fold open={open} onToggle={output === '' ? undefined : setOpen} lead={leadOf(entry, open && output !== '')}>
          <code class={approval ? 'card-title wraps' : 'card-title'} dir="ltr" title={safeLine(command, 2000, 'exact')}>
            {!entry.isScript && (
              <span class="prompt" aria-hidden="true">
                ${' '}
              </span>
            )}
            <ShownText text={command} />
            {approval && <EndMark approvalId={approval.approvalId} />}
          </code>
        </Fold>
        <IconButton
          icon="copy"
          label={entry.isScript ? t('Copy call') : t('Copy command')}
          quiet
          onClick={() => void editor.copy(command)}
        />
        {hasBegun(entry) && (
          <IconButton
            icon="terminal"
            label={t('Show in terminal')}
            quiet={entry.status !== 'running'}
            onClick={() => run.showInTerminal(entry.id)}
          />
        )}
        {entry.status === 'running' && <StopCall entry={entry} />}
        <CommandState entry={entry} />
      </div>
      {open && <CommandOutput entry={entry} output={output} command={command} />}
      {isOver && !open && output !== '' && <LastLines output={output} />}
      {approval && <UnseenWarning text={command} />}
      {approval && <ApprovalBar approval={approval} />}
    </div>
  );
}

const LAST_LINES = 3;
/** How much of the output is searched for its last lines. */
const LAST_CHARACTERS = 2_000;

function LastLines({ output }: { output: string }) {
  const lines = useMemo(() => {
    const written = output.slice(-LAST_CHARACTERS).split('\n');
    return terminalLines(
      written
        .filter((line) => line.trim() !== '')
        .slice(-LAST_LINES)
        .join('\n'),
    );
  }, [output]);
  return (
    <pre class="last-lines" dir="ltr">
      <TerminalText lines={lines} />
    </pre>
  );
}

function StopCall({ entry: { id, isScript } }: { entry: ToolEntry }) {
  const { run } = usePanel();
  return (
    <IconButton
      icon="stop"
      label={isScript ? t('Stop tool') : t('Stop command')}
      title={isScript ? t('Stop this tool; the agent continues') : t('Stop this command; the agent continues')}
      onClick={() => run.stopCall(id)}
    />
  );
}

/** Whether the command has run, and so may have output. */
function hasBegun({ status, detail }: ToolEntry): boolean {
  return status === 'running' || status === 'ok' || detail?.kind === 'command';
}

function CommandState({ entry }: { entry: ToolEntry }) {
  const now = useNow(entry.status === 'running');
  const { detail, status, startedAt, durationMs } = entry;
  // The time of a rejected command is not that of a run.
  const time =
    status === 'rejected'
      ? null
      : (durationMs ?? (status === 'running' && startedAt !== null ? now - startedAt : null));
  const words = outcome(entry, detail);
  if (words === '' && time === null) return null;
  return (
    <span class="side-note">
      {words !== '' && <span class="exit">{words}</span>}
      {time !== null && <span>{durationWords(Math.max(0, time))}</span>}
    </span>
  );
}

function outcome({ status }: ToolEntry, detail: ToolEntry['detail']): string {
  if (status === 'rejected') return t('rejected');
  if (status === 'cancelled') return t('stopped');
  if (detail?.kind !== 'command') return '';
  if (detail.timedOut) return t('timed out');
  if (detail.signal !== null) return detail.signal;
  return detail.exitCode === null || detail.exitCode === 0 ? '' : t('exit {0}', detail.exitCode);
}

function outputOf({ detail, output }: ToolEntry): string {
  return (detail?.kind === 'command' ? detail.output : output).trimEnd();
}

/** A command that fails still has a result for the model, so its call is done. */
function hasSucceeded(entry: ToolEntry): boolean {
  return entry.status === 'ok' && outcome(entry, entry.detail) === '';
}

function leadOf(entry: ToolEntry, open: boolean) {
  const { status } = entry;
  if (status === 'running') return 'busy' as const;
  if (status === 'rejected' || status === 'cancelled') return { icon: 'circle-slash' };
  if (status === 'ok' && open) return 'arrow' as const;
  if (status === 'ok' || status === 'error') return { icon: hasSucceeded(entry) ? 'check' : 'error' };
  return { icon: 'terminal' };
}

const TAIL_LINES = 8;

/** The last lines of a command's output, or all of them, and a link to the rest. */
function CommandOutput({ entry, output, command }: { entry: ToolEntry; output: string; command: string }) {
  const [whole, setWhole] = useOpen(`whole:${entry.id}`, false);
  const lines = useMemo(() => terminalLines(output), [output]);
  return (
    <>
      {output !== '' && (
        <div class="output-box">
          <Output
            lines={whole ? lines : tailOf(lines)}
            whole={whole}
            label={t('Output of {0}', safeLine(command, 200, 'exact'))}
          />
          {lines.length > TAIL_LINES && (
            <IconButton
              icon={whole ? 'fold' : 'unfold'}
              label={whole ? t('Show last lines') : t('Show all output')}
              expanded={whole}
              onClick={() => setWhole(!whole)}
            />
          )}
        </div>
      )}
      <OutputFile entry={entry} />
    </>
  );
}

function Output({ lines, whole, label }: { lines: TerminalPiece[][]; whole: boolean; label: string }) {
  const box = useRef<HTMLPreElement>(null);
  useLayoutEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [whole]);
  return (
    <pre ref={box} class="tool-output scrolls-aside" dir="ltr" tabIndex={0} role="group" aria-label={label}>
      <TerminalText lines={lines} />
    </pre>
  );
}

/** Returns the last lines without leading empty ones, which would only push the others down. */
function tailOf(lines: TerminalPiece[][]): TerminalPiece[][] {
  const tail = lines.slice(-TAIL_LINES);
  const first = tail.findIndex((line) => line.some(({ text }) => text.trim() !== ''));
  return tail.slice(Math.max(0, first));
}

function OutputFile({ entry: { detail } }: { entry: ToolEntry }) {
  const path = detail?.kind === 'command' ? detail.outputPath : null;
  if (path === null) return null;
  return (
    <p class="output-file">
      <a href="#" data-path={path}>
        {t('Open full output')}
      </a>
    </p>
  );
}

/** Renders terminal lines in the theme's terminal colors. */
function TerminalText({ lines }: { lines: readonly (readonly TerminalPiece[])[] }) {
  return (
    <>
      {lines.map((line, at) => [
        at > 0 ? '\n' : '',
        ...line.map(({ text, look }, piece) =>
          look === '' ? (
            text
          ) : (
            <span key={piece} class={look}>
              {text}
            </span>
          ),
        ),
      ])}
    </>
  );
}
