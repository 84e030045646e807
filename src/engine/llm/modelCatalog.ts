import * as z from '../../base/zod';
import bundled from '../../../assets/models.yaml';
import { EngineError } from '../engineError';
import { type ListedModel, listedModelSchema } from './model';

/** An entry of a list. It is parsed when it is first looked up: a run needs one, and parsing all of them delays each start. */
interface Unparsed {
  readonly id: string;
  readonly parse: () => ListedModel;
}

const entriesSchema = z.array(z.looseObject({ id: z.string() }));

/** The models known by name. Any other model works too, with its provider's assumptions. */
export class ModelCatalog {
  private readonly byId: Map<string, ListedModel | Unparsed>;

  /** Later models replace earlier ones with the same ID. `more` is read on every lookup and takes precedence. */
  constructor(
    models: readonly (ListedModel | Unparsed)[],
    private readonly more: () => readonly ListedModel[] = () => [],
  ) {
    this.byId = new Map(models.map((model) => [model.id, model]));
  }

  /**
   * Takes a list in the format of `assets/models.yaml`. Looking up a damaged entry throws EngineError `damaged`, in which `source`
   * names the list.
   */
  static of(value: unknown, source: string, more?: () => readonly ListedModel[]): ModelCatalog {
    const parsed = <T>(schema: z.ZodMiniType<T>, written: unknown): T => {
      const read = schema.safeParse(written);
      if (read.success) return read.data;
      const where = z.prettifyError(read.error);
      throw new EngineError('damaged', `The list of models in ${source} cannot be used. ${where}`);
    };
    const entries = parsed(entriesSchema, value);
    return new ModelCatalog(
      entries.map((entry) => ({ id: entry.id, parse: () => parsed(listedModelSchema, entry) })),
      more,
    );
  }

  get models(): readonly ListedModel[] {
    const own = [...this.byId.keys()].flatMap((id) => this.own(id) ?? []);
    return [...new Map([...own, ...this.more()].map((model) => [model.id, model])).values()];
  }

  find(id: string): ListedModel | undefined {
    return this.more().findLast((model) => model.id === id) ?? this.own(id);
  }

  private own(id: string): ListedModel | undefined {
    const found = this.byId.get(id);
    if (!found || !('parse' in found)) return found;
    const model = found.parse();
    this.byId.set(id, model);
    return model;
  }
}

/** Loads the catalog that comes with Cairn, plus the models the user adds. */
export function loadModelCatalog(more?: () => readonly ListedModel[]): ModelCatalog {
  return ModelCatalog.of(bundled, 'assets/models.yaml', more);
}
