import { execFile } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TrustStore, trustedPath } from '@hooks/config';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { inject } from 'vitest';
import type { Answer } from '../src/drive/scripted-model.ts';
import { REAL_AGENTS } from './agents/all.ts';
import type { Folders } from './agents/real-agent.ts';
import { type AgentName, PACKAGES } from './packages.ts';

/**
 * One answer of the scripted model: a command for the agent's shell, a call of the MCP server's tool, raw calls, a text,
 * or a function of the results so far.
 */
export type Turn =
  | { readonly shell: string }
  | { readonly mcp: string; readonly input: object }
  | Answer
  | ((results: readonly string[]) => Answer);

/** The result of an agent's run. */
export interface Ran {
  /** Standard output and error. */
  readonly said: string;
  readonly exitCode: number;
  /** The number of the script's answers that the agent has requested. */
  readonly turns: number;
  /** The results of the calls, in order, as the model read them. */
  readonly results: readonly string[];
  /** Whether any request to the model contained this text. */
  readonly modelRead: (text: string) => boolean;
  /** The arguments of each tool that the agent offered to the model. */
  readonly offered: ReadonlyMap<string, readonly string[]>;
  /** Whether a file exists in the workspace afterwards. */
  readonly exists: (file: string) => boolean;
}

interface RunOptions {
  readonly prompt?: string;
  /** Tools need an approval that nobody gives. */
  readonly asks?: boolean;
  /** More arguments for the agent. */
  readonly args?: readonly string[];
  /** More variables of its environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder in the workspace where it starts. */
  readonly folder?: string;
}

/** A fresh home and workspace for one agent. */
export interface Place extends Folders {
  /** The environment of the agent and of `hooks`. */
  readonly env: Readonly<Record<string, string>>;
  /** Registers this command as a hook at all moments, or at these. */
  readonly register: (command: string, moments?: readonly string[]) => void;
  /** Runs `hooks …` there. */
  readonly hooks: (...args: string[]) => Promise<{ readonly said: string; readonly exitCode: number }>;
  /** Runs the agent against a model that gives these answers, and then `Done.` */
  readonly run: (turns: readonly Turn[], options?: RunOptions) => Promise<Ran>;
}

/** Whether `hooks run` does not know an event. Of one that it knows and no policy handles, it says so. */
export function isUnknown(read: () => unknown): boolean {
  try {
    return typeof read() === 'string';
  } catch (error) {
    return !String(error).includes('no policy handles');
  }
}

/** Whether the agent is installed. */
export function isInstalled(name: AgentName): boolean {
  return inject('agents')[name] !== undefined;
}

/** Node's arguments that run `hooks` from the sources. */
const NODE_ARGUMENTS = ['--conditions=@hooks/source', pathTo('../src/main.ts')];

/** `hooks run` with a policy of this folder. */
export function hooksRun(name: AgentName, policy: string): string {
  return command('run', '--as', name, '--policy', pathTo(policy));
}

/** `hooks run` with a file of the workspace. */
export function hooksRunFile(name: AgentName, file: string): string {
  return command('run', '--as', name, '--file', file);
}

function command(...args: string[]): string {
  return [process.execPath, ...NODE_ARGUMENTS, ...args].map((word) => `'${word}'`).join(' ');
}

/**
 * Creates a home and a workspace with these files. `server` is the name of an MCP tool that returns the file `answer`, and
 * `proxy` the policy of a `hooks mcp` before that server. With `onPath`, the agent is on the PATH.
 */
