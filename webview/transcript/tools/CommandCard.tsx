import type { PendingApproval, ToolEntry } from '../../../src/protocol/chatState';
import { durationWords } from '../../ui/words';
import { safeLine } from '../../../src/base/shown/safeText';
import { ApprovalBar } from '../ask/ApprovalBar';
import { EndMark } from '../ask/EndMark';
import { ShownText } from '../ask/ShownText';
import { UnseenWarning } from '../ask/UnseenWarning';
import { Fold } from '../../ui/Fold';
import { IconButton } from '../../ui/IconButton';
import { useNow, useOpen, usePanel } from '../../ui/panelContext';
import { CommandOutput } from './CommandOutput';

interface CommandCardProps {
  entry: ToolEntry;
  command: string;
  approval: PendingApproval | null;
  settled: boolean;
}

/** A command with the tail of its output; folded when it went well and its turn is over. */
export function CommandCard({ entry, command, approval, settled }: CommandCardProps) {
  const { editor, run } = usePanel();
  const output = outputOf(entry);
  const [open, setOpen] = useOpen(entry.id, !(settled && entry.status === 'ok'));
  const isOver = !approval && ['ok', 'error', 'rejected', 'cancelled'].includes(entry.status);
  return (
    <div class={isOver && (!open || output === '') ? 'card folded' : 'card'} data-approval-id={approval?.approvalId}>
      <div class="card-head">
        <Fold open={open} onToggle={output === '' ? undefined : setOpen} lead={leadOf(entry, open && output !== '')}>
          <code class={approval ? 'card-title wraps' : 'card-title'} dir="ltr" title={safeLine(command, 2000, 'exact')}>
            <span class="prompt" aria-hidden="true">
              ${' '}
            </span>
            <ShownText text={command} />
            {approval && <EndMark approvalId={approval.approvalId} />}
          </code>
        </Fold>
        <IconButton icon="copy" label="Copy command" quiet onClick={() => void editor.copy(command)} />
        {entry.status === 'running' && (
          <IconButton
            icon="stop"
            label="Stop command"
            title="Stop this command; the agent goes on"
            onClick={() => run.stopCall(entry.id)}
          />
        )}
        <CommandState entry={entry} />
      </div>
      {open && <CommandOutput entry={entry} output={output} command={command} />}
      {approval && <UnseenWarning text={command} />}
      {approval && <ApprovalBar approval={approval} />}
    </div>
  );
}

function CommandState({ entry }: { entry: ToolEntry }) {
  const now = useNow(entry.status === 'running');
  const { detail, status, startedAt, durationMs } = entry;
  const time = durationMs ?? (status === 'running' && startedAt !== null ? now - startedAt : null);
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
  if (status === 'rejected') return 'rejected';
  if (status === 'cancelled') return 'stopped';
  if (detail?.kind !== 'command') return '';
  if (detail.timedOut) return 'timed out';
  if (detail.signal !== null) return detail.signal;
  return detail.exitCode === null || detail.exitCode === 0 ? '' : `exit ${detail.exitCode}`;
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
