import { type McpLaunch, type SignInStore, strikeOf } from '../../engine';
import { hiddenValues } from '../secretVariables';

/** The values of one connection that must not be shown: those in its launch, and tokens obtained while it lasts. */
export class ConnectionSecrets {
  private readonly values: Set<string>;
  private strikeNow: ((text: string) => string) | undefined;

  constructor(launch: McpLaunch, secrets: readonly string[]) {
    const named = launch.type === 'stdio' ? launch.env : launch.headers;
    this.values = new Set([...secrets, ...hiddenValues({ ...named })]);
  }

  /** Wraps the store so that values to hide are also reported here. */
  heardFrom(store: SignInStore): SignInStore {
    return {
      get: (name) => store.get(name),
      set: (name, value) => store.set(name, value),
      exclusively: (name, work) => store.exclusively(name, work),
      hide: (value) => {
        this.add(value);
        store.hide(value);
      },
    };
  }

  readonly strike = (text: string): string => (this.strikeNow ??= strikeOf([...this.values]))(text);

  private add(value: string): void {
    if (this.values.has(value)) return;
    this.values.add(value);
    this.strikeNow = undefined;
  }
}
