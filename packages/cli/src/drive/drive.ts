import { execFile } from 'node:child_process';
import { commandEnvironment } from '@hooks/config/protocol';
import type { Program } from '../program.ts';
import type { DrivenAgent } from './agents.ts';
import { CANARY_REASON, makeCanary } from './canary.ts';
import { startModel } from './scripted-model.ts';

/** Whether an agent that was run once asked its hooks. */
export type Driven =
  /** It asked them, and obeyed. */
  | { readonly kind: 'closed' }
  /** It ran the command. */
  | { readonly kind: 'open' }
  | { readonly kind: 'unknown'; readonly why: string };

const LIMIT_MS = 120_000;

/**
 * Runs an agent in this folder, with the user's own settings, against a model on loopback that asks for one command which `hooks run`
 * refuses. Nothing is sent to the agent's vendor as a prompt, and the command only prints.
 */
export async function drive(agent: DrivenAgent, program: Program): Promise<Driven> {
  const refusal = agent.refusal?.(program);
  if (refusal !== undefined) return { kind: 'unknown', why: refusal };
  const canary = makeCanary();
  let turns = 0;
  const model = await startModel(agent.wire, (tools) =>
    turns++ === 0 ? { calls: [agent.shell(canary, tools)] } : { text: 'Done.' },
  );
  try {
    const ended = await run(agent, model.url, program);
    const result = model.results.join('\n');
    if (result.includes(CANARY_REASON)) return { kind: 'closed' };
    if (result.includes(canary.slice('echo '.length))) return { kind: 'open' };
    if (result !== '')
      return { kind: 'unknown', why: `something else refused the command: ${start(result)}` };
    const reached = turns === 0 ? 'it did not ask the model on loopback' : 'it did not run the command';
    return { kind: 'unknown', why: `${reached}: ${ended}` };
  } finally {
    await model.close();
  }
}

/** Runs the agent. Resolves to its exit code and the beginning of its output. */
function run(agent: DrivenAgent, url: string, { cwd, env }: Program): Promise<string> {
  const own = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const options = {
    cwd: cwd(),
    // Without the workspace's own programs.
    env: {
      ...commandEnvironment(Object.fromEntries(own), cwd()),
      ...agent.env(url),
      NO_PROXY: '127.0.0.1,localhost',
      no_proxy: '127.0.0.1,localhost',
    },
    timeout: LIMIT_MS,
  };
  return new Promise((resolve) => {
    const args = agent.args(url, 'Say that you are done.');
    const child = execFile(agent.program, [...args], options, (error, stdout, stderr) => {
      if (error !== null && error.code === 'ENOENT')
        return resolve(
          `${agent.program} is not in your PATH; node_modules/.bin and the workspace do not count`,
        );
      const how = error === null ? 'exit code 0' : `exit code ${error.code ?? error.signal}`;
      resolve(`${how} ${start(`${stderr}${stdout}`.trim())}`.trim());
    });
    child.stdin?.end();
  });
}

function start(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)} …` : text;
}
