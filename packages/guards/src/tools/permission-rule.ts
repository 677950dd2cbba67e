import type { ToolDescriptor } from '@hooks/core';
import { refuse } from '../options.ts';
import { commandArguments } from '../tool-arguments.ts';

/** A compiled pattern of {@link permissions}. */
export interface PermissionRule {
  /** As written. */
  readonly pattern: string;
  /** Whether the rule applies to the call. `tool` is the tool as its adapter describes it. */
  meets(toolName: string, input: unknown, tool?: ToolDescriptor): boolean;
}

/**
 * Compiles `tool`, `tool:argument=value` and `tool:a=x:b=y`. `*` matches any text, including line breaks. A list of
 * words is compared as JSON; rules that restrict also compare it as a line: `['sudo', 'ls']` is `sudo ls`. In a command that a
 * rule allows, `*` matches no text that starts another: `ls*` allows `ls -l`, not `ls; rm x`.
 */
export function compileRule(pattern: string, does: 'allow' | 'restrict'): PermissionRule {
  const [tool = '', ...conditions] = pattern.split(/:(?=[\w.-]+=)/);
  if (tool === '') refuse('permissions', 'a pattern has no tool name; write "shell:cmd=ls*"');
  if (/[\s()=,'"]/.test(tool))
    refuse('permissions', `a pattern begins with no tool name; write ${suggested(pattern)}`);
  const parts = conditions.map((condition) => {
    const equals = condition.indexOf('=');
    return { argument: condition.slice(0, equals), value: condition.slice(equals + 1) };
  });
  return {
    pattern,
    meets: (toolName, input) =>
      wildcardMatches(tool, toolName) &&
      parts.every(({ argument, value }) => {
        const given = textsOf(input, argument);
        // A joined list begins like its first word, so it must not count for a rule that allows.
        if (does === 'restrict') return given.some((text) => wildcardMatches(value, text));
        const [text] = given;
        return text !== undefined && wildcardMatches(value, text) && !startsMore(argument, value, text);
      }),
  };
}

/** The form of the pattern for a rule of Claude Code, `Bash(rm *)`; or that of all patterns. Without the value of the rule. */
function suggested(pattern: string): string {
  const [, tool = ''] = /^(\w+)\(.*\)$/s.exec(pattern) ?? [];
  const argument = Object.hasOwn(ARGUMENTS, tool) ? ARGUMENTS[tool] : undefined;
  if (argument !== undefined) return `"${tool}:${argument}=…" in place of "${tool}(…)"`;
  return '"tool:argument=value", for example "shell:cmd=ls*"';
}

const ARGUMENTS: Readonly<Record<string, string>> = {
  Bash: 'command',
  Read: 'file_path',
  Write: 'file_path',
  Edit: 'file_path',
  WebFetch: 'url',
};

function textsOf(input: unknown, name: string): readonly string[] {
  if (typeof input !== 'object' || input === null || !Object.hasOwn(input, name)) return [];
  const value: unknown = Reflect.get(input, name);
  if (typeof value === 'string') return [value];
  const written = JSON.stringify(value);
  if (written === undefined) return [];
  return Array.isArray(value) ? [written, value.join(' ')] : [written];
}

/** Whether a star matches what a shell may run, or write to, besides the command that the rule names. */
function startsMore(argument: string, value: string, text: string): boolean {
  if (!commandArguments.includes(argument) || !value.includes('*') || value === '*') return false;
  const marks = /[;&|<>()`$\\\n\r\0]/g;
  return (text.match(marks)?.length ?? 0) > (value.match(marks)?.length ?? 0);
}

/** `*` matches any text. Takes at most time proportional to pattern × text. */
function wildcardMatches(pattern: string, text: string): boolean {
  const pieces = pattern.split('*');
  const [first = '', ...rest] = pieces;
  if (!text.startsWith(first)) return false;
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return text.length - at >= last.length && text.endsWith(last);
}
