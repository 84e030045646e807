import { t } from '../../../src/base/l10n';
import { safeLine } from '../../../src/base/shown/safeText';
import type { FileDiff, PendingApproval, ToolEntry } from '../../../src/protocol/chatState';
import type { ChatApprovalAnswer } from '../../../src/protocol/hostApi';
import { statusWords } from '../entryArticle';
import { AlwaysList, useAllow } from '../ask/AlwaysList';
import { ReasonBox } from '../ask/ReasonBox';
import { Why } from '../ask/Why';
import { UnseenWarning } from '../ask/ShownText';
import { Fold } from '../../ui/Fold';
import { Icon, IconButton } from '../../ui/Icon';
import { PathText } from '../../ui/PathText';
import { useChat, useOpen, usePanel } from '../../ui/panelContext';
import { Button } from '../../ui/toolkit';
import { choiceOf } from './EditCard';
import { DiffCount, DiffSum, DiffView } from './DiffView';

/** Several edits requested at the same time: each file can be viewed and answered individually, or all at once. */
export function EditsCard({ together }: { together: readonly string[] }) {
  const all = useChat((state) => state.approvals);
  const waiting = all.filter(({ entryId }) => together.includes(entryId));
  const left = waiting.length < together.length ? t('{0} of {1} left', waiting.length, together.length) : '';
  return (
    <div class="card edits">
      <div class="card-head">
        <div class="fold">
          <span class="lead">
            <Icon name="edit" />
          </span>
          <span class="card-title">
            {together.length === 1 ? t('Edit 1 file') : t('Edit {0} files', together.length)}
          </span>
          {left !== '' && <span class="fold-note">{left}</span>}
        </div>
        <DiffSum of={waiting.flatMap(({ diff }) => diff ?? [])} />
      </div>
      <ul class="edit-files" aria-label={t('Files to edit')}>
        {together.map((id) => (
          <FileRow key={id} entryId={id} approval={waiting.find(({ entryId }) => entryId === id) ?? null} />
        ))}
      </ul>
      <AnswerAll waiting={waiting} reasonKey={`reason:${together.join()}`} />
    </div>
  );
}

function AnswerAll({ waiting, reasonKey }: { waiting: readonly PendingApproval[]; reasonKey: string }) {
  const { approvals } = usePanel();
  const [hasReason, setHasReason] = useOpen(reasonKey, false);
  const ids = waiting.map(({ approvalId }) => approvalId);
  const allow = useAllow(ids, t('Scroll to the end of all changes to accept them'));
  const answer = async (one: ChatApprovalAnswer) => {
    const taken = await Promise.all(ids.map((id) => approvals.answer(id, one)));
    return taken.every(Boolean);
  };
  return (
    <div class="ask">
      <div class="ask-buttons">
        <Button kind="primary" main allow={allow} onClick={() => void answer({ kind: 'once' })}>
          {t('Accept all')}
        </Button>
        <Button kind="secondary" onClick={() => void answer({ kind: 'reject' })}>
          {t('Reject all')}
        </Button>
        <IconButton
          icon="comment"
          label={t('Reject all with reason…')}
          expanded={hasReason}
          onClick={() => setHasReason(!hasReason)}
        />
      </div>
      {hasReason && <ReasonBox draft={reasonKey} answer={answer} />}
      {waiting[0] && <Why approval={waiting[0]} />}
    </div>
  );
}

function FileRow({ entryId, approval }: { entryId: string; approval: PendingApproval | null }) {
  const entry = useChat(({ entries }) => entries.findLast(({ id }) => id === entryId));
  const [opened, setOpen] = useOpen(`edit:${entryId}`, false);
  if (entry?.kind !== 'tool') return null;
  if (!approval?.diff) {
    const title = safeLine(entry.title, 1000, 'exact');
    return (
      <li>
        <div class="edit-file">
          <Fold open={false} onToggle={undefined} lead={leadOf(entry)}>
            <span class="card-title" title={title}>
              <PathText title={title} path={pathOf(entry)} />
            </span>
            <span class="fold-note">{answeredWords(entry)}</span>
          </Fold>
        </div>
      </li>
    );
  }
  const { added, removed } = approval.diff;
  const path = safeLine(approval.diff.path, 1000, 'exact');
  return (
    <li data-approval-id={approval.approvalId}>
      <div class="edit-file">
        <Fold open={opened} onToggle={setOpen} lead="arrow">
          <span class={opened ? 'card-title wraps whole' : 'card-title'} title={path}>
            {opened ? path : <PathText title={path} path={path} />}
          </span>
          <DiffCount added={added} removed={removed} />
        </Fold>
        <RowButtons approvalId={approval.approvalId} path={path} />
      </div>
      <UnseenWarning text={approval.diff.path} />
      {opened && <FileChange approval={approval} diff={approval.diff} />}
    </li>
  );
}

function RowButtons({ approvalId, path }: { approvalId: string; path: string }) {
  const { approvals } = usePanel();
  const allow = useAllow([approvalId], t('Scroll to the end of the change to accept it'), t('Accept {0}', path));
  const answer = (kind: 'once' | 'reject') => void approvals.answer(approvalId, { kind });
  return (
    <>
      <IconButton icon="diff" label={t('Open diff of {0}', path)} onClick={() => approvals.openDiff(approvalId)} />
      <IconButton icon="check" label={t('Accept {0}', path)} allow={allow} onClick={() => answer('once')} />
      <IconButton icon="close" label={t('Reject {0}', path)} onClick={() => answer('reject')} />
    </>
  );
}

/** The proposed change to a file, and the rules that would allow it from now on. */
function FileChange({ approval, diff }: { approval: PendingApproval; diff: FileDiff }) {
  const { approvals } = usePanel();
  const { approvalId, always } = approval;
  const [hasAlways, setHasAlways] = useOpen(`always:${approvalId}`, false);
  const choose = (option: number) => void approvals.answer(approvalId, { kind: 'always', option });
  return (
    <>
      <DiffView diff={diff} choice={choiceOf(approval, approvals)} />
      {always.length > 0 && (
        <button
          type="button"
          class="text-button edit-always"
          aria-expanded={hasAlways}
          onClick={() => setHasAlways(!hasAlways)}
        >
          {t('Always…')}
        </button>
      )}
      {hasAlways && <AlwaysList approvalId={approvalId} always={always} choose={choose} />}
    </>
  );
}

function pathOf({ detail }: ToolEntry): string {
  return detail?.kind === 'change' ? safeLine(detail.diff.path, 1000, 'exact') : '';
}

function answeredWords({ status }: ToolEntry): string {
  return status === 'ok' || status === 'running' || status === 'waiting' ? t('accepted') : statusWords(status);
}

function leadOf({ status }: ToolEntry): { icon: string } {
  if (status === 'error') return { icon: 'error' };
  return { icon: status === 'rejected' || status === 'cancelled' ? 'circle-slash' : 'check' };
}
