import type { AdapterHarness, HarnessAgent, RunResult } from './harness.ts';

/** A harness whose inputs are watched. */
export interface WatchedHarness {
  readonly harness: AdapterHarness;
  /** The inputs that the harness never read, one text for each thing that was made or done with them. */
  readonly ignored: () => readonly string[];
}

/**
 * Watches which of its inputs a harness reads: of agents with their tools and options, runs, answers and bare calls. A
 * rule about an input that the harness drops would hold whatever the adapter does. Spreading an object reads all of it.
 */
export function watchHarness(harness: AdapterHarness): WatchedHarness {
  const used: { readonly what: string; readonly unread: () => readonly string[]; may: RegExp[] }[] = [];
  const use = (what: string, { unread }: Watched<unknown>, ...may: RegExp[]): void =>
    void used.push({ what, unread, may });
  const isOver = ({ result, error }: RunResult): boolean =>
    error !== undefined || harness.blockReason(result) !== undefined;

  const agent: AdapterHarness['agent'] = async (spec) => {
    const made = watch(spec);
    const { run, resume, ...others } = await harness.agent(made.copy);
    let ran = false;
    const noteAgent = (): void => {
      if (!ran) use('an agent', made, READ_LATE);
      ran = true;
    };
    const both: Pick<HarnessAgent, 'run' | 'resume'> = {
      async run(prompt, options) {
        noteAgent();
        const all = watch(options);
        const result = await run(prompt, all.copy);
        use('a run', all, ...mayIgnore(isOver(result)), ...(harness.streams === false ? [STREAM] : []));
        return result;
      },
      async resume(answers, options) {
        noteAgent();
        const each = answers.map((answer) => watch(answer));
        const all = watch(options);
        const result = await resume(
          each.map(({ copy }) => copy),
          all.copy,
        );
        const over = isOver(result);
        use('a resumed run', all, ...mayIgnore(over), ...(harness.keepsContext ? [USER] : []));
        if (!over) for (const one of each) use('an answer', one);
        return result;
      },
    };
    return { ...others, ...both };
  };
  const callTool: AdapterHarness['callTool'] = async (tool, input, spec) => {
    const [made, called] = [watch(tool), watch(spec)];
    const result = await harness.callTool(made.copy, input, called.copy);
    use('a bare tool', made);
    use('a bare call', called);
    return result;
  };
  const ignored = (): readonly string[] => {
    const all = used.flatMap(({ what, unread, may }) => {
      const names = unread().filter((name) => !may.some((pattern) => pattern.test(name)));
      return names.length > 0 ? [`${names.join(', ')} of ${what}`] : [];
    });
    return [...new Set(all)];
  };
  return { harness: { ...harness, agent, callTool }, ignored };
}

/** What a framework reads only when it calls the model, and what some protocols lack. No rule is about these. */
const READ_LATE = /^(name|instructions|modelUrl|mcpServers\.\d+\.name)$/;
const STREAM = /^stream$/;
const USER = /^user$/;

/** What a harness may leave unread of a run: a refused run reads no more, and some protocols do not repeat a call's name. */
function mayIgnore(over: boolean): RegExp[] {
  return over ? [STREAM, /^(history|behind)\./] : [/^(history|behind)\.\d+\.(callId|toolName)$/];
}

/** Inputs that consist of inputs. The others are values, which a harness hands on. */
const NESTED: ReadonlySet<string> = new Set([
  ...['tools', 'frameworkTool', 'subagents', 'handoffs', 'mcpServers', 'toolChoice'],
  ...['attach', 'attachEach', 'history', 'behind'],
]);

/** A copy of an input that notes which of its fields are read. */
interface Watched<T> {
  readonly copy: T;
  /** The fields that are set, and were not read. */
  readonly unread: () => readonly string[];
}

function watch<T extends object>(source: T): Watched<T> {
  const isList = Array.isArray(source);
  const read = new Map<string, Watched<unknown>>();
  const copy = isList ? [] : {};
  for (const name of Object.keys(source)) {
    const get = (): unknown => {
      const known = read.get(name) ?? fieldOf(Reflect.get(source, name), isList || NESTED.has(name));
      read.set(name, known);
      return known.copy;
    };
    Object.defineProperty(copy, name, { get, enumerable: true, configurable: true });
  }
  const unread = (): readonly string[] =>
    Object.entries(source).flatMap(([name, value]) => {
      if (name === 'attach' && 'attachEach' in source) return [];
      const inner = read
        .get(name)
        ?.unread()
        .map((field) => `${name}.${field}`);
      return inner ?? (isEmpty(value) ? [] : [name]);
    });
  return { copy: copy as T, unread };
}

function fieldOf(value: unknown, isInput: boolean): Watched<unknown> {
  return isInput && isPlain(value) ? watch(value) : { copy: value, unread: () => [] };
}

/** Whether a harness may leave a value unread, because it sets nothing. */
function isEmpty(value: unknown): boolean {
  return value === undefined || (isPlain(value) && Object.keys(value).length === 0);
}

function isPlain(value: unknown): value is object {
  return Object.getPrototypeOf(Object(value)) === Object.prototype || Array.isArray(value);
}
