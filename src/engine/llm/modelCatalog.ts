import * as z from 'zod';
import bundled from '../../../assets/models.yaml';
import { EngineError } from '../engineError';
import { type Model, modelSchema, unlistedModel } from './model';

/** The models that are known by name. Any other works as well, with nothing known about it. */
export class ModelCatalog {
  private readonly byId: ReadonlyMap<string, Model>;

  /** Later models replace earlier ones of the same id. */
  constructor(models: readonly Model[]) {
    this.byId = new Map(models.map((model) => [model.id, model]));
  }

  /** Of a list as `assets/models.yaml` holds one; `source` names it when it is damaged. */
  static parse(value: unknown, source: string): ModelCatalog {
    const parsed = z.array(modelSchema).safeParse(value);
    if (parsed.success) return new ModelCatalog(parsed.data);
    throw new EngineError(
      'damaged',
      `The list of models in ${source} cannot be used. ${z.prettifyError(parsed.error)}`,
    );
  }

  get models(): readonly Model[] {
    return [...this.byId.values()];
  }

  /** The model of this id, listed or not. */
  find(id: string): Model {
    return this.byId.get(id) ?? unlistedModel(id);
  }
}

/** The catalog that comes with Cairn. */
export function loadModelCatalog(): ModelCatalog {
  return ModelCatalog.parse(bundled, 'assets/models.yaml');
}
