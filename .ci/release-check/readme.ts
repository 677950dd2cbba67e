import { programsIn } from '../../packages/testing/src/examples.ts';

/** The first example of a README. */
export interface Shown {
  readonly code: string;
  /** What it prints, by the `text` block after it or its own comments. */
  readonly prints: string;
}

/** Finds the first example in TypeScript. Throws where there is none. */
export function firstExample(readme: string): Shown {
  const [first] = programsIn(readme, new URL('file:///'));
  if (first === undefined) throw new Error('the README has no block ```ts');
  return first;
}

/** The file name under which the README says to save its first example, or one that runs anywhere. */
export function fileOf(readme: string): string {
  return /this as `([\w-]+\.mts)`/.exec(readme)?.[1] ?? 'example.mts';
}

/** The first block of a language. Throws where there is none. */
export function firstBlock(readme: string, language: string): string {
  for (const [, tag, text = ''] of readme.matchAll(/^```(\w*)\n(.*?)^```$/gms))
    if (tag === language) return text;
  throw new Error(`the README has no block \`\`\`${language}`);
}

/** What the README says to install together with its package. */
export function namesToInstall(readme: string): readonly string[] {
  const [, own = ''] = /^# (\S+)$/m.exec(readme) ?? [];
  const lines = [...readme.matchAll(/^npm install (?:--save-dev )?(.+)$/gm)].map(([, names = '']) =>
    names.trim().split(/\s+/),
  );
  const names = lines.find((line) => line.includes(own));
  if (names === undefined) throw new Error(`the README has no line "npm install … ${own}"`);
  return names;
}

/** The packages that code imports. */
export function packagesImported(code: string): readonly string[] {
  return [...code.matchAll(/ from '((?:@[\w-]+\/)?[\w-]+)(?:\/[\w./-]+)?';/g)].map(([, name = '']) => name);
}

/** An example as a CommonJS module: `require` for `import`, and a function around what awaits. */
export function asCommonJs(code: string): string {
  const required = code.replace(/^import (type )?\{([^}]*)\} from ('[^']+');$/gm, (_, type, names, from) =>
    type
      ? ''
      : `const {${names.replaceAll(/\btype \w+,?/g, '').replaceAll(' as ', ': ')}} = require(${from});`,
  );
  if (/^import /m.test(required))
    throw new Error(`an import that this check cannot turn into require:\n${code}`);
  return `(async () => {\n${required}\n})().catch((error) => {\n  console.error(error);\n  process.exitCode = 1;\n});\n`;
}
