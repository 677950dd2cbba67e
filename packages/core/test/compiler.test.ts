import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { beforeAll, describe, expect, it, test } from 'vitest';
import * as core from '../src/index.ts';

const ENTRIES = ['adapter', 'tool-call', 'options', 'presets', 'testing', 'node'];
const packageFolder = fileURLToPath(new URL('..', import.meta.url));
const folder = temporaryFolder();

beforeAll(() => {
  const installed = join(folder, 'node_modules/@hooks/core');
  mkdirSync(installed, { recursive: true });
  // The package as installed, and, where `../../src` of the consumer is, another copy of it.
  emitDeclarations(join(folder, 'src'));
  cpSync(join(folder, 'src'), join(installed, 'dist'), { recursive: true });
  writeFileSync(
    join(installed, 'package.json'),
    JSON.stringify({ name: '@hooks/core', type: 'module', exports: entriesOf(installed) }),
  );
  cpSync(join(packageFolder, 'test/consumer'), join(folder, 'test/consumer'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
});

function emitDeclarations(into: string): void {
  const tsc = join(packageFolder, 'node_modules/.bin/tsc');
  const only = ['--emitDeclarationOnly', '--declarationMap', 'false', '--outDir', into];
  execFileSync(tsc, ['-p', 'tsconfig.build.json', ...only], { cwd: packageFolder });
}

/** The entries of the package, as its types are emitted. */
function entriesOf(installed: string): object {
  const entries = ENTRIES.map((entry) => {
    const file = [`dist/${entry}.d.ts`, `dist/${entry}/index.d.ts`].find((name) =>
      existsSync(join(installed, name)),
    );
    return [`./${entry}`, { types: `./${file}` }];
  });
  return { '.': { types: './dist/index.d.ts' }, ...Object.fromEntries(entries) };
}

describe.each([
  ['TypeScript 7', join(packageFolder, 'node_modules/typescript/bin/tsc')],
  ['TypeScript 5.4, the oldest that has NoInfer', join(packageFolder, 'node_modules/typescript-5.4/bin/tsc')],
])('%s', (_, tsc) => {
  // Neither has Node's types.
  it.each([
    ['nodenext', 'es2023,esnext.disposable,dom'],
    ['preserve', 'es2022,dom'],
  ])(
    'takes the declarations, also of two copies of core, and refuses what must not compile (module %s, lib %s)',
    (module, lib) => {
      const options = [
        '--noEmit',
        '--strict',
        '--exactOptionalPropertyTypes',
        '--target',
        'es2022',
        '--lib',
        lib,
        '--module',
        module,
      ];
      const consumers = ['consumer', 'entries', 'principal', 'two-copies'].map(
        (name) => `test/consumer/${name}.ts`,
      );
      const resolution = module === 'preserve' ? ['--moduleResolution', 'bundler'] : [];
      const compile = () =>
        execFileSync(process.execPath, [tsc, ...options, ...resolution, ...consumers], {
          cwd: folder,
          encoding: 'utf8',
          stdio: 'pipe',
        });
      try {
        compile();
      } catch (error) {
        expect((error as { readonly stdout: string }).stdout).toBe('');
      }
    },
  );
});

/** Mistakes, how what the compiler says of each begins, and in how many lines it says it. */
const MISTAKES = [
  {
    code: "hooks.on(ToolEvent, () => block('no'));",
    says: `Type 'Block' is not assignable to type '"A group of events can only be observed: hooks.observe(group, handler)."`,
    lines: 1,
  },
  {
    code: "hooks.guard(ToolEvent, () => block('no'));",
    says: `Type 'Block' is not assignable to type '"A group of events can only be observed: hooks.observe(group, handler)."`,
    lines: 1,
  },
  {
    code: 'hooks.guard(SessionStart, () => proceed());',
    says: `Type 'Proceed' is not assignable to type '"This event does not permit Block, so it cannot be guarded."`,
    lines: 1,
  },
  {
    code: "hooks.on(SessionStart, () => block('no'));",
    says: `Type 'Block' is not assignable to type 'Modify<{ readonly context?: readonly string[]; }, "context"> | Proceed |`,
    lines: 4,
  },
  {
    code: "hooks.on(Stop, () => modify({ response: '' }));",
    says: `Type 'Modify<{ response: string; }, "response">' is not assignable to type 'Block | Proceed |`,
    lines: 2,
  },
  {
    code: "hooks.on(Stop, async (event) => { if (event.last) return retry('Say it.'); });",
    says: "Argument of type '(event: Stop) => Promise<Retry | undefined>' is not assignable to parameter of type 'Interceptor<Stop, Block | Proceed | Retry>'.",
    lines: 5,
  },
  {
    code: "hooks.on(Stop, (event) => { if (event.last) return retry('Say it.'); });",
    says: "Argument of type '(event: Stop) => Retry | undefined' is not assignable to parameter of type 'Interceptor<Stop, Block | Proceed | Retry>'.",
    lines: 3,
  },
  {
    code: "hooks.on(Stop, () => ({ kind: 'block', reason: 'no' }));",
    says: `Type '{ kind: "block"; reason: string; }' is not assignable to type 'Block | Proceed |`,
    lines: 3,
  },
  {
    code: 'hooks.guard(BeforeToolCall, () => modify({ input: {} }));',
    says: `Type 'Modify<{ input: {}; }, "input">' is not assignable to type 'Block | Modify<{ readonly approval: ApprovalRequired; }, "approval"> | Proceed |`,
    lines: 4,
  },
  {
    code: "hooks.guard(BeforeModelCall, () => modify({ instructions: '' }));",
    says: `Type 'Modify<{ instructions: string; }, "instructions">' is not assignable to type 'Block | Proceed |`,
    lines: 4,
  },
];

describe('what the compiler says first', () => {
  let texts: readonly string[] = [];

  beforeAll(() => {
    const files = MISTAKES.map(({ code }, index) => {
      const file = `mistake-${index}.ts`;
      const imports =
        "import { BeforeModelCall, BeforeToolCall, block, createHooks, modify, proceed, retry, SessionStart, Stop, ToolEvent } from '@hooks/core';";
      writeFileSync(join(folder, file), `${imports}\nconst hooks = createHooks();\n${code}\n`);
      return file;
    });
    const tsc = join(packageFolder, 'node_modules/typescript/bin/tsc');
    const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022'];
    const { stdout } = spawnSync(process.execPath, [tsc, ...options, '--module', 'nodenext', ...files], {
      cwd: folder,
      encoding: 'utf8',
    });
    const found = stdout.split(/^(?=mistake-)/m);
    texts = files.map((file) => found.filter((text) => text.startsWith(file)).join(''));
  });

  it.each(MISTAKES.map((mistake, index) => ({ ...mistake, index })))('of $code', ({ says, lines, index }) => {
    const [first = '', ...others] = texts[index]?.trimEnd().split('\n') ?? [];
    expect(first).toContain(`: ${says}`);
    expect(1 + others.length).toBe(lines);
  });
});

test('an editor completes the fields of modify: each that an event of the catalogue lets hooks modify', async () => {
  const { default: ts } = await import('typescript-5.4');
  const file = join(folder, 'completes.ts');
  const code =
    "import { BeforeToolCall, createHooks, modify } from '@hooks/core';\ncreateHooks().on(BeforeToolCall, () => modify({ }));";
  writeFileSync(file, code);
  const service = ts.createLanguageService({
    getCompilationSettings: () => ({ strict: true, module: ts.ModuleKind.NodeNext, types: [] }),
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) =>
      ts.sys.fileExists(name) ? ts.ScriptSnapshot.fromString(ts.sys.readFile(name) ?? '') : undefined,
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
  });
  const completed = service.getCompletionsAtPosition(file, code.indexOf('{ }') + 2, {})?.entries ?? [];
  const modifiable = Object.values(core).flatMap((value) =>
    typeof value === 'object' && 'spec' in value ? value.spec.modifies : [],
  );
  expect(modifiable.length).toBeGreaterThan(15);
  expect(completed.map(({ name }) => name).toSorted()).toEqual([...new Set(modifiable)].toSorted());
});
