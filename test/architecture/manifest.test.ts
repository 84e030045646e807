import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { format, resolveConfig } from 'prettier';
import * as z from 'zod';
import { engineSettingsSchema, PROVIDER_KEYS } from '../../src/engine';
import type { CommandRecord } from '../../src/host/commands/commandRecord';
import { COMMAND_RECORDS } from '../../src/host/commands/commandRecords';
import {
  BASELINE_SCHEME,
  EDITOR_CHAT,
  EXTENSION_ID,
  PROPOSAL_SCHEME,
  SETTINGS,
  VIEW_CHAT,
  VIEW_CUSTOMIZATIONS,
} from '../../src/host/contributionPoints';
import { repoRoot } from '../editor/repoRoot';
import { commandsModule, slashModule, withCommands } from '../tasks/commandManifest';
import { withEditorTools } from '../tasks/editorToolManifest';

const manifestSchema = z.object({
  publisher: z.string(),
  name: z.string(),
  activationEvents: z.array(z.string()),
  enabledApiProposals: z.never().optional(),
  dependencies: z.never().optional(),
  capabilities: z.object({ untrustedWorkspaces: z.object({ restrictedConfigurations: z.array(z.string()) }) }),
  devDependencies: z.record(z.string(), z.string()),
  contributes: z.object({
    views: z.record(z.string(), z.array(z.object({ id: z.string() }))),
    commands: z.array(z.object({ command: z.string(), title: z.string(), category: z.literal('Cairn') })),
    menus: z.record(
      z.string(),
      z.array(
        z.union([z.object({ command: z.string(), when: z.optional(z.string()) }), z.object({ submenu: z.string() })]),
      ),
    ),
    keybindings: z.array(z.object({ command: z.string(), when: z.optional(z.string()) })),
    walkthroughs: z.array(
      z.object({
        steps: z.array(z.object({ media: z.object({ image: z.record(z.string(), z.string()), altText: z.string() }) })),
      }),
    ),
    submenus: z.array(z.object({ id: z.string() })),
    configuration: z.array(
      z.object({
        properties: z.record(
          z.string(),
          z.object({
            markdownDescription: z.string(),
            scope: z.enum(['application', 'machine', 'window', 'resource']),
            default: z.unknown(),
            enum: z.array(z.string()).optional(),
            properties: z.record(z.string(), z.unknown()).optional(),
          }),
        ),
      }),
    ),
  }),
});

/** The number of different colors of a picture. Drawings have few; pictures of the editor have smooth letters. */
function colorsOf(pixels: Buffer): number {
  const seen = new Set<number>();
  for (let at = 0; at < pixels.length; at += 4) seen.add(pixels.readUInt32BE(at));
  return seen.size;
}

