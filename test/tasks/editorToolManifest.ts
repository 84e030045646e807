import * as z from 'zod';
import { builtinTools } from '../../src/engine/builtins';
import { BackgroundCommands } from '../../src/engine/tools/shell/backgroundCommands';
import { ToolRegistry } from '../../src/engine/tools/toolRegistry';
import { toolSpecs } from '../../src/engine/tools/toolSpecs';
import { EDITOR_TOOL_RECORDS, editorToolName, READING } from '../../src/host/editorTools/editorToolRecords';
import { nodePorts } from '../../src/node/nodePorts';

const SETTING = 'cairn.editorTools';
const objectSchema = z.record(z.string(), z.unknown());
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Returns package.json with the tools that can be offered to the editor, described as for agents, and their names in the setting. */
export function withEditorTools(manifest: unknown): unknown {
  const whole = objectSchema.parse(manifest);
  const contributes = objectSchema.parse(whole['contributes']);
  const pages = z.array(z.looseObject({ properties: objectSchema })).parse(contributes['configuration']);
  const ports = nodePorts({ env: {}, ripgrepCandidates: [], watches: false, log: quiet });
  const commands = new BackgroundCommands(ports.processes, ports.clock);
  const specs = toolSpecs(new ToolRegistry(builtinTools({ ...ports, commands })));
  const languageModelTools = EDITOR_TOOL_RECORDS.map((record) => {
    const spec = specs.find(({ name }) => name === record.name);
    if (!spec) throw new Error(`There is no tool ${record.name}.`);
    const names = record.reads ? `${READING}|${record.name}` : record.name;
    return {
      name: editorToolName(record),
      toolReferenceName: editorToolName(record),
      displayName: `%editorTool.${record.name}%`,
      modelDescription: spec.description,
      canBeReferencedInPrompt: true,
      when: `config.${SETTING} =~ /"(${names})"/`,
      inputSchema: spec.parameters,
    };
  });
  const configuration = pages.map((page) => {
    const own = page.properties[SETTING];
    if (own === undefined) return page;
    const items = { type: 'string', enum: [READING, ...EDITOR_TOOL_RECORDS.map(({ name }) => name)] };
    return { ...page, properties: { ...page.properties, [SETTING]: { ...objectSchema.parse(own), items } } };
  });
  return { ...whole, contributes: { ...contributes, configuration, languageModelTools } };
}
