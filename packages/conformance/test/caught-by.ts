import { ways } from '../src/scenarios/ways-to-attach.ts';
import { conversations } from '../src/sequences/conversations.ts';
import type { Fault } from './reference/faults.ts';

/** The rule for every way in which two registries can hook the same tool. */
function inEachWay(rule: string): readonly string[] {
  return ways.map(({ name }) => `${name}: ${rule}`);
}

/** The rules about prompts behind which a client posts an answer. */
const hiddenPrompts = [
  'in front of an answer that the client wrote',
  'in front of an answer and a harmless prompt',
  'between answers',
].flatMap((where) => {
  const rule = `Block on UserPromptSubmit holds for a prompt ${where}`;
  return [rule, `${rule}, in a session`];
});

/** What ends a run in the place of an answer. */
const refusedRuns = [
  'a refused prompt',
  'a run that is refused at its start',
  'a refused model call',
  'a refused answer',
  'a refused call that ends the run',
].map((what) => `the reason of ${what}`);

const holds =
  'what hooks see, a person approves and the tool gets is the same data, each call is answered once, and nothing fails';

/** The rules about a person's answer in another process, for the registry of the tool itself. */
const reachesTool = (answer: 'yes' | 'no', what: string): string =>
  `a person's ${answer}, given in another process, reaches the registry of the tool itself: ${what}`;

/** The rules about something that a hostile model sends, with an approver and with pauses. */
function hostile(what: string): readonly string[] {
  return [`${what}: ${holds}`, `native: ${what}: ${holds}`];
}

const writesResult =
  'each answer on BeforeModelCall names its calls, and a result that a hook writes for one of them reaches the model as its result';

const repeatedRequest =
  'a request that the framework repeats after a failure: hooks decide on it again, in the same turn, on what they decided on before, and it has each context once';

/** The same in another process. */
function elsewhere(calls: string): string {
  return `${calls} of a hostile model, approved in another process: what hooks see there, a person approves and the tool gets is the same data, and each call runs once`;
}

/** The same in a sub-agent. */
function hostileInside(what: string): string {
  return `${what}, in a sub-agent: ${holds}`;
}

/** The rule about two answers to one pending approval. */
function oneCounts(answers: string): string {
  return `native: ${answers}, to one pending approval: one of them counts, and neither hooks nor the model are told that the other did`;
}

/** Who answers each question about a call of a tool that is hooked by itself. */
function whoApproves(agent: string): string {
  return `each question about a call goes to the one who answers it, and a yes of a person is none to others: the agent ${agent}`;
}

const histories =
  'random histories of a client: hooks see each prompt and result, and what they refuse, replace or require holds';

