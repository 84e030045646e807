import { EngineError } from '../../engineError';
import { ToolFailure } from '../toolFailure';

/** What a model is told when the place that it wanted to search is not there; any other error as it is. */
export function missingRoot(error: unknown, shown: string): unknown {
  if (EngineError.is(error, 'not-found') && shown === '.') {
    const text =
      'The workspace has no folder yet, so there is nothing in it to search. A file that is written makes it.';
    return new ToolFailure('failed', text);
  }
  if (EngineError.is(error, 'not-found')) {
    return new ToolFailure(
      'failed',
      `There is no ${shown} to search. See what is there with fs_ls on the folder above.`,
    );
  }
  if (EngineError.is(error, 'not-directory')) {
    return new ToolFailure('bad-arguments', `${shown} is a file, and path must be a folder.`);
  }
  return error;
}

/** A glob as the search wants it: relative, and one without a slash is meant in every folder. */
export function searchGlob(pattern: string): string {
  const plain = pattern.replace(/^(\.\/)+/, '');
  return plain.includes('/') ? plain : `**/${plain}`;
}
