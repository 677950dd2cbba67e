import { readFileSync } from 'node:fs';
import { DIALECTS, visible } from '@hooks/config';
import { isHooksError } from '@hooks/core';
import { isStoreError } from '@hooks/store';
import { type Command, CommanderError, Option } from 'commander';
import { STORE_FORMS } from './address.ts';
import { choiceOption, HooksCommand, WrongChoice } from './command.ts';
import {
  answer,
  forgetApproval,
  jsonOrText,
  listApprovals,
  patternIn,
  rememberIn,
} from './commands/approvals.ts';
import { doctor } from './commands/doctor.ts';
import { explain } from './commands/explain.ts';
import { init } from './commands/init.ts';
import { install, uninstall } from './commands/install.ts';
import { list } from './commands/list.ts';
import { migrate } from './commands/migrate.ts';
import { forgetPin, listPins } from './commands/pins.ts';
import { runTests } from './commands/test.ts';
import { trust, untrust } from './commands/trust.ts';
import { validate } from './commands/validate.ts';
import { isSystemError, problemOf, unexpectedProblem } from './problem.ts';
import { type Program, UserError } from './program.ts';

/** Runs one command line. Resolves with the exit code: 0 for success, 1 for a problem, 2 for an invalid command line. */
export async function runCli(args: readonly string[], program: Program): Promise<number> {
  let code = 0;
  const cli = commandTable(program, (result) => {
    code = result;
  });
  try {
    await cli.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof WrongChoice) {
      program.stderr.write(`error: ${error.message}\n`);
      return 2;
    }
    program.stderr.write(`hooks: ${visible(problemFor(error))}\n`);
    return 1;
  }
}

/** The one line for an expected error. The messages of these packages and of this one hold no value of the command line. */
function problemFor(error: unknown): string {
  if (isHooksError(error)) return `${error.message} See ${error.docs}`;
  const isOurs = error instanceof UserError || isStoreError(error) || isJournalError(error);
  return isOurs || isSystemError(error) ? problemOf(error) : unexpectedProblem(error);
}

/** Compares the name, because only some commands load @hooks/journal. */
function isJournalError(error: unknown): error is Error {
  return error instanceof Error && error.name === 'JournalError';
}

const file = 'the file of hooks, or its directory';

const journalPath = 'the journal: a directory, or a file in one. Default: .hooks/journal';
const journalStore = `a store with the journal, instead of a directory: ${STORE_FORMS}`;

const examples = `
Examples:
  $ hooks init && hooks validate && hooks trust
  $ hooks explain event.json
  $ hooks install --for claude-code`;