/** The rules that catch each fault. Every rule of the suite catches at least one. */
export const caughtBy: { readonly [Broken in Fault]?: readonly string[] } = {
  "takes a person's yes for that of every approver": [
    reachesTool('yes', 'its hooks see it, and its own approver is asked, too'),
    reachesTool('yes', 'its hooks see it, and the call does not run if its own approver denies'),
  ],
  'asks nobody for a registry without an approver': inEachWay(
    'the approver of the outer registry answers for an inner one without the option',
  ),
  'gives all registries the options of the outermost': [
    ...[
      '`approval: deny` of the inner registry denies what its hooks require, although the outer one has an approver',
      'the approver of the inner registry answers for it, although the outer one denies',
      '`principal` of the inner registry wins, and that of the outer one counts where it returns none',
    ].flatMap((rule) => inEachWay(rule).filter((one) => !one.startsWith('a hooked tool of a hooked agent'))),
    ...[
      ['0', '0 inside and unset outside'],
      ['1', '1 inside and 4 outside'],
    ].map(
      ([times, set]) =>
        `Stop hooks continue a run at most ${times} times where \`maxContinuations\` is ${set}`,
    ),
    'a registry attached twice around another one is outermost, with the options that it lacks there from within',
  ],
  'hides inherited fields from hooks': [
    elsewhere('calls'),
    elsewhere('random calls'),
    'a bare tool, with inputs that JSON cannot show: what hooks see, a person approves and the tool gets is the same data',
    ...hostile('arguments that hide something'),
    hostileInside('arguments that hide something'),
    ...hostile('random arguments, ids and names of tools'),
    hostileInside('random arguments, ids and names of tools'),
  ],
  'decides once for each id': [
    ...hostile('two calls of one answer with one id'),
    hostileInside('two calls of one answer with one id'),
    ...hostile('an id that an earlier call had'),
    ...hostile('random arguments, ids and names of tools'),
  ],
  'fails a run for arguments that are no JSON': hostile('arguments that are no JSON object'),
  'finds tools by names that look alike': hostile('strange ids and names of tools'),
  'believes an approval that a client makes up': [
    ...['without an approver', 'with `deny`', 'with an approver who denies', 'with pauses'].flatMap((how) => [
      `an approval that a client makes up lifts no requirement, ${how}`,
      `an approval that a client makes up lifts no requirement that only a person can meet, ${how}`,
    ]),
    'an approval that a client makes up lifts no requirement of the framework',
    histories,
  ],
  'does not read a result that a client makes up': [
    ...['behind the prompt', 'before the prompt', 'before the prompt and an answer'].map(
      (where) =>
        `a result that a client makes up, ${where}, is read as hooks leave it, and its call ends once`,
    ),
    'Block on AfterToolCall withholds a result that a client makes up',
    'a result that hooks have left to one user of a session is decided on again when another user posts it',
    'a result that a client makes up, under the name of another tool than its call has, does not pass the hooks of the tool that was called',
    histories,
  ],
  'resumes the pause of anybody': [
    'another session and user',
    'another session',
    'another user',
    'nobody',
    'nobody in another session',
  ].map(
    (whose) =>
      `native: an approval by ${whose} runs nothing, and nothing on behalf of whom the run paused for`,
  ),
  'keeps a pause that was answered': [
    'native: an approval that arrives twice, one after the other, runs the call once',
    'native: an approval that arrives twice at agents which restore the run, at once, runs the call once',
    'native: an approval that arrives twice at agents which restore the run, one after the other, runs the call once',
    ...['a yes, then a no', 'a no, then a yes'].map(oneCounts),
  ],
  'resumes a pause with each answer that arrives at once': [
    'native: an approval that arrives twice, at once, runs the call once',
    ...['a yes and a no, at once', 'a no and a yes, at once'].map(oneCounts),
  ],
  'takes the id of a call for that of its approval': [
    'an answer has the same approvalId in each process in which it arrives, and that to an equal call of a later run has another',
  ],
  'runs a call that nobody has paused': [
    'native: an approval that arrives twice at once runs a call once that a BeforeExecute hook claims',
    'native: an approval while nothing is pending runs nothing',
    'native: an approval in a session that does not exist runs nothing',
  ],
  'looks for prompts behind the last answer only': [
    histories,
    ...hiddenPrompts,
    'each user message that a client posts is submitted, wherever it stands, and no other message',
  ],
  'asks again about a posted history': [
    'a history that a client posts again in its session is not submitted again, and hooks still change it',
  ],
  'takes the reason of a Stop hook for a prompt': [
    'the reason of a Stop hook is not submitted as a prompt, now or when a client posts it again in its session',
  ],
  'puts a changed prompt before its image': [
    'Modify of prompt on UserPromptSubmit leaves the other parts of the message where they are',
  ],
  'drops the image of a changed message': [
    'Modify of messages on BeforeModelCall keeps the image of a user message whose text it changes',
  ],
  'drops the image of every message': [
    'Modify of messages on BeforeModelCall keeps the image of a user message that it does not change',
  ],
  'drops the calls of a changed message': [
    'Modify of messages on BeforeModelCall keeps the tool calls of an answer whose text it changes',
  ],
  'changes every result': [
    'Modify of messages on BeforeModelCall changes one of several tool results and keeps the others',
  ],
  'hides of which call a result is': [
    'each result on BeforeModelCall names its tool and its call, also where a hook changes the text of another, and no other message does',
    'native: each result on BeforeModelCall names its tool and its call in a history from another process',
  ],
  'forgets of which call a stored result is': [
    'native: each result on BeforeModelCall names its tool and its call in a history from another process',
  ],
  'hides the calls of an answer': [writesResult],
  'drops a result that a hook writes': [writesResult],
  'lets hooks say of which call a result is': [
    'another tool',
    'another call',
    'a call for a prompt',
    'a result of its own',
  ].map(
    (what) =>
      `Modify of messages on BeforeModelCall that names ${what} fails the hook, and the model reads nothing of it`,
  ),
  'takes the call of a changed result from the hook': [
    'Modify of messages on BeforeModelCall without the names of results keeps of which call each is',
  ],
  'hides changed descriptions': [
    'Modify of a description on BeforeModelCall reaches the model and keeps the schema of the tool',
  ],
  'knows a tool that it does not have': [
    'Modify of tools on BeforeModelCall with a tool that the agent does not have fails the hook, and the reason names the tool',
  ],
  'drops the calls of a changed answer': [
    'Modify of response on AfterModelCall keeps the tool calls of an answer whose text it changes',
  ],
  'does not report the principal': [
    ...inEachWay(
      '`principal` of the inner registry wins, and that of the outer one counts where it returns none',
    ),
    'a run does not start where the option `principal` returns one without a visible id',
    'every event in the new process has the principal from the context that the framework stored, or that the run is resumed with',
    'every event of a run has the principal from the context of the framework, or none if the context names none',
    'a limit per principal counts across sessions and concurrent runs, and charges nobody else',
    'a sub-agent inherits the principal of its caller',
    'a bare tool call has the principal from the context of the framework',
    'native: a resumed run keeps the principal that it began with',
  ],
  'gives all runs the same principal': [
    'every event of a run has the principal from the context of the framework, or none if the context names none',
    'a limit per principal counts across sessions and concurrent runs, and charges nobody else',
  ],
  'continues in a closed session': [
    'native: an approved call runs after its session closed during the pause, and no hook receives events of the closed session',
  ],
  'drops a modified input': [
    'BeforeExecute fires once for each call that runs, after its approval, with the input that runs and the one that the model sent',
    'random hooks and approvers on parallel calls: the tools that run, what the model reads, and how the run ends are as prescribed',
    'native: random hooks and answers on parallel calls: the tools that run, what the model reads, and how the run ends are as prescribed',
    'random hooks and approvers on one call: the tools that run, what the model reads, and how the run ends are as prescribed',
    'native: random hooks and answers on one call: the tools that run, what the model reads, and how the run ends are as prescribed',
    'Modify of input runs the tool with it, and the history keeps the arguments of the model',
    'Modify followed by Proceed stays in force',
    'an approver that allows sees the effective input and every reason, and the tool runs with it',
    'Modify of input on PermissionRequest reaches the approver and the tool',
  ],
  'ignores the delay of a model Retry': [
    'an abort during the delay of a model Retry keeps the model from being called again',
  ],
  'reports the iteration limit as an error': [
    'Notification has level warning at the limit of iterations and level error after an error',
  ],
  'hides provider of before_run': [
    'the prompt, the run and its model calls have the same model and provider',
  ],
  'hides subagentSession of subagent_start': [
    'SubagentStart and SubagentStop have the session of the sub-agent',
  ],
  'hides message of user_input_required': [
    'native: UserInputRequired has the reasons of the hooks that require approval, and its run',
  ],
  'swallows Retry': [
    'random hooks and approvers on one call: the tools that run, what the model reads, and how the run ends are as prescribed',
    'Retry starts from the input that hooks left',
    'Retry of an output runs the tool again',
    'Retry stops at the limit and keeps the last attempt; BeforeToolCall fires once, the later events fire per attempt',
    'Retry at the limit leaves the last output to the hooks that follow',
  ],
  'runs hooks only for the first of parallel calls': [
    ...hostile('50 parallel calls'),
    'random hooks and approvers on parallel calls: the tools that run, what the model reads, and how the run ends are as prescribed',
    'parallel calls are decided independently, and each is answered once',
    'a failing hook blocks only its own call',
    'PermissionRequest lets a hook grant or deny in place of the person',
    'parallel calls fire their own events once, each with its own call id',
  ],
  'drops the input of an approver': ['an approver that allows another input runs the tool with that input'],
  'runs the tool although an approver answered': [
    'an approver that answers in place of the tool: the tool does not run, and hooks and the model see the answer as its result',
    'an approver that answers in place of the tool: AfterToolCall says that nothing ran, and a Block withholds the answer',
  ],
  'shows a person the original input': [
    'the approval of the framework shows the input that will run; if it cannot carry that input, the call is blocked',
    'native: the pause shows the input that will run; if it cannot carry that input, the call is blocked',
    ...['a hooked tool of a hooked agent', 'an agent hooked twice'].flatMap((way) => [
      `${way}: native: a person sees the final input; if the pause cannot carry it, the call is blocked`,
      `${way}: native: an approval required for the rewritten input pauses the run or blocks the call`,
    ]),
  ],
  'resumes a run unhooked': [
    'native: a run that one agent object paused and another of the same registry resumes obeys the person, and no hook runs again',
    'native: BeforeExecute does not fire while a call waits, and fires once when it has been approved',
    'native: an approval with another input runs the tool with that input',
    'native: a yes runs nothing where the agent that resumes the run has no approver, or one who denies',
    'Block wins over an approval from another process',
  ],
  'attaches the later registry innermost': [
    'the later of two registries is outermost',
    'two registries around a model: the outermost runs first before the call and last after it',
    'two registries are both obeyed, and the later one is outermost',
  ],
  'does not report its tools': [
    'unmatched() knows the names of tools that are hooked on their own',
    'unmatched() of a registry with several agents lists matchers that match no tool of any agent',
    'a matcher with a typo is warned of once, at the first run',
    'a matcher with a typo is warned of once, at the first call of a tool that is hooked on its own',
  ],
  'leaves a bare tool unhooked': [
    'a required approval goes to the approver, and is denied without one',
    'Modify of input runs it with the new input',
    'Block keeps it from running, and the caller gets the reason',
    'a hook that throws keeps it from running, and the reason names the hook',
    'Retry runs it again',
  ],
  'does not check a modified input': [
    'Modify of toolName blocks an input that does not fit the schema of the new tool',
    'an approver that allows another input has it checked by the schema and the guards',
    'Modify of input is validated by the schema of the tool; an input that does not fit is blocked',
    'an input that does not fit the schema gets the answer of the framework; only AfterToolCall fires, with INVALID_INPUT',
    'native: a call that does not fit the schema never waits for a person',
  ],
  'runs blocked tools': [
    'concealed values reach the guards and the tool alone: events, the reason of a Block and the model have what the model wrote',
    'Block on BeforeExecute: the tool does not run, the model reads the reason, and AfterToolCall fires',
    'Modify of toolName runs the guards of the new tool',
    'Block keeps the tool from running, the model reads the reason, and the run continues',
    'a guard sees the input that will run',
    'a blocked function tool call does not run',
    'two registries: a Block of the outer one holds',
  ],
  'runs tools of failed hooks': [
    'random hooks and approvers on one call: the tools that run, what the model reads, and how the run ends are as prescribed',
    'Modify of toolName to an unknown tool blocks the call and names the hook',
    'a hook that throws on BeforeToolCall blocks the call with a reason that names the hook, and the run continues',
    'a hook that rejects on BeforeToolCall blocks the call with a reason that names the hook, and the run continues',
    'a hook that hangs past its timeout on BeforeToolCall blocks the call with a reason that names the hook, and the run continues',
    'a hook that answers nonsense on BeforeToolCall blocks the call with a reason that names the hook, and the run continues',
    'a hook that forgets to answer on BeforeToolCall blocks the call with a reason that names the hook, and the run continues',
  ],
  'leaves a sibling call unanswered': [
    'Block with stop answers the sibling call, calls no model, sets the reason on the result, and the session continues',
  ],
  'leaves the tools of another agent unhooked': ['the tools of a sub-agent are hooked'],
  'leaves agent tools unhooked': [
    'Block on BeforeToolCall keeps a sub-agent that is called as a tool from starting',
    'a blocked agent tool call does not run',
    'a agent tool call fires every event of a tool call in order, approval included',
  ],
  'never fires agent_switch': [
    'a handoff fires AgentSwitch, and the tools of the next agent are hooked',
    'a delegated task fires AgentSwitch in both directions',
  ],
  'leaves framework tools unhooked': [
    'a blocked framework tool call does not run',
    'a framework tool call fires every event of a tool call in order, approval included',
  ],
  'stores the raw error': [
    'an error withheld by Block on AfterToolCall is hidden from models, streams, events and memory',
    'a tool that throws gives the same run as without hooks, and hooks see status error',
    'Retry after an error runs the tool again, and the model reads only the second result',
  ],
  'lets a run option displace the hooks': [
    'options of a single run do not disable the gate or any other event',
  ],
  'hides the reason of a Block': [
    'Block ends the chain: no later hook runs',
    'Block on AfterToolCall withholds the output, and the model reads the reason',
    'a hook that throws on TransformToolResult withholds the result, and the run continues',
    'a hook that throws on AfterToolCall withholds the output, and the run continues',
  ],
  'streams the output before hooks decide': [
    'an output withheld by Block on AfterToolCall is hidden from models, streams, events and memory',
    'an output replaced on TransformToolResult is hidden from models, streams, events, hooks and memory',
    'an output replaced on AfterToolCall is hidden from models, streams, events and memory',
  ],
  'allows a call without an approver': [
    ...inEachWay('the approver of the inner registry does not answer for the outer one'),
    'random hooks and approvers on one call: the tools that run, what the model reads, and how the run ends are as prescribed',
    'an approval that only a person may give cannot be granted by a hook',
    'a required approval without an approver denies the call, names the option to set, and the run continues',
  ],
  'approves for a registry that denies': [
    '`approval: deny` denies what hooks require, also of a call that the framework asks about, and no person is asked',
    ...['has `approval: native`', 'has an approver', 'has `approval: deny`', 'says nothing'].flatMap(
      (agent) => [whoApproves(agent), whoApproves(`${agent}, and the tool itself asks`)],
    ),
  ],
  'treats a denial as an approval': [
    'native: a call that is denied does not fire BeforeExecute',
    'random hooks and approvers on one call: the tools that run, what the model reads, and how the run ends are as prescribed',
    'native: random hooks and answers on one call: the tools that run, what the model reads, and how the run ends are as prescribed',
    'native: a registry cannot grant what another requires; both see the call once, and both see the decision',
    'AfterToolCall fires for blocked and denied calls, with the reason',
    'an approver that denies keeps the tool from running, and the model reads the reason',
  ],
  'hides the reason of a denial': [
    'native: a denied call does not run, and the model reads the reason',
    'a remembered approval loses to a Block and to a requirement that only a person can meet',
  ],
  'hides the schema of a tool': [
    'an approver that remembers gets the description and input schema of the tool that the model has',
  ],
  'answers every call with the first answer': [
    'native: an approval of a call that is not pending runs nothing',
    'native: random hooks and answers on parallel calls: the tools that run, what the model reads, and how the run ends are as prescribed',
    'native: parallel calls are approved or denied one by one',
  ],
  'ignores hooks registered after attaching': ['a hook registered after attaching is obeyed'],
  'runs without hooks to the end if none is registered at the start': [
    ...[
      'a Block of the next tool call',
      'a replaced result of the next tool call',
      'a Retry of the next tool call',
      'context for the next model call',
      'context for the next turn',
      'a Block of the next model call',
      'a replaced answer',
      'a Block of the next answer',
      'a Retry at the end',
    ].map(
      (what) =>
        `${what}, of a hook that is registered while a run goes on, which began with hooks or without`,
    ),
    'an observer that is registered while a run goes on is told of its further turns and its end as one that was there before',
  ],
  'drops a modified output': [
    'answer() on BeforeExecute answers the call, and later hooks decide about it',
    'random hooks and approvers on one call: the tools that run, what the model reads, and how the run ends are as prescribed',
    'Modify of execute replaces the tool, gets the effective input, fails as the tool would, and runs again on Retry',
    'answer keeps the tool from running, and the model reads the answer as its output',
    'Modify of output on TransformToolResult gives the model the new output',
    'Modify of output on AfterToolCall gives the model the new output',
    'Modify of output with an object gives the model its JSON, as for the output of a tool',
    'Modify of output gives the caller the new output',
  ],
  'never stops a Retry': [
    'random hooks on prompts, runs, turns, model calls and answers give the prescribed requests, answers and ends of runs',
    'Retry on AfterModelCall stops at the limit and keeps the last answer',
    'Retry on Stop continues at most three times in a row, each time after the answer in question',
  ],
  'stops asking hooks after a Retry at the limit': [
    'Retry on AfterModelCall at the limit leaves the last answer to the hooks that follow',
  ],
  'changes the text of tool errors': [
    'a matcher with a schema stricter than that of the tool: a call that does not fit does not run, its hook does not run, the model reads what does not fit, and the run continues',
    'arguments that are not valid JSON give the same run as without hooks, and no tool runs',
    'a call of an unknown tool gives the same run as without hooks',
  ],
  'stores the raw output': [
    'an output whose TransformToolResult hook throws is hidden from models, streams, events and memory',
    'Modify of toolName runs the other tool, which answers the same call',
    'an observer that throws has no effect',
    'a function tool call fires every event of a tool call in order, approval included',
    'Proceed runs the tool with the input of the model, and the model reads its output',
    'the model reads outputs of every type as it would without hooks',
    'native: a call that needs no approval runs without a pause',
  ],
  'stores context': [
    'random hooks on prompts, runs, turns, model calls and answers give the prescribed requests, answers and ends of runs',
    'TransformToolResult with an output and context: the model reads the output of the hook, and in its next call only, the context',
    'context from a tool call is in the next model call only and in no tool result',
  ],
  'waits for a person after the run has ended': [
    'native: Block with stop cancels the pending approval of a later call, ends the run, and the session continues',
    'native: Block with stop cancels the pending approval of a earlier call, ends the run, and the session continues',
    'native: a sub-agent whose run a hook ends cancels its pending approval, and that call does not run',
  ],
  'shows hooks its own objects': [
    'an observer that writes into an approval request changes nothing: the approved call runs',
  ],
  'shows hooks its own results': ['hooks that write into their events change nothing'],
  'pauses for every call': [
    'the events of a call have its id, name, input, status and output',
    'an empty registry leaves its answer as it is',
  ],
  'leaves function tools unhooked': [
    'an approver that remembers its answer says so in ToolApprovalDecision, and a hook can grant the next call',
    'native: a grant from a hook that remembers an approval skips the pause',
    'a hook that throws on PermissionRequest leaves the decision to the person',
    'Modify of errorMessage on TransformToolResult hides the original message',
    'Modify of output on TransformToolResult turns a failed call into a successful one with that output',
    'an error message replaced on TransformToolResult is hidden from models, streams, events and memory',
  ],
  'continues after a stop': [
    'random hooks on prompts, runs, turns, model calls and answers give the prescribed requests, answers and ends of runs',
    'random hooks and approvers on one call: the tools that run, what the model reads, and how the run ends are as prescribed',
    'native: random hooks and answers on one call: the tools that run, what the model reads, and how the run ends are as prescribed',
    'native: Block with stop on AfterToolCall ends the run after an allow or a deny: no model call follows, and the result has the reason',
    'two registries: a stop of the inner one ends the run, and no hook of the other one continues it',
    'two registries: a stop of the outer one ends the run, and no hook of the other one continues it',
    'Block with stop on AfterToolCall answers the sibling call, calls no model, sets the reason on the result, and the session continues',
  ],
  'ignores an abort': [
    'an abort during a hook on the prompt, run, turn or model call keeps the model from being called',
    'an abort during a hook on the answer of the model keeps the called tools from running',
    'an abort during an approval reaches the approver, and the tool does not run even if approved',
    'an abort during the delay of a Retry keeps the tool from running again and calls no model',
    'an abort during a hook keeps it from running',
    'an abort while a hook decides about a call keeps the tool from running, calls no model and ends the session',
    'an abort while the tool runs reaches the signal of the tool; nothing is retried and no model call follows',
  ],
  'hides the signal from hooks': ['an abort reaches the signal of a running hook, on every event'],
  'ignores maxContinuations': [
    'Stop hooks continue a run at most 0 times where `maxContinuations` is unset inside and 0 outside',
    'Stop hooks continue a run at most 1 times where `maxContinuations` is 4 inside and 1 outside',
    'a registry attached twice has the options of the outer place, and those that it lacks there from the inner one',
    'Retry on Stop continues at most `maxContinuations` times in a row if that is set',
  ],
  'does not end a failed sub-agent': [
    'a sub-agent that fails ends its turn with error, stops once, and ends its session once',
  ],
  'treats an abort as a Block': [
    'a hook that rejects because of the abort does not turn the run into a blocked one',
  ],
  'stores a blocked prompt': [
    'random hooks on prompts, runs, turns, model calls and answers give the prescribed requests, answers and ends of runs',
    'Block on UserPromptSubmit calls no model, sets the reason on the result, and keeps the prompt out of memory',
  ],
  'stores what stands before a blocked prompt': [
    'what the user wrote before a blocked prompt, and nobody has answered, is kept out of memory, too',
  ],
  'ignores modify.prompt on user_prompt_submit': [
    'Modify of prompt hides the original from models and memory',
  ],
  'adds context only once per run': [
    'random hooks on prompts, runs, turns, model calls and answers give the prescribed requests, answers and ends of runs',
    'Modify of context is in every model call of the run and no other, and is not stored',
    'context from SessionStart is in every model call of the session and is not stored',
    'Modify of context on BeforeModelCall applies to this call only and is not stored',
  ],
  'loses a run’s metadata': [
    'Modify of metadata is visible to later hooks of the run',
    'BeforeRun has the prompt and the metadata as the hooks on UserPromptSubmit left them',
  ],
  'sends a blocked prompt to the model': [
    'a hook that throws on UserPromptSubmit blocks the run with a reason that names the hook',
    'UserPromptSubmit fires for a run that starts in the async context left behind by a tool of another run',
  ],
  'never fires user_prompt_submit': ['UserPromptSubmit fires once per run, with the text of the message'],
  'never ends a session': [
    'a call whose tool works on after an abort ends before its session does, and `settled` waits for both',
    'a run that a hook ends has a turn that ends with hook_blocked or the code of the Block, no Stop, and a session that ends once',
    'a run without a session id gets its own session, which starts before and ends after everything else, once',
    'the session of a failed run ends once',
    'its session starts and ends with the call',
  ],
  'shares context between sessions': [
    'a session has the id of the framework, spans its runs, and ends once, when it is closed',
    'concurrent runs keep their sessions and contexts apart',
  ],
  'ignores block on before_model_call': [
    'a session continues from before a blocked model call',
    'Block on BeforeModelCall calls no model and ends the run, and the result has the reason',
    'a hook that throws on BeforeModelCall calls no model, and the reason names the hook',
  ],
  'keeps changed instructions': [
    'random hooks on prompts, runs, turns, model calls and answers give the prescribed requests, answers and ends of runs',
    'Modify of instructions on BeforeModelCall applies to this call only',
  ],
  'keeps changed messages': [
    'random hooks on prompts, runs, turns, model calls and answers give the prescribed requests, answers and ends of runs',
    'Modify of messages on BeforeModelCall applies to this call only and is not stored',
  ],
  'demands a tool that hooks took away': [
    ...['model call', 'answer'].flatMap((what) =>
      ['a', 'one'].map(
        (tool) =>
          `the reason of a refused ${what} stands, although the program demands ${tool} tool in each answer`,
      ),
    ),
    'an answer without a call stands where hooks took away all tools, although the program demands one in each answer',
    'an answer without a call stands where hooks took away the tool that the program demands in each answer',
  ],
  'drops unknown options': [
    'an option that the adapter does not have is refused with its name and the nearest one that it has',
  ],
  'keeps changed tools': [
    'random hooks on prompts, runs, turns, model calls and answers give the prescribed requests, answers and ends of runs',
    'Modify of tools on BeforeModelCall applies to this call only',
  ],
  'keeps changed settings': [
    'Modify of settings on BeforeModelCall overrides those from BeforeRun, which it sees',
    'Modify of settings on BeforeModelCall applies to this call only',
  ],
  'never fires turn_start': [
    'Modify of context on TurnStart applies to this call only and is not stored',
    'each turn starts and ends once, with continue after tool calls and normal after the answer',
  ],
  'ignores block on after_model_call': [
    'a hook that throws on AfterModelCall hides the answer from the result, streams and memory, and the reason names the hook',
    'Block on AfterModelCall hides the answer from the result, streams and memory, and the result has the reason',
    'Block on AfterModelCall keeps the called tools from running',
  ],
  'ignores modify.response on after_model_call': [
    'Modify of response on AfterModelCall can change the input of a tool call',
    'Modify of response on AfterModelCall puts only the new answer into the result, streams and memory',
    'Modify of response on AfterModelCall can remove a tool call',
  ],
  'ignores retry on after_model_call': [
    'Retry on AfterModelCall repeats the request, and the called tools do not run',
    'Retry on AfterModelCall hides the first answer',
  ],
  'never fires after_model_call': [
    'the events of a model call have its iteration, messages, tools and response',
  ],
  'ignores modify.model on before_run': [
    'Modify of model on BeforeRun applies to every model call of the run',
    'Modify of model and settings on BeforeRun applies to every model call of the run',
  ],
  'ignores block on before_run': [
    'a hook that throws on BeforeRun calls no model, and the reason names the hook',
    'Block on BeforeRun calls no model, and the result has the reason',
  ],
  'never fires agent_error': [
    'a turn with a failed model call ends with error, and AgentError and Notification fire',
  ],
  'never fires turn_end': [
    'a run that a hook ends has a turn that ends with hook_blocked or the code of the Block, no Stop, and a session that ends once',
    'an aborted turn ends with canceled',
  ],
  'never fires max_iterations': [
    'the limit of iterations fires MaxIterations and Notification once, after a turn that ended with continue',
  ],
  'ignores retry on stop': [
    'random hooks on prompts, runs, turns, model calls and answers give the prescribed requests, answers and ends of runs',
    'Retry on Stop sends its reason as the next user message, and the agent continues',
  ],
  'never fires stop': [
    'a hook that throws on an event without a gate leaves the run as it is',
    'Stop fires once, when the model finished, with its answer and its request',
  ],
  'loses the pending calls': [
    'native: a pause duplicates no event of a call or of its turn',
    'native: the run pauses with the effective input; once approved the call runs, and no hook runs again',
  ],
  'does not report the parent of a sub-agent': [
    'a sub-agent inherits the principal of its caller',
    'a sub-agent starts and stops in the session of its parent, and its own session has the parent',
  ],
  'fires UserPromptSubmit for a sub-agent': ['the first message of a sub-agent fires no UserPromptSubmit'],
  'never fires after_compaction': [
    'BeforeCompaction and AfterCompaction fire, and the latter has the summary',
  ],
  'ignores block on before_compaction': ['Block on BeforeCompaction keeps the history'],
  'ignores modify.context on before_compaction': [
    'Modify of context on BeforeCompaction reaches only the model that writes the summary',
  ],
  'ignores modify.summary on before_compaction': [
    'Modify of summary on BeforeCompaction replaces the history without a model call',
  ],
  'runs hooks twice if attached twice': [
    'a registry attached twice runs its hooks once, on every event',
    'a registry around a tool and around its agent runs once',
    'a registry attached to it twice runs each hook once',
  ],
  'adds an event where no hook is registered': [
    'an empty registry changes no request, event or result of the bare agent',
  ],
  'pauses before hooks run': [
    'the approval of the framework is lifted by a grant on BeforeToolCall',
    'the approval of the framework is skipped for a blocked call and for an input that does not fit the schema',
    'the approval of the framework goes to the approver',
    'the approval of the framework goes to the approver of the outer registry where the inner one has none, with the input that will run',
    'the approval of the framework shows the input that will run; if it cannot carry that input, the call is blocked',
    'the approval of the framework fires PermissionRequest, and a grant lifts it',
  ],
  'reports every Block as the reason of the run': [
    'blockReason is undefined unless a hook refused',
    'Block without stop sets no blockReason on the result',
  ],
  'runs hooks for a denied call': [
    'a denied call does not run in the new process: no BeforeToolCall hook runs, and the model reads the reason',
  ],
  'loses a denial without hooks': ['a denied call does not run in a new process without hooks'],
  'applies an approval to any input': [
    'an approval of one input does not cover another: the run pauses again, or the call is blocked',
  ],
  'ignores a new requirement after an approval': [
    'an approval of one input does not cover another, even if no hook requires approval any longer',
    'a call approved through the framework does not run with another input: the run pauses again, or the call is blocked',
  ],
  'hides an approval from hooks': [
    'a call approved through the framework runs in the new process: hooks run once more with call.resumed',
    'an approved call runs hooked in the new process: hooks run once more with call.resumed, and their requirement counts as met',
  ],
  'hides a denial from hooks': [
    reachesTool('no', 'it hears of the denial, and its hooks and its approver are not asked'),
    'native: random hooks and answers on one call: the tools that run, what the model reads, and how the run ends are as prescribed',
    'native: a reason set on AfterToolCall replaces the reason of the denial',
    'native: Block with stop on AfterToolCall ends the run after an allow or a deny: no model call follows, and the result has the reason',
    'a denied call fires ToolApprovalDecision and AfterToolCall in the new process',
  ],
  'leaves mcp tools unhooked': [
    'Block keeps the call from the server, and the model reads the reason',
    'Modify of input reaches the server, and an input that does not fit its schema does not',
    'Modify of output hides the original from models, streams, events and memory',
    'a mcp tool call fires every event of a tool call in order, approval included',
    'a blocked mcp tool call does not run',
  ],
  'runs hooks for invalid input': [
    'Modify of input is validated by the schema of the tool; an input that does not fit is blocked',
  ],
  'runs no hooks in a stream': [
    'what runs the call gets the idempotency key, and AfterToolCall has it',
    'Block keeps the tool from running, the model reads the reason, and the run continues',
  ],
  'stores the original of a rewritten prompt': [
    'Block on UserPromptSubmit calls no model, sets the reason on the result, and keeps the prompt out of memory',
  ],
  'starts a session for each run': [
    'a session has the id of the framework, spans its runs, and ends once, when it is closed',
  ],
  'streams an answer before hooks decide': [
    ...['inner', 'outer'].map(
      (which) =>
        `a streamed answer that the ${which} registry redacts is held back, although the other one has \`holdStream: false\``,
    ),
    'random hooks on prompts, runs, turns, model calls and answers give the prescribed requests, answers and ends of runs',
    'Block on AfterModelCall hides the answer from the result, streams and memory, and the result has the reason',
  ],
  'stores a withheld answer': [
    'random hooks on prompts, runs, turns, model calls and answers give the prescribed requests, answers and ends of runs',
    'a session continues without a blocked answer and its tool calls',
    'Block on AfterModelCall hides the answer from the result, streams and memory, and the result has the reason',
  ],
  'never fires subagent_start': [
    'a sub-agent starts and stops in the session of its parent, and its own session has the parent',
  ],
  'never fires subagent_stop': [
    'a sub-agent starts and stops in the session of its parent, and its own session has the parent',
  ],
  'never fires notification': [
    'a turn with a failed model call ends with error, and AgentError and Notification fire',
  ],
  'never fires before_compaction': [
    'BeforeCompaction and AfterCompaction fire, and the latter has the summary',
  ],
  'never fires before_model_call': [
    'Block on BeforeModelCall calls no model and ends the run, and the result has the reason',
  ],
  'never fires before_run': [
    'Modify of model and settings on BeforeRun applies to every model call of the run',
  ],
  'ignores modify.instructions on before_model_call': [
    'Modify of instructions on BeforeModelCall applies to this call only',
  ],
  'ignores modify.messages on before_model_call': [
    'Modify of messages on BeforeModelCall applies to this call only and is not stored',
  ],
  'ignores modify.tools on before_model_call': [
    'Modify of tools on BeforeModelCall applies to this call only',
  ],
  'ignores modify.settings on before_model_call': [
    'Modify of settings on BeforeModelCall applies to this call only',
  ],
  'ignores block on user_prompt_submit': [
    'Block on UserPromptSubmit calls no model, sets the reason on the result, and keeps the prompt out of memory',
  ],
  'ignores modify.settings on before_run': [
    'Modify of model and settings on BeforeRun applies to every model call of the run',
  ],
  'renames to a tool that needs approval': [
    'Modify of toolName to a tool with an approval of the framework blocks the call and names the hook',
  ],
  'renames to a tool with other options': [
    'Modify of toolName to a tool without the approver of the called one blocks the call and names the hook',
  ],
  'renames to a tool by the name of the called one': [
    'Modify of toolName runs the new tool, and every event from then on says which runs',
  ],
  'renames to a tool that the model was not offered': [
    'Modify of toolName to a tool that a hook took from the model blocks the call and names the hook',
  ],
  'renames to a tool without its descriptor': [
    'Modify of toolName shows the guards of the new tool its descriptor',
  ],
  'shows hooks the parsed input': ['hooks see the input of the model before the defaults of the schema'],
  'waits for observers': ['a slow observer delays nothing'],
  'mixes up turns': ['every event has its agent and run, and within a turn also its turn'],
  'ends a turn before Stop fires': [
    'random hooks on prompts, runs, turns, model calls and answers give the prescribed requests, answers and ends of runs',
    'Retry on Stop ends the turn of the answer with continue; without Retry the turn ends with normal',
  ],
  'does not report the agent': [
    'a hook with `agents` as text decides for those agents and for no other',
    'a hook with `agents` as a RegExp decides for those agents and for no other',
    ...conversations.map(({ name }) => `${name}: the events and their fields equal those of every adapter`),
    'hooks with the option `agents` run only for those agents',
  ],
  'runs all sub-agents in one session': [
    'concurrent sub-agents have their own sessions, and each session ends',
  ],
  'gives sub-agents the context of their parent': [
    'context stays in its own session and run and reaches neither a sub-agent nor its caller',
  ],
  'hides why a sub-agent was stopped': [
    'a sub-agent whose run a hook ends answers with the reason, and its caller continues',
  ],
  'ignores block on stop': [
    'random hooks on prompts, runs, turns, model calls and answers give the prescribed requests, answers and ends of runs',
    'Block on Stop ends the run as blocked, with the reason; no model call follows, and the session continues',
    'Block on Stop ends the turn with hook_blocked and the session once',
    'Block on Stop ends the run as blocked, with the reason, when no Retry is left',
  ],
  'hides last of stop': [
    'Stop has `last: true` when no Retry is left, and a further Retry leaves the answer as it is',
    'Block on Stop ends the run as blocked, with the reason, when no Retry is left',
  ],
  'loses a paused sub-agent': [
    'native: a call of a sub-agent is a pending approval, and once it is approved the same sub-agent continues',
  ],
  'does not recognize a run that a tool starts': [
    'a hooked agent that a tool runs is a sub-agent in the session of the outer run, and its message fires no UserPromptSubmit',
  ],
  'returns pending approvals synchronously': [
    'native: pendingApprovals resolves to the waiting calls with callId, toolName, input, reason and hash, and to none if the run continued',
  ],
  'throws its own errors for refusals': [
    'a blocked bare tool that throws throws a BlockedError with the reason, the tool and whether the run ends',
    ...refusedRuns.map((what) => `${what} is thrown as a BlockedError if \`refused\` is throw`),
  ],
  'returns each refused run': [
    ...[...refusedRuns, 'the reason of a Block on Stop'].map(
      (what) => `${what} is thrown as a BlockedError if \`refused\` is throw`,
    ),
    'of two registries, the outermost that sets `refused` chooses the form',
  ],
  'throws each refused run': refusedRuns.map(
    (what) => `${what} is the text of the run, which returns a result`,
  ),
  'leaves the text of a refused run empty': refusedRuns.map(
    (what) => `${what} is the text of the run, which returns a result`,
  ),
  'nests the pipelines of registries': [
    'a limit of one call that counts on BeforeExecute lets an approved call run in the new process, and no other',
    ...inEachWay(
      'interceptors run from the outer registry inwards, then all guards on the final input, then all observers; AfterToolCall runs outwards',
    ),
    ...inEachWay('a guard of the outer registry sees the input that the inner one rewrote, and can block it'),
    ...inEachWay(
      'a Retry of either registry runs the tool again with the same input and without BeforeToolCall',
    ),
    ...inEachWay('TransformToolResult fires once per registry, from the outer one inwards'),
    ...inEachWay('an approval that both registries require is requested once, for the final input'),
    ...inEachWay('the guards of both registries see the input that a person changed'),
    ...['a hooked tool of a hooked agent', 'an agent hooked twice'].map(
      (way) =>
        `${way}: a call renamed by the inner registry runs the guard of the other one for the new tool`,
    ),
    'the guards of three registries see the input that a person changed',
  ],
  'runs only the outermost registry': [
    reachesTool('yes', 'its hooks see it, and what they require is granted'),
    ...inEachWay('each guard runs once per call'),
    ...inEachWay('hooks see the session of their own registry, and both sessions have the same id'),
    ...['inner', 'outer'].flatMap((setter) =>
      inEachWay(
        `a hook of the ${setter} registry sets a shared value of the session, and hooks of the other one read it`,
      ),
    ),
    ...['a hooked tool of a hooked agent', 'an agent hooked twice'].map(
      (way) =>
        `${way}: a call renamed by the outer registry runs the guard of the other one for the new tool`,
    ),
    'two registries: a Block of the inner one holds',
    'two registries: a stop of the inner one ends the run, and no hook of the other one continues it',
  ],
  'renames to a tool without the guards of another registry': [
    'Modify of toolName to a tool that a further registry hooks blocks the call and names the hook',
  ],
  "always asks the agent's approver": [
    'a hooked tool of a hooked agent: `approval: deny` of the inner registry denies what its hooks require, although the outer one has an approver',
    'a hooked tool of a hooked agent: the approver of the inner registry answers for it, although the outer one denies',
    'an approval goes to the approver of the registry that requires it, else to the next one further out',
  ],
  'sends a repeated request without asking hooks': [
    repeatedRequest,
    'a request that the framework would repeat after a failure is not sent if a hook blocks it, and the result has the reason',
  ],
  'counts a repeated request as a turn': [repeatedRequest],
  'counts only the tokens of the last answer': [
    'the tokens of a run are those of each answer, also of one that hooks retried before the model failed and the framework repeated the request',
    ...['stands', 'is replaced', 'is refused'].map(
      (last) =>
        `the tokens of a run are those of each answer, also of those that hooks retried, where the last one ${last}`,
    ),
  ],
};
