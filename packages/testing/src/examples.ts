import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, promisify } from 'node:util';

/** A program that a Markdown text shows, and what the text says that it prints. */
export interface ShownProgram {
  /** The heading above it. */
  readonly section: string;
  /** The file that is shown (`<<< ./file.ts`); a block in the text has none. */
  readonly file?: URL;
  readonly code: string;
  /** The `text` block after it, else what its comments say: `console.log(…); // …`, and the comment at its end. */
  readonly prints: string;
}

/** The TypeScript programs that a Markdown text shows, in order; `folder` is where the text's paths start. */
export function programsIn(markdown: string, folder: URL): readonly ShownProgram[] {
  const parts = markdown.matchAll(
    /^##+ (?<heading>[^\n]*)$|^(?:```ts\n(?<block>.*?)^```$|<<< (?<path>\S+\.ts)[^\n]*$)(?:\s+^```text\n(?<text>.*?)^```$)?/gms,
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
  /** Without `.ts`. */
  readonly name: string;
  readonly file: URL;
  /** What the README says that it prints, or else its own comments. */
  readonly prints: string;
}

/**
 * The examples of a package. Every program in its README is one of them, word for word.
 *
 * @param helpers files that are imported by examples and are not examples
 * @throws where a block of the README is not a file
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
      throw new Error(`The README's program under "${section}" is no file of ${folder.pathname}`);
  return examples;
}

/** Runs a program in a process of its own, on the sources of the packages; resolves to what it prints. */
export async function run(program: URL, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const options = { cwd: new URL('.', program), env: { ...process.env, ...env }, timeout: 60_000 };
  const args = ['--conditions=@hooks/source', fileURLToPath(program)];
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  return stdout;
}

/**
 * Runs a program in this process, which has loaded the packages already; resolves to what it logs. For programs that end by
 * themselves and leave nothing behind in the process, one after the other.
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
