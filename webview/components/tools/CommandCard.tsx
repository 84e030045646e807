import { useLayoutEffect, useRef } from 'preact/hooks';
import type { PendingApproval, ToolEntry } from '../../../src/protocol/chatState';
import { durationWords } from '../../words';
import { ApprovalBar } from '../ask/ApprovalBar';
import { Fold } from '../Fold';
import { IconButton } from '../IconButton';
import { useNow, useOpen, usePanel } from '../panelContext';
import { Link } from '../toolkit';

interface CommandCardProps {
  entry: ToolEntry;
  command: string;
  approval: PendingApproval | null;
  settled: boolean;
}

const TAIL_LINES = 8;

/** A command with the tail of its output; folded when it went well and its turn is over. */
export function CommandCard({ entry, command, approval, settled }: CommandCardProps) {
  const { editor, run } = usePanel();
  const output = outputOf(entry);
  const [open, setOpen] = useOpen(entry.id, !(settled && entry.status === 'ok'));
  const [whole, setWhole] = useOpen(`whole:${entry.id}`, false);
  const isRunning = entry.status === 'running';
  const isOver = !approval && ['ok', 'error', 'rejected', 'cancelled'].includes(entry.status);
  const isLong = output.split('\n').length > TAIL_LINES;
  return (
    <div class={isOver && (!open || output === '') ? 'card folded' : 'card'} data-approval-id={approval?.approvalId}>
      <div class="card-head">
        <Fold open={open} onToggle={output === '' ? undefined : setOpen} lead={leadOf(entry, open && output !== '')}>
          <code class={approval ? 'card-title wraps' : 'card-title'} dir="ltr" title={command}>
            <span class="prompt" aria-hidden="true">
              ${' '}
            </span>
            {command}
          </code>
          <CommandState entry={entry} />
        </Fold>
        {isRunning && <IconButton icon="debug-stop" label="Cancel command" onClick={() => run.cancel()} />}
        {isLong && open && (
          <IconButton
            icon={whole ? 'fold' : 'unfold'}
            label={whole ? 'Show the last lines' : 'Show all output'}
            expanded={whole}
            onClick={() => setWhole(!whole)}
          />
        )}
        <IconButton icon="copy" label="Copy command" onClick={() => void editor.copy(command)} />
      </div>
      {open && output !== '' && <Output text={output} whole={whole} label={`Output of ${command}`} />}
      {open && <OutputFile entry={entry} />}
      {approval && <ApprovalBar approval={approval} />}
    </div>
  );
}

function CommandState({ entry }: { entry: ToolEntry }) {
  const now = useNow(entry.status === 'running');
  const { detail, status, startedAt, durationMs } = entry;
  const time = durationMs ?? (status === 'running' && startedAt !== null ? now - startedAt : null);
  return (
    <span class="command-state">
      {outcome(entry, detail) !== '' && <span class="exit">{outcome(entry, detail)}</span>}
      {time !== null && <span>{durationWords(Math.max(0, time))}</span>}
    </span>
  );
}

function outcome({ status }: ToolEntry, detail: ToolEntry['detail']): string {
  if (status === 'rejected') return 'rejected';
  if (status === 'cancelled') return 'cancelled';
  if (detail?.kind !== 'command') return '';
  if (detail.timedOut) return 'timed out';
  if (detail.signal !== null) return detail.signal;
  return detail.exitCode === null || detail.exitCode === 0 ? '' : `exit ${detail.exitCode}`;
}

function Output({ text, whole, label }: { text: string; whole: boolean; label: string }) {
  const box = useRef<HTMLPreElement>(null);
  useLayoutEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [whole]);
  const shown = whole
    ? text
    : text
        .split('\n')
        .slice(-TAIL_LINES)
        .join('\n')
        .replace(/^\s*\n/, '');
  return (
    <pre ref={box} class="tool-output" dir="ltr" tabIndex={0} role="group" aria-label={label}>
      {shown}
    </pre>
  );
}

function OutputFile({ entry: { detail } }: { entry: ToolEntry }) {
  const { editor } = usePanel();
  const path = detail?.kind === 'command' ? detail.outputPath : null;
  if (path === null) return null;
  return (
    <p class="output-file">
      <Link onClick={() => editor.openFile(path)}>Open the whole output</Link>
    </p>
  );
}

function outputOf({ detail, output }: ToolEntry): string {
  return (detail?.kind === 'command' ? detail.output : output).replace(/\s+$/, '');
}

function leadOf({ status }: ToolEntry, open: boolean) {
  if (status === 'running') return 'busy' as const;
  if (status === 'error') return { icon: 'error' };
  if (status === 'rejected' || status === 'cancelled') return { icon: 'circle-slash' };
  if (status === 'ok') return open ? ('arrow' as const) : { icon: 'check' };
  return { icon: 'terminal' };
}
