import type { TurnEntry } from '../../../src/protocol/chatState';
import { outcomeWords } from '../../transcript/entryLabel';
import { countWords, durationWords, shortNumber } from '../../words';
import { Icon } from '../Icon';
import { useOpen, usePanel } from '../panelContext';
import { DiffCount } from '../tools/DiffCount';

/** The end of a turn in one quiet line; the files it changed open below. */
export function TurnSummary({ entry }: { entry: TurnEntry }) {
  const { files, commands, durationMs, inputTokens, outputTokens, outcome } = entry;
  const [open, setOpen] = useOpen(entry.id, false);
  const tokens = inputTokens + outputTokens;
  const facts = [
    ...(commands > 0 ? [countWords(commands, 'command')] : []),
    durationWords(durationMs),
    ...(tokens > 0 ? [`${shortNumber(tokens)} tokens`] : []),
  ];
  return (
    <>
      <div class={files.length > 0 ? 'turn has-files' : 'turn'}>
        {outcome !== 'completed' && <span class="outcome">{outcomeWords(outcome)}</span>}
        {files.length > 0 && (
          <button
            type="button"
            class="turn-files"
            title="Files changed"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            <Icon name={open ? 'chevron-down' : 'chevron-right'} />
            <span>{countWords(files.length, 'file')}</span>
            <DiffCount added={sum(files, 'added')} removed={sum(files, 'removed')} />
          </button>
        )}
        {facts.map((fact) => (
          <span key={fact} class="fact">
            {fact}
          </span>
        ))}
      </div>
      {open && <ChangedFiles files={files} />}
    </>
  );
}

function ChangedFiles({ files }: Pick<TurnEntry, 'files'>) {
  const { editor } = usePanel();
  return (
    <ul class="changed-files">
      {files.map(({ path, added, removed }) => (
        <li key={path}>
          <button type="button" class="file-link" title={`Open ${path}`} onClick={() => editor.openFile(path)}>
            <span class="path">{path}</span>
            <DiffCount added={added} removed={removed} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function sum(files: TurnEntry['files'], key: 'added' | 'removed'): number {
  return files.reduce((total, file) => total + file[key], 0);
}