export function placeFor(
  name: AgentName,
  files: Readonly<Record<string, string>> = {},
  {
    server,
    proxy,
    onPath = false,
  }: { readonly server?: string; readonly proxy?: string; readonly onPath?: boolean } = {},
): Place {
  const agent = REAL_AGENTS[name];
  const workspace = join(temporaryFolder(), 'workspace');
  const home = join(temporaryFolder(), 'home');
  const folders: Folders = {
    workspace,
    home,
    ...(server !== undefined && {
      server: [
        ...(proxy === undefined
          ? []
          : [...NODE_ARGUMENTS, 'mcp', '--policy', pathTo(proxy), '--', process.execPath]),
        ...['--conditions=@hooks/source', pathTo(MCP_SERVER), workspace, server],
      ],
    }),
  };
  for (const folder of [workspace, home]) mkdirSync(folder);
  const store = new TrustStore(join(home, '.config', 'hooks', 'trust.json'));
  for (const policy of globSync(pathTo('./policies/*.ts')))
    void store.trust(trustedPath(policy), readFileSync(policy, 'utf8'));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(workspace, file), text);
  const settings = agent.settings(folders);
  mkdirSync(dirname(settings), { recursive: true });
  writeFileSync(settings, JSON.stringify(agent.ownSettings));
  // The user's own programs, not those of a workspace's node_modules.
  const programs = join(home, 'bin');
  mkdirSync(programs);
  if (onPath) symlinkSync(realpathSync(inject('agents')[name] ?? ''), join(programs, PACKAGES[name].bin));
  const env = {
    PATH: `${programs}:${process.env['PATH'] ?? ''}`,
    HOME: home,
    TMPDIR: process.env['TMPDIR'] ?? '/tmp',
    // Requests to other hosts than loopback go to a proxy that does not exist.
    ...{ HTTP_PROXY: NOWHERE, HTTPS_PROXY: NOWHERE, NO_PROXY: '127.0.0.1,localhost' },
    DO_NOT_TRACK: '1',
  };

  const register: Place['register'] = (command, moments = Object.keys(agent.events)) => {
    const now = JSON.parse(readFileSync(settings, 'utf8'));
    const events = new Set(moments.flatMap((moment) => agent.events[moment] ?? []));
    const hooks = Object.fromEntries(
      [...events].map((event) => [
        event,
        [...(now.hooks?.[event] ?? []), agent.entry?.(command) ?? { hooks: [{ type: 'command', command }] }],
      ]),
    );
    writeFileSync(settings, JSON.stringify({ ...now, hooks: { ...now.hooks, ...hooks } }));
  };

  const run: Place['run'] = async (
    turns,
    { prompt = 'Do your work.', asks = false, args = [], folder = '.', env: more = {} } = {},
  ) => {
    let asked = 0;
    const model = await agent.startModel((tools, results) => {
      const turn = turns[asked++] ?? { text: 'Done.' };
      if (typeof turn === 'function') return turn(results);
      if ('mcp' in turn) return { calls: [agent.mcp(turn.mcp, turn.input, tools)] };
      return 'shell' in turn ? { calls: [agent.shell(turn.shell, tools)] } : turn;
    });
    agent.prepare?.(model.url, folders);
    const program = inject('agents')[name];
    if (program === undefined) throw new Error(`${name} is not installed`);
    const { said, exitCode } = await started(program, [...agent.args(prompt, asks, folders), ...args], {
      cwd: join(workspace, folder),
      env: { ...env, ...agent.env(model.url), ...more },
    });
    await model.close();
    return {
      said,
      exitCode,
      turns: asked,
      results: model.results,
      offered: new Map(model.bodies.flatMap((body) => toolsIn(JSON.parse(body || '{}').tools))),
      modelRead: (text) => model.bodies.some((body) => body.includes(text)),
      exists: (file) => existsSync(join(workspace, file)),
    };
  };
  const hooks: Place['hooks'] = (...args) =>
    started(process.execPath, [...NODE_ARGUMENTS, ...args], { cwd: workspace, env });
  return { ...folders, env, register, hooks, run };
}

/** The tools in a request, in the form of any vendor and in groups. */
function toolsIn(value: unknown): readonly (readonly [name: string, args: readonly string[]])[] {
  if (typeof value !== 'object' || value === null) return [];
  const { name, input_schema, parameters, parametersJsonSchema } = value as Readonly<Record<string, unknown>>;
  const schema: unknown = input_schema ?? parameters ?? parametersJsonSchema;
  if (typeof name === 'string' && schema) return [[name, Object.keys(Object(Object(schema).properties))]];
  return Object.values(value).flatMap(toolsIn);
}

const MCP_SERVER = '../../conformance/src/mcp-server.ts';
const NOWHERE = 'http://127.0.0.1:9';

function started(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<{ readonly said: string; readonly exitCode: number }> {
  return new Promise((resolve) => {
    const child = execFile(program, args, { ...options, timeout: 100_000 }, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ said: `${stdout}${stderr}`, exitCode });
    });
    child.stdin?.end();
  });
}

function pathTo(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
