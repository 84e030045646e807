import * as z from '../../base/zod';
import bundled from '../../../assets/models.yaml';
import { EngineError } from '../engineError';
import { type ListedModel, listedModelSchema } from './model';

/** The models that are known by name. Any other works as well, with what is assumed of its provider's models. */
export class ModelCatalog {
  private readonly byId: ReadonlyMap<string, ListedModel>;

  /** Later models replace earlier ones of the same id; `more` is read with each question and comes before all. */
  constructor(
    models: readonly ListedModel[],
    private readonly more: () => readonly ListedModel[] = () => [],
  ) {
    this.byId = new Map(models.map((model) => [model.id, model]));
  }

  /** Of a list as `assets/models.yaml` holds one; `source` names it when it is damaged. */
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

/** The catalog that comes with Cairn, and what the person adds to it. */
export function loadModelCatalog(more?: () => readonly ListedModel[]): ModelCatalog {
  return ModelCatalog.parse(bundled, 'assets/models.yaml', more);
}
