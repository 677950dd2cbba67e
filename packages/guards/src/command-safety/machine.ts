import type {
  AndOr,
  Assignment,
  Command,
  CommandArgument,
  CompoundList,
  HereDoc,
  ParsedScript,
  Pipeline,
  Redirection,
  Statement,
  SyntaxNode,
  While,
  Word,
} from 'unbash';
import { forEachChild, parse } from 'unbash';
import { runBuiltin } from './builtins.ts';
import { writtenFiles } from './effects.ts';
import { embeddedScripts } from './embedded.ts';
import { runFind } from './find.ts';
import { globMatches } from './glob.ts';
import { cronCommands, runInterpreter } from './interpreters.ts';
import type { Invocation, RedirectTo } from './invocation.ts';
import { CONTENT, REMOTE, UNKNOWN, withoutUnset } from './marks.ts';
import { outputOf } from './output.ts';
import { fileKey } from './places.ts';
import { isStartupFile } from './rules/backdoors.ts';
import { forkingFunction, forkingLoop } from './rules/fork-bombs.ts';
import { judge } from './rules/index.ts';
import type { Call, Runner } from './runner.ts';
import { assign, clip, newScope, type Scope, subshell, within } from './scope.ts';
import { type CommandVerdict, type Finding, verdict } from './verdict.ts';
import { expand, expandParts, expandWhole } from './words.ts';
import { unwrap } from './wrappers.ts';
import { runXargs } from './xargs.ts';

/**
 * Goes through a script as a shell would, without running anything: every branch, every loop once, every program
 * handed to the rules with what is known of its arguments and its input. It ends at the first verdict.
 */
export class Machine implements Runner {
  readonly files: Map<string, string> = new Map();
  readonly sockets: Set<string> = new Set();
  verdict: CommandVerdict | undefined;
  /** Texts that were no valid shell, or too much to go through: for the fallback. */
  readonly unread: string[] = [];
  #steps = 0;

  /** Goes through a whole command. */
  start(source: string): void {
    this.script(source, newScope(source), undefined);
  }

  script(text: string, scope: Scope, stdin: string | undefined): string {
    if (this.#exhausted(1 + text.length / 256) || scope.depth >= MAX_DEPTH) {
      this.unread.push(text);
      return UNKNOWN;
    }
    return this.#parsed(parse(text), within(scope, { source: text, depth: scope.depth + 1 }), stdin);
  }

  run(fields: readonly string[], call: Call): string {
    const written = fields[0];
    if (written === undefined || this.verdict || this.#exhausted(1 + fields.length / 16)) return '';
    const args = fields.slice(1);
    const program = meantProgram(written);
    // A variable without a value is no word: `$SUDO rm -rf /`.
    if (program === '') return this.run(args, call);
    const name = nameOf(program);
    const { scope } = call;
    const invocation: Invocation = {
      name,
      program,
      args,
      redirects: call.redirects,
      env: this.#environment(call),
      stdin: call.stdin,
      cwd: scope.shell.cwd,
      loads: scope.loads,
    };

    const alias = scope.aliases.get(program);
    if (alias && !call.wrapped && !scope.calls.includes(program)) {
      return this.script(
        [alias, ...args].join(' '),
        within(scope, { calls: [...scope.calls, program] }),
        call.stdin,
      );
    }
    if (scope.functions.has(program) && !call.wrapped) return this.#callFunction(program, args, call);

    const found = judge(invocation, this);
    if (found) this.report(found, call);
    if (this.verdict) return '';
    for (const [path, text] of writtenFiles(invocation, this.files))
      this.files.set(fileKey(path), clip(text));

    const inner = unwrap(name, args);
    if (inner) {
      const env = new Map([...call.env, ...(inner.env ?? [])]);
      if (inner.shell === undefined) return this.run(inner.fields ?? [], { ...call, env, wrapped: true });
      return this.script(inner.shell, subshell(scope, { depth: scope.depth }), call.stdin);
    }
    if (name === 'xargs') return runXargs(args, call, this);
    if (name === 'find') runFind(invocation, call, this);
    for (const text of embeddedScripts(invocation)) this.script(text, subshell(scope), undefined);
    if (this.verdict) return '';
    if (program === UNKNOWN && args.length > 0) return this.run(args, call);
    if (program === '$0' && scope.forked) this.report(forkingFunction, call);
    return (
      runBuiltin(invocation, call, this) ??
      runInterpreter(invocation, call, this) ??
      clip(outputOf(invocation, this.files))
    );
  }

  report(found: Finding, call: Call): void {
    this.verdict ??= verdict(found, call.part);
  }

  #exhausted(cost: number): boolean {
    this.#steps += cost;
    return this.#steps > MAX_STEPS;
  }

