import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type HookEntry, type InjectedFault, visible } from '@hooks/config';
import { DRIVEN } from '../drive/agents.ts';
import { type Driven, drive } from '../drive/drive.ts';
import { checkInstalled, type InstalledCheck } from '../installed/check.ts';
import type { Program } from '../program.ts';
import { table } from '../table.ts';
import { type AskOptions, loadFor } from './explain.ts';

/** Options of `doctor`. */
export interface DoctorOptions extends AskOptions {
  /** Names of an agent's tools, separated by commas. */
  readonly tools?: string;
  /** Run each agent that has installed hooks once. */
  readonly drive?: boolean;
}

/**
 * Makes the hooks of each gate fail in each way. Exit code 1 if a gate lets its event pass. Lists the tools without a
 * hook, and runs the hooks installed in command-line agents as the agents would, or with `drive` by the agents themselves.
 */
export async function doctor(options: DoctorOptions, program: Program): Promise<number> {
  const installed = await checkInstalled(program);
  // The policy of an installed agent may be in another folder than this one.
  const isElsewhere = installed.length > 0 && options.file === '.' && !hasHooks(program.cwd());
  if (isElsewhere)
    program.stdout.write('this folder has no file of hooks, so no fault is tried; name one with --file\n');
  const isOpen = !isElsewhere && (await injectFaults(options, program));
  for (const check of installed) program.stdout.write(linesOf(check));
  if (installed.length > 0) program.stdout.write(NOT_CHECKED);
  const undriven = options.drive ? await driveAll(new Set(installed.map(({ agent }) => agent)), program) : 0;
  return isOpen || undriven > 0 || installed.some(({ problems }) => problems.length > 0) ? 1 : 0;
}

function hasHooks(folder: string): boolean {
  return ['hooks.yaml', 'hooks.yml', 'hooks.json'].some((name) => existsSync(join(folder, name)));
}

/** Makes each hook of each gate fail. Returns whether a gate stays open, or no hook guards one of the named tools. */
async function injectFaults(options: DoctorOptions, program: Program): Promise<boolean> {
  using loaded = await loadFor(options, program);
  const faults = await loaded.injectFaults();
  const rows = [...Map.groupBy(faults, ({ entry }) => entry)].map(([entry, all]) => row(entry, all));
  program.stdout.write(
    rows.length > 0 ? table(['gate', 'hook', 'faults', 'stays'], rows) : 'no hook is on a gate\n',
  );
  const isOpen = faults.some(({ closed }) => !closed);
  if (options.tools === undefined) return isOpen;
  const tools = options.tools.split(/\s*,\s*/);
  const { unmatched, unguarded } = loaded.coverage(tools);
  for (const { wireEvent, matcher, label } of unmatched) {
    program.stdout.write(`matches none of these tools: ${wireEvent} ${visible(`${matcher} (${label})`)}\n`);
  }
  if (unguarded.length > 0) program.stdout.write(`no hook before: ${namesOf(unguarded, tools)}\n`);
  return isOpen || unguarded.length > 0;
}

/** Names of tools, unless the list that was given is something else, which may be a list of addresses. */
function namesOf(unguarded: readonly string[], given: readonly string[]): string {
  if (given.every((name) => /^[a-z_][\w.-]{0,127}$/i.test(name))) return unguarded.join(', ');
  const places = unguarded.map((name) => given.indexOf(name) + 1).join(', ');
  return `${places} of the names in --tools; a name of a tool has letters, digits, _, - and dots`;
}

const NOT_CHECKED =
  "not checked: what an agent's own command line switches off, and settings that a device management installs\n";

function linesOf({ agent, path, problems, notes }: InstalledCheck): string {
  const lines = [
    ...(problems.length === 0 ? [`${agent} runs its hooks, and they respond: ${path}`] : []),
    ...problems.map((problem) => `${agent} is OPEN: ${path}: ${problem}`),
    ...notes.map((note) => `${agent}: ${note}`),
  ];
  return lines.map((line) => `${visible(line)}\n`).join('');
}

/** Runs each of these agents once, and returns how many of them did not ask their hooks, or could not be run. */
async function driveAll(names: ReadonlySet<string>, program: Program): Promise<number> {
  let failures = 0;
  for (const [name, agent] of Object.entries(DRIVEN)) {
    if (!names.has(name)) continue;
    const driven = await drive(agent, program);
    if (driven.kind !== 'closed') failures++;
    program.stdout.write(`${name}${resultOf(driven)}\n`);
  }
  if (names.size > 0) return failures;
  program.stdout.write('no agent could be driven: none has hooks installed in this folder or your home\n');
  return 1;
}

function resultOf(driven: Driven): string {
  switch (driven.kind) {
    case 'closed':
      return ', driven: it asked its hooks, and did not run what they refused';
    case 'open':
      return ' is OPEN, driven: it ran a command that hooks run refuses';
    case 'unknown':
      return ` could not be driven: ${visible(driven.why)}`;
  }
}

function row(entry: HookEntry, faults: readonly InjectedFault[]): readonly string[] {
  const open = faults.filter(({ closed }) => !closed).map(({ fault }) => fault);
  return [
    entry.wireEvent,
    entry.label,
    `${faults.length}`,
    open.length === 0 ? 'closed' : `OPEN after ${open.join(', ')}`,
  ];
}
