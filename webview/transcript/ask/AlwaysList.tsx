import { useLayoutEffect } from 'preact/hooks';
import { t } from '../../../src/base/l10n';
import { safeLine } from '../../../src/base/shown/safeText';
import type { AlwaysOption } from '../../../src/protocol/chatState';
import { useOpen, usePanel, useRedraw } from '../../ui/panelContext';

/**
 * Attributes of a button that allows something. `askGuard` prevents the click rather than disabling the button, which therefore
 * stays focusable.
 */
export interface AllowProps {
  'data-allows': '';
  'aria-disabled': 'true' | undefined;
  'aria-description': string | undefined;
  title: string | undefined;
}

interface AlwaysListProps {
  approvalId: string;
  always: readonly AlwaysOption[];
  choose: (option: number) => void;
}

const SCOPES: Record<AlwaysOption['scope'], () => string> = {
  session: () => t('In this session'),
  workspace: () => t('In this workspace'),
  user: () => t('Everywhere'),
};

/** Shows the narrowest rule, and the others behind an expandable line, grouped by scope. */
export function AlwaysList({ approvalId, always, choose }: AlwaysListProps) {
  const [open, setOpen] = useOpen(`always-more:${approvalId}`, false);
  const allow = useAllow([approvalId], t('Scroll to the end to allow'));
  const numbered = always.map((one, option) => ({ ...one, option }));
  const [narrowest, ...others] = numbered;
  if (!narrowest) return null;
  const groups = [...new Set(others.map(({ scope }) => scope))];
  return (
    <div class="ask-always" role="group" aria-label={t('Choose a rule that allows this from now on')}>
      <Choice {...narrowest} choose={choose} allow={allow} />
      {others.length > 0 && (
        <button type="button" class="menu-item more" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? t('Fewer options') : t('More options ({0})', others.length)}
        </button>
      )}
      {open &&
        groups.map((scope) => (
          <div key={scope} role="group" aria-label={SCOPES[scope]()}>
            <p class="menu-head" aria-hidden="true">
              {SCOPES[scope]()}
            </p>
            {others
              .filter((one) => one.scope === scope)
              .map((one) => (
                <Choice key={one.label} {...one} choose={choose} allow={allow} />
              ))}
          </div>
        ))}
    </div>
  );
}

interface ChoiceProps extends Pick<AlwaysListProps, 'choose'> {
  label: string;
  option: number;
  allow: AllowProps;
}

function Choice({ label, option, choose, allow }: ChoiceProps) {
  return (
    <button type="button" class="menu-item" {...allow} onClick={() => choose(option)}>
      <span>{t('Always allow {0}', safeLine(label, 1000, 'exact'))}</span>
    </button>
  );
}

/**
 * Returns the attributes of an allowing button. `hint` says what to do first while the end of a request has not been seen;
 * `title` is the tooltip afterwards.
 */
export function useAllow(approvalIds: readonly string[], hint: string, title?: string): AllowProps {
  const { ends } = usePanel();
  const redraw = useRedraw();
  useLayoutEffect(() => {
    const listening = ends.onChange(redraw);
    return () => listening.dispose();
  }, [ends, redraw]);
  const isSeen = approvalIds.every((id) => ends.has(id));
  return {
    'data-allows': '',
    'aria-disabled': isSeen ? undefined : 'true',
    'aria-description': isSeen ? undefined : hint,
    title: isSeen ? title : hint,
  };
}
