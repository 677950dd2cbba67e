import { execFile, spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { commandEnvironment } from '@hooks/config/protocol';
import type { Program } from '../program.ts';
import type { Layer } from './layers.ts';
import type { InstalledHook } from './settings.ts';

/** Says why an agent does not load the installed hooks of a settings file. */
export type AgentReport = (layer: Layer, hooks: readonly InstalledHook[]) => readonly string[];

/**
 * Asks an agent what it makes of its settings files, because only the installed version knows which faults make it skip a file
 * with all its hooks. It runs nothing that the settings name. Returns undefined without an answer.
 */
export async function askAgent(name: string, program: Program): Promise<AgentReport | undefined> {
  return REPORTS[name]?.(program).catch(() => undefined);
}

/** Gemini CLI has no such command. It skips no file for a fault in it: it does not start. */
const REPORTS: Readonly<Record<string, (program: Program) => Promise<AgentReport | undefined>>> = {
  'claude-code': askClaude,
  codex: askCodex,
};

const LIMIT_MS = 60_000;

async function askClaude(program: Program): Promise<AgentReport | undefined> {
  const { stdout } = await promisify(execFile)('claude', ['doctor'], {
    ...optionsFor(program, { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' }),
    timeout: LIMIT_MS,
  });
  if (!stdout.startsWith('Claude Code doctor')) return undefined;
  const [, section = ''] = /^Invalid settings\n((?:.+\n)*)/m.exec(stdout) ?? [];
  const faults = section.split('\n').flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []));
  // For these it skips a part of the file. For all others, the file.
  const isPartial = (fault: string): boolean =>
    /\b(?:was (?:ignored|removed|skipped)|(?:entry|matcher) ignored)\b/.test(fault);
  return ({ path }) =>
    faults
      .filter((fault) => !isPartial(fault) && isOf(path, fault))
      .map((fault) => `Claude Code skips the file: ${fault}`);
}

function isOf(path: string, fault: string): boolean {
  return [path, realpathSync(path)].some((one) => fault.startsWith(`${one}:`) || fault.startsWith(`${one} `));
}

async function askCodex(program: Program): Promise<AgentReport | undefined> {
  const listed = await listOfCodex(program);
  if (!Array.isArray(listed.hooks) || !Array.isArray(listed.warnings)) return undefined;
  const warnings = listed.warnings.map(String);
  const loaded = listed.hooks.map((hook) => [Object(hook).sourcePath, Object(hook).command]);
  return ({ path }, hooks) => {
    const paths = [path, realpathSync(path)];
    const isLoaded = ({ command }: InstalledHook): boolean =>
      loaded.some(([file, line]) => paths.includes(file) && line === command);
    if (hooks.every(isLoaded)) return [];
    const why = warnings.find((warning) => paths.some((one) => warning.includes(one)));
    return [`Codex does not load its hooks${why === undefined ? '' : `: ${why}`}`];
  };
}

/** Codex's list of hooks in this folder, from the server that editors use. */
async function listOfCodex(
  program: Program,
): Promise<{ readonly hooks?: unknown; readonly warnings?: unknown }> {
  const child = spawn('codex', ['app-server'], {
    ...optionsFor(program, {}),
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: LIMIT_MS,
  });
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  failed.catch(() => {});
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
  child.stdin.on('error', () => {});
  const list = async (): Promise<object> => {
    const clientInfo = { name: 'hooks', title: null, version: '0' };
    send({ id: 1, method: 'initialize', params: { clientInfo, capabilities: null } });
    for await (const line of createInterface({ input: child.stdout })) {
      const { id, result } = Object(JSON.parse(line));
      if (id === 2) return Object(result?.data?.[0]);
      if (id !== 1) continue;
      send({ method: 'initialized' });
      send({ id: 2, method: 'hooks/list', params: { cwds: [program.cwd()] } });
    }
    return {};
  };
  try {
    return await Promise.race([list(), failed]);
  } finally {
    child.kill();
  }
}

function optionsFor(
  { env, cwd }: Program,
  more: Readonly<Record<string, string>>,
): { readonly cwd: string; readonly env: Readonly<Record<string, string>> } {
  const own = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  // Without the workspace's own programs.
  return { cwd: cwd(), env: { ...commandEnvironment(Object.fromEntries(own), cwd()), ...more } };
}
