import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../src/base/l10n';
import type { Welcome } from '../../src/protocol/chatState';
import { Icon } from '../ui/Icon';
import { Sentence } from '../ui/Sentence';
import { useChat, usePanel } from '../ui/panelContext';
import { Button } from '../ui/toolkit';
import type { TranscriptList } from './transcriptList';

/** Places the list, which renders itself, in the panel. */
export function Transcript({ list, hidden }: { list: TranscriptList; hidden: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const [atEnd, setAtEnd] = useState(list.scroll.atEnd);
  useLayoutEffect(() => {
    place.current?.prepend(list.element);
    list.scroll.restore();
    const listening = list.scroll.onAtEnd(setAtEnd);
    return () => listening.dispose();
  }, [list]);
  return (
    <div class="transcript-place" ref={place} hidden={hidden}>
      {!atEnd && (
        <button
          type="button"
          class="to-end"
          aria-label={t('Scroll to bottom')}
          title={t('Scroll to bottom')}
          onClick={() => list.scroll.toEnd()}
        >
          <Icon name="arrow-down" />
        </button>
      )}
    </div>
  );
}

/** Shown before the first message. */
export function EmptyState() {
  const welcome = useChat((state) => state.welcome);
  const model = useChat((state) => state.model);
  const { agent, isChosen, starters } = useChat((state) => state.setup);
  const { editor, run } = usePanel();
  const { action } = welcome;
  // The demo answers every message with the same tour.
  const offered = model.scripted ? [t('Show me the tour')] : starters.length > 0 ? starters : welcome.starters;
  return (
    <section class="empty" aria-label={t('Start')}>
      <h2>{welcome.workspaceName ?? t('No folder is open')}</h2>
      <FoundList {...welcome} model={model.label} agent={isChosen ? agent : null} />
      {action && (
        <Button kind="secondary" onClick={() => editor.runCommand(action.command)}>
          {action.label}
        </Button>
      )}
      <ul class="starters">
        {offered.map((starter) => (
          <li key={starter}>
            <button type="button" class="starter" onClick={() => void run.send(starter)}>
              <span>{starter}</span>
              <Icon name="arrow-right" />
            </button>
          </li>
        ))}
      </ul>
      {model.scripted && (
        <div class="tour">
          <p>{t('This is a scripted demo. It needs no API key, and its answers are prepared in advance.')}</p>
          <Button kind="quiet" onClick={() => editor.runCommand('chooseModel')}>
            {t('Choose a model')}
          </Button>
        </div>
      )}
      <p class="keys">
        <Sentence
          words={t('{0} to send, {1} for a new line, {2} to focus the input')}
          parts={[<kbd>{t('Enter')}</kbd>, <kbd>{t('Shift+Enter')}</kbd>, <kbd>{t('Esc')}</kbd>]}
        />
      </p>
    </section>
  );
}

/** What is available: the project, its instructions for agents, the model. */
function FoundList({
  project,
  instructions,
  model,
  agent,
}: Pick<Welcome, 'project' | 'instructions'> & { model: string; agent: string | null }) {
  return (
    <ul class="found">
      {project.length > 0 && <li>{project.join(' · ')}</li>}
      {instructions.length > 0 && <li>{t('Instructions: {0}', instructions.join(', '))}</li>}
      {agent !== null && <li>{t('Agent: {0}', agent)}</li>}
      <li>{t('Model: {0}', model)}</li>
    </ul>
  );
}
