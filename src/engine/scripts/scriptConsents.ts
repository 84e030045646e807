import * as z from '../../base/zod';
import { ConsentFile } from '../permissions/consentFile';
import type { FileSystem, PathStyle } from '../ports';
import type { KnownScript } from './scriptFiles';

const fileSchema = z.strictObject({
  scripts: z.array(
    z.strictObject({
      /** Absolute. */
      file: z.string(),
      /** Of the text that the user saw. */
      digest: z.string(),
    }),
  ),
});

/** `changed`: the user saw an earlier version of it. */
export type ScriptConsent = 'seen' | 'unseen' | 'changed';

/** Records which workspace scripts, by their exact text, the user has seen and allowed to run. */
export class ScriptConsents {
  private readonly kept: ConsentFile<z.infer<typeof fileSchema>>;

  constructor(configFolder: string, ports: { files: FileSystem; paths: PathStyle }) {
    const path = ports.paths.resolve(configFolder, 'script-consents.json');
    const until = 'Until then, no script of a workspace runs.';
    this.kept = new ConsentFile(path, fileSchema, { scripts: [] }, until, ports);
  }

  /** Rejects with EngineError `damaged` if the file cannot be parsed. */
  async stateOf({ file, scope, digest }: Pick<KnownScript, 'file' | 'scope' | 'digest'>): Promise<ScriptConsent> {
    if (scope === 'person') return 'seen';
    const consent = (await this.kept.read()).scripts.find((one) => one.file === file.path);
    if (!consent) return 'unseen';
    return consent.digest === digest ? 'seen' : 'changed';
  }

  /** Rejects as `stateOf` does, and with file system errors. */
  async remember({ file, digest }: Pick<KnownScript, 'file' | 'digest'>): Promise<void> {
    await this.kept.change(({ scripts }) => ({
      scripts: [...scripts.filter((one) => one.file !== file.path), { file: file.path, digest }],
    }));
  }
}
