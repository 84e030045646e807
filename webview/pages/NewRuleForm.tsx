import { useState } from 'preact/hooks';
import { t } from '../../src/base/l10n';
import {
  type NewRule,
  type PageAction,
  RULE_ACTIONS,
  RULE_SUBJECTS,
  type RuleAction,
  type RuleSubject,
} from '../../src/protocol/pages';
import { Choice } from './Choice';

const ACTIONS: Readonly<Record<RuleAction, () => string>> = {
  allow: () => t('Allow'),
  ask: () => t('Ask'),
  deny: () => t('Deny'),
};

const SUBJECTS: Readonly<Record<RuleSubject, { words: () => string; label: () => string; hint: string }>> = {
  command: { words: () => t('Command'), label: () => t('Command'), hint: 'npm test' },
  path: { words: () => t('File edits'), label: () => t('Path or glob'), hint: 'docs/**' },
  host: { words: () => t('Web pages'), label: () => t('Host'), hint: '*.example.org' },
  tool: { words: () => t('Tool'), label: () => t('Tool or category'), hint: 'category:network' },
};

const SCOPES = [
  ['workspace', () => t('This workspace')],
  ['session', () => t('This session')],
  ['user', () => t('Everywhere')],
] as const;

const NOTHING: NewRule = { scope: 'workspace', action: 'allow', subject: 'command', text: '' };

/** A form for a rule in the user's terms: what happens, to what, where. */
export function NewRuleForm({ act }: { act: (action: PageAction) => void }) {
  const [rule, setRule] = useState(NOTHING);
  const change = (part: Partial<NewRule>) => setRule(Object.assign({}, rule, part));
  const { label, hint } = SUBJECTS[rule.subject];
  const submit = (event: Event) => {
    event.preventDefault();
    if (rule.text.trim() === '') return;
    act({ kind: 'add-rule', rule });
    change({ text: '' });
  };
  return (
    <section class="page-part" aria-label={t('Add a rule')}>
      <h2>{t('Add a rule')}</h2>
      <form class="page-bar" onSubmit={submit}>
        <WhatChoices rule={rule} change={change} />
        <label class="page-choice page-wide">
          <span>{label()}</span>
          <input
            class="page-input page-code"
            value={rule.text}
            placeholder={hint}
            spellcheck={false}
            onInput={({ currentTarget }) => change({ text: currentTarget.value })}
          />
        </label>
        <Choice
          label={t('Where')}
          value={rule.scope}
          options={SCOPES.map(([scope, words]) => [scope, words()])}
          onChoose={(value) => change({ scope: SCOPES.find(([scope]) => scope === value)?.[0] ?? 'workspace' })}
        />
        <button type="submit" class="page-button">
          {t('Add')}
        </button>
      </form>
      {rule.action === 'allow' && rule.subject === 'command' && (
        <p class="page-why">{t('Allows the command with options known to be harmless.')}</p>
      )}
    </section>
  );
}

interface WhatChoicesProps {
  rule: NewRule;
  change: (part: Partial<NewRule>) => void;
}

function WhatChoices({ rule, change }: WhatChoicesProps) {
  return (
    <>
      <Choice
        label={t('Action')}
        value={rule.action}
        options={RULE_ACTIONS.map((action) => [action, ACTIONS[action]()])}
        onChoose={(value) => change({ action: RULE_ACTIONS.find((one) => one === value) ?? 'ask' })}
      />
      <Choice
        label={t('What')}
        value={rule.subject}
        options={RULE_SUBJECTS.map((subject) => [subject, SUBJECTS[subject].words()])}
        onChoose={(value) => change({ subject: RULE_SUBJECTS.find((one) => one === value) ?? 'command' })}
      />
    </>
  );
}
