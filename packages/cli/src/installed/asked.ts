import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
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

/** Words that Claude Code reports a fault with if it skips only a part of the file. For any other fault, it skips the whole file. */
const PARTIAL = /\b(?:was (?:ignored|removed|skipped)|(?:entry|matcher) ignored|value is ignored)\b/;

/** The same words in the letters of a text, without what stands between them. */
const LIKE_PARTIAL = /was(?:ignored|removed|skipped)|(?:entry|matcher)ignored|valueisignored/i;

async function askClaude(program: Program): Promise<AgentReport | undefined> {
  // A fault of our own. A version that reports faults in other words, or not at all, does not report this one either.
  const known = `hooks-${randomUUID()}`;
  const control = JSON.stringify({ enabledPlugins: { [known]: { no: 'plugin' } } });
  const { stdout } = await promisify(execFile)('claude', ['--settings', control, 'doctor'], {
    ...optionsFor(program, { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' }),
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  const [, section = ''] = /^Invalid settings\n((?:.+\n)*)/m.exec(stdout) ?? [];
  const faults = section.split('\n').flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []));
  if (!faults.some((fault) => fault.includes(known))) return undefined;
  return ({ path, settings }) => {
    // The file's own keys stand in the line, too.
    const saysSoItself = LIKE_PARTIAL.test(JSON.stringify(settings ?? {}).replaceAll(/[^a-z]/gi, ''));
    const isPartial = (fault: string): boolean => !saysSoItself && PARTIAL.test(fault);
    return faults
      .filter((fault) => !isPartial(fault) && isOf(path, fault))
      .map((fault) => `Claude Code skips the file: ${fault}`);
  };
}

function isOf(path: string, fault: string): boolean {
  return [path, realpathSync(path)].some((one) => fault.startsWith(`${one}:`) || fault.startsWith(`${one} `));
}

async function askCodex(program: Program): Promise<AgentReport | undefined> {
  const listed = await listOfCodex(program);
  if (!Array.isArray(listed.hooks) || !Array.isArray(listed.warnings)) return undefined;
  const warnings = listed.warnings.map(String);
  const loaded = listed.hooks.map((hook): Readonly<Record<string, unknown>> => Object(hook));
  return ({ path }, hooks) => {
    const paths = [path, realpathSync(path)];
    const isLoaded = ({ event, command }: InstalledHook): boolean =>
      loaded.some(
        ({ sourcePath, eventName, command: line, enabled }) =>
          paths.includes(String(sourcePath)) &&
          String(eventName).toLowerCase() === event.toLowerCase() &&
          line === command &&
          enabled !== false,
      );
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
  });
  const failed = new Promise<never>((_, reject) => {
    child.once('error', reject);
    setTimeout(reject, LIMIT_MS).unref();
  });
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
    // Does not wait for the client to end.
    child.stdin.destroy();
    child.stdout.destroy();
    child.unref();
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
