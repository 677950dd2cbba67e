import { isSameTool } from '../dialects/claude-code/aliases.ts';
import type { EventData } from '../events.ts';

/**
 * Claude Code's `if`: a permission rule, `Bash` or `Bash(git push *)`. For a shell tool, the pattern is compared with
 * each command of the line. For another tool, and for a line that cannot be parsed, the hook runs.
 */
export function meetsCondition(rule: string, { fields }: EventData): boolean {
  const [, tool, pattern] = /^([\w-]+)(?:\((.*)\))?$/s.exec(rule.trim()) ?? [];
  if (tool === undefined) return true;
  if (!isSameTool(tool, fields['toolName'])) return false;
  const { command } = Object(fields['input']) as { readonly command?: unknown };
  if (pattern === undefined || tool !== 'Bash' || typeof command !== 'string') return true;
  const commands = commandsOf(command);
  const means = glob(pattern);
  // Compared as written, and as the shell reads its words: `"git" pu\sh` is `git push`.
  return (
    commands === undefined ||
    commands.some((one) => means.test(one) || means.test(one.replace(/["'\\]/g, '')))
  );
}

/** The commands of a line, including those in substitutions, without prefixes; undefined for an unbalanced line. */
function commandsOf(line: string): readonly string[] | undefined {
  const quotes = line.replaceAll(/\\./gs, '');
  if ((quotes.match(/"/g)?.length ?? 0) % 2 === 1 || (quotes.match(/'/g)?.length ?? 0) % 2 === 1)
    return undefined;
  return line
    .replaceAll(/\\\n/g, ' ')
    .split(/&&|\|\||[;|&\n()`]|\$\(/)
    .map((command) => command.trim().replace(leading, '').replaceAll(/\s+/g, ' '))
    .filter((command) => command !== '');
}

/** The prefixes of a command's name: shell keywords and assignments. */
const leading = /^(?:(?:[{!]|if|then|elif|else|while|until|do|time)\s+|\w+=(?:"[^"]*"|'[^']*'|\S*)\s+)+/;

/** `*` matches anything; `git:*` matches `git` followed by anything. */
function glob(pattern: string): RegExp {
  const plain = pattern.replace(/:\*$/, '*');
  const source = plain
    .split('*')
    .map((text) => text.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
  return new RegExp(`^${source.replace(/ \.\*$/, '(?: .*)?')}$`, 's');
}
