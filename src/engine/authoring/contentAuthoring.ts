import type { GraphTemplate } from './contentFiles';
import type { AgentLoaderPorts } from '../agents/agentLoader';
import type { ContentProblem, ContentScope, ContentWorld, Named, Remedy } from '../content/contentProblem';
import {
  CONTENT_KINDS,
  type ContentKind,
  type ContentPlace,
  type ContentPlaces,
  type ContentRoot,
  contentRoots,
  isBelow,
} from '../content/contentRoots';
import type { HelpNames, WritingHelp } from './contentHelp';
import type { TextFix } from './graphs/graphFixes';
import type { GraphPreview } from './graphs/graphPreview';

interface ContentAuthoringParts {
  /** Called each time, because folders are opened and trusted while Cairn runs. */
  places: () => ContentPlaces;
  ports: AgentLoaderPorts;
  /** Names that files can refer to. */
  names: HelpNames;
}

/** Shows, checks, and writes the files of agents, skills, and roles. */
export class ContentAuthoring {
  constructor(private readonly parts: ContentAuthoringParts) {}

  /** Returns which kind of content a file is, judged by its path alone; undefined for any other file. */
  placeOf(path: string): ContentPlace | undefined {
    const { paths } = this.parts.ports;
    for (const kind of CONTENT_KINDS) {
      const root = this.roots(kind).findLast(({ folder }) => isBelow(path, folder, paths));
      if (root && this.isContent(kind, root, path)) return { kind, root, path };
    }
    return undefined;
  }

  /** Returns the folder for content of that scope and world; undefined if there is none, as in an untrusted workspace. */
  folderFor(kind: ContentKind, scope: ContentScope, world: ContentWorld = 'cairn'): string | undefined {
    return this.roots(kind).findLast((root) => root.scope === scope && root.world === world)?.folder;
  }

  /** Returns the problems that the file would have with this text. */
  async check(place: ContentPlace, text: string): Promise<readonly ContentProblem[]> {
    const { checkText } = await import('./checkText');
    return checkText(place, text, this.parts);
  }

  /** Returns the graph that the file would have with this text; undefined while the text does not define nodes. */
  async preview(path: string, text: string): Promise<GraphPreview | undefined> {
    const { ports } = this.parts;
    const [{ graphPreview }, { graphPlace }] = await Promise.all([
      import('./graphs/graphPreview'),
      import('./graphs/checkGraph'),
    ]);
    const place = this.placeOf(path);
    return graphPreview({ path, text }, place && graphPlace(place.root, path, ports.paths), ports);
  }

  /** Returns the edits that the remedies would make to a file with this text; none if it is not a graph. */
  async fixes({ path }: ContentPlace, text: string, remedies: readonly Remedy[]): Promise<readonly TextFix[]> {
    if (!this.isGraph(path)) return [];
    return (await import('./graphs/graphFixes')).graphFixes(text, remedies);
  }

  /** Returns completions and descriptions for a file with this text. */
  async help(place: ContentPlace, text: string): Promise<WritingHelp> {
    if (this.isGraph(place.path)) {
      return (await import('./graphs/graphHelp')).helpForGraph(place, text, this.parts);
    }
    const { ContentHelp: Help } = await import('./contentHelp');
    return new Help(Help.formatOf(place), this.parts.names);
  }

  /**
   * Creates a file in which every common field is explained, and returns its path. Rejects with EngineError `exists` if the file
   * exists, and `invalid-state` if there is no folder for it.
   */
  async create(kind: ContentKind, scope: ContentScope, name: string): Promise<string> {
    const { createContent } = await import('./contentFiles');
    const text = (await this.template(kind)).replaceAll('{{name}}', name);
    return createContent({ kind, folder: this.folderFor(kind, scope), name, text }, this.parts.ports);
  }

  /** Creates the graph of an agent from a template, and returns its path. Rejects as `create` does. */
  async createGraph(template: GraphTemplate, scope: ContentScope, name: string): Promise<string> {
    const { createGraph } = await import('./contentFiles');
    const text = (await this.textOf(`graphs/${template}.yaml`)).replaceAll('{{name}}', name);
    return createGraph({ folder: this.folderFor('agents', scope), name, text }, this.parts.ports);
  }

  /** Returns the template for new content; `{{name}}` is the placeholder for its name. */
  template(kind: ContentKind): Promise<string> {
    return this.textOf(`${kind}.md`);
  }

  private async textOf(template: string): Promise<string> {
    const { places, ports } = this.parts;
    const { assetsFolder = '' } = places();
    const bytes = await ports.files.readFile(ports.paths.resolve(assetsFolder, 'templates', template));
    return new TextDecoder().decode(bytes);
  }

  /**
   * Copies an item with all its files into the workspace, where it takes precedence over others of the same name. Returns the
   * path of its file there. Rejects as `create` does, and with `invalid-input` if the item is not in a file.
   */
  async copyToWorkspace(item: Named): Promise<string> {
    const { copyContent } = await import('./contentFiles');
    const place = this.placeOf(item.source.path);
    const folder = place && this.folderFor(place.kind, 'workspace', item.source.world);
    return copyContent(item, place, folder, this.parts.ports);
  }

  private roots(kind: ContentKind): ContentRoot[] {
    return contentRoots(kind, this.parts.places(), this.parts.ports.paths);
  }

  private isContent(kind: ContentKind, root: ContentRoot, path: string): boolean {
    const { paths } = this.parts.ports;
    const name = paths.basename(path);
    if (kind === 'skills') return name === 'SKILL.md' && paths.relative(root.folder, path).split('/').length === 2;
    return name.endsWith('.md') || (kind === 'agents' && (name === 'config.yaml' || this.isGraph(path)));
  }

  private isGraph(path: string): boolean {
    return this.parts.ports.paths.basename(path) === 'graph.yaml';
  }
}
