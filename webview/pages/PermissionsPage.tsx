import { useState } from 'preact/hooks';
import { t } from '../../src/base/l10n';
import type { PageAction, PermissionsView, RuleAction, RuleGroup, RuleRow } from '../../src/protocol/pages';
import { safeLine } from '../../src/base/shown/safeText';
import { dateWords } from '../ui/dateWords';
import { NewRuleForm } from './NewRuleForm';

interface PermissionsPageProps {
  view: PermissionsView;
  act: (action: PageAction) => void;
}

const SCOPE_WORDS: Readonly<
  Record<RuleGroup['scope'], { title: () => string; note: (view: PermissionsView) => string }>
> = {
  user: { title: () => t('Everywhere'), note: () => t('Your rules for every workspace. They are checked first.') },
  session: {
    title: () => t('This session'),
    note: ({ session }) => t('Yours, in “{0}”', session === '' ? t('New session') : session),
  },
  workspace: { title: () => t('This workspace'), note: ({ workspace }) => t('Yours, for {0}', workspace) },
  repository: {
    title: () => t('From the repository'),
    note: () => t('In .cairn/permissions.json of the workspace. They can ask or deny, never allow.'),
  },
  agent: { title: () => t('From the agent'), note: ({ agent }) => t('Provided by {0}', agent) },
};

const ACTION_WORDS: Readonly<Record<RuleAction, () => string>> = {
  allow: () => t('Allowed'),
  ask: () => t('Asks'),
  deny: () => t('Denied'),
};

/** All rules by origin, their recent decisions, and a test for command lines. */
export function PermissionsPage({ view, act }: PermissionsPageProps) {
  return (
    <>
      <header class="page-head">
        <h1>{t('Permissions')}</h1>
        <p class="page-sum">
          {t('Rules that decide before the approval mode does. The first scope with a matching rule decides.')}
        </p>
      </header>
      <TryCommand view={view} act={act} />
      {view.problems.map((problem) => (
        <p key={problem} class="page-problem">
          {problem}
        </p>
      ))}
      {view.groups.map((group) => (
        <Rules key={group.scope} group={group} view={view} act={act} />
      ))}
      <NewRuleForm act={act} />
      <p class="page-note">
        {t('Uses are counted over the last {0} days, from the audit log.', view.days)}{' '}
        <button type="button" class="page-link" onClick={() => act({ kind: 'edit-rules' })}>
          {t('Edit rules as JSON')}
        </button>
      </p>
    </>
  );
}

function TryCommand({ view: { tried }, act }: PermissionsPageProps) {
  const [line, setLine] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    if (line.trim() !== '') act({ kind: 'try-command', line });
  };
  return (
    <section class="page-part">
      <form class="page-bar" onSubmit={submit}>
        <label class="page-choice page-wide">
          <span>{t('Test a command line')}</span>
          <input
            class="page-input page-code"
            value={line}
            placeholder="git push --force"
            spellcheck={false}
            onInput={({ currentTarget }) => setLine(currentTarget.value)}
          />
        </label>
        <button type="submit" class="page-button">
          {t('Test')}
        </button>
      </form>
      <p class="page-tried" role="status">
        {tried && (
          <>
            <Mark action={tried.action} /> <code>{safeLine(tried.line, 1000, 'exact')}</code>
            <span class="page-why">{tried.reason}</span>
          </>
        )}
      </p>
    </section>
  );
}

function Rules({ group: { scope, rules }, view, act }: PermissionsPageProps & { group: RuleGroup }) {
  const { title: titleOf, note } = SCOPE_WORDS[scope];
  const title = titleOf();
  // Rules cannot be added to these here.
  if (rules.length === 0 && (scope === 'repository' || scope === 'agent')) return null;
  return (
    <section class="page-part" aria-label={title}>
      <h2>{title}</h2>
      <p class="page-why">{note(view)}</p>
      {rules.length === 0 ? (
        <p class="page-none">{t('No rules')}</p>
      ) : (
        <ul class="page-rules">
          {rules.map((rule) => (
            <Rule key={rule.id} rule={rule} act={act} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Rule({ rule, act }: { rule: RuleRow; act: PermissionsPageProps['act'] }) {
  const { id, text, action, because, used, isOwn, narrower } = rule;
  const what = safeLine(text.slice(action.length + 1), 2000, 'exact');
  return (
    <li class="page-rule">
      <Mark action={action} />
      <div class="page-rule-words">
        <code>{what}</code>
        {because !== '' && <span class="page-why">{because}</span>}
        <span class="page-why">{useWords(used)}</span>
      </div>
      {isOwn && narrower !== null && (
        <button
          type="button"
          class="page-button"
          aria-label={t('Narrow {0}', what)}
          title={t('Change to: {0}', narrower)}
          onClick={() => act({ kind: 'narrow-rule', id })}
        >
          {t('Narrow')}
        </button>
      )}
      {isOwn && (
        <button
          type="button"
          class="page-button"
          aria-label={t('Remove {0}', what)}
          onClick={() => act({ kind: 'remove-rule', id })}
        >
          {t('Remove')}
        </button>
      )}
    </li>
  );
}

function Mark({ action }: { action: RuleAction }) {
  return <span class={`page-mark page-${action}`}>{ACTION_WORDS[action]()}</span>;
}

function useWords(used: RuleRow['used']): string {
  if (!used) return t('Not used recently');
  const [day, last] = [dateWords(used.at, { dateStyle: 'medium' }), safeLine(used.last, 300)];
  return used.times === 1
    ? t('Used once, last on {0}: {1}', day, last)
    : t('Used {0} times, last on {1}: {2}', used.times, day, last);
}
