import type { Program } from '../program.ts';
import { isTrustedByGemini } from './gemini-trust.ts';
import type { Layer } from './layers.ts';

/** A setting with which an agent runs no hooks, or only those of an administrator. */
interface Switch {
  readonly path: readonly string[];
  readonly isOff: (value: unknown) => boolean;
  /** Counts in an administrator's files only, in any of them, and spares the hooks in them. */
  readonly managed?: true;
}

const isTrue = (value: unknown): boolean => value === true;
const isFalse = (value: unknown): boolean => value === false;

const SWITCHES: Readonly<Record<string, readonly Switch[]>> = {
  'claude-code': [
    { path: ['disableAllHooks'], isOff: isTrue },
    { path: ['allowManagedHooksOnly'], isOff: isTrue, managed: true },
    {
      path: ['strictPluginOnlyCustomization'],
      isOff: (value) => value === true || (Array.isArray(value) && value.includes('hooks')),
      managed: true,
    },
  ],
  codex: [
    { path: ['features', 'hooks'], isOff: isFalse },
    { path: ['features', 'codex_hooks'], isOff: isFalse },
    { path: ['allow_managed_hooks_only'], isOff: isTrue, managed: true },
  ],
  // It takes any value as true or false, and null as none.
  gemini: [{ path: ['hooksConfig', 'enabled'], isOff: (value) => value !== null && !value }],
};

/** Variables of the environment with which an agent runs only an administrator's hooks, or none. */
const VARIABLES: Readonly<Record<string, readonly string[]>> = {
  'claude-code': ['CLAUDE_CODE_SIMPLE', 'CLAUDE_CODE_SAFE_MODE'],
};

/** Why an agent does not run the hooks of this layer. */
export function switchedOff(
  agent: string,
  layer: Layer,
  layers: readonly Layer[],
  program: Program,
): readonly string[] {
  const switches = (SWITCHES[agent] ?? []).filter(({ managed }) => !managed || layer.scope !== 'managed');
  return [
    ...layers
      .filter(({ settings }) => settings === undefined)
      .map(({ path }) => `${path} cannot be read, so it may switch hooks off`),
    ...switches.flatMap((one) => {
      const [off] = settersOf(one, layers).filter(({ value }) => one.isOff(value));
      if (off === undefined) return [];
      return [`${off.path} has ${one.path.join('.')}: ${JSON.stringify(off.value)}, so no hook runs`];
    }),
    ...(VARIABLES[agent] ?? []).flatMap((name) => [
      ...(isOn(program.env[name]) ? [`${name} is set, so no hook runs`] : []),
      // Claude Code takes them from its users' files, and not from those of a project.
      ...layers
        .filter(({ scope, settings }) => scope !== 'project' && isOn(valueAt(settings, ['env', name])))
        .map(({ path }) => `${path} sets ${name}, so no hook runs`),
    ]),
    ...(agent === 'gemini' ? refusedByGemini(program) : []),
  ];
}

function isOn(value: unknown): boolean {
  return /^(?:1|true|yes|on)$/i.test(String(value ?? ''));
}

/** The files whose value of a switch counts: the last that has one, or each of an administrator. */
function settersOf(
  { path, managed }: Switch,
  layers: readonly Layer[],
): readonly { readonly path: string; readonly value: unknown }[] {
  const setters = layers
    .filter(({ scope }) => !managed || scope === 'managed')
    .map(({ path: file, settings }) => ({ path: file, value: valueAt(settings, path) }))
    .filter(({ value }) => value !== undefined);
  return managed ? setters : setters.slice(-1);
}

/** The commands that Gemini CLI's settings switch off one by one. The lists of all its files count. */
export function disabledByGemini(layers: readonly Layer[]): ReadonlyMap<unknown, string> {
  return new Map(
    layers.flatMap(({ path, settings }) => {
      const names = valueAt(settings, ['hooksConfig', 'disabled']);
      return Array.isArray(names) ? names.map((name) => [name, path] as const) : [];
    }),
  );
}

function refusedByGemini(program: Program): readonly string[] {
  return isTrustedByGemini(program) === false
    ? [
        `you do not trust ${program.cwd()} in Gemini CLI, so no hook runs in it; start "gemini", and trust it under /permissions`,
      ]
    : [];
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((found, key) => Object(found)[key], value);
}
