// Calls with options that stand in a sentence: `limits({ perSession: { cost: 5 }, prices })`.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const repository = new URL('../../../', import.meta.url);

interface Call {
  readonly file: string;
  readonly code: string;
}

function callsIn(file: string): readonly Call[] {
  const text = readFileSync(new URL(file, repository), 'utf8').replaceAll(/^```.*?^```$/gms, '');
  return (
    [...text.matchAll(/`([^`]+)`/g)]
      .map(([, code = '']) => ({ file, code: code.replaceAll('\\|', '|') }))
      // "delete" is a method of a store, and a word of the language.
      .filter(({ code }) => /^(?!delete)[\w.]+\(.*\{.*\)$/s.test(code) && !code.includes('…'))
  );
}

/** The modules of the packages that the documentation depends on. */
function modules(): readonly string[] {
  const read = (path: string) => JSON.parse(readFileSync(new URL(path, repository), 'utf8'));
  return Object.keys(read('apps/docs/package.json').dependencies)
    .filter((name) => name.startsWith('@hooks/'))
    .flatMap((name) =>
      Object.entries<object>(read(`packages/${name.slice('@hooks/'.length)}/package.json`).exports ?? {})
        .filter(([, target]) => typeof target === 'object')
        .map(([path]) => name + path.slice(1)),
    );
}

const source = fileURLToPath(new URL('calls-in-text.ts', import.meta.url));
const { config } = ts.readConfigFile(
  fileURLToPath(new URL('../tsconfig.json', import.meta.url)),
  ts.sys.readFile,
);
const { options } = ts.parseJsonConfigFileContent(
  config,
  ts.sys,
  fileURLToPath(new URL('..', import.meta.url)),
);

const parsed = new Map<string, ts.SourceFile | undefined>();

/** Compiles a text as if it were a file beside this one. */
function compile(text: string): ts.Program {
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => path === source || fileExists(path);
  host.getSourceFile = (path, version) => {
    if (path === source) return ts.createSourceFile(path, text, version);
    if (!parsed.has(path)) parsed.set(path, getSourceFile(path, version));
    return parsed.get(path);
  };
  return ts.createProgram([source], options, host);
}

/** The modules that export each name. */
function exportsOf(program: ts.Program): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const checker = program.getTypeChecker();
  for (const statement of program.getSourceFile(source)?.statements ?? []) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const module = checker.getSymbolAtLocation(statement.moduleSpecifier);
    for (const { name, flags } of module ? checker.getExportsOfModule(module) : [])
      if (flags !== ts.SymbolFlags.Interface)
        found.set(name, [...(found.get(name) ?? []), statement.moduleSpecifier.text]);
  }
  return found;
}

/** The names of values in a call, such as `prices`. */
function namesIn(code: string): readonly string[] {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text !== '') names.add(node.text);
    // The name of a property is no name of a value.
    if (ts.isPropertyAccessExpression(node)) visit(node.expression);
    else if (ts.isPropertyAssignment(node)) visit(node.initializer);
    else ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('call.ts', `(${code})`, ts.ScriptTarget.Latest));
  return [...names];
}

test('a call in a sentence compiles: its options exist, and have these values', () => {
  const calls = globSync(['README.md', '{packages,apps/examples}/*/README.md', 'apps/docs/pages/**/*.md'], {
    cwd: repository,
    exclude: (path) => /node_modules|reference\/api/.test(path),
  }).flatMap(callsIn);
  expect(calls.length).toBeGreaterThan(100);

  const imports = modules().map((name) => `import '${name}';`);
  const known = exportsOf(compile(imports.join('\n')));
  const lines = calls.map(({ code }, at) => {
    const parameters = namesIn(code)
      .filter((name) => name !== 'hooks')
      // A name of several adapters is each of them.
      .map((name) => [name, known.get(name)?.map((from) => `typeof import('${from}')['${name}']`)] as const)
      .map(([name, types]) => `${name}: ${types?.join(' & ') ?? 'any'}`);
    return `export const call${at} = (${parameters.join(', ')}) => (${code.replaceAll('\n', ' ')});`;
  });
  const text = ["declare const hooks: import('@hooks/core').Hooks;", ...lines].join('\n');
  const program = compile(text);
  const file = program.getSourceFile(source);
  const problems = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
  const wrong = problems.map(({ start = 0, messageText }) => ({
    ...calls[text.slice(0, start).split('\n').length - 2],
    problem: ts.flattenDiagnosticMessageText(messageText, ' '),
  }));
  expect(wrong).toEqual([]);
}, 300_000);
