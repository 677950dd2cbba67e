// How programs are called, made from Fig's completion specs: `pnpm generate` writes `src/programs/syntax/specs.ts`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The part of a completion spec that says how a program is called. */
interface Spec {
  readonly name?: Names;
  readonly options?: readonly SpecOption[];
  readonly subcommands?: readonly Spec[];
}

interface SpecOption {
  readonly name: Names;
  readonly args?: SpecArgument | readonly SpecArgument[];
  readonly requiresEquals?: boolean;
}

interface SpecArgument {
  readonly isOptional?: boolean;
}

type Names = string | readonly string[];

/** Programs whose options may be abbreviated, so that all long names count. */
const ABBREVIATING = 'git npm systemctl';
/** Of the others, options without a value matter only where they have two names. */
const OTHERS = 'cargo docker docker-compose flyctl gh helm kubectl terraform';

const listOf = (names: Names | undefined): readonly string[] => (names === undefined ? [] : [names].flat());

/** `-m|--message=`, `--track[=]` where the value has to be attached, `-q|--quiet`. */
function optionText({ name, args, requiresEquals }: SpecOption, isAll: boolean): string | undefined {
  const names = listOf(name).map((text) => text.replace(/[=\s].*$/, ''));
  const [first] = [args ?? []].flat();
  const value = first === undefined ? '' : first.isOptional || requiresEquals ? '[=]' : '=';
  if (value === '' && !isAll && names.length < 2) return undefined;
  const usable = names.filter((text) => /^--?[\w?][\w.:-]*$/.test(text));
  return usable.length > 0 ? usable.join('|') + value : undefined;
}

/** A line for each verb: its names, behind those that it stands behind, and its options. */
function linesOf(spec: Spec, path: readonly string[], isAll: boolean): readonly string[] {
  const options = (spec.options ?? []).flatMap((option) => optionText(option, isAll) ?? []);
  const own = [...new Set(options)].join(' ');
  const inner = (spec.subcommands ?? []).flatMap((verb) => {
    const names = listOf(verb.name).filter((name) => /^[\w.:-]+$/.test(name));
    return names.length > 0 ? linesOf(verb, [...path, names.join('|')], isAll) : [];
  });
  const hasAliases = path.at(-1)?.includes('|');
  const root = path.length === 0 && isAll ? ': ~ ' : '';
  return own === '' && !hasAliases && inner.length === 0
    ? []
    : [`${root || `${path.join(' ')}: `}${own}`.trim(), ...inner];
}

/** The package exports its index alone. */
const require = createRequire(import.meta.url);
const FOLDER = dirname(require.resolve('@withfig/autocomplete'));

async function specOf(program: string): Promise<Spec | undefined> {
  const file = join(FOLDER, `${program}.js`);
  if (!existsSync(file)) return undefined;
  const { default: spec }: { default: Spec } = await import(pathToFileURL(file).href);
  return typeof spec === 'object' ? spec : undefined;
}

/** The text of the file that is written. */
export async function specsFile(): Promise<string> {
  const abbreviating = ABBREVIATING.split(' ');
  const programs = [...abbreviating, ...OTHERS.split(/\s+/)].toSorted();
  const parts: string[] = [];
  for (const program of programs) {
    const spec = await specOf(program);
    if (!spec) continue;
    const lines = linesOf(spec, [], abbreviating.includes(program)).filter(
      (line) => !/^[^:]+ \S+:$/.test(line) || line.includes('|'),
    );
    parts.push(`  '${program}': \`\n${lines.map((line) => line.replaceAll(/[`\\$]/g, '')).join('\n')}\`,`);
  }
  const { version }: { version: string } = JSON.parse(readFileSync(join(FOLDER, '../package.json'), 'utf8'));
  return `// Written by \`scripts/syntax.ts\`. Names of verbs and options are from @withfig/autocomplete ${version}: see NOTICE.
// biome-ignore-all format: a line is a verb

/**
 * How programs are called: a line for each verb, behind the verbs that it belongs to, with its options. \`|\` stands between names
 * of the same verb or option. An option with \`=\` has a value, one with \`[=]\` only a value that is attached to it.
 * \`~\` says that long options may be abbreviated.
 */
export const SPECS: Readonly<Record<string, string>> = {
${parts.join('\n')}
};
`;
}

if (import.meta.main)
  writeFileSync(new URL('../src/programs/syntax/specs.ts', import.meta.url), await specsFile());
