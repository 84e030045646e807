import * as z from '../../base/zod';
import bundled from '../../../assets/models.yaml';
import { EngineError } from '../engineError';
import { type ListedModel, listedModelSchema } from './model';

/** The models known by name. Any other model works too, with its provider's assumptions. */
export class ModelCatalog {
  private readonly byId: ReadonlyMap<string, ListedModel>;

  /** Later models replace earlier ones with the same ID. `more` is read on every lookup and takes precedence. */
  constructor(
    models: readonly ListedModel[],
    private readonly more: () => readonly ListedModel[] = () => [],
  ) {
    this.byId = new Map(models.map((model) => [model.id, model]));
  }

  /** Parses a list in the format of `assets/models.yaml`. `source` names it in the error when it is damaged. */
  static parse(value: unknown, source: string, more?: () => readonly ListedModel[]): ModelCatalog {
    const parsed = z.array(listedModelSchema).safeParse(value);
    if (parsed.success) return new ModelCatalog(parsed.data, more);
    throw new EngineError(
      'damaged',
      `The list of models in ${source} cannot be used. ${z.prettifyError(parsed.error)}`,
    );
  }

  get models(): readonly ListedModel[] {
    return [...new Map([...this.byId, ...this.more().map((model) => [model.id, model] as const)]).values()];
  }

  find(id: string): ListedModel | undefined {
    return this.more().findLast((model) => model.id === id) ?? this.byId.get(id);
  }
}

/** Loads the catalog that comes with Cairn, plus the models the user adds. */
export function loadModelCatalog(more?: () => readonly ListedModel[]): ModelCatalog {
  return ModelCatalog.parse(bundled, 'assets/models.yaml', more);
}
