import { formatIssue, type HookEntry, readHooks } from '@hooks/config';
import { stringify } from 'yaml';
import { type Program, UserError } from '../program.ts';
import type { ReadOptions } from './validate.ts';

/**
 * Writes the hooks of any dialect as ours, on stdout. What only the original has is left in comments: the words in
 * which its hooks are told of events, and read, stay theirs.
 */
export async function migrate(path: string, { dialect }: ReadOptions, program: Program): Promise<number> {
  const [file] = await readHooks(path, { cwd: program.cwd(), ...(dialect && { dialect }) });
  if (!file) throw new UserError(`${path} holds no hooks`);
  if (file.issues.length > 0) throw new UserError(file.issues.map(formatIssue).join('\n'));
  const from = file.dialect.name;
  const hooks = Object.groupBy(file.entries, ({ event }) => event);
  const ours = Object.fromEntries(
    Object.entries(hooks).map(([event, entries]) => [event, entries.map((entry) => groupOf(entry, from))]),
  );
  const notes = file.notices.map((notice) => `# ${formatIssue(notice)}\n`).join('');
  const head =
    from === 'hooks'
      ? ''
      : `# From ${from}. Scripts that read ${from}'s fields have to be changed to ours.\n`;
  program.stdout.write(`${head}${notes}${stringify({ hooks: ours })}`);
  return 0;
}

function groupOf({ handler, matcher, agents, exceptAgents = [], label }: HookEntry, from: string): object {
  const { type, timeoutMs, onError } = handler;
  const common = {
    ...(label && { name: label }),
    ...(timeoutMs !== 60_000 && { timeout: timeoutMs / 1000 }),
    ...(onError && { on_error: onError }),
  };
  const hook = { type, ...common, ...fieldsOf(handler) };
  return {
    ...(matcher !== undefined && { matcher: ourMatcher(matcher, from) }),
    ...(agents && { agents }),
    ...(exceptAgents.length > 0 && { except_agents: exceptAgents }),
    hooks: [hook],
  };
}

function fieldsOf(handler: HookEntry['handler']): object {
  switch (handler.type) {
    case 'command': {
      const { command, env, workingDir } = handler;
      return {
        command,
        ...(Object.keys(env).length > 0 && { env }),
        ...(workingDir && { working_dir: workingDir }),
      };
    }
    case 'http': {
      const { url, headers, allowedEnvVars } = handler;
      return { url, ...(Object.keys(headers).length > 0 && { headers, allowed_env_vars: allowedEnvVars }) };
    }
    case 'model': {
      const { model, prompt, schema, baseUrl, apiKeyEnv, redactSecrets } = handler;
      return {
        model,
        prompt,
        ...(schema && { schema }),
        ...(baseUrl && { base_url: baseUrl }),
        ...(apiKeyEnv && { api_key_env: apiKeyEnv }),
        ...(redactSecrets && { redact_secrets: true }),
      };
    }
    case 'builtin': {
      const { name, args } = handler;
      return { command: name, ...(Object.keys(args).length > 0 && { args }) };
    }
    case 'module':
      return { path: handler.path, ...(handler.export !== 'default' && { export: handler.export }) };
    case 'unsupported':
      throw new UserError(`cannot be written as ours: ${handler.reason}`);
    default:
      return handler satisfies never;
  }
}

/** Ours match the whole name; Claude Code's expressions match anywhere in it. */
function ourMatcher(matcher: string, from: string): string {
  if (from !== 'claude-code' || matcher === '' || matcher === '*') return matcher || '*';
  if (/^[\w\- ,|]*$/.test(matcher))
    return matcher
      .split(/[|,]/)
      .map((name) => name.trim())
      .join('|');
  return `.*(?:${matcher}).*`;
}
