import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { problemOf } from '../problem.ts';
import type { Program } from '../program.ts';
import type { InstallableAgent } from './agents.ts';

/**
 * Runs a hook once as its agent would before a harmless tool call: in the agent's shell, in this folder, and with the
 * small environment of a desktop. Returns why the hook does not respond, or undefined if it does.
 */
export async function whyUnanswered(
  { shell, event, projectVariable }: InstallableAgent,
  command: string,
  { cwd, env }: Program,
): Promise<string | undefined> {
  const [program = '', ...args] = shell(command, env);
  const project = projectVariable === undefined ? {} : { [projectVariable]: cwd() };
  const options = { cwd: cwd(), env: { ...environment(env), ...project }, timeout: 60_000 };
  const child = spawn(program, args, { ...options, stdio: 'pipe' });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  child.stdin.on('error', () => {}); // The hook may exit before it has read its stdin; its exit code tells.
  child.stdin.end(JSON.stringify({ ...event, session_id: 'hooks', tool_use_id: 'hooks', cwd: cwd() }));
  try {
    const [code, signal] = await once(child, 'close');
    const [stdout, stderr] = await output;
    const failed = /^hooks run failed: (.+)/m.exec(stderr)?.[1];
    if (failed !== undefined) return failed;
    if (code === 0 || (code === 2 && isJson(stdout))) return undefined;
    const said = stderr.trim();
    return `it ended with ${signal ?? `exit code ${code}`}${said === '' ? '' : `: ${said}`}`;
  } catch (error) {
    return `${program} cannot be started: ${problemOf(error)}`;
  }
}

/** The user's folders and locale, and a system's default PATH. */
function environment(env: Program['env']): Record<string, string> {
  const kept = ['HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'TMPDIR', 'XDG_CONFIG_HOME'];
  const own = kept.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  return { ...Object.fromEntries(own), PATH: '/usr/bin:/bin' };
}

function isJson(stdout: string): boolean {
  try {
    JSON.parse(stdout);
    return true;
  } catch {
    return false;
  }
}
