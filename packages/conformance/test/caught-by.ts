import { ways } from '../src/scenarios/ways-to-attach.ts';
import { conversations } from '../src/sequences/conversations.ts';
import type { Fault } from './reference/faults.ts';

/** The rule in every way in which two registries come to hook the same tool. */
function inEachWay(rule: string): readonly string[] {
  return ways.map(({ name }) => `${name}: ${rule}`);
}

/** Which rules catch which fault: every rule of the suite catches one at least. */
export const caughtBy: { readonly [Broken in Fault]?: readonly string[] } = {
  'forgets for whom it works': [
    "every event of a run has the principal that the framework's context names; a run without one has none",
    'a limit for each principal counts over sessions, also of runs at the same time, and charges nobody else',
    'a sub-agent works for the principal of the agent that called it',
    "a bare call of a tool has the principal that the framework's context names",
    'native: a run that goes on after a pause is for the principal that it began with',
  ],
  'takes everybody for one': [
    "every event of a run has the principal that the framework's context names; a run without one has none",
    'a limit for each principal counts over sessions, also of runs at the same time, and charges nobody else',
  ],
  'goes on in a session that is over': [
    'native: a session that closes while a person is asked: after a yes the call runs, and no hook hears of a session that is over',
  ],
  'drops a modified input': [
    'whatever hooks of calls side by side do, and whoever approves them in place: what runs, what the model reads and is told, and how the run ends is as prescribed',
    'native: whatever hooks of calls side by side do, and whatever a person answers: what runs, what the model reads and is told, and how the run ends is as prescribed',
    'whatever hooks of a call do, and whoever approves it in place: what runs, what the model reads and is told, and how the run ends is as prescribed',
    'native: whatever hooks of a call do, and whatever a person answers: what runs, what the model reads and is told, and how the run ends is as prescribed',
    'Modify of input: the tool runs with it, and the history keeps the arguments of the model',
    'Modify, then Proceed: still modified',
    'an approver that allows: the tool runs; what it was asked is the effective input',
    'PermissionRequest, Modify of input: whoever approves is asked about it, and the tool runs with it',
  ],
  'asks the model again without the delay of a Retry': [
    'while a Retry of an answer waits: the model is not asked again',
  ],
  'takes the limit for an error': [
    'the Notification at the limit of iterations is a warning, that of an error is an error',
  ],
  'hides provider of before_run': [
    'the prompt, the run and its model calls tell the same model and provider',
  ],
  'hides subagentSession of subagent_start': [
    'SubagentStart and SubagentStop name the session of the sub-agent',
  ],
  'hides message of user_input_required': [
    'native: UserInputRequired gives the reason of the hook that requires approval, and tells its run',
  ],
  'swallows Retry': [
    'whatever hooks of a call do, and whoever approves it in place: what runs, what the model reads and is told, and how the run ends is as prescribed',
    'Retry starts from the input that hooks left',
    'Retry of an output: the tool runs again',
    'Retry has a limit, at which the last attempt stands; BeforeToolCall is asked once, the others each time',
    'Retry at its limit: hooks behind it still decide about the output that would stand',
  ],
  'asks only about the first of parallel calls': [
    'whatever hooks of calls side by side do, and whoever approves them in place: what runs, what the model reads and is told, and how the run ends is as prescribed',
    'each is decided for itself and answered once',
    'one hook that fails blocks its own call only',
    'PermissionRequest: a hook that grants it stands in for the person, one that blocks denies it',
    'each has its own events, with its own call id, once',
  ],
  'drops the input of an approver': ['an approver that allows with another input: the tool runs with it'],
  'shows a person what the model sent': [
    "the framework's own approval: a person is shown the input that will run; where the pause cannot carry it, the call is refused",
    'native: a person is shown the input that will run; where the pause cannot carry it, the call is refused',
    ...['a hooked tool of a hooked agent', 'an agent hooked twice'].flatMap((way) => [
      `${way}: native: a person is shown the input that both have left; where the pause cannot carry it, the call is refused`,
      `${way}: native: what wants approval only as the inner one has made it is shown to a person, or refused`,
    ]),
  ],
  'resumes a run unhooked': [
    'native: a yes that carries another input: the tool runs with it',
    'after a yes a Block still blocks',
  ],
  'attaches the later registry inside': [
    'two registries: the later is outermost',
    'two registries around the model: the outermost is asked first before it, and has the last word on its answer',
    'two registries: both are obeyed, the later attached is outermost',
  ],
  'tells no tools': [
    'one registry serves several agents: unmatched() lists the matchers that meet no tool of any of them',
  ],
  'leaves a bare tool unhooked': [
    'approval: denied where nobody can be asked, else the approver is asked',
    'Modify of input: it runs with it',
    'Block: it does not run, and the caller gets the reason',
    'a hook that throws: it does not run, and the reason names the hook',
    'Retry: it runs again',
  ],
  'does not check a modified input': [
    'Modify of toolName: what does not fit the schema of the other tool is blocked',
    'an approver that allows with another input: the schema and the guards see it',
    'Modify of input: it is checked by the schema of the tool; what does not fit is blocked',
    'an input that does not fit the schema: the framework answers as without hooks, no hook is asked before, AfterToolCall tells INVALID_INPUT',
    'native: arguments that do not fit the schema are never sent to a person',
  ],
  'runs blocked tools': [
    'Modify of toolName: the guards are those of the other tool',
    'Block: the tool does not run, the model reads the reason, and the run goes on',
    'a guard sees the input that will run',
    'a tool of the kind function that a hook blocks does not run',
    'two registries: a Block of the outer one holds',
  ],
  'runs tools of failed hooks': [
    'whatever hooks of a call do, and whoever approves it in place: what runs, what the model reads and is told, and how the run ends is as prescribed',
    'Modify of toolName to a tool that the agent does not have: blocked, and the reason names the hook',
    'a hook that throws before a call: blocked with a reason that names the hook, and the run goes on',
    'a hook that rejects before a call: blocked with a reason that names the hook, and the run goes on',
    'a hook that hangs past its timeout before a call: blocked with a reason that names the hook, and the run goes on',
    'a hook that answers nonsense before a call: blocked with a reason that names the hook, and the run goes on',
    'a hook that forgets to answer before a call: blocked with a reason that names the hook, and the run goes on',
  ],
  'leaves a sibling unanswered': [
    'Block with stop: the sibling is answered, no model call follows, the result carries the reason, the session goes on',
  ],
  'leaves the tools of another agent unhooked': ["a sub-agent's tools are hooked"],
  'leaves agent tools unhooked': [
    'a sub-agent that is called as a tool is a tool call: Block, and it does not start',
    'a tool of the kind agent that a hook blocks does not run',
    'a call of a tool of the kind agent has every event of a tool call, in order, approval included',
  ],
  'never fires agent_switch': [
    'a handoff is an AgentSwitch, and the tools of the other agent are hooked',
    'a task that is passed to another agent is an AgentSwitch, there and back',
  ],
  'leaves framework tools unhooked': [
    'a tool of the kind framework that a hook blocks does not run',
    'a call of a tool of the kind framework has every event of a tool call, in order, approval included',
  ],
  'keeps the raw error in memory': [
    'an error withheld by a Block in AfterToolCall reaches no model, stream, event or memory',
    'a tool that throws: the run goes as without hooks, and hooks see status error',
    'Retry after an error: the tool runs again, and the model reads the second result only',
  ],
  'lets a run option displace the hooks': [
    'options of a single run do not put the gate out of force, nor any other event',
  ],
  'hides the reason of a block': [
    'Block ends the chain: no later hook is asked',
    'AfterToolCall, Block: the output is withheld, and the model reads the reason',
    'a hook that throws in TransformToolResult: the result is withheld, and the run goes on',
    'a hook that throws in AfterToolCall: the output is withheld, and the run goes on',
  ],
  'streams the output before hooks saw it': [
    'an output withheld by a Block in AfterToolCall reaches no model, stream, event or memory',
    'an output replaced in TransformToolResult reaches no model, stream, event, hook or memory unreplaced',
    'an output replaced in AfterToolCall reaches no model, stream, event or memory unreplaced',
  ],
  'allows where nobody can be asked': [
    'whatever hooks of a call do, and whoever approves it in place: what runs, what the model reads and is told, and how the run ends is as prescribed',
    'required of a person: no hook grants it',
    'required, and nobody can be asked: denied, with a reason that names the option, and the run goes on',
  ],
  'takes a no for a yes': [
    'whatever hooks of a call do, and whoever approves it in place: what runs, what the model reads and is told, and how the run ends is as prescribed',
    'native: whatever hooks of a call do, and whatever a person answers: what runs, what the model reads and is told, and how the run ends is as prescribed',
    'native: two registries: what one requires the other cannot grant, and both are asked about the call once and hear what came of it',
    'AfterToolCall fires for calls that did not run, too: blocked or denied, and why',
    'an approver that denies: the tool does not run, and the model reads the reason',
  ],
  'hides the reason of a no': ['native: after a no the call does not run, and the model reads the reason'],
  'gives every call the first answer': [
    'native: whatever hooks of calls side by side do, and whatever a person answers: what runs, what the model reads and is told, and how the run ends is as prescribed',
    'native: each of parallel calls has its own answer',
  ],
  'ignores hooks that come after attaching': ['a hook that comes later, after the attaching, is obeyed'],
  'drops a modified output': [
    'whatever hooks of a call do, and whoever approves it in place: what runs, what the model reads and is told, and how the run ends is as prescribed',
    'Modify of execute: it runs in the place of the tool, with the effective input; its failure is one of the tool, and Retry runs it again',
    'answer: the tool does not run, and the model reads the answer as its output',
    'TransformToolResult, Modify of output: the model reads the new output',
    'AfterToolCall, Modify of output: the model reads the new output',
    'Modify of output: one that is an object is read as its JSON, as the output of a tool is',
    'Modify of output: the caller gets it',
  ],
  'never stops a Retry': [
    'whatever hooks of prompts, runs, turns, model calls and answers do: what the model is asked, what is answered, and how each run ends is as prescribed',
    'AfterModelCall, Retry: it has a limit, at which the last answer stands',
    'Stop, Retry: at most three in a row, each behind the answer that it is about',
  ],
  'gives a Retry at its limit the last word': [
    'AfterModelCall, Retry at its limit: hooks behind it still decide about the answer that would stand',
  ],
  'words tool errors its own way': [
    'arguments that are no JSON: the run goes as without hooks, and no tool runs',
    'a tool that the agent does not have: the run goes as without hooks',
  ],
  'keeps the raw output in memory': [
    'an output whose hook in TransformToolResult throws reaches no model, stream, event or memory',
    'Modify of toolName: the other tool runs, and answers the same call',
    'an observer that throws touches nothing',
    'a call of a tool of the kind function has every event of a tool call, in order, approval included',
    'Proceed: the tool runs with what the model sent, and the model reads its output',
    'an output, of whatever type, is read by the model as without hooks',
    'native: a call that needs no approval runs without a pause',
  ],
  'keeps context in memory': [
    'whatever hooks of prompts, runs, turns, model calls and answers do: what the model is asked, what is answered, and how each run ends is as prescribed',
    'context from a tool call is in the next model call only, and in no tool result',
  ],
  'waits for a person where the run is over': [
    'native: a Block with stop of one call: one behind it that would wait for a person is canceled, the run ends, and the session goes on',
    'native: a Block with stop of one call: one ahead of it that would wait for a person is canceled, the run ends, and the session goes on',
    'native: a sub-agent whose run a hook ends beside a call that would wait for a person: nobody is asked, and it does not run',
  ],
  'shows hooks its own objects': [
    'hooks that write into every event they are shown change nothing: the run goes as with hooks that only look',
    'an observer that writes into what a person was shown changes nothing: what was approved runs',
  ],
  'pauses for every call': [
    'the events of a call tell its id, name, input, status and output',
    'with no hooks registered it answers as unhooked',
  ],
  'leaves function tools unhooked': [
    'a hook that throws in PermissionRequest: the person is asked',
    'TransformToolResult, Modify of errorMessage: nobody reads the old message',
    'TransformToolResult, Modify of output where the tool threw: the call is ok, and the model reads the output',
    'an error message replaced in TransformToolResult reaches no model, stream, event or memory unreplaced',
  ],
  'goes on after stop': [
    'whatever hooks of prompts, runs, turns, model calls and answers do: what the model is asked, what is answered, and how each run ends is as prescribed',
    'whatever hooks of a call do, and whoever approves it in place: what runs, what the model reads and is told, and how the run ends is as prescribed',
    'native: whatever hooks of a call do, and whatever a person answers: what runs, what the model reads and is told, and how the run ends is as prescribed',
    'native: a hook of AfterToolCall ends the run, whatever the person answered: no model call follows, and the result carries the reason',
    'two registries: a stop of the inner one ends the run, and no hook of the other makes it go on',
    'two registries: a stop of the outer one ends the run, and no hook of the other makes it go on',
    'AfterToolCall, Block with stop: the sibling is answered, no model call follows, the result carries the reason, the session goes on',
  ],
  'ignores an abort': [
    'while a hook is asked about the prompt, the run, the turn or the model call: no model is called',
    'while a hook is asked about what the model answered: the tools that it calls do not run',
    'while a person is asked: the approver is told, and after a yes the tool does not run',
    'while a Retry waits: the tool does not run again, and no model call follows',
    'an abort while a hook is asked: it does not run',
    'while a hook is asked about a call: the tool does not run, no model call follows, the session ends',
    'while the tool runs: the tool gets the signal, it is not tried again, no model call follows',
  ],
  'hides the signal from hooks': [
    'it reaches the signal of a hook that is being asked, whatever it is asked about',
  ],
  'goes on three times whatever is set': [
    'Stop, Retry: as often in a row as `maxContinuations` says, where that is set',
  ],
  'forgets a sub-agent that fails': [
    'a sub-agent that fails: its turn ends with error, and it stops and its session ends, once',
  ],
  'takes an abort for a block': [
    'while a hook is asked that gives up at it: the run ends as aborted, not as blocked by that hook',
  ],
  'keeps a blocked prompt': [
    'whatever hooks of prompts, runs, turns, model calls and answers do: what the model is asked, what is answered, and how each run ends is as prescribed',
    'Block: no model is called, the result carries the reason, the prompt enters no memory',
  ],
  'ignores modify.prompt on user_prompt_submit': [
    'Modify of prompt: no model and no memory gets the original',
  ],
  'tells context once a run': [
    'whatever hooks of prompts, runs, turns, model calls and answers do: what the model is asked, what is answered, and how each run ends is as prescribed',
    'Modify of context: it is in every model call of this run, in no other, and stored nowhere',
    'context from SessionStart is in every model call of the session and stored nowhere',
    'BeforeModelCall, Modify of context: in this call only, and stored nowhere',
  ],
  'forgets a run’s metadata': [
    'Modify of metadata: later hooks of the run read it',
    'BeforeRun has the prompt as its hooks left it, and what they tagged',
  ],
  'asks the model about a blocked prompt': [
    'a hook that throws: blocked, with a reason that names the hook',
    'a run that begins in the async context which a tool of another run has left behind has a prompt like others',
  ],
  'never fires user_prompt_submit': ['it fires once a run, with the text of the message'],
  'never ends a session': [
    'a run that a hook ends: its turn ends with hook_blocked, no Stop fires, and its session ends, once',
    'a run without a session has its own: it starts before and ends after everything else, once',
    'the session of a run that fails ends, once',
    'its session starts and ends with the call',
  ],
  'shares one context among sessions': [
    "a session has the framework's id, lasts over its runs, and ends once when it is closed",
    'runs at the same time keep their sessions and contexts apart',
  ],
  'ignores block on before_model_call': [
    'a model call that a hook blocks: the session goes on from what was before it',
    'BeforeModelCall, Block: the model is not called, the run ends, and the result carries the reason',
    'a hook that throws in BeforeModelCall: the model is not called, and the reason names the hook',
  ],
  'keeps changed instructions': [
    'whatever hooks of prompts, runs, turns, model calls and answers do: what the model is asked, what is answered, and how each run ends is as prescribed',
    'BeforeModelCall, Modify of instructions: for this call only',
  ],
  'keeps changed messages': [
    'whatever hooks of prompts, runs, turns, model calls and answers do: what the model is asked, what is answered, and how each run ends is as prescribed',
    'BeforeModelCall, Modify of messages: for this call only, and stored nowhere',
  ],
  'keeps changed tools': [
    'whatever hooks of prompts, runs, turns, model calls and answers do: what the model is asked, what is answered, and how each run ends is as prescribed',
    'BeforeModelCall, Modify of tools: the model is told of these, for this call only',
  ],
  'keeps changed settings': [
    'BeforeModelCall, Modify of settings: before those that BeforeRun has set for the run, which it is shown',
    'BeforeModelCall, Modify of settings: for this call only',
  ],
  'never fires turn_start': [
    'TurnStart, Modify of context: in this call only, and stored nowhere',
    'each turn starts and ends once: continue while tools are called, normal at the answer',
  ],
  'ignores block on after_model_call': [
    'a hook that throws in AfterModelCall: the answer is withheld from result, streams and memory, and the reason names the hook',
    'AfterModelCall, Block: the answer is withheld from result, streams and memory, and the result carries the reason',
    'AfterModelCall, Block of an answer that calls a tool: the tool does not run',
  ],
  'ignores modify.response on after_model_call': [
    'AfterModelCall, Modify of response: the tools run as it calls them',
    'AfterModelCall, Modify of response: result, streams and memory have the new answer only',
    'AfterModelCall, Modify of response: a tool call that it takes out does not run',
  ],
  'ignores retry on after_model_call': [
    'AfterModelCall, Retry: the model is asked the same again, and what it called does not run',
    'AfterModelCall, Retry: the model is asked again, and its first answer is nowhere',
  ],
  'never fires after_model_call': [
    'the events of a model call tell its iteration, messages, tools and response',
  ],
  'ignores modify.model on before_run': [
    'BeforeRun, Modify of model and settings: every model call of the run has them',
  ],
  'ignores block on before_run': [
    'a hook that throws in BeforeRun: no model is called, and the reason names the hook',
    'BeforeRun, Block: no model is called, and the result carries the reason',
  ],
  'never fires agent_error': [
    'a turn of which the model call fails ends with error, and AgentError and Notification fire',
  ],
  'never fires turn_end': [
    'a run that a hook ends: its turn ends with hook_blocked, no Stop fires, and its session ends, once',
    'a turn that is aborted ends with canceled',
  ],
  'never fires max_iterations': [
    'the limit of iterations: MaxIterations and Notification fire once; the last turn was to be continued',
  ],
  'ignores retry on stop': [
    'whatever hooks of prompts, runs, turns, model calls and answers do: what the model is asked, what is answered, and how each run ends is as prescribed',
    'Stop, Retry: the reason is the next user message, and the agent works on',
  ],
  'never fires stop': [
    'a hook that throws where there is nothing to refuse: the run goes on',
    'Stop fires once, when the model finished, with its answer and what it was asked',
  ],
  'forgets what paused': [
    'native: over the pause each call has each of its events once, and so has its turn',
    'native: the run pauses and tells the call with its effective input; after a yes it runs, and no hook is asked again',
  ],
  'forgets the parent of a sub-agent': [
    'a sub-agent works for the principal of the agent that called it',
    'a sub-agent starts and stops in the session of its parent, and its own session knows its parent',
  ],
  'takes the task of a sub-agent for a prompt': [
    'the message that a sub-agent starts with is no prompt of a user',
  ],
  'never fires after_compaction': ['it is told before and after, with the summary'],
  'ignores block on before_compaction': ['Block: the history stays as it is'],
  'ignores modify.context on before_compaction': [
    'Modify of context: whoever writes the summary reads it, and nobody else',
  ],
  'ignores modify.summary on before_compaction': [
    'Modify of summary: it stands for the history, and no model is asked for one',
  ],
  'asks twice where attached twice': [
    'the same registry attached twice is asked once, whatever the event',
    'the same registry around a tool and around its agent is asked once',
    'hooked twice by the same registry, the hook is asked once',
  ],
  'adds an event where no hook is registered': [
    'with no hooks registered: the same requests, the same events, the same result as the bare agent',
  ],
  'asks a person before the hooks': [
    "the framework's own approval: a hook that grants the call before lifts it",
    "the framework's own approval: nobody is asked about what a hook blocks, or what does not fit the schema",
    "the framework's own approval: an approver is asked in place",
    "the framework's own approval: a person is shown the input that will run; where the pause cannot carry it, the call is refused",
    "the framework's own approval fires PermissionRequest, and a grant lifts it",
  ],
  'takes every block for the result': [
    'blockReason is undefined of all that no hook has refused',
    'a Block without stop is not the result: it has no blockReason',
  ],
  'asks hooks about what a person refused': [
    'after a no the call does not run, no hook is asked whether it may, and the model reads the reason',
  ],
  'forgets a no where no hook is left': ['after a no the call does not run, also where no hook is left'],
  'takes a yes to one input for any': [
    'a yes to one input is none to another: it is asked for anew, or the call is refused',
  ],
  'takes a yes for the end of all need of approval': [
    'a yes to one input is none to another, also where no hook requires approval any longer',
    "the framework's own approval: a yes to one input is none to another: it is asked for anew, or the call is refused",
  ],
  'does not tell hooks of a yes': [
    "the framework's own approval: after a yes the call runs, and hooks are asked once more and told of the yes",
    'after a yes the call runs, hooked; hooks are asked once more, told of the yes, and what they require counts as given',
  ],
  'tells hooks nothing of a no': [
    'native: whatever hooks of a call do, and whatever a person answers: what runs, what the model reads and is told, and how the run ends is as prescribed',
    'native: of a call that a person refused the model reads the reason that a hook of AfterToolCall gives it',
    'native: a hook of AfterToolCall ends the run, whatever the person answered: no model call follows, and the result carries the reason',
    'a no is told to hooks: ToolApprovalDecision, and AfterToolCall of a call that was denied',
  ],
  'leaves mcp tools unhooked': [
    'Block: the server is not asked, and the model reads the reason',
    'Modify of input: the server gets it, and what does not fit its schema never reaches it',
    'Modify of output: what the server answered reaches no model, stream, event or memory unreplaced',
    'a call of a tool of the kind mcp has every event of a tool call, in order, approval included',
    'a tool of the kind mcp that a hook blocks does not run',
  ],
  'asks hooks about invalid input': [
    'Modify of input: it is checked by the schema of the tool; what does not fit is blocked',
  ],
  'asks no hooks in a stream': [
    'Block: the tool does not run, the model reads the reason, and the run goes on',
  ],
  'keeps the original of a rewritten prompt': [
    'Block: no model is called, the result carries the reason, the prompt enters no memory',
  ],
  'starts a session for each run': [
    "a session has the framework's id, lasts over its runs, and ends once when it is closed",
  ],
  'streams an answer before hooks saw it': [
    'whatever hooks of prompts, runs, turns, model calls and answers do: what the model is asked, what is answered, and how each run ends is as prescribed',
    'AfterModelCall, Block: the answer is withheld from result, streams and memory, and the result carries the reason',
  ],
  'keeps a withheld answer': [
    'whatever hooks of prompts, runs, turns, model calls and answers do: what the model is asked, what is answered, and how each run ends is as prescribed',
    'an answer that a hook blocks, with calls in it: the session goes on without it',
    'AfterModelCall, Block: the answer is withheld from result, streams and memory, and the result carries the reason',
  ],
  'never fires subagent_start': [
    'a sub-agent starts and stops in the session of its parent, and its own session knows its parent',
  ],
  'never fires subagent_stop': [
    'a sub-agent starts and stops in the session of its parent, and its own session knows its parent',
  ],
  'never fires notification': [
    'a turn of which the model call fails ends with error, and AgentError and Notification fire',
  ],
  'never fires before_compaction': ['it is told before and after, with the summary'],
  'never fires before_model_call': [
    'BeforeModelCall, Block: the model is not called, the run ends, and the result carries the reason',
  ],
  'never fires before_run': ['BeforeRun, Modify of model and settings: every model call of the run has them'],
  'ignores modify.instructions on before_model_call': [
    'BeforeModelCall, Modify of instructions: for this call only',
  ],
  'ignores modify.messages on before_model_call': [
    'BeforeModelCall, Modify of messages: for this call only, and stored nowhere',
  ],
  'ignores modify.tools on before_model_call': [
    'BeforeModelCall, Modify of tools: the model is told of these, for this call only',
  ],
  'ignores modify.settings on before_model_call': ['BeforeModelCall, Modify of settings: for this call only'],
  'ignores block on user_prompt_submit': [
    'Block: no model is called, the result carries the reason, the prompt enters no memory',
  ],
  'ignores modify.settings on before_run': [
    'BeforeRun, Modify of model and settings: every model call of the run has them',
  ],
  'renames to what wants approval': [
    'Modify of toolName to a tool for which the framework would ask a person: blocked, and the reason names the hook',
  ],
  'shows hooks the parsed input': ['hooks see what the model sent, before the defaults of the schema'],
  'waits for observers': ['an observer that takes its time is not waited for'],
  'mixes up turns': [
    'every event tells the agent and the run it is of, and between its start and its end also the turn',
  ],
  'ends a turn before Stop is asked': [
    'whatever hooks of prompts, runs, turns, model calls and answers do: what the model is asked, what is answered, and how each run ends is as prescribed',
    'Stop, Retry: Stop is asked in the turn of the answer, which ends with continue, and with normal where it stands',
  ],
  'forgets which agent it is': [
    ...conversations.map(({ name }) => `${name}: the events and their fields are those of every adapter`),
    'hooks for one agent are not asked about another',
  ],
  'runs sub-agents in one session': [
    'sub-agents that run at the same time have sessions of their own, and each ends',
  ],
  'tells sub-agents the context of their parent': [
    'context is that of its own session and run, not of the agent that calls it or is called',
  ],
  'hides why a sub-agent was stopped': [
    'a sub-agent whose run a hook ends: the reason is its answer, and the agent that called it goes on',
  ],
  'ignores block on stop': [
    'whatever hooks of prompts, runs, turns, model calls and answers do: what the model is asked, what is answered, and how each run ends is as prescribed',
    'Stop, Block: the run ends as blocked, with the reason; no model call follows, and the session goes on',
    'Stop, Block: its turn ends with hook_blocked, and its session ends, once',
    'Stop, Block where no Retry is left: the run ends as blocked, with the reason',
  ],
  'hides last of stop': [
    'Stop, Retry: where no Retry is left the hook is told so, and the answer stands whatever it says',
    'Stop, Block where no Retry is left: the run ends as blocked, with the reason',
  ],
  'forgets a sub-agent that waits': [
    'native: a call of a sub-agent waits for a person: it is told as pending, and after a yes the same sub-agent goes on',
  ],
  'takes a run that a tool starts for one of its own': [
    'a run of a hooked agent that the code of a tool starts is a sub-agent: it is told in the session of the run around it, and its message is no prompt of a user',
  ],
  'gives pending approvals at once': [
    'native: pendingApprovals promises the calls that wait, each with its callId, toolName, input, reason and hash; none where the run went on',
  ],
  'throws errors of its own for refusals': [
    'a bare tool that throws where a hook refuses its call throws a BlockedError: the reason, the tool, and whether the run is to end',
    'a run that throws where a hook has ended it throws a BlockedError with the reason, of no tool',
  ],
  'asks registries one inside the other': [
    ...inEachWay(
      'interceptors from the outer one inwards, then all guards on the one final input, then all observers; AfterToolCall from the inner one outwards',
    ),
    ...inEachWay(
      'a guard of the outer one sees what the inner one makes of an input: what it refuses does not run, and the reason is read',
    ),
    ...inEachWay(
      'a Retry of either one runs the tool again with the same input, and asks no hook again before it',
    ),
    ...inEachWay('each is asked once about the result, from the outer one inwards'),
    ...inEachWay('an approval that both require is sought once, for the input that both have left'),
    ...inEachWay('the guards of both see what a person makes of an input'),
    ...['a hooked tool of a hooked agent', 'an agent hooked twice'].map(
      (way) =>
        `${way}: a call that the inner one renames meets the guard that the other one has for the new tool`,
    ),
    'of three registries the guards of all see what a person makes of an input',
  ],
  'asks only the outermost registry': [
    ...inEachWay('each guard is asked once about a call'),
    ...inEachWay('each sees the session of its own registry; both have the same id'),
    ...['a hooked tool of a hooked agent', 'an agent hooked twice'].map(
      (way) =>
        `${way}: a call that the outer one renames meets the guard that the other one has for the new tool`,
    ),
    'two registries: a Block of the inner one holds',
    'two registries: a stop of the inner one ends the run, and no hook of the other makes it go on',
  ],
  'renames to what another registry guards': [
    'a call that a hook renames to a tool with a registry of its own does not run past the guards of that registry',
  ],
  'asks the approver of the agent about everything': [
    'approval is given by the approver of the registry that requires it, else by that of the next one further out',
  ],
};
