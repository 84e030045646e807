import {
  AGENT_SCRIPTS,
  OWN_TOOL_FOLDERS,
  type Ports,
  type ScriptTools,
  type ToolSource,
  WORKSPACE_TOOL_FOLDER,
} from '../../engine';

type Asked = Parameters<ToolSource['toolsFor']>;

/** Script tools whose code is loaded only when there is a script. */
export class LateScriptTools implements ToolSource {
  private made: Promise<ScriptTools> | undefined;

  constructor(
    /** Absolute path of Cairn's folder. */
    private readonly configFolder: string,
    private readonly ports: Pick<Ports, 'files' | 'paths'>,
    private readonly make: () => Promise<ScriptTools>,
  ) {}

  async toolsFor(...[place, wants, user]: Asked): ReturnType<ToolSource['toolsFor']> {
    if (!this.made && !(await this.mayBeSome(place, user))) return { tools: [], notices: [] };
    return (await this.tools()).toolsFor(place, wants, user);
  }

  async instructionsFor(...given: Parameters<NonNullable<ToolSource['instructionsFor']>>): Promise<string> {
    return (await this.tools()).instructionsFor(...given);
  }

  async graphScript(
    ...given: Parameters<NonNullable<ToolSource['graphScript']>>
  ): ReturnType<NonNullable<ToolSource['graphScript']>> {
    return (await this.tools()).graphScript(...given);
  }

  /** For commands, which need them in any case. */
  tools(): Promise<ScriptTools> {
    return (this.made ??= this.make());
  }

  private async mayBeSome({ workspace, isHeard }: Asked[0], { folder }: Asked[2]): Promise<boolean> {
    const { files, paths } = this.ports;
    const all = [
      ...OWN_TOOL_FOLDERS.map((path) => paths.resolve(this.configFolder, path)),
      ...(isHeard ? [paths.resolve(workspace, WORKSPACE_TOOL_FOLDER)] : []),
      ...(folder === null ? [] : AGENT_SCRIPTS.map((name) => paths.resolve(folder, name))),
    ];
    const found = await Promise.all(all.map((path) => files.find(path).catch(() => undefined)));
    return found.some((one) => one !== undefined);
  }
}
