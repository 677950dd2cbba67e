import type { ToolDescriptor } from '@hooks/core';
import type { PermissionRule } from '@hooks/guards';
import { kindOf, type ToolKind } from '../../protocol/tool-names.ts';
import { fieldsLike, type ToolVocabulary, toWireTool } from '../../protocol/tools.ts';
import { dockerAgent } from './dialect.ts';
import { type Glob, globMatches, parseGlob } from './glob.ts';

/** A parsed pattern of `permissions:`: `shell:cmd=ls*:cwd=/home/*`. */
export interface PermissionPattern {
  readonly tool: string;
  readonly conditions: readonly { readonly argument: string; readonly value: string; readonly glob: Glob }[];
}

/** Parses a pattern. A colon begins a condition only before `name=`, so values and MCP names may contain colons. */
export function parsePattern(pattern: string): PermissionPattern {
  const [tool = '', ...conditions] = pattern.split(/:(?=\w+=)/);
  if (tool === '') throw new Error('the pattern has no tool name; write "shell:cmd=ls*"');
  const [, stray] = /:([^:=]*)=/.exec(tool) ?? [];
  if (stray !== undefined)
    throw new Error(
      'the name of an argument has other characters than letters, digits and underscores; write "shell:cmd=ls*"',
    );
  parseGlob(tool);
  return {
    tool,
    conditions: conditions.map((condition) => {
      const equals = condition.indexOf('=');
      const value = condition.slice(equals + 1);
      return { argument: condition.slice(0, equals), value, glob: parseGlob(value) };
    }),
  };
}

/**
 * Compiles a pattern as docker-agent does, for the tools of any agent. If docker-agent's documentation and versions
 * differ, a rule that restricts matches more calls, and a rule that allows matches fewer.
 */
export function compilePattern(pattern: string, does: 'allow' | 'restrict'): PermissionRule {
  const parsed = parsePattern(pattern);
  return { pattern, meets: does === 'allow' ? allows(parsed) : restricts(parsed) };
}

/** Matches a call by the agent's own names of tools and arguments, and by docker-agent's. */
function restricts({ tool, conditions }: PermissionPattern): PermissionRule['meets'] {
  const tools = [tool, withServer(tool)].map(parseGlob);
  // docker-agent keeps only the last condition for each argument.
  const last = [...new Map(conditions.map((condition) => [condition.argument, condition])).values()];
  return (name, input, about) =>
    namesOf(name, tool, about).some((one) => tools.some((glob) => globMatches(glob, one))) &&
    [toWireTool(dockerAgent.tools, name, input).input, input].some((given) =>
      last.every(({ argument, glob }) => textsOf(given, argument).some((text) => globMatches(glob, text))),
    );
}

function allows({ tool, conditions }: PermissionPattern): PermissionRule['meets'] {
  const tools = parseGlob(tool);
  return (name, input, about) => {
    const wire = toWireTool(dockerAgent.tools, name, input, about);
    return (
      // A tool whose server has no name is allowed by no server's name.
      [...wire.namesFor(''), ...serverNames(name, '', about)].some((one) => globMatches(tools, one)) &&
      conditions.every(({ argument, value, glob }) => {
        const text = textOf(wire.input, argument);
        if (text === undefined || !globMatches(glob, text)) return false;
        // Of two arguments of one meaning, the tool may read the other one.
        if (hasOther(wire.input, argument, kindOf(name, input))) return false;
        return !(commandTools.has(wire.name) && argument === 'cmd') || isWholeCommand(value, text);
      })
    );
  };
}

function hasOther(input: unknown, argument: string, kind: ToolKind | undefined): boolean {
  const names = kind === undefined ? [] : fieldsLike(kind, argument);
  return names.some((name) => name !== argument && argumentOf(input, name) !== undefined);
}

const commandTools: ReadonlySet<string> = new Set(['shell', 'run_background_job']);

/** The agent's own name, and docker-agent's: `mcp:github:get` in older documentation, `github_get` today. */
function namesOf(name: string, pattern: string, about?: ToolDescriptor): readonly string[] {
  const wire = toWireTool(dockerAgent.tools, name, undefined, about);
  return [name, ...wire.namesFor(pattern), ...serverNames(name, pattern, about)];
}

function withServer(pattern: string): string {
  return toWireTool(WITH_SERVER, pattern, {}).name;
}

function serverNames(name: string, pattern: string, about?: ToolDescriptor): readonly string[] {
  return toWireTool(WITH_SERVER, name, {}, about).namesFor(pattern);
}

const WITH_SERVER: ToolVocabulary = { families: {}, mcp: (server, tool) => `${server}_${tool}` };

/**
 * Whether a pattern with a star allows the whole command: it is a single command, and after a plain prefix a new word
 * begins: `ls*` allows `ls -l`, not `lsof`.
 */
function isWholeCommand(value: string, command: string): boolean {
  if (!value.includes('*') || value === '*') return true;
  if (/[;&|<>()`$\\\n\r\0]/.test(command)) return false;
  const [, prefix] = /^([^*?[\\]+)\*$/.exec(value) ?? [];
  return prefix === undefined || /\s$/.test(prefix) || /^(?:[ \t]|$)/.test(command.slice(prefix.length));
}

/** Every text form of an argument that a rule may refer to. */
function textsOf(input: unknown, argument: string): readonly string[] {
  const value = argumentOf(input, argument);
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null) return [String(value)];
  const words = Array.isArray(value) ? [value.join(' '), `[${value.join(' ')}]`] : [];
  return [JSON.stringify(value), ...words];
}

/** The text form that docker-agent gives an argument; undefined for an object. */
function textOf(input: unknown, argument: string): string | undefined {
  const value = argumentOf(input, argument);
  if (Array.isArray(value)) return `[${value.join(' ')}]`;
  return value === undefined || (typeof value === 'object' && value !== null) ? undefined : String(value);
}

function argumentOf(input: unknown, argument: string): unknown {
  const isObject = typeof input === 'object' && input !== null;
  return isObject && Object.hasOwn(input, argument) ? Reflect.get(input, argument) : undefined;
}