/** All commands, with their arguments and options. */
export function commandTable(program: Program, done: (code: number) => void): Command {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const cli = new HooksCommand('hooks')
    .version(version, '--version', 'print the version')
    .description('Check, try and run hook files for AI agents.')
    .addHelpText('after', examples)
    .exitOverride()
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => program.stdout.write(text),
      writeErr: (text) => program.stderr.write(text),
    });
  const dialect = (): Option =>
    choiceOption('--dialect <name>', 'read the file in this dialect', Object.keys(DIALECTS));
  const add = (name: string, description: string, example: string): Command =>
    cli.command(name).description(description).addHelpText('after', `\nExample:\n  $ ${example}`);

  add('init [file]', 'write a commented file with a first guard', 'hooks init hooks.yaml').action(
    async (path = 'hooks.yaml') => done(await init(path, program)),
  );
  add('validate', 'check a file; exit code 1 if it is invalid', 'hooks validate hooks.yaml --json')
    .argument('[file]', file, '.')
    .addOption(dialect())
    .option('--json', 'for programs')
    .action(async (path, options) => done(await validate(path, options, program)));
  add('list', 'show the hooks of a file', 'hooks list .claude/settings.json')
    .argument('[file]', file, '.')
    .addOption(dialect())
    .option('--json', 'for programs')
    .action(async (path, options) => done(await list(path, options, program)));
  add(
    'explain <event>',
    'show which hooks an event runs, in which order, and what each decides',
    'hooks explain event.json --file hooks.yaml',
  )
    .option('--file <path>', file, '.')
    .addOption(dialect())
    .option('--json', 'for programs')
    .action(async (event, options) => done(await explain(event, options, program)));
  add(
    'test <cases>',
    'run test cases: events and their expected decisions',
    'hooks test cases.yaml --file hooks.yaml',
  )
    .option('--file <path>', file, '.')
    .addOption(dialect())
    .action(async (cases, options) => done(await runTests(cases, options, program)));
  add(
    'run',
    'run as the hook of a command-line agent: its event on stdin, its answer on stdout and by exit code',
    'hooks run --as claude-code --file hooks.yaml',
  )
    .requiredOption(
      '--as <agent>',
      'claude-code, codex, gemini, copilot, cursor, opencode, docker-agent or ai4j',
    )
    .option('--file <path>', `${file}; may be given several times`)
    .option(
      '--policy <module>',
      'a TypeScript or JavaScript file that exports a provider; may be given several times',
    )
    .option(
      '--limit <seconds>',
      'refuse after this time, which must be shorter than the timeout of the agent. Default: 590; of copilot and cursor: 25',
    )
    .action(() => {
      throw new UserError(
        'run takes its options after the command: hooks run --as claude-code --file hooks.yaml',
      );
    });
  add(
    'doctor',
    'make each hook of each gate fail, and check that the gate stays closed',
    'hooks doctor --tools bash,read',
  )
    .option('--file <path>', file, '.')
    .addOption(dialect())
    .option('--tools <names>', 'names of tools, separated by commas: list those without a hook')
    .option(
      '--drive',
      'run each agent with installed hooks once, against a model on loopback that asks for a command that is refused',
    )
    .action(async (options) => done(await doctor(options, program)));
  add('install', "add hooks run to an agent's settings", 'hooks install --for claude-code --file hooks.yaml')
    .requiredOption('--for <agent>', 'claude-code, codex or gemini')
    .option(
      '--file <path>',
      'the hooks to run, after those that are installed already. Default: those, or hooks.yaml',
    )
    .option('--settings <path>', 'the settings file. Default: the usual one')
    .option('--warm', 'use a worker that keeps the policy loaded (needs sh, and perl or curl)')
    .action(async (options) => done(await install(options, program)));
  add('uninstall', "remove hooks run from an agent's settings", 'hooks uninstall --for claude-code')
    .requiredOption('--for <agent>', 'claude-code, codex or gemini')
    .option('--file <path>', 'only these hooks. Default: all that are installed')
    .option('--settings <path>', 'the settings file. Default: the usual one')
    .action(async (options) => done(await uninstall(options, program)));
  const proxied = add(
    'mcp',
    'run a proxy between an MCP client and a server: hooks decide about tool calls',
    'hooks mcp --policy hooks.yaml -- npx server-files .',
  )
    .argument('[server...]', 'the command that starts the server, after --')
    .option('--policy <path>', 'the hooks: a file, or a module that exports a provider')
    .option(
      '--url <url>',
      'reach the server over HTTP instead of starting it; $NAME comes from the environment',
    )
    .option('--header <line...>', "sent with each request: 'Name: value', with $NAME from the environment")
    .option('--hide <names>', 'hide the tools of these names, a regular expression, and refuse their calls')
    .option('--pin <server>', 'hide tools whose description changes; pins are stored under this name')
    .option(
      '--store <path>',
      `a store for pins, and for calls that "hooks approvals" answers: ${STORE_FORMS}. Default: HOOKS_STORE`,
    )
    .enablePositionalOptions()
    .action(async (server, options) => {
      const { mcp } = await import('./commands/mcp.ts');
      done(await mcp(server, options, program));
    });
  const change = (name: string, description: string): Command =>
    proxied
      .command(`${name} [server]`)
      .description(description)
      .requiredOption('--for <client>', 'claude-code, codex, gemini or vscode')
      .option('--settings <path>', 'the settings file. Default: the usual one')
      .option('--yes', 'apply the change without showing it first');
  change('install', "put hooks mcp before the commands of a client's servers; shows the change first")
    .option('--policy <path>', 'the hooks to run', 'hooks.yaml')
    .action(async (server, options) => {
      const { installMcp } = await import('./commands/mcp-install.ts');
      done(await installMcp(server, options, program));
    });
  change('uninstall', 'remove hooks mcp again').action(async (server, options) => {
    const { uninstallMcp } = await import('./commands/mcp-install.ts');
    done(await uninstallMcp(server, options, program));
  });
  cli
    .command('config')
    .description('work with hook files')
    .command('migrate <file>')
    .description('convert a file of another dialect to ours')
    .addHelpText('after', '\nExample:\n  $ hooks config migrate .claude/settings.json > hooks.yaml')
    .addOption(dialect())
    .action(async (path, options) => done(await migrate(path, options, program)));
  add('trust', 'trust a file with its current content, so that its hooks run', 'hooks trust hooks.yaml')
    .argument('[file]', file, '.')
    .option('--yes', 'trust it without showing it first')
    .action(async (path, options) => done(await trust(path, options, program)));
  add('untrust [path]', 'stop trusting a file or a directory', 'hooks untrust .').action(async (path = '.') =>
    done(await untrust(path, program)),
  );
  const approvals = cli.command('approvals').description('list and answer pending approvals');
  const pins = cli.command('pins').description('list and forget pinned tools');
  const one = (name: string, description: string, example: string, group = approvals): Command =>
    group
      .command(name)
      .description(description)
      .option(
        '--store <path>',
        `the store of the agent: ${STORE_FORMS}. Default: HOOKS_STORE, or .hooks/store.db`,
      )
      .addHelpText('after', `\nExample:\n  $ ${example}`);
  one('list', 'list pending approvals, oldest first', 'hooks approvals list --store .hooks/store.db')
    .option('--remembered', 'list remembered approvals, newest first')
    .option('--json', 'for programs')
    .action(async (options) => done(await listApprovals(options, program)));
  one('allow <id>', 'let a call run', 'hooks approvals allow 3f2a --remember always')
    .addOption(
      choiceOption('--remember <where>', 'allow such calls from now on without approval', [
        'run',
        'session',
        'always',
      ]),
    )
    .option('--for <time>', 'remember it for so long: "30 min", "8 h", "7 d"')
    .option('--times <number>', 'remember it for so many calls')
    .option(
      '--matching <json>',
      'only with arguments like these: {"command":"npm run *","env":["dev","test"]}',
    )
    .action(async (id, { remember, for: time, times, matching, ...options }) => {
      const like = matching === undefined ? {} : { matching: patternIn(matching) };
      const bounds = rememberIn({ remember, for: time, times });
      done(await answer(id, { decision: 'allow', ...bounds, ...like }, options, program));
    });
  one('forget <id>', 'forget a remembered approval', 'hooks approvals forget 8c1d').action(
    async (id, options) => done(await forgetApproval(id, options, program)),
  );
  one('deny <id>', 'refuse a call', 'hooks approvals deny 3f2a --reason "Use the test account."')
    .option('--reason <text>', 'the reason for the model')
    .action(async (id, { reason, ...options }) =>
      done(await answer(id, { decision: 'deny', ...(reason && { reason }) }, options, program)),
    );
  one(
    'answer <id>',
    'give the result of a call in place of its tool, which does not run',
    `hooks approvals answer 3f2a --output '{"price": 12}'`,
  )
    .requiredOption('--output <json>', 'what the model reads as the result: JSON, or a text')
    .action(async (id, { output, ...options }) =>
      done(await answer(id, { decision: 'answer', output: jsonOrText(output) }, options, program)),
    );
  one('list', 'list pinned tools', 'hooks pins list', pins)
    .option('--json', 'for programs')
    .action(async (options) => done(await listPins(options, program)));
  one(
    'forget <tool>',
    'forget a pin, by name or key: the tool is pinned again as it is now',
    'hooks pins forget search',
    pins,
  ).action(async (tool, options) => done(await forgetPin(tool, options, program)));
  add(
    'replay',
    'show what another policy would have decided about the calls of a journal; runs no tool or model',
    'hooks replay --policy new.yaml --since 7d --fail-on loosened',
  )
    .requiredOption('--policy <path>', 'the policy: a file of hooks, or a module that exports a provider')
    .option('--journal <path>', journalPath)
    .option('--store <path>', journalStore)
    .option('--since <time>', 'only records since then: 7d, 12h, 30m, or a date')
    .option('--session <id>', 'only this session')
    .option('--json', 'for programs')
    .option('--assume', 'with --fail-on: let calls pass that were judged with the recorded answer of a hook')
    .option('--live', 'run commands, services and models again instead of using their recorded answers')
    .addOption(
      choiceOption(
        '--fail-on <verdicts...>',
        'exit code 1 if a call is one of these, or only one policy refuses a prompt or a response',
        ['loosened', 'tightened', 'unknown'],
      ),
    )
    .action(async (options) => {
      const { replayJournal } = await import('./commands/replay.ts');
      done(await replayJournal(options, program));
    });
  add(
    'view',
    'open a web page about a journal: runs, decisions, integrity, and pending approvals',
    'hooks view --journal .hooks/journal',
  )
    .option('--journal <path>', journalPath)
    .option(
      '--store <path>',
      `a store with pending approvals, and with the journal unless --journal is given: ${STORE_FORMS}. Default: HOOKS_STORE`,
    )
    .option('--policy <path>', 'compare with this policy: a file, or a module that exports a provider')
    .option('--key <path>', "the public key (PEM) that verifies the journal's checkpoints")
    .option('--port <number>', 'a port on loopback. Default: a free one')
    .action(async (options) => {
      const { view } = await import('./commands/view.ts');
      done(await view(options, program));
    });
  const journal = cli
    .command('journal')
    .description('work with the journal of agent actions and hook decisions');
  const work = (name: string, description: string, example: string): Command =>
    journal
      .command(name)
      .description(description)
      .argument('[path]', journalPath)
      .option('--store <path>', journalStore)
      .addHelpText('after', `\nExample:\n  $ ${example}`);
  work(
    'verify',
    'check that the journal is unchanged and whole; exit code 1 if it is not',
    'hooks journal verify --key journal.pub',
  )
    .addOption(
      severalTimes(
        '--key <path>',
        'a public key (PEM) that signed its checkpoints; give it again for each key',
      ),
    )
    .option(
      '--allow <states>',
      'let these pass: open (a process still writes), unsigned, gap (records were lost)',
    )
    .option('--require <what>', 'closed: every writer has ended; signed: signatures are checked')
    .option('--expect <hash...>', 'checkpoints that you stored elsewhere')
    .option('--json', 'for programs')
    .action(async (path, options) => {
      const { verify } = await import('./commands/journal.ts');
      done(await verify(path, options, program));
    });
  work(
    'export',
    'write the journal to stdout, as JSON lines or as OpenTelemetry logs',
    'hooks journal export --format otlp > logs.jsonl',
  )
    .addOption(
      choiceOption('--format <name>', 'jsonl, or otlp for OpenTelemetry', ['jsonl', 'otlp']).default('jsonl'),
    )
    .option('--since <time>', 'only records since then: 7d, 12h, 30m, or a date')
    .option('--session <id>', 'only this session')
    .action(async (path, options) => {
      const { exportJournal } = await import('./commands/journal.ts');
      done(await exportJournal(path, options, program));
    });
  work(
    'erase',
    'erase the values and texts of a session; the journal still verifies',
    'hooks journal erase --session chat-1',
  )
    .requiredOption('--session <id>', 'the session, with its sub-agents')
    .option('--by <name>', 'who erases it, for the record. Default: USER')
    .option('--why <text>', 'the reason, for the record')
    .option('--key <path>', 'the private key (PEM) of a signed journal, which signs the record')
    .action(async (path, options) => {
      const { erase } = await import('./commands/journal.ts');
      done(await erase(path, options, program));
    });
  work(
    'prune',
    'remove the oldest days of a journal; the rest still verifies',
    'hooks journal prune --before 90d --key journal.key',
  )
    .requiredOption('--before <time>', 'the first day to keep: 90d, or a date')
    .option('--by <name>', 'who removes them, for the record. Default: USER')
    .option('--why <text>', 'the reason, for the record')
    .option('--key <path>', 'the private key (PEM) of a signed journal, which signs the record')
    .action(async (path, options) => {
      const { prune } = await import('./commands/journal.ts');
      done(await prune(path, options, program));
    });
  refuseRepeats(cli);
  return cli;
}

/** Options that may be given several times, with one value each: one with many values would take the path behind it, too. */
const repeatable = new WeakSet<Option>();

function severalTimes(flags: string, description: string): Option {
  const option = new Option(flags, description).argParser((value: string, before: readonly string[] = []) => [
    ...before,
    value,
  ]);
  repeatable.add(option);
  return option;
}

/** Refuses a second value of an option that takes one, which would replace the first without a word. */
function refuseRepeats(command: Command): void {
  for (const option of command.options) {
    if (option.isBoolean() || option.variadic || repeatable.has(option)) continue;
    let isGiven = false;
    command.on(`option:${option.name()}`, () => {
      if (isGiven) command.error(`error: option '${option.flags}' is given twice: give it once`);
      isGiven = true;
    });
  }
  command.commands.forEach(refuseRepeats);
}
