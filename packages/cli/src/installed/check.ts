import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DIALECTS, type DialectName } from '@hooks/config';
import { AGENTS } from '../agents/all.ts';
import { agentFolder, homeOf, withParents } from '../folders.ts';
import type { Program } from '../program.ts';
import { forgottenVariables } from '../workspace-variables.ts';
import { INSTALLABLE, type InstallableAgent } from './agents.ts';
import { askAgent } from './asked.ts';
import { checkoutOf } from './checkout.ts';
import { HOW_TO_STOP_TYPING, letsModelType, untrustedByCodex } from './codex.ts';
import { coldCommand, filesOf } from './command.ts';
import { isTrustedByGemini } from './gemini-trust.ts';
import { idleHooks } from './idle.ts';
import { type Layer, layersOf } from './layers.ts';
import { pluginNotes } from './plugins.ts';
import { whyUnanswered } from './probe.ts';
import { type InstalledHook, installedHooks, projectOf, readSettings } from './settings.ts';
import { disabledByGemini, switchedOff } from './switches.ts';
import { gatesIn, versionOf } from './version.ts';

/** The state of the hooks in one settings file of an agent. */
export interface InstalledCheck {
  readonly agent: string;
  readonly path: string;
  /** Why the agent does not run them, or why they do not respond. */
  readonly problems: readonly string[];
  /** What else the user should know. */
  readonly notes: readonly string[];
}

/** Settings with installed hooks. */
interface Found {
  readonly layer: Layer;
  readonly hooks: readonly InstalledHook[];
}

/** Runs the installed hooks of each agent as the agent would, and checks whether the agent runs them at all. */
export async function checkInstalled(program: Program): Promise<readonly InstalledCheck[]> {
  const checks: InstalledCheck[] = [];
  for (const [name, agent] of Object.entries(INSTALLABLE)) {
    const layers = layersOf(name, program);
    const found = layers.flatMap((layer): Found[] => {
      const hooks = installedHooks(layer.settings ?? {}, name);
      return hooks.length > 0 ? [{ layer, hooks }] : [];
    });
    if (found.length === 0) checks.push(...(name === 'claude-code' ? await skippedByClaude(program) : []));
    else checks.push(...(await checksOf(name, agent, found, layers, program)));
  }
  return checks;
}

async function checksOf(
  name: string,
  agent: InstallableAgent,
  found: readonly Found[],
  layers: readonly Layer[],
  program: Program,
): Promise<readonly InstalledCheck[]> {
  const [version, report] = await Promise.all([versionOf(agent, program), askAgent(name, program)]);
  const gates = gatesIn(agent, version);
  const lacks = missing(
    gates,
    found.flatMap(({ hooks }) => hooks),
  );
  const notes = [
    ...versionNotes(agent, version),
    ...subfolderNotes(agent, found, program),
    ...pluginNotes(name, gates, layers, program),
    ...variableNotes(name, agent, program),
    ...unhandledNotes(name, agent, found),
    ...(await idleNotes(name, agent, found, program)),
  ];
  if (report === undefined && name !== 'gemini')
    notes.push(
      `${agent.title} did not say which of its settings files it loads, and it skips one with certain faults; "hooks doctor --drive" proves it`,
    );
  if (name === 'gemini' && isTrustedByGemini(program) === undefined)
    notes.push('you have not said yet whether you trust this folder; if you do not, no hook runs in it');
  const checks: InstalledCheck[] = [];
  for (const [index, { layer, hooks }] of found.entries()) {
    const problems = [
      ...switchedOff(name, layer, layers, program),
      ...(index === 0 ? lacks : []),
      ...disabled(name, hooks, layers),
      ...changed(hooks),
      ...(report?.(layer, hooks) ?? []),
      ...(await unanswered(agent, hooks, program)),
      ...(name === 'codex' ? await problemsOfCodex(layer, program) : []),
    ];
    checks.push({ agent: name, path: layer.path, problems, notes: index === 0 ? notes : [] });
  }
  return checks;
}

/** Claude Code reads the project settings of the folder in which it is started, and of no other one. */
async function skippedByClaude(program: Program): Promise<readonly InstalledCheck[]> {
  const cwd = program.cwd();
  const { main } = checkoutOf(cwd) ?? {};
  const home = homeOf(program);
  for (const folder of [...withParents(cwd).slice(1), ...(main === undefined ? [] : [main])]) {
    const path = join(folder, '.claude/settings.json');
    if (folder === home || !existsSync(path)) continue;
    const settings = await readSettings(path).catch(() => ({}));
    if (installedHooks(settings, 'claude-code').length === 0) continue;
    const isAround = `${cwd}/`.startsWith(`${folder}/`);
    const why = isAround
      ? `started in ${cwd}, a subfolder, Claude Code skips these settings; start it in ${folder}`
      : `${cwd} is a worktree, in which Claude Code skips these settings of the main checkout; commit them, or install here`;
    const forAll = `"npx --no-install hooks install --for claude-code --settings ~/.claude/settings.json" installs a policy for all folders`;
    return [{ agent: 'claude-code', path, problems: [`${why}. ${forAll}`], notes: [] }];
  }
  return [];
}

function subfolderNotes(
  { title, projectVariable }: InstallableAgent,
  found: readonly Found[],
  program: Program,
): readonly string[] {
  const isForAll = found.some(({ layer }) => layer.scope === 'user' || layer.scope === 'managed');
  if (projectVariable === undefined || isForAll) return [];
  return [`started in a subfolder of ${program.cwd()}, ${title} skips the settings of this project`];
}