  #parsed(script: ParsedScript, scope: Scope, stdin: string | undefined): string {
    if (script.errors?.length) this.unread.push(scope.source.slice(script.pos, script.end) || scope.source);
    const inner = script.source === undefined ? scope : within(scope, { source: script.source });
    return this.#statements(script.commands, inner, stdin);
  }

  #statements(statements: readonly Statement[], scope: Scope, stdin: string | undefined): string {
    let output = '';
    for (const statement of statements) {
      if (this.verdict) break;
      const inner = statement.background ? subshell(scope, { forked: true }) : scope;
      output += this.#node(statement.command, inner, stdin);
      if (this.#exhausted(0)) {
        this.unread.push(scope.source.slice(statement.end));
        break;
      }
    }
    return clip(output);
  }

  #list(list: CompoundList, scope: Scope, stdin: string | undefined): string {
    return this.#statements(list.commands, scope, stdin);
  }

  #node(node: SyntaxNode, scope: Scope, stdin: string | undefined): string {
    if (this.verdict) return '';
    switch (node.type) {
      case 'Command':
        return this.#command(node, scope, stdin);
      case 'Pipeline':
        return this.#pipeline(node, scope, stdin);
      case 'AndOr':
        return this.#andOr(node, scope, stdin);
      case 'Redirected': {
        const redirects = this.#redirects(node.redirects, scope);
        const part = scope.source.slice(node.pos, node.end);
        const call: Call = { scope, env: new Map(), redirects, stdin, part };
        const found = judge(bare(redirects, scope), this);
        if (found) this.report(found, call);
        return this.#written(
          redirects,
          this.#node(node.command, scope, this.#stdin(node.redirects, scope) ?? stdin),
          scope,
        );
      }
      case 'Subshell':
        return this.#list(node.body, subshell(scope), stdin);
      case 'BraceGroup':
        return this.#list(node.body, scope, stdin);
      case 'CompoundList':
        return this.#list(node, scope, stdin);
      case 'If': {
        const maybe = conditional(scope);
        this.#list(node.clause, scope, stdin);
        let output = this.#list(node.then, maybe, stdin);
        for (const branch of node.elif) {
          this.#list(branch.clause, maybe, stdin);
          output += this.#list(branch.then, maybe, stdin);
        }
        return clip(output + (node.else ? this.#list(node.else, maybe, stdin) : ''));
      }
      case 'While':
        return this.#while(node, scope, stdin);
      case 'For':
      case 'Select':
        assign(scope, node.name.value, this.#fields(node.wordlist ?? [], scope));
        return this.#list(node.body, conditional(scope), stdin);
      case 'ArithmeticFor':
        if (!node.test && spawnsOnly(node.body, scope.source)) this.#forkingLoop(node, scope);
        return this.#list(node.body, conditional(scope), stdin);
      case 'Case': {
        this.#hidden(node.word, scope);
        return node.items.map((item) => this.#list(item.body, conditional(scope), stdin)).join('');
      }
      case 'Function': {
        const name = node.name.value;
        scope.functions.set(name, { node, source: scope.source });
        this.#node(
          node.body,
          subshell(scope, {
            calls: [...scope.calls, node],
            forked: false,
            conditional: true,
            shell: unknownArguments(scope, name),
          }),
          stdin,
        );
        return '';
      }
      case 'Coproc':
        return this.#node(node.body, subshell(scope, { forked: true }), stdin);
      default:
        this.#hidden(node, scope);
        return '';
    }
  }

  #andOr(node: AndOr, scope: Scope, stdin: string | undefined): string {
    let output = '';
    for (const [i, command] of node.commands.entries()) {
      const inner = node.operators[i - 1] === '||' ? conditional(scope) : scope;
      output += this.#node(command, inner, stdin);
    }
    return clip(output);
  }

  #pipeline(node: Pipeline, scope: Scope, stdin: string | undefined): string {
    const piped = node.commands.length > 1;
    let flowing = stdin;
    for (const command of node.commands) {
      flowing = this.#node(command, piped ? subshell(scope, { forked: true }) : scope, flowing);
    }
    return flowing ?? '';
  }

  #while(node: While, scope: Scope, stdin: string | undefined): string {
    const maybe = conditional(scope);
    this.#list(node.clause, maybe, stdin);
    if (isEndless(node, scope.source) && spawnsOnly(node.body, scope.source)) {
      this.#forkingLoop(node, scope);
    }
    return this.#list(node.body, maybe, stdin);
  }

  #forkingLoop(node: SyntaxNode, scope: Scope): void {
    const part = scope.source.slice(node.pos, node.end);
    this.report(forkingLoop, { scope, env: new Map(), redirects: [], stdin: undefined, part });
  }

  /** Scripts inside what is no command itself: tests, arithmetic, patterns. */
  #hidden(node: SyntaxNode, scope: Scope): void {
    if (node.type === 'Word') {
      if (node.parts) expandWhole(node, scope, this.#substitute);
      return;
    }
    if (node.type === 'Script') this.#substitute(node, scope);
    else forEachChild(node, (child) => this.#hidden(child, scope));
  }

  readonly #substitute = (script: ParsedScript, scope: Scope): string =>
    this.verdict ? UNKNOWN : this.#parsed(script, subshell(scope, { forked: false }), undefined);

  #command(node: Command, scope: Scope, stdin: string | undefined): string {
    const part = (): string => scope.source.slice(node.pos, node.end);
    const env = new Map<string, string>();
    for (const item of node.prefix) {
      if (item.type !== 'Assignment') continue;
      if (node.name) env.set(item.name, this.#values(item, scope).join(' '));
      else assign(scope, item.name, this.#values(item, scope), item.append);
    }
    const redirects = node.redirects.length > 0 ? this.#redirects(node.redirects, scope) : [];
    const input = (node.redirects.length > 0 ? this.#stdin(node.redirects, scope) : undefined) ?? stdin;
    if (this.verdict) return '';
    if (!node.name) {
      const call: Call = { scope, env, redirects, stdin: input, part: part() };
      const found = redirects.length > 0 ? judge(bare(redirects, scope), this) : undefined;
      if (found) this.report(found, call);
      // `$(< file)` prints the file, and `> file` empties it.
      return this.#written(
        redirects,
        redirects.some(({ operator }) => operator === '<') ? (input ?? '') : '',
        scope,
      );
    }
    const loads = DECLARING.test(node.name.value);
    const inner = loads ? within(scope, { loads }) : scope;
    const fields = this.#fields([node.name, ...node.args], inner);
    if (this.verdict) return '';
    const output = this.run(fields, { scope, env, redirects, stdin: input, part: part() });
    return redirects.length > 0 ? this.#written(redirects, output, scope) : output;
  }

  #fields(words: readonly CommandArgument[], scope: Scope): string[] {
    const fields: string[] = [];
    for (const word of words) {
      if (word.type === 'Word') for (const field of expand(word, scope, this.#substitute)) fields.push(field);
      else fields.push(`${word.name}=${this.#values(word, scope).join(' ')}`);
    }
    this.#exhausted(fields.length / 16);
    return fields;
  }

  #values(assignment: Assignment, scope: Scope): readonly string[] {
    const { value } = assignment;
    if (value.type === 'ArrayValue') return this.#fields(value.elements, scope);
    return this.#wordValues(value, scope);
  }

  /** An assignment does not split: one value, or each of a loop variable's. */
  #wordValues(word: Word, scope: Scope): readonly string[] {
    return [clip(expandWhole(word, scope, this.#substitute))];
  }

  #redirects(redirects: readonly Redirection[], scope: Scope): RedirectTo[] {
    return redirects.flatMap((redirect) => {
      if (redirect.type !== 'Redirect' || !redirect.target) return [];
      const target = expandWhole(redirect.target, scope, this.#substitute);
      const descriptor =
        redirect.descriptor?.type === 'FileDescriptor' ? String(redirect.descriptor.value) : '';
      if (/^\/dev\/(?:tcp|udp)\//.test(target) && descriptor !== '') this.sockets.add(descriptor);
      return [{ operator: redirect.operator, target }];
    });
  }

  #stdin(redirects: readonly Redirection[], scope: Scope): string | undefined {
    const last = redirects.findLast(
      (redirect) =>
        redirect.type !== 'Redirect' ||
        (['<', '<>', '<&'].includes(redirect.operator) &&
          (redirect.descriptor === undefined || fd(redirect) === 0)),
    );
    if (!last) return undefined;
    if (last.type === 'HereDoc') return this.#hereDocument(last, scope);
    if (!last.target) return UNKNOWN;
    const text = expandWhole(last.target, scope, this.#substitute);
    if (last.type === 'HereString') return `${text}\n`;
    if (text.startsWith(CONTENT)) return text.slice(1);
    if (/^\/dev\/(?:tcp|udp)\//.test(text) || (last.operator === '<&' && this.sockets.has(text)))
      return REMOTE;
    return this.files.get(fileKey(text)) ?? UNKNOWN;
  }

  #hereDocument(node: HereDoc, scope: Scope): string {
    return node.body.parts ? expandParts(node.body.parts, scope, this.#substitute) : node.body.text;
  }

  /** What is redirected to a file is in that file, and no longer on the way to the next program. */
  #written(redirects: readonly RedirectTo[], output: string, scope: Scope): string {
    const to = redirects.filter(({ operator }) => ['>', '>>', '>|', '&>', '&>>'].includes(operator));
    for (const { operator, target } of to) {
      const before = operator.endsWith('>>') ? (this.files.get(fileKey(target)) ?? '') : '';
      if (isStartupFile(target)) this.script(cronCommands(output), subshell(scope), undefined);
      if (!target.startsWith('/dev/')) this.files.set(fileKey(target), clip(before + output));
    }
    return to.length > 0 ? '' : output;
  }

  #callFunction(name: string, args: readonly string[], call: Call): string {
    const { scope } = call;
    const defined = scope.functions.get(name);
    if (!defined) return UNKNOWN;
    if (scope.calls.includes(defined.node)) {
      if (scope.forked) this.report(forkingFunction, call);
      return UNKNOWN;
    }
    const inner = within(scope, {
      calls: [...scope.calls, defined.node],
      source: defined.source,
      shell: { cwd: scope.shell.cwd, positional: [name, ...args] },
    });
    return this.#node(defined.node.body, inner, call.stdin);
  }

  #environment(call: Call): ReadonlyMap<string, string> {
    const { exported, variables } = call.scope;
    if (exported.size === 0) return call.env;
    const all = new Map<string, string>();
    for (const name of exported) all.set(name, variables.get(name)?.at(-1) ?? '');
    for (const [name, value] of call.env) all.set(name, value);
    return all;
  }
}

const MAX_DEPTH = 24;
const MAX_STEPS = 20_000;
const DECLARING = /^(?:export|declare|typeset|readonly|local|env)$/;

function bare(redirects: readonly RedirectTo[], scope: Scope): Invocation {
  return {
    name: '',
    program: '',
    args: [],
    redirects,
    env: new Map(),
    stdin: undefined,
    cwd: scope.shell.cwd,
    loads: scope.loads,
  };
}

function conditional(scope: Scope): Scope {
  return scope.conditional ? scope : within(scope, { conditional: true });
}

/** While a function is only defined, nobody knows what it will be called with. */
function unknownArguments(scope: Scope, name: string): Scope['shell'] {
  return { cwd: scope.shell.cwd, positional: [name, ...Array.from({ length: 9 }, () => UNKNOWN)] };
}

/** A pattern as a program's name (`/bin/r?`) finds a program; a variable that was never set adds nothing. */
function meantProgram(written: string): string {
  const program = withoutUnset(written);
  if (!/[*?[]/.test(program) || !program.includes('/')) return program;
  const name = program.slice(program.lastIndexOf('/') + 1);
  return FOUND_BY_PATTERN.find((candidate) => globMatches(name, candidate)) ?? program;
}

const FOUND_BY_PATTERN = [
  'rm',
  'dd',
  'cat',
  'chmod',
  'chown',
  'mv',
  'nc',
  'bash',
  'sh',
  'curl',
  'wget',
  'mkfs',
  'tee',
];

function nameOf(program: string): string {
  const base = program.slice(Math.max(program.lastIndexOf('/'), program.lastIndexOf('\\')) + 1).toLowerCase();
  return base.endsWith('.exe') ? base.slice(0, -4) : base;
}

function fd(redirect: Redirection): number | undefined {
  return redirect.descriptor?.type === 'FileDescriptor' ? redirect.descriptor.value : undefined;
}

function isEndless(node: While, source: string): boolean {
  const clause = source
    .slice(node.clause.pos, node.clause.end)
    .replace(/[\s;]+/g, ' ')
    .trim();
  return node.kind === 'while'
    ? /^(?:true|:|\[ 1 \]|\(\( ?1 ?\)\)|\[\[ 1 \]\]|test 1|sleep 0)$/.test(clause)
    : clause === 'false';
}

/** Something in the background, and nothing that would hold the loop back. */
function spawnsOnly(body: CompoundList, source: string): boolean {
  const text = source.slice(body.pos, body.end);
  const spawns = body.commands.some(
    ({ background, command }) => background || /&\s*\)$/.test(source.slice(command.pos, command.end)),
  );
  const foreground = body.commands
    .filter(({ background, command }) => !background && command.type !== 'Subshell')
    .map(({ command }) => source.slice(command.pos, command.end));
  return (
    spawns &&
    !/\b(?:wait|break|exit|return)\b/.test(text) &&
    !foreground.some((line) => /\b(?:sleep|read|inotifywait|curl|select)\b/.test(line))
  );
}
