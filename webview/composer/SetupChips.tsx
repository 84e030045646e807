import { t } from '../../src/base/l10n';
import { safeLine } from '../../src/base/shown/safeText';
import type { PanelCommand } from '../../src/protocol/commands';
import { focusComposer } from '../ui/focus';
import { Icon, RemoveButton } from '../ui/Icon';
import { useChat, usePanel } from '../ui/panelContext';

/** The role and skills, each with a button to remove it. */
export function SetupChips() {
  const { setup } = usePanel();
  const { role, skills } = useChat((state) => state.setup);
  if (role === null && skills.length === 0) return null;
  const then = (removed: Promise<boolean>) => {
    void removed;
    focusComposer();
  };
  return (
    <ul class="chips setup" aria-label={t('Role and skills')}>
      {role !== null && (
        <Chip
          kind="role"
          icon="person"
          name={role}
          command="chooseRole"
          remove={() => then(setup.choose('role', null))}
        />
      )}
      {skills.map((name) => (
        <Chip
          key={name}
          {...{ kind: 'skill', icon: 'book', name, command: 'chooseSkills' }}
          remove={() => then(setup.unloadSkill(name))}
        />
      ))}
    </ul>
  );
}

interface ChipProps {
  kind: 'role' | 'skill';
  icon: string;
  name: string;
  command: PanelCommand;
  remove: () => void;
}

function Chip({ kind, icon, name: foreign, command, remove }: ChipProps) {
  const { editor } = usePanel();
  const name = safeLine(foreign, 100, 'exact');
  const title = kind === 'role' ? t('Role: {0}', name) : t('Skill: {0}', name);
  return (
    <li class="chip">
      <button
        type="button"
        class="chip-open"
        title={title}
        aria-label={title}
        onClick={() => editor.runCommand(command)}
      >
        <Icon name={icon} />
        <span class="chip-label">{name}</span>
      </button>
      <RemoveButton
        label={kind === 'role' ? t('Remove role {0}', name) : t('Remove skill {0}', name)}
        remove={remove}
      />
    </li>
  );
}
