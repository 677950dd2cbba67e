/** The documents that the project was created from. */
type Seed = 'agent-hooks' | 'ai4j' | 'docker-agent' | 'openclaw-veto' | 'openclaw-interceptors';

/**
 * A row of the table: what a document promises, and the file and title of the test that shows it. Where we do otherwise on
 * purpose, the page of the documentation and its words. `open`: neither, and why.
 */
export type Row = readonly [item: string, place: string, words: string];

const flow = 'core/test/tool-call.test.ts';
const fold = 'core/test/fold.test.ts';
const registration = 'core/test/registration.test.ts';
const context = 'guards/test/context.test.ts';
const snapshot = 'guards/test/snapshot.test.ts';
const seed = 'config/test/docker-agent-seed.test.ts';
const output = 'config/test/docker-agent-output.test.ts';
const catalogue = 'config/test/docker-agent-catalogue.test.ts';
const permissions = 'config/test/docker-agent-permissions.test.ts';
const model = 'config/test/model.test.ts';
const ai4j = 'config/test/ai4j-seed.test.ts';
const agents = 'config/test/agents/seeds.test.ts';
const veto = 'core/test/seed-openclaw-veto.test.ts';
const claw = 'core/test/seed-openclaw-interceptors.test.ts';
const guard = 'guards/test/openclaw-seed.test.ts';
const names = 'config/test/tool-names.test.ts';
const stdin = 'config/test/stdin.test.ts';
const everyStdin = 'the stdin of every event matches the snapshot, in %s';

const toDocker = 'guides/from-docker-agent.md';
const toAi4j = 'guides/from-ai4j.md';
const toClaw = 'guides/from-openclaw.md';

