import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, promisify } from 'node:util';

/** A program in a Markdown text, and the output that the text shows. */
export interface ShownProgram {
  /** The heading above it. */
  readonly section: string;
  /** The file that the comment above it names: `<!-- file ./program.ts -->`. */
  readonly file?: URL;
  readonly code: string;
  /** The `text` block after it, else its comments: `console.log(…); // …`, and the comment at its end. */
  readonly prints: string;
}

/** The TypeScript programs in a Markdown text, in order. The text's paths are relative to `folder`. */
export function programsIn(markdown: string, folder: URL): readonly ShownProgram[] {
  const parts = markdown.matchAll(
    /^##+ (?<heading>[^\n]*)$|^(?:<!-- file (?<path>\S+\.ts)\S* -->\s+)?```ts[^\n]*\n(?<block>.*?)^```$(?:\s+^```text\n(?<text>.*?)^```$)?/gms,
  );
  let section = '';
  const programs: ShownProgram[] = [];
  for (const { groups } of parts) {
    const { heading, block, path, text } = groups ?? {};
    section = heading ?? section;
    const file = path === undefined ? undefined : new URL(path, folder);
    const code = file === undefined ? block : readFileSync(file, 'utf8');
    if (code === undefined) continue;
    programs.push({ section, ...(file && { file }), code, prints: text ?? commentsOf(code) });
  }
  return programs;
}

function commentsOf(code: string): string {
  const [atTheEnd = ''] = /(?<=\n)(?:\/\/ .*\n)+$/.exec(code) ?? [];
  const said = [...code.matchAll(/^console\.log\(.*; \/\/ (.*)$/gm)].map(([, text]) => `${text}\n`);
  return said.join('') + atTheEnd.replaceAll(/^\/\/ /gm, '');
}

/** A program of a package's `examples/`. The README shows the first ones, the documentation the others. */
export interface Example {
  /** The file's name without `.ts`. */
  readonly name: string;
  readonly file: URL;
  /** The output in the README, else in its own comments. */
  readonly prints: string;
}

/**
 * The examples of a package. Every program in its README is one of them, word for word.
 *
 * @param helpers files that examples import but that are not examples
 * @throws Error if a program in the README is not a file of the folder
 */
export function examplesOf(packageFolder: URL, helpers: readonly string[] = []): readonly Example[] {
  const readme = readFileSync(new URL('README.md', packageFolder), 'utf8');
  const folder = new URL('examples/', packageFolder);
  const shown = programsIn(readme, packageFolder);
  const names = readdirSync(folder).filter((name) => name.endsWith('.ts') && !helpers.includes(name));
  const examples = names.map((name) => {
    const file = new URL(name, folder);
    const code = readFileSync(file, 'utf8');
    const program = shown.find((each) => each.code === code);
    return { name: name.replace('.ts', ''), file, code, prints: program?.prints ?? commentsOf(code) };
  });
  for (const { section, code } of shown)
    if (!examples.some((example) => example.code === code))
      throw new Error(`The README's program under "${section}" is not a file of ${folder.pathname}`);
  return examples;
}

/** Runs a program in a separate process, from the packages' sources. Resolves with its output. */
export async function run(program: URL, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const options = { cwd: new URL('.', program), env: { ...process.env, ...env }, timeout: 240_000 };
  const args = ['--conditions=@hooks/source', fileURLToPath(program)];
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  return stdout;
}

/**
 * Runs a program in this process, which has already loaded the packages. Resolves with what it logs. For programs that
 * end by themselves and leave no state in the process, one after the other.
 */
export async function runHere(program: URL): Promise<string> {
  const { log } = console;
  let printed = '';
  console.log = (...values) => {
    printed += `${format(...values)}\n`;
  };
  try {
    await import(program.href);
  } finally {
    console.log = log;
  }
  return printed;
}
