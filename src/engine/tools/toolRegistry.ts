import type { AnyTool, ToolRole } from './tool';

/** The tools available in a run, by name. */
export class ToolRegistry {
  private readonly byName: ReadonlyMap<string, AnyTool>;
  private readonly byOwnName: ReadonlyMap<string, AnyTool>;

  /** `isHidden`: models do not see the tool, but it can be looked up. Throws if two tools have the same name. */
  constructor(
    tools: readonly AnyTool[],
    private readonly isHidden: (tool: AnyTool) => boolean = () => false,
  ) {
    this.byName = new Map(tools.map((tool) => [tool.name, tool]));
    this.byOwnName = new Map(tools.flatMap((tool) => (tool.ownName === undefined ? [] : [[tool.ownName, tool]])));
    if (this.byName.size !== tools.length) throw new Error('Two tools have the same name.');
  }

  get names(): readonly string[] {
    return [...this.byName.keys()];
  }

  get all(): readonly AnyTool[] {
    return [...this.byName.values()];
  }

  /** The tools that models see. */
  get offered(): readonly AnyTool[] {
    return this.all.filter((tool) => !this.isHidden(tool));
  }

  /** Also accepts Cairn's name of a tool that is offered under another one, which Cairn's messages to the model may use. */
  get(name: string): AnyTool | undefined {
    return this.byName.get(name) ?? this.byOwnName.get(name);
  }

  /** Whether models see a tool with this name, or with this as Cairn's name for it. */
  offers(name: string): boolean {
    const tool = this.get(name);
    return tool !== undefined && !this.isHidden(tool);
  }

  /** Whether models see a tool with this role. */
  does(role: ToolRole): boolean {
    return this.offered.some(({ traits }) => traits?.roles?.includes(role));
  }

  /** Returns a registry in which models do not see some tools, which may not be used at the moment. */
  hiding(isHidden: (tool: AnyTool) => boolean): ToolRegistry {
    return this.all.some(isHidden) ? new ToolRegistry(this.all, isHidden) : this;
  }

  /** Returns a registry without some tools; the same one if none is removed. */
  without(isLeftOut: (tool: AnyTool) => boolean): ToolRegistry {
    const kept = this.all.filter((tool) => !isLeftOut(tool));
    return kept.length === this.all.length ? this : new ToolRegistry(kept);
  }
}
