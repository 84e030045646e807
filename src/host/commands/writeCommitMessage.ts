import { safeText } from '../../base/shown/safeText';
import { type GitRepository, gitRepositories } from '../editor/gitRepositories';
import type { Command, Host } from '../host';
import { withCancel } from '../shown/notify';

const MAX_DIFF = 60_000;

const SYSTEM = [
  'You write the message of a Git commit from its diff.',
  'First line: what the commit does, in the imperative, at most 72 characters, without a full stop.',
  'If the reason is not plain from it, a blank line and a few lines that say why. Answer with the message alone.',
].join('\n');

/** Writes a message for what is staged, or for all changes when nothing is, into the box of the source control view. */
export function writeCommitMessage({ engine, currentChat }: Host): Command {
  return {
    async run(argument) {
      const { model } = (await currentChat()).state;
      if (model.scripted) throw new Error('The demo cannot write commit messages. Choose a model first.');
      const repository = chosen(await gitRepositories(), argument);
      const diff = (await repository.diff(true)) || (await repository.diff(false));
      if (diff === '') throw new Error('Git sees no changes to commit. Stage new files first.');
      const cut = diff.length > MAX_DIFF ? `${diff.slice(0, MAX_DIFF)}\n(the rest of the diff is left out)` : diff;
      const title = `Writing the commit message with ${model.label}`;
      const message = await withCancel(title, (signal) => engine.ask(model.id, { system: SYSTEM, text: cut }, signal));
      if (message !== undefined) repository.inputBox.value = safeText(withoutFence(message));
    },
  };
}

/** The repository whose title bar was pressed, else the first. */
function chosen(repositories: readonly GitRepository[], argument: unknown): GitRepository {
  const pressed =
    typeof argument === 'object' && argument !== null && 'rootUri' in argument ? String(argument.rootUri) : undefined;
  const repository = repositories.find(({ rootUri }) => rootUri.toString() === pressed) ?? repositories[0];
  if (!repository) throw new Error('No Git repository is open.');
  return repository;
}

function withoutFence(message: string): string {
  return /^```\w*\n([^]*?)\n```$/.exec(message)?.[1] ?? message;
}