/** Variables of the workspace are not passed on, so a hook that needs one would miss it without a word. */
function variableNotes(name: string, { title }: InstallableAgent, program: Program): readonly string[] {
  return [...forgottenVariables(name, program.cwd())].map(
    ([file, names]) =>
      `${file} sets ${names.join(', ')}: hooks get no variable that a workspace sets; set it where ${title} is started, or in the env of a hook`,
  );
}

/** Events under which somebody put `hooks run`, and that no policy handles. */
function unhandledNotes(
  name: string,
  { title, events, newGates = {} }: InstallableAgent,
  found: readonly Found[],
): readonly string[] {
  const dialect = DIALECTS[name as DialectName];
  const isHandled = (event: string): boolean => {
    const { event: type } = dialect.events[event] ?? {};
    const isReported = type !== undefined && AGENTS[name]?.events.has(type) === true;
    return isReported || events.includes(event) || Object.hasOwn(newGates, event);
  };
  const others = new Set(
    found.flatMap(({ hooks }) => hooks.map(({ event }) => event)).filter((event) => !isHandled(event)),
  );
  return others.size === 0
    ? []
    : [
        `no policy handles ${title}'s ${[...others].join(', ')}, so nothing is checked there; remove "hooks run" from it in the settings`,
      ];
}

/** The hooks of the installed files that the agent never runs. A file that cannot be read closes its gates, which is a problem. */
async function idleNotes(
  name: string,
  agent: InstallableAgent,
  found: readonly Found[],
  program: Program,
): Promise<readonly string[]> {
  const files = new Set(
    found.flatMap(({ layer, hooks }) => {
      const project = projectOf(agent, program, layer.path);
      return hooks.flatMap(({ command }) => filesOf(command, project));
    }),
  );
  const idle = await Promise.all([...files].map((file) => idleHooks(name, file, program).catch(() => [])));
  return idle
    .flat()
    .map(({ entry, why }) => `${entry.origin.file}:${entry.origin.line}: ${entry.wireEvent}: ${why}`);
}

function versionNotes(
  { version, newGates = {} }: InstallableAgent,
  found: string | undefined,
): readonly string[] {
  if (version === undefined) return [];
  if (found === undefined) return [`"${version.join(' ')}" tells no version`];
  const gates = gatesIn({ gates: [], newGates }, found);
  const lacks = Object.entries(newGates).filter(([gate]) => !gates.includes(gate));
  return [
    `version ${found}`,
    ...lacks.map(
      ([gate, since]) => `version ${found} has no ${gate} (from ${since} on), so no hook sees what it is for`,
    ),
  ];
}

/** Codex asks for trust only in its own interface. */
export const HOW_TO_TRUST = 'start "codex", trust them under /hooks, then run "hooks doctor"';

async function problemsOfCodex({ path, settings = {} }: Layer, program: Program): Promise<readonly string[]> {
  const config = join(agentFolder(program, 'CODEX_HOME', '.codex'), 'config.toml');
  const untrusted = await untrustedByCodex(path, settings, config);
  const skipped = `Codex skips its hooks on ${untrusted.join(', ')}, because you have not trusted them; ${HOW_TO_TRUST}`;
  return [
    ...(untrusted.length > 0 ? [skipped] : []),
    ...((await letsModelType(config)) ? [HOW_TO_STOP_TYPING] : []),
  ];
}

function missing(gates: readonly string[], hooks: readonly InstalledHook[]): readonly string[] {
  const without = gates.filter((gate) => !hooks.some(({ event }) => event === gate));
  return without.length === 0
    ? []
    : [`there is no hook on ${without.join(', ')}; run "npx --no-install hooks install" again`];
}

function disabled(
  name: string,
  hooks: readonly InstalledHook[],
  layers: readonly Layer[],
): readonly string[] {
  if (name !== 'gemini') return [];
  const off = disabledByGemini(layers);
  const lost = hooks.filter(({ name: own, command }) => off.has(own ?? command));
  return lost.length === 0
    ? []
    : [
        `${off.get(lost[0]?.name ?? lost[0]?.command)} has the hook in hooksConfig.disabled, so it does not run on ${lost.map(({ event }) => event).join(', ')}`,
      ];
}

/** A hook that somebody gave a matcher, for example, answers when it is tried, and is not asked about other tools. */
function changed(hooks: readonly InstalledHook[]): readonly string[] {
  return hooks.flatMap(({ event, changedBy }) =>
    changedBy === undefined
      ? []
      : [
          `the hook on ${event} has ${changedBy}, which "hooks install" did not write, so it may not decide on every event; run "npx --no-install hooks install" again`,
        ],
  );
}

/** Runs each different command of the event before a tool call. */
async function unanswered(
  agent: InstallableAgent,
  hooks: readonly InstalledHook[],
  program: Program,
): Promise<readonly string[]> {
  const asked = hooks.filter(({ event }) => event === agent.event.hook_event_name);
  const whys: string[] = [];
  for (const command of new Set(asked.map((hook) => hook.command))) {
    const why = await whyUnanswered(agent, coldCommand(command), program);
    if (why !== undefined) whys.push(`the hook does not respond: ${why}`);
  }
  return whys;
}