describe('package.json', () => {
  const text = readFileSync(join(repoRoot, 'package.json'), 'utf8');
  const manifest = manifestSchema.parse(JSON.parse(text));
  const texts = z
    .record(z.string(), z.string())
    .parse(JSON.parse(readFileSync(join(repoRoot, 'package.nls.json'), 'utf8')));
  const settings = new Map(manifest.contributes.configuration.flatMap(({ properties }) => Object.entries(properties)));

  /** When a menu offers a command; undefined if always or never. */
  const conditionIn = (menu: string, name: string): string | undefined =>
    manifest.contributes.menus[menu]?.flatMap((one) =>
      'command' in one && one.command === `cairn.${name}` ? [one.when] : [],
    )[0];

  it('matches the command and tool records, as `npm run manifest` writes it', async () => {
    assert.deepEqual(
      JSON.parse(text),
      JSON.parse(JSON.stringify(withEditorTools(withCommands(JSON.parse(text), COMMAND_RECORDS)))),
    );
    const modules = { 'commands.ts': commandsModule, 'slashRecords.ts': slashModule };
    for (const [name, textOf] of Object.entries(modules)) {
      const file = join(repoRoot, 'src/protocol', name);
      const options = await resolveConfig(file);
      const module = await format(textOf(COMMAND_RECORDS), { ...options, filepath: file });
      assert.equal(readFileSync(file, 'utf8'), module);
    }
  });

  it('contains everything that a command record asks for', () => {
    const record: CommandRecord = {
      name: 'stopRun',
      icon: 'zap',
      enablement: 'cairn.running',
      inPalette: { when: 'editorIsOpen' },
      menus: [{ menu: 'view/title', when: 'view == cairn.chat', group: '1_session@1' }],
      keys: [{ key: 'ctrl+k ctrl+x', when: 'cairn.running' }],
      slash: { name: 'halt', group: 'session', description: 'Halt' },
    };
    const contributes = { commands: [], keybindings: [], menus: { more: [{ submenu: 'cairn.editor' }] } };
    const command = 'cairn.stopRun';
    assert.deepEqual(JSON.parse(JSON.stringify(withCommands({ name: 'cairn', contributes }, [record]))), {
      name: 'cairn',
      contributes: {
        commands: [
          { command, title: '%command.stopRun%', category: 'Cairn', icon: '$(zap)', enablement: 'cairn.running' },
        ],
        menus: {
          more: [{ submenu: 'cairn.editor' }],
          commandPalette: [{ command, when: 'editorIsOpen' }],
          'view/title': [{ command, when: 'view == cairn.chat', group: '1_session@1' }],
        },
        keybindings: [{ command, key: 'ctrl+k ctrl+x', mac: 'cmd+k cmd+x', when: 'cairn.running' }],
      },
    });
    const module = commandsModule([record]);
    assert.match(module, /COMMAND_NAMES = \["stopRun"\]/);
    assert.match(module, /PANEL_COMMANDS = \["stopRun"\]/);
    assert.match(
      slashModule([record]),
      /SLASH_RECORDS = \[\{"name":"halt","group":"session","command":"stopRun", description: \(\) => t\("Halt"\)\}\]/,
    );
  });

  it('has the extension ID that the panel opens settings for', () => {
    assert.equal(`${manifest.publisher}.${manifest.name}`, EXTENSION_ID);
  });

  it('declares exactly the settings that the host reads', () => {
    assert.deepEqual(
      [...settings.keys()].sort(),
      Object.values(SETTINGS)
        .map((name) => `cairn.${name}`)
        .sort(),
    );
  });

  it('offers the approval modes that the engine knows', () => {
    const modes = settings.get(`cairn.${SETTINGS.approvalMode}`)?.enum ?? [];
    for (const approvalMode of modes)
      assert.ok(engineSettingsSchema().safeParse({ approvalMode }).success, approvalMode);
    assert.equal(modes.length, 5);
  });

  it('lists every provider host that the engine knows', () => {
    const hosts = Object.keys(settings.get(`cairn.${SETTINGS.providerBaseUrls}`)?.properties ?? {});
    const baseUrls = Object.fromEntries(hosts.map((id) => [id, 'http://127.0.0.1:1']));
    assert.deepEqual(Object.keys(engineSettingsSchema().parse({ providers: { baseUrls } }).providers.baseUrls), hosts);
    const own = ['openai', 'anthropic', 'ollama', 'custom'];
    assert.deepEqual(
      PROVIDER_KEYS.map(({ id }) => id).filter((id) => !own.includes(id)),
      hosts,
    );
  });

  it('gives address settings machine scope so that a workspace cannot redirect keys', () => {
    const addresses = Object.values(SETTINGS).filter((name) => /baseUrls?$/.test(name));
    assert.equal(addresses.length, 5);
    for (const name of addresses) assert.equal(settings.get(`cairn.${name}`)?.scope, 'machine', name);
  });

  it('restricts every folder-level setting in untrusted workspaces', () => {
    const ofFolders = [...settings].filter(([, { scope }]) => scope === 'window' || scope === 'resource');
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    assert.deepEqual(ofFolders.map(([name]) => name).sort(), [...restrictedConfigurations].sort());
  });

  it('declares the views', () => {
    assert.deepEqual(
      Object.values(manifest.contributes.views)
        .flat()
        .map(({ id }) => id),
      [VIEW_CHAT, VIEW_CUSTOMIZATIONS],
    );
  });

  it('shows the Customizations view from the menu of the chat, since its own place is at the end of the explorer', () => {
    assert.equal(conditionIn('view/title', 'showCustomizations'), `view == ${VIEW_CHAT}`);
  });

  it('offers what needs an editor in the palette only while one is open, and what needs an item only on that item', () => {
    for (const name of ['addFile', 'explain', 'fix']) assert.equal(conditionIn('commandPalette', name), 'editorIsOpen');
    for (const name of ['startChat', 'duplicateToWorkspace', 'showEffectivePrompt'])
      assert.match(conditionIn('view/item/context', name) ?? '', /view == cairn\.customizations && viewItem =~ /, name);
  });

  it('binds keys to open the chat and to start a session, which work anywhere', () => {
    for (const name of ['openChat', 'newSession']) {
      const binding = manifest.contributes.keybindings.find(({ command }) => command === `cairn.${name}`);
      assert.deepEqual(binding && [binding.when], [undefined], name);
    }
  });

  it('has a picture of the editor in each color theme for every step of the walkthrough', () => {
    const steps = manifest.contributes.walkthroughs.flatMap((one) => one.steps);
    assert.equal(steps.length, 4);
    for (const { media } of steps) {
      assert.deepEqual(Object.keys(media.image).sort(), ['dark', 'hc', 'hcLight', 'light']);
      const brightness = (theme: string) => {
        const { data, width, height } = PNG.sync.read(readFileSync(join(repoRoot, media.image[theme] ?? '')));
        assert.ok(width >= 400 && height >= 400 && colorsOf(data) > 200, `${media.altText} in ${theme}`);
        return data.reduce((sum, value) => sum + value, 0) / data.length;
      };
      assert.ok(brightness('light') > brightness('dark') && brightness('hcLight') > brightness('hc'), media.altText);
    }
  });

  it('draws the icon of an editor tab in a light and a dark color of its own, which a tab does not inherit', () => {
    const [light, dark] = ['light', 'dark'].map((theme) =>
      readFileSync(join(repoRoot, `media/icon.${theme}.svg`), 'utf8'),
    );
    const colors = [light, dark].map((svg) => /stroke="#([0-9a-f]{2})/.exec(svg ?? '')?.[1] ?? '');
    assert.ok(parseInt(colors[0] ?? '', 16) < 0x80 && parseInt(colors[1] ?? '', 16) > 0x80, colors.join(' and '));
  });

  it('has exactly one text for every placeholder', () => {
    const used = new Set([...text.matchAll(/"%([^%"]+)%"/g)].map((match) => match[1]));
    assert.deepEqual([...used].sort(), Object.keys(texts).sort());
  });

  it('activates only for Cairn content in the folder, or for its own documents and panels', () => {
    const schemes = [PROPOSAL_SCHEME, BASELINE_SCHEME].map((scheme) => `onFileSystem:${scheme}`);
    const events = [...schemes, `onWebviewPanel:${EDITOR_CHAT}`, 'workspaceContains:.cairn'];
    assert.deepEqual(manifest.activationEvents, events);
  });

  it('pins every dependency to an exact version', () => {
    const loose = Object.entries(manifest.devDependencies).filter(
      ([, version]) => !/^(npm:[\w-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
    );
    assert.deepEqual(loose, []);
  });
});
