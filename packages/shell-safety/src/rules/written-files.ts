import { type Finding, finding } from '../effect.ts';
import { has, type Invocation } from '../programs/program.ts';
import { kindOf } from './kind-of-file.ts';

/** Kinds of files with secrets that programs of a project write themselves, or that a shell may only add to. */
const WRITTEN: ReadonlySet<string> = new Set([
  'environment',
  'certificate',
  'infrastructure',
  'docker',
  'secret',
  'kubernetes',
  'shell-profile',
]);
/** What the clock, a login or a start of the machine runs. */
const STARTED =
  /^\/etc\/(?:cron|crontab|profile$|bash\.bashrc|rc\.local|init\.d)|^\/var\/spool\/cron|\/\.config\/autostart\/|\/launch(?:agents|daemons)\//;
const PROFILE = /^~\/\.(?:bashrc|zshrc|profile|zprofile|zshenv|zlogin|bash_profile|bash_login)$/;
/** Where agents keep what they may do, and which servers they start. */
const AGENT =
  /(?:^|\/)\.(?:claude|gemini|codex|cursor|opencode|windsurf)\/(?:settings(?:\.local)?\.json|config\.(?:toml|json)|mcp\.json|hooks\.json)$|(?:^|\/)\.mcp\.json$|^~\/\.claude\.json$/;

/** A file that is not for an agent to write: a login, keys and their settings, what is run by itself, agents' settings. */
export function checkWritten(path: string, call: Invocation): Finding | undefined {
  if (call.known.deletes) return undefined;
  if (STARTED.test(path)) return written(path, 'which is run by itself');
  if (AGENT.test(path)) return written(path, "an agent's settings");
  if (PROFILE.test(path)) return appends(call) ? undefined : written(path, 'a shell profile');
  if (/\.(?:pub|sample|example)$|\/(?:known_hosts(?:\.old)?|authorized_keys2?)$|\/\.ssh$/.test(path))
    return undefined;
  const kind = kindOf(path, '.');
  return kind === undefined || WRITTEN.has(kind.id) ? undefined : written(path, kind.what);
}

function appends({ redirects, args, known }: Invocation): boolean {
  return (
    (known.fetches === 'input' && args.some((arg) => /^-\w*a|^--append$/.test(arg))) ||
    redirects.some(({ operator, target }) => operator.endsWith('>>') && !/^\/dev\//.test(target)) ||
    has(known, 'edits', 'copies')
  );
}

function written(path: string, what: string): Finding {
  return {
    ...finding(
      'sensitive-file/write',
      `This writes ${path}, ${what}.`,
      'Show the user the lines, and let them write the file.',
    ),
    kind: 'write',
  };
}
