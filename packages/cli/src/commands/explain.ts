import {
  type Builtin,
  DIALECTS,
  type Explained,
  type LoadedHooks,
  loadHooks,
  readStdin,
  unrecorded,
  visible,
} from '@hooks/config';
import { createHooks, type EventPayload, type HookDecision } from '@hooks/core';
import { existing, HOOK_FILE } from '../paths.ts';
import { type Program, UserError } from '../program.ts';
import { readYaml } from '../read-yaml.ts';
import { table } from '../table.ts';
import type { ReadOptions } from './validate.ts';

/** Options of the commands that run hooks. */
export interface AskOptions extends ReadOptions {
  readonly file: string;
}

/** Shows which hooks an event runs, in which order, and what each answers. The hooks really run; no tool does. */
export async function explain(path: string, options: AskOptions, program: Program): Promise<number> {
  using loaded = await loadFor(options, program);
  const event = eventOf(
    await readYaml('<event>', path, 'a JSON or YAML file with an event', program),
    loaded,
  );
  const explained = await loaded.explain(event);
  const rows = explained.map((one) => ({
    ...describe(one),
    hook: one.entry.label,
    type: one.entry.handler.type,
  }));
  if (options.json) program.stdout.write(`${JSON.stringify(rows, undefined, 2)}\n`);
  else if (rows.length === 0) program.stdout.write('no hook runs for this event\n');
  else
    program.stdout.write(
      table(
        ['', 'hook', 'type', 'says', 'why'],
        rows.map((row, i) => [`${i + 1}`, row.hook, row.type, row.says, row.why]),
      ) + rows.map(({ hook, printed }) => said(hook, printed)).join(''),
    );
  return 0;
}

/** Loads the hooks that a command runs. Rejects a file that is not trusted. */
export function loadFor(
  { file, dialect }: AskOptions,
  program: Program,
  builtins: Readonly<Record<string, Builtin>> = unrecorded,
): Promise<LoadedHooks> {
  return loadHooks(existing('--file', file, program, HOOK_FILE), {
    cwd: program.cwd(),
    env: program.env,
    builtins,
    onWarning: (message) => program.stderr.write(`note: ${visible(message)}\n`),
    ...(dialect && { dialect }),
  });
}

/** Reads an event that a person wrote: a hook's stdin, in the file's dialect or in ours. */
export function eventOf(
  json: unknown,
  { dialect, principal }: Pick<LoadedHooks, 'dialect' | 'principal'>,
): EventPayload & { type: Explained['entry']['event'] } {
  const name =
    typeof json === 'object' && json !== null && 'hook_event_name' in json
      ? String(json.hook_event_name)
      : '';
  const words = Object.hasOwn(DIALECTS.hooks.events, name) ? 'hooks' : dialect;
  try {
    const { event } = readStdin(DIALECTS[words], json);
    const session = createHooks().session(event.sessionId, { principal });
    const tool =
      'toolName' in event.fields ? { callId: 'call', nativeToolName: event.fields['toolName'] } : {};
    return { ...tool, ...event.fields, type: event.type, session };
  } catch (error) {
    throw new UserError(`not an event: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A decision in a word, with its reason. */
export function describeDecision(decision: HookDecision): { says: string; why: string } {
  switch (decision.kind) {
    case 'proceed':
      return { says: 'proceed', why: decision.note ?? '' };
    case 'block':
      return { says: decision.stop ? 'block, and stop' : 'block', why: decision.reason };
    case 'retry':
      return { says: 'retry', why: decision.reason };
    case 'modify': {
      const { approval } = decision.patch as { approval?: { kind: string; reason: string } };
      if (approval?.kind === 'required') return { says: 'ask', why: approval.reason };
      return {
        says: `modify ${Object.keys(decision.patch).join(', ')}`,
        why: JSON.stringify(decision.patch),
      };
    }
    default:
      return decision satisfies never;
  }
}

function describe({ says }: Explained): { says: string; why: string; printed?: string } {
  if ('kind' in says) return describeDecision(says);
  return {
    says: says.closes ? 'failed, and blocks' : 'failed, and is passed over',
    why: says.failed,
    ...(says.detail && { printed: says.detail }),
  };
}

/** The output of a failed hook, for its author. */
function said(hook: string, printed: string | undefined): string {
  if (printed === undefined) return '';
  const lines = printed.split('\n').map((line) => `  ${visible(line)}\n`);
  return `\n${visible(hook)} printed:\n${lines.join('')}`;
}
