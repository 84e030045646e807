import * as z from '../../base/zod';
import type { ToolSpec } from '../llm/llmRequest';
import type { AnyTool, ToolRole } from './tool';

/** The tools at hand in a run, by name. */
export class ToolRegistry {
  private readonly byName: ReadonlyMap<string, AnyTool>;
  private readonly byOwnName: ReadonlyMap<string, AnyTool>;
  private told: readonly ToolSpec[] | undefined;

  /** `isHidden`: models are not told of it, but it is found. Throws when two tools have one name. */
  constructor(
    tools: readonly AnyTool[],
    private readonly isHidden: (tool: AnyTool) => boolean = () => false,
  ) {
    this.byName = new Map(tools.map((tool) => [tool.name, tool]));
    this.byOwnName = new Map(tools.flatMap((tool) => (tool.ownName === undefined ? [] : [[tool.ownName, tool]])));
    if (this.byName.size !== tools.length) throw new Error('Two tools have the same name.');
  }

  /** As models are told of them; made with the first question, because that takes a while. */
  get specs(): readonly ToolSpec[] {
    return (this.told ??= this.offered.map(specOf));
  }

  get names(): readonly string[] {
    return [...this.byName.keys()];
  }

  get all(): readonly AnyTool[] {
    return [...this.byName.values()];
  }

  /** Those that models are told of. */
  get offered(): readonly AnyTool[] {
    return this.all.filter((tool) => !this.isHidden(tool));
  }

  /** Also by our name of one that is offered under another, which our words to the model may use. */
  get(name: string): AnyTool | undefined {
    return this.byName.get(name) ?? this.byOwnName.get(name);
  }

  /** Whether there is a tool that does this. */
  does(role: ToolRole): boolean {
    return this.all.some(({ traits }) => traits?.roles?.includes(role));
  }

  /** The same, but models are not told of some tools, which may not be used now. */
  hiding(isHidden: (tool: AnyTool) => boolean): ToolRegistry {
    return this.all.some(isHidden) ? new ToolRegistry(this.all, isHidden) : this;
  }

  /** The same without some tools; itself when none of them is left out. */
  without(isLeftOut: (tool: AnyTool) => boolean): ToolRegistry {
    const kept = this.all.filter((tool) => !isLeftOut(tool));
    return kept.length === this.all.length ? this : new ToolRegistry(kept);
  }
}

function specOf({ name, description, input, parameters }: AnyTool): ToolSpec {
  if (parameters) return { name, description, parameters };
  const schema = Object.entries(z.toJSONSchema(input, { io: 'input', override: withoutUsualBounds }));
  // Every vendor knows which dialect it reads; saying it would only cost tokens.
  return { name, description, parameters: Object.fromEntries(schema.filter(([key]) => key !== '$schema')) };
}

/** That a text is not empty and an integer is one are checked with each call; saying it everywhere would only cost tokens. */
function withoutUsualBounds({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.minLength === 1) delete jsonSchema.minLength;
}
