import {
  DIALECTS,
  type Dialect,
  type DialectName,
  formatIssue,
  type HookEntry,
  readHooks,
  visible,
} from '@hooks/config';
import { stringify } from 'yaml';
import { existing, HOOK_FILE } from '../paths.ts';
import { type Program, UserError } from '../program.ts';
import type { ReadOptions } from './validate.ts';

/**
 * Converts hooks of any dialect to ours, on stdout. Comments list what only the original program can do. The scripts
 * themselves are not converted: they still read and write the original fields.
 */
export async function migrate(path: string, { dialect }: ReadOptions, program: Program): Promise<number> {
  const files = await readHooks(existing('<file>', path, program, HOOK_FILE), {
    cwd: program.cwd(),
    ...(dialect && { dialect }),
  });
  const issues = files.flatMap((file) => file.issues);
  if (issues.length > 0) throw new UserError(issues.map(formatIssue).join('\n'));
  const from = files[0]?.dialect ?? DIALECTS.hooks;
  const all = files.flatMap((file) => file.entries);
  const hooks = Object.groupBy(
    all.filter(({ handler }) => handler.type !== 'part'),
    ({ event }) => event,
  );
  const parts = Object.fromEntries(
    all.flatMap(({ handler }) => (handler.type === 'part' ? [[handler.name, handler.args]] : [])),
  );
  const ours = Object.fromEntries(
    Object.entries(hooks).map(([event, entries]) => [event, entries.map((entry) => groupOf(entry, from))]),
  );
  const head =
    from.name === 'hooks'
      ? []
      : [
          `From ${from.name}. Change scripts that read ${from.name}'s fields to ours, and matchers to the names of your agent's tools.`,
        ];
  const notices = files.flatMap((file) => file.notices.map(formatIssue));
  const comments = [...head, ...notices, ...all.flatMap((entry) => leftOut(entry, from))]
    .map(comment)
    .join('');
  program.stdout.write(`${comments}${stringify({ ...parts, hooks: ours })}`);
  return 0;
}

/** Comments on what a hook loses in our dialect. */
function leftOut({ handler, label, matcher, wireEvent }: HookEntry, from: Dialect): readonly string[] {
  const { condition } = handler;
  return [
    ...(condition === undefined
      ? []
      : [`${label}: lost its condition "${condition}", so it runs on every call`]),
    ...(isOfSomeTools(wireEvent, from)
      ? [
          `${label}: on every tool, not only those of ${wireEvent}; give it a matcher${matcher === undefined ? '' : ` instead of "${matcher}"`}`,
        ]
      : []),
    ...(handler.type === 'command' && handler.background
      ? [`${label}: no longer in the background, so the agent waits for it, and it decides`]
      : []),
  ];
}

/** A text as one comment line. */
function comment(text: string): string {
  return `# ${visible(text).replaceAll(/\s*\n\s*/g, ' ')}\n`;
}

/** Cursor has events for certain tools, whose matchers are not compared with a tool's name. */
function isOfSomeTools(wireEvent: string, from: Dialect): boolean {
  return from.name === 'cursor' && /^(?:before|after)(?:Shell|MCP|ReadFile|FileEdit)/.test(wireEvent);
}

function groupOf(
  { event, handler, matcher, agents, exceptAgents = [], label, name, wireEvent }: HookEntry,
  from: Dialect,
): object {
  const { type, timeoutMs } = handler;
  const onError = from.alwaysClosed(event) ? undefined : handler.onError;
  // A model may read a hook's name, but not a command line or a URL path, which may hold a secret.
  const written = name ?? (type === 'command' || type === 'http' ? undefined : label);
  const common = {
    ...(written && { name: written }),
    ...(timeoutMs !== 60_000 && { timeout: timeoutMs / 1000 }),
    ...(onError && { on_error: onError }),
  };
  const hook = { type, ...common, ...fieldsOf(handler) };
  return {
    ...(matcher !== undefined &&
      !isOfSomeTools(wireEvent, from) && { matcher: ourMatcher(matcher, from.name) }),
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
    case 'builtin':
    case 'part': {
      const { name, args } = handler;
      return { command: name, ...(Object.keys(args).length > 0 && { args }) };
    }
    case 'module':
      return { path: handler.path, ...(handler.export !== 'default' && { export: handler.export }) };
    case 'unsupported':
      throw new UserError(`cannot be converted: ${handler.reason}`);
    default:
      return handler satisfies never;
  }
}

/** Our matchers match the whole name. Claude Code's and Cursor's match anywhere in it; ai4j's are exact names. */
function ourMatcher(matcher: string, from: DialectName): string {
  if (matcher === '' || matcher === '*') return '*';
  if (from === 'ai4j') return matcher.replaceAll(/[.+?^${}()|[\]\\*]/g, '\\$&');
  if (from !== 'claude-code' && from !== 'cursor') return matcher;
  if (from === 'claude-code' && /^[\w\- ,|]*$/.test(matcher))
    return matcher
      .split(/[|,]/)
      .map((name) => name.trim())
      .join('|');
  return `.*(?:${matcher}).*`;
}
