import { describe, expect, test } from 'vitest';
import { AGENTS } from '../src/agents/all.ts';
import type { Carried, Carries, Moment } from '../src/agents/carries.ts';
import { hooksRun, isInstalled, placeFor, type Ran, type Turn } from './drive.ts';
import { AGENT_NAMES, type AgentName } from './packages.ts';

/*
 * Makes each decision of `policies/decides.ts` in the real agent, and checks that the effect is the one in the agent's
 * table, which SUPPORT.md shows. Approvals are in `claude-code.test.ts`.
 */

type Row = Readonly<Record<string, Carried>>;

describe.each(AGENT_NAMES)('%s', (name) => {
  const expected = tableOf(name);
  const decided = (...moments: string[]) => {
    const place = placeFor(name, secrets(expected));
    place.register(hooksRun(name, './policies/decides.ts'), moments);
    return place;
  };
  const real = test.skipIf(!isInstalled(name));

  real.concurrent('the start, the prompt and the end have the effect in the table', async () => {
    const ran = await decided('start', 'prompt', 'stop').run([{ text: 'One.' }]);
    expect({
      start: read(ran, 'context of the start'),
      prompt: read(ran, 'context of the prompt'),
      stop: ran.turns === 2 ? read(ran, 'REASON retry-of-stop') : 'left out',
    }).toEqual({
      start: expected['start']?.['modify.context'],
      prompt: expected['prompt']?.['modify.context'],
      stop: expected['stop']?.['retry'],
    });
  });

  // Copilot does not tell a hook of `agentStop` what the model answered, which the policy goes by.
  const answered = test.skipIf(!isInstalled(name) || name === 'copilot');
  answered.concurrent('a block of a stop ends the run, as in every framework', async () => {
    const ran = await decided('stop').run([{ text: 'This is block-of-stop.' }]);
    expect(ran.turns).toBe(1);
    expect(expected['stop']?.['block']).toBe('yes');
  });

  const tools = ['call', 'result', 'failed result'].filter((moment) => expected[moment] !== undefined);
  real.concurrent.each(tools)('each decision on a %s has the effect in the table', async (moment) => {
    const row = without(expected[moment] ?? {}, 'block, stop');
    const keys = Object.keys(row).map((decision) => [decision, keyOf(decision, moment)] as const);
    const ran = await decided(moment).run(keys.map(([, key]) => turnOf(name, moment, key)));
    const found = keys.map(([decision, key], index): [string, Carried] => {
      const result = ran.results[index] ?? '';
      return [
        decision,
        moment === 'call' ? onCall(ran, result, decision, key) : onResult(ran, result, decision, key),
      ];
    });
    expect(Object.fromEntries(found)).toEqual(row);
  });

  const moments = Object.keys(expected).filter((moment) => expected[moment]?.['block, stop'] !== undefined);
  real.concurrent.each(moments)(
    'a block of a %s that ends the run has the effect in the table',
    async (moment) => {
      const key = keyOf('block, stop', moment);
      const place = decided(moment);
      const ran =
        moment === 'prompt'
          ? await place.run([], { prompt: key })
          : await place.run([turnOf(name, moment, key)]);
      expect(await onStop(ran, moment, key)).toBe(expected[moment]?.['block, stop']);
    },
  );

  real.concurrent.each(['block', 'modify.prompt'])(
    '%s of a prompt has the effect in the table',
    async (decision) => {
      const ran = await decided('prompt').run([], { prompt: keyOf(decision, 'prompt') });
      const closed = decision === 'block' ? 'yes' : 'refused';
      const isReplaced = ran.modelRead('ANOTHER prompt') && !ran.modelRead(keyOf(decision, 'prompt'));
      const open = isReplaced ? 'yes' : 'left out';
      expect(ran.turns === 0 ? closed : open).toBe(expected['prompt']?.[decision]);
    },
  );
});

/** The part of the table about moments that a run without people has. */
function tableOf(name: AgentName): Readonly<Record<string, Row>> {
  const carries: Carries | undefined = AGENTS[name]?.carries;
  const moments: readonly Moment[] = ['call', 'result', 'failed result', 'prompt', 'start', 'stop'];
  const rows = moments.flatMap((moment): [string, Row][] =>
    carries?.[moment] ? [[moment, carries[moment]]] : [],
  );
  return Object.fromEntries(rows.map(([moment, row]) => [moment, moment === 'call' ? unattended(row) : row]));
}

/** The expected effects without people: a required approval refuses the call, and a grant changes nothing. */
function unattended(row: Row): Row {
  return without({ ...row, 'require approval': 'refused' }, 'grant approval');
}

function onCall(ran: Ran, result: string, decision: string, key: string): Carried {
  if (decision === 'modify.context') return read(ran, 'context of the call');
  if (ran.exists(`ran_${key}`)) return 'left out';
  if (decision === 'modify.input') return ran.exists('ran-rewritten') ? 'yes' : 'refused';
  const said = result.includes(`REASON ${key}`) || result.includes('cannot carry out');
  if (!said) return 'no';
  return decision === 'block' ? 'yes' : 'refused';
}

function onResult(ran: Ran, result: string, decision: string, key: string): Carried {
  if (decision === 'modify.context') return read(ran, `context of ${key}`);
  const leaks = leaked(result, key);
  if (decision === 'retry') return leaks ? 'left out' : 'refused';
  if (leaks) return 'no';
  return ran.modelRead(decision === 'block' ? `REASON ${key}` : `REPLACED ${key}`) ? 'yes' : 'refused';
}

function onStop(ran: Ran, moment: string, key: string): Carried {
  if (ran.exists(`ran_${key}`) || ran.results.some((result) => leaked(result, key))) return 'no';
  if (ran.turns === (moment === 'prompt' ? 0 : 1)) return 'yes';
  return ran.modelRead(`REASON ${key} (a hook ended the run here`) ? 'in part' : 'no';
}

/** Whether the model reads the tool's output: the secret that it prints, or that a file does not exist. */
function leaked(result: string, key: string): boolean {
  return result.includes(`SECRET ${key}`) || /File not found|does not exist/.test(result);
}

function read(ran: Ran, text: string): Carried {
  return ran.modelRead(text) ? 'yes' : 'left out';
}

function turnOf(name: AgentName, moment: string, key: string): Turn {
  if (moment === 'call') return { shell: `touch ran_${key}` };
  if (moment === 'result') return { shell: `cat secret_${key}` };
  // To Gemini CLI and Copilot, a call with a failed command has not failed.
  if (name === 'gemini') return { calls: [{ name: 'read_file', input: { file_path: `missing_${key}` } }] };
  if (name === 'copilot') return { calls: [{ name: 'view', input: { path: `missing_${key}` } }] };
  return { shell: `cat secret_${key}; exit 3` };
}

/** The name of a decision in `policies/decides.ts`. */
function keyOf(decision: string, moment: string): string {
  const words = decision.replace('modify.', '').replaceAll(/[, ]+/g, '-');
  return `${words}-of-${moment.replace(' result', '')}`;
}

function secrets(table: Readonly<Record<string, Row>>): Record<string, string> {
  const keys = Object.entries(table).flatMap(([moment, row]) =>
    Object.keys(row).map((decision) => keyOf(decision, moment)),
  );
  return Object.fromEntries(keys.map((key) => [`secret_${key}`, `SECRET ${key}`]));
}

function without(row: Row, decision: string): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== decision));
}
