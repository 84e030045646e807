import { readFile, stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { counted } from '../base/counted';
import { safeText } from '../base/shown/safeText';
import { clipEnd } from '../base/truncate';
import {
  type AgentGraph,
  type DryNode,
  type DryRun,
  dryRun,
  type Engine,
  EngineError,
  problemLine,
  readAnswers,
  type ScriptWays,
  targetsIn,
  waysOfScript,
} from '../engine';
import { EXIT, UsageError } from './exitStatus';
import type { OutputStreams } from './output';
import type { CliArguments } from './parseArguments';

const MOST_BYTES = 1024 * 1024;

/** Runs `cairn -a NAME --dry-run` and returns the exit status. Throws UsageError and EngineError. */
export async function dryRunCommand(
  engine: Engine,
  { agent: name = '', prompt, answers: path, model, variables, output, maxCostUsd }: CliArguments,
  { out, err }: OutputStreams,
  signal: AbortSignal,
): Promise<number> {
  const { graph: written } = await engine.agent(name);
  if (!written) throw new UsageError(`${name} is not a graph agent, and --dry-run needs one.`);
  const file = await written.load();
  const place = engine.content.placeOf(file.path);
  const problems = place ? await engine.content.check(place, file.text) : [];
  const errors = problems.filter(({ severity }) => severity === 'error');
  for (const problem of errors) err(`${problemLine(problem)}\n`);
  if (errors.length > 0) return EXIT.usage;
  const answers = path === undefined ? new Map() : await readAnswers(await textAt(path), path, file.graph);
  const ways = await scriptWays(file);
  const walked = await dryRun({
    agent: name,
    file,
    prompt,
    answers,
    signal,
    scripts: new Map(
      [...ways].flatMap(([script, own]) => {
        const targets = targetsIn(own);
        return targets ? [[script, targets] as const] : [];
      }),
    ),
    waysOf: (script) => {
      const { declared, written = [] } = ways.get(script) ?? {};
      return (declared ?? written).map(({ id }) => id);
    },
    describe: (id) => describe(engine, id),
    model: model ?? (await modelOf(engine, name, variables)),
    sleep: async (ms, own) => {
      await setTimeout(ms, undefined, { signal: own });
    },
  });
  out(output === 'text' ? dryRunText(name, file, walked, maxCostUsd) : `${JSON.stringify(walked, undefined, 2)}\n`);
  return walked.failure === undefined ? EXIT.completed : EXIT.failed;
}

async function textAt(path: string): Promise<string> {
  try {
    return await readFile(resolve(path), 'utf8');
  } catch (error) {
    throw new UsageError(
      `the answers in ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Reads where each script next to a graph may lead, without running any. */
async function scriptWays({ graph, path }: AgentGraph): Promise<ReadonlyMap<string, ScriptWays>> {
  const folder = dirname(path);
  const scripts = [...graph.nodes.values()].flatMap((node) => (node.type === 'script' ? [node.script] : []));
  const read = [...new Set(scripts)].map(async (script) => {
    const within = relative(folder, resolve(folder, script));
    if (within.startsWith('..') || isAbsolute(within)) return [];
    const found = await stat(resolve(folder, script)).catch(() => undefined);
    if (!found?.isFile() || found.size > MOST_BYTES) return [];
    return [[script, waysOfScript(await readFile(resolve(folder, script), 'utf8'))] as const];
  });
  return new Map((await Promise.all(read)).flat());
}

/** Returns undefined without a key: no model is called. */
async function modelOf(
  engine: Engine,
  agent: string,
  variables: CliArguments['variables'],
): Promise<string | undefined> {
  try {
    return await engine.modelFor({ agent, variables });
  } catch (error) {
    if (EngineError.is(error, 'no-key')) return undefined;
    throw error;
  }
}

/** Returns undefined for a model of no known provider, such as one that is still to be chosen. */
function describe(engine: Engine, id: string): ReturnType<Engine['describeModel']> | undefined {
  try {
    return engine.describeModel(id);
  } catch (error) {
    if (EngineError.is(error)) return undefined;
    throw error;
  }
}

function dryRunText(name: string, { graph }: AgentGraph, walked: DryRun, maxCostUsd: number | undefined): string {
  const { budget } = graph.settings;
  const costs = [budget?.cost, maxCostUsd].filter((cost) => cost !== undefined);
  const limits = [
    ...(budget?.tokens === undefined ? [] : [counted(budget.tokens, 'token')]),
    ...(costs.length === 0 ? [] : [`$${Math.min(...costs)}`]),
  ];
  const agents =
    walked.agents > 0 ? `, and what ${counted(walked.agents, 'agent')} may ask within limits of their own` : '';
  const lines = [
    `Dry run of ${name}: no model was asked and nothing was run.`,
    '',
    ...walked.nodes.map((node) => nodeText(node)),
    '',
    ...(walked.answer === undefined ? [] : [`Answer: ${walked.answer}`]),
    ...(walked.failure === undefined ? [] : [`It would fail: ${walked.failure}`]),
    `At most on this path: ${walked.mostRequests} model requests${agents}.`,
    ...(walked.mostRequests > 0 ? [tokensText(walked), costText(walked)] : []),
    ...repeatText(walked),
    `Budget: ${limits.join(', ') || 'none; --max-cost sets one'}.`,
    ...(walked.unused.length > 0 ? [`Unused answers: ${walked.unused.join(', ')}.`] : []),
  ];
  return safeText(`${lines.join('\n')}\n`);
}

function tokensText({ mostTokens, unknownSizes, agents }: DryRun): string {
  if (mostTokens === null)
    return `Tokens: no maximum is known, because the context size of ${unknownSizes.join(', ')} is not.`;
  const without = agents > 0 ? ', without those of agents' : '';
  return `Tokens: at most ${mostTokens.toLocaleString('en')}, if every request fills the context of its model${without}.`;
}

function costText({ mostCostUsd, unknownSizes, unknownPrices, agents }: DryRun): string {
  if (mostCostUsd !== null)
    return `Cost: at most $${(Math.ceil(mostCostUsd * 100) / 100).toFixed(2)}${agents > 0 ? ', without that of agents' : ''}.`;
  const [first, what] = unknownPrices.length > 0 ? [unknownPrices, 'prices'] : [unknownSizes, 'context size'];
  return `Cost: no maximum is known, because the ${what} of ${first.join(', ')} ${what === 'prices' ? 'are' : 'is'} not.`;
}

function repeatText({ mayRepeat }: DryRun): string[] {
  const nodes = mayRepeat.map(({ node, visits }) => `${node} (up to ${counted(visits, 'time')})`);
  return nodes.length === 0 ? [] : [`Loops: with other answers, these may run more often: ${nodes.join(', ')}.`];
}

function nodeText({ step, node, type, does, answer, isGiven, goesTo, failure }: DryNode): string {
  const oneLine = (text: string) => clipEnd(text.replace(/\s+/g, ' '), 120);
  const said = answer === undefined ? '' : `${isGiven ? 'given' : 'taken'}: ${oneLine(answer)}`;
  const next = failure === undefined ? goesTo.join(', ') : `fails: ${oneLine(failure)}`;
  const cells = [String(step), node, type, does.join('; ') || '-', said || '-', next === '' ? 'ends' : `→ ${next}`];
  return cells.map((cell) => cell.replace(/\s+/g, ' ')).join('\t');
}