/** All items, by document. */
export const SEEDS: Readonly<Record<Seed, readonly Row[]>> = {
  'agent-hooks': [
    ['a block is final', fold, 'Block ends the chain at once, and no later hook can lift it'],
    ['every call with its time', veto, '4. after_tool_call receives result/error/durationMs'],
    [
      'changed input for the next hook',
      fold,
      'the next hook sees the values that the one before put in place',
    ],
    ['four decisions, sealed', 'core/test/types.test-d.ts', 'a switch over kind is exhaustive'],
    [
      'two points around a call',
      flow,
      'goes through Before, execute, Transform, After, and into the history',
    ],
    [
      'a retry after the call only',
      'core/test/catalogue.test.ts',
      'honours the decisions that it permits; any other is a failure of the hook',
    ],
    ['a retry runs the tool again', flow, 'runs again from execute; Before and guards are not asked again'],
    ['a core without dependencies', 'core/test/architecture.test.ts', 'has no dependency'],
    [
      'events of other packages',
      'core/test/custom-events.test.ts',
      'are dispatched, obeyed and observed like core’s own',
    ],
    [
      'start and end of a session',
      'core/test/sessions.test.ts',
      'fires SessionEnd once, also where its hook closes the session',
    ],
    ['groups of events', fold, 'of a group see every event that extends it'],
    ['providers', registration, 'scopes the ids of its hooks, and is ended as a whole'],
    ['an adapter around tools', 'conformance/src/scenarios/bare-tools.ts', "name: 'a bare tool'"],
    ['traces in a journal', 'journal/test/write.test.ts', 'a journal in %s holds a call as hooks left it'],
  ],
  'openclaw-veto': [
    ['what a hook before a call gets', veto, '1. before_tool_call receives correct payload'],
    ['a veto', veto, '2. Veto blocks tool execution'],
    ['its reason', veto, '3. Blocked call includes blockReason'],
    ['result, error and time after it', veto, '4. after_tool_call receives result/error/durationMs'],
    ['the session of a call', veto, '5. sessionKey present in context'],
    ['other arguments', veto, '6. Parameter modification works'],
    ['no hook, no change', veto, '7. No-hooks bypass works'],
    ['a tool that throws', veto, '9. Error case handling'],
    ['after a refused call', flow, 'that is blocked fires After too, with what would have run'],
    ['the id of the agent', 'core/test/agent-run.test.ts', 'says in each event where it happened'],
    ['a refusal as an error', toClaw, 'The model reads the reason of a refusal as plain text.'],
    [
      'a hook that throws lets the tool run',
      toClaw,
      '**A failed interceptor blocks.** In OpenClaw the tool runs.',
    ],
  ],
  'openclaw-interceptors': [
    [
      'tags of a message, and parameters by them',
      claw,
      'message.before classifies, params.before reads the tags and sets the thinking level',
    ],
    [
      'another message',
      'core/test/agent-run.test.ts',
      'gives a BeforeRun hook its final text and what its hooks tagged',
    ],
    [
      'provider and model of a message',
      'openai-agents/test/named-model.test.ts',
      'the first event of a run names the model that an agent has by %s',
    ],
    [
      'a model that does not tell its name',
      'limits/openai-agents.md',
      'A model object of the Chat Completions API does not tell its name',
    ],
    ['another model', toClaw, '`model` can be changed, too'],
    [
      'level of thinking, off',
      'langchain/test/settings.test.ts',
      '%j reach the model as the reasoning effort %s',
    ],
    [
      'level of thinking, by a model of another name',
      'langchain/test/settings.test.ts',
      'turn reasoning off of a model that is chosen by name',
    ],
    [
      'visible reasoning, refused where it is lost',
      'mastra/test/model-calls.test.ts',
      'a setting that does not reach the model is refused, and the model is not asked',
    ],
    ['visible reasoning, as a difference', toClaw, 'A setting that a framework cannot send is refused.'],
    [
      'temperature',
      'core/test/agent-run-events.test.ts',
      'is sent with the settings of the run, whether a hook hears of it or not',
    ],
    ['an asynchronous classifier', claw, 'an asynchronous classifier'],
    [
      'parameters before the session is made',
      'core/test/agent-run-events.test.ts',
      'may choose the model and its settings, unless the adapter cannot have them',
    ],
    ['default arguments', claw, 'style:no-color'],
    ['a refused command', claw, 'safety:no-rm-rf, priority 100'],
    ['a redacted result', claw, 'my-plugin:redact-secrets, priority 5'],
    ['a result without colours', claw, 'clean:strip-ansi'],
    ['a richer result', claw, 'enrich:fetch-metadata: asynchronous, sequential in priority order'],
    ['a log of final arguments', claw, 'audit:log-tools, priority -10: runs last, after all mutations'],
    ['the result of a tool that threw', flow, 'a replaced error text is in neither message, stack nor cause'],
    ['the form of a refused result', toClaw, '`formatBlocked` of an adapter makes another text of it'],
    ['order by priority, then by registration', fold, 'is higher priority first, then order of registration'],
    ['one after the other', claw, 'enrich:fetch-metadata: asynchronous, sequential in priority order'],
    [
      'a matcher that meets no tool',
      claw,
      'bad: a matcher that meets no known tool throws at registration, with the full list of valid names',
    ],
    ['matchers of tools', claw, 'matchers: only exec, any that starts with web, read or write'],
    ['matchers of agents', claw, 'agentMatcher: prompt hooks of one agent'],
    ['names, groups and aliases of tools', registration, 'meet the canonical name and its aliases'],
    ['groups in a file, for every agent', names, 'the rule %s means in %s: %j'],
    ['tools of plugins', toClaw, 'With them, a matcher that matches none of the tools is an error'],
    ['add, with an id', registration, 'has an id that is unique; a second of the same is an error'],
    ['remove and clear', registration, 'is removed by id or by provider; clear removes all'],
    ['get, by a tool', registration, 'get tells what would be asked, in order'],
    ['get, by an agent', 'core/test/attachment.test.ts', "hooks.get(BeforeToolCall, 'search', { agent })"],
    ['list', registration, 'is described by list, in order of registration'],
    ['one registry for the program', claw, 'the global registry: one for the program, and reset for tests'],
    [
      'guards that are there by themselves',
      toClaw,
      'Guards are not there by themselves: `hooks.use(recommended())`.',
    ],
    [
      'handlers that write into their output',
      toClaw,
      '**A handler that writes into its input changes nothing.**',
    ],
    ['ids and priorities of the two guards', guard, 'has the same ids and priorities'],
    ['dangerous commands, by kind', guard, 'a command that %s: %s'],
    ['quoted texts', guard, 'a quoted text is no command'],
    ['sensitive files, by kind', guard, 'a file with %s: %s'],
    ['files that pass', guard, 'passes where it passes there: %s'],
  ],
  ai4j: [
    [
      'one entry for every event',
      toAi4j,
      '| `preToolUse`, `toolInterceptor`, `beforeToolCall` | `hooks.on(BeforeToolCall, …)` |',
    ],
    ['a refused call', ai4j, 'the model reads the reason, and the tool does not run'],
    ['a call that is let through', ai4j, 'a hook without output allows'],
    ['a rewritten call', ai4j, 'the rewritten call is executed'],
    [
      'a rewritten name',
      flow,
      'runs the other tool, with its own schema; the guards are those of the new name',
    ],
    [
      'a name that stays',
      'cli/test/dialects.test.ts',
      '--as ai4j accepts a change of the arguments that repeats the name of the tool',
    ],
    [
      'a call in a sandbox',
      'sandbox/test/route.test.ts',
      'run in the sandbox, and the model reads the result as if the tool had run',
    ],
    ['E2B', 'sandbox/test/e2b-contract.test.ts', 'testProvider(e2bSandbox(Sandbox)'],
    ['Daytona', 'sandbox/test/daytona-contract.test.ts', 'testProvider(daytonaSandbox('],
    ['the form of a sandbox’s answer', toAi4j, 'the output of a sandbox without `SANDBOX_RESULT:`'],
    ['a withheld result', ai4j, 'the tool runs, and the model receives the reason instead of the output'],
    ['a refused prompt', ai4j, 'a blocked prompt reaches no model'],
    ['a rewritten prompt', ai4j, 'the model sees the rewritten prompt'],
    [
      'another request to the model',
      'mastra/test/model-calls.test.ts',
      'Modify holds for one call: settings, instructions, messages, tools, context',
    ],
    ['events that are only seen', ai4j, 'each hook runs and changes nothing'],
    ['all observers run', ai4j, 'all observe handlers run, even after one failed'],
    [
      'in a file, the first decision wins',
      ai4j,
      'hooks run one after the other, until one modifies or blocks',
    ],
    ['in code, the first decision wins', toAi4j, 'a modify does not end the chain'],
    ['marks before the reasons', toAi4j, 'The model reads the plain reason, without `TOOL_BLOCKED:`'],
    ['the answer of a refused prompt', toAi4j, 'without `PROMPT_BLOCKED:`'],
    ['exit 2', ai4j, "any other exit code blocks a gate, and continues with failures: 'as-original'"],
    ['a failed hook lets the call run', toAi4j, '**A failed hook blocks.** In ai4j the call passes.'],
    [
      'other output',
      ai4j,
      "a failed hook decides nothing, and the next one runs, with 'as-original' as well",
    ],
    ['the name of a tool', ai4j, 'match compares the exact name'],
    ['the whole file in real agents', agents, 'block dangerous commands: the model reads the reason'],
    [
      'compaction where there is none',
      toAi4j,
      '`preCompact` never fires where a framework does not compact.',
    ],
    [
      'observers beside interceptors',
      fold,
      'is interceptors, then guards, then observers, whatever their priority',
    ],
    [
      'replay, and a chain of hashes',
      'journal/test/tampering.test.ts',
      'each byte of a journal that is flipped is found, and the first bad record is named',
    ],
    ['rules beside interceptors', names, 'deny %s refuses %s %j'],
  ],
  'docker-agent': [
    ['each event runs its hooks', seed, 'each hook of the example runs at its event and receives it'],
    [
      'all events',
      catalogue,
      'a file may name every event of the catalogue, and those that never fire give a notice',
    ],
    ['the fields of all events', stdin, everyStdin],
    ['matchers', seed, "describe('Matcher Patterns'"],
    [
      'matchers of MCP tools',
      'config/test/mcp-names.test.ts',
      'matches the tool that its agent calls %s, by its kind and server',
    ],
    ['a script that validates', seed, '%s is blocked by policy'],
    [
      'the same in real agents',
      agents,
      'Validation Script: a dangerous command does not run, and the model reads the reason',
    ],
    ['a log of calls', seed, 'every tool call is a line in the log'],
    [
      'start and end of a session',
      agents,
      'Session Lifecycle: context is in every model call, and the hook at the end runs',
    ],
    ['how a session began', 'core/test/sessions.test.ts', 'keeps the source with which it opened'],
    [
      'the end of an interrupted session',
      seed,
      'turn_end and session_end hooks run to completion if the run is canceled',
    ],
    ['the end of the process', 'core/test/close-on-exit.test.ts', "it.each(['SIGINT', 'SIGTERM'] as const)("],
    ['a log of responses', seed, 'the length of the response is logged, and the agent stops'],
    ['notifications', seed, 'a notification is logged with its level and message'],
    ['errors and limits by themselves', seed, 'on_error and on_max_iterations handle one condition each'],
    [
      'a failed model call',
      agents,
      'Error Notifications: a failed model call fires notification and on_error',
    ],
    [
      'a loop of calls',
      'guards/test/limits.test.ts',
      'repeating a call too often ends the run and fires events',
    ],
    ['context of each turn', agents, 'Turn-Start: context is recomputed for each model call'],
    ['context of a session', output, 'session_start: %s is in every model call of the session'],
    ['context of a prompt', output, 'user_prompt_submit: %s is in every model call of the run'],
    ['context after a call', output, 'post_tool_use: %s is in the next model call'],
    ['guidance of a summary', output, 'pre_compact: %s guides the summary'],
    [
      'context at the end, in the next run',
      agents,
      'Stop: what the hook prints is read in the next run of the thread',
    ],
    [
      'context at the end, as a difference',
      toDocker,
      'Context that a `stop` hook prints goes to the next model call.',
    ],
    ['no context before a model call', output, 'before_llm_call ignores it'],
    ['why a turn ended', 'core/test/agent-run.test.ts', 'tells of everything in the order of its life'],
    ['a cap on model calls', agents, 'before_llm_call: a block stops the run before the model is called'],
    [
      'a hook after a model call only watches',
      catalogue,
      'a hook of after_llm_call only watches: its failure withholds no answer',
    ],
    ['a refused prompt', agents, 'User-Prompt-Submit: a blocked prompt reaches no model'],
    ['no prompts of sub-agents', 'core/test/agent-run.test.ts', 'of a sub-agent is no user’s'],
    [
      'the end of a sub-agent, in its parent',
      'core/test/agent-run.test.ts',
      'of a sub-agent is told to its parent, with the reason where a hook ended it',
    ],
    ['a switch of agents', 'core/test/agent-run-events.test.ts', 'a switch of agents'],
    [
      'a wait for the user',
      'core/test/agent-run-events.test.ts',
      'a pause, for each call that waits, or for the tool itself',
    ],
    ['a veto of a compaction', output, '%s: a block vetoes it'],
    ['a summary of one’s own', seed, 'Before-Compaction Specific Output: the summary is used as it is'],
    ['after a compaction', 'core/test/agent-run-events.test.ts', "test('a compaction'"],
    [
      'two events of one compaction',
      'cli/test/dialects.test.ts',
      'and each hook of its file runs once, with the folder of the event',
    ],
    ['a hook that approves', seed, 'the hook allows a safe command instead of the person'],
    ['no answer, so the person', seed, 'no output leaves the decision to the person'],
    [
      'a call that nothing decides',
      permissions,
      'needs approval in a file with permissions, unless the tool only reads',
    ],
    [
      'who approved what',
      'core/test/approval.test.ts',
      'a hook’s no is on record with its source, before the call is over',
    ],
    [
      'an approval that was canceled',
      'core/test/agent-run.test.ts',
      'that waits is canceled when a hook ends the run',
    ],
    [
      'nobody there to ask',
      'core/test/approval.test.ts',
      'with no approver is denied, with a reason that names the option',
    ],
    ['past the limit', toDocker, 'in no framework can a person let a run go on past its limit'],
    ['allow, ask and deny', output, 'deny beats ask, and ask beats allow, whatever the order'],
    ['ask beats allow in rules', toDocker, 'In `permissions:`, `ask` beats `allow`.'],
    ['another input', output, 'updated_input replaces the input'],
    ['another response', seed, 'tool_response_transform: every later consumer reads the rewrite'],
    ['a result that ends the run', output, 'a block withholds the result and ends the run'],
    ['the end of a run', output, 'continue: false ends the run with stop_reason as the reason'],
    ['a warning to the user', output, 'system_message reaches the user as a warning'],
    ['a hook that keeps quiet', output, "suppress_output keeps the hook's output out of the trace"],
    ['no output', output, 'no output and {} decide nothing'],
    ['all fields at once', seed, 'the block wins in the example with every field'],
    ['exit 2', output, 'exit code 2 blocks with stderr as the reason, else stdout, else JSON'],
    [
      'other codes',
      output,
      'any other exit code is a failed hook, which closes a gate and does not affect other events',
    ],
    [
      'failures as documented there',
      output,
      "failures: 'as-original' has the effect that docker-agent documents",
    ],
    [
      'failures, as a difference',
      toDocker,
      '**A failed hook blocks.** On gates other than `pre_tool_use`, docker-agent lets the call pass.',
    ],
    ['a failed gate before a call', seed, 'a failed pre-tool hook blocks the call regardless of on_error'],
    ['a minute by default', seed, 'Hooks have a default timeout of 60 seconds'],
    ['options of a hook', seed, 'name, timeout, working_dir, env and on_error work as documented'],
    [
      'built-ins and their arguments',
      seed,
      'each builtin runs at its events in the file, with its arguments',
    ],
    [
      'built-ins in real agents',
      agents,
      'Built-in Hooks: add_date is in every model call, max_iterations ends the run, redact_secrets scrubs',
    ],
    ['flags of an agent', seed, 'the flags of an agent enable builtins'],
    ['the date', context, 'addDate adds the local date to that turn only'],
    [
      'the environment',
      context,
      'addEnvironmentInfo adds the directory, git, the system and the architecture',
    ],
    [
      'prompt files',
      context,
      'addPromptFiles reads the nearest file above and the one in the home directory',
    ],
    ['the state of git', context, 'addGitStatus adds the short status with the branch'],
    ['a diff', context, 'addGitDiff adds the summary, or the whole diff with full'],
    ['a cut diff', context, 'addGitDiff cuts at 4 KB, between two characters'],
    ['a listing', context, 'addDirectoryListing adds at most 100 entries, sorted and without dot files'],
    ['the user', context, 'addUserInfo adds the user and the host name'],
    ['commits', context, 'addRecentCommits adds ten commits, or the given number'],
    [
      'a hard stop',
      'guards/test/limits.test.ts',
      'ends the run after the maximum number of model calls and fires events',
    ],
    ['snapshots of changes only', snapshot, 'is recorded only when files changed'],
    [
      'trees only',
      snapshot,
      "the user's .git does not change, and the shadow repository has only trees and files",
    ],
    ['ignored files', snapshot, 'snapshots leave out files ignored by .gitignore or info/exclude'],
    ['large files', snapshot, 'snapshots leave out a new file over 2 MiB, but not one that was small before'],
    ['outside of a repository', snapshot, 'snapshot does nothing outside of a repository'],
    [
      'snapshots by the user’s settings',
      catalogue,
      'settings.snapshot takes snapshots for every agent, and false takes none',
    ],
    ['secrets in arguments', catalogue, 'redact_secrets of an agent scrubs the arguments of its calls'],
    [
      'secrets in requests and results',
      'guards/test/redact-provider.test.ts',
      'prompts, messages and instructions are redacted, with the same placeholders within a session',
    ],
    [
      'models that are unloaded',
      'guards/test/unload-models.test.ts',
      "the previous agent's models are unloaded if the runner handles them",
    ],
    ['ten seconds for it', 'guards/test/unload-models.test.ts', 'an unloader has 10 seconds'],
    ['examples of both', seed, 'the minimal snapshot example and unload on switch are valid'],
    ['a judge', agents, 'LLM as a Judge: %s'],
    [
      'structured verdicts',
      model,
      'the judge gets a request for structured output, with the rendered template and marked data',
    ],
    ['verdicts in text', model, '%s is accepted'],
    ['no verdict', model, '%s is a denial'],
    ['a slow judge', model, 'a timeout is a denial'],
    ['templates', 'config/test/template.test.ts', "describe('the template of a model hook'"],
    ['text of a model as context', model, 'adds its answer as context'],
    ['rules that spare the judge', model, 'is skipped for a call that a rule allows'],
    [
      'rules before the judge',
      permissions,
      'a command that the team denies does not run, and any other needs approval',
    ],
    ['read-only tools', toDocker, '**`readOnlyHint` of an MCP server does not count.**'],
    [
      'flags of the command line',
      'cli/test/flags.test.ts',
      'maps each flag to an event, accepts repeated flags, and returns the other arguments',
    ],
    ['hooks of flags beside those of the file', 'cli/test/flags.test.ts', 'returns hooks that run'],
    ['hooks in parallel', output, 'hooks run in parallel'],
  ],
};
