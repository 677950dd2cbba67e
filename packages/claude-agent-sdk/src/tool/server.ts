import type { Execute, FindTarget, Hooks, InputCheck, Principal, ToolDescriptor } from '@hooks/core';
import { Attachment, errorText, failureText, standIn } from '@hooks/core/adapter';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ASKS, approverOf } from '../approval/permission.ts';
import { type RegisteredTool, registeredTools } from '../internals.ts';
import { type HookToolOptions, OF_TOOLS } from '../options.ts';
import type { Registries } from '../registries.ts';
import { type Caller, type Gate, isNameOf, type OwnTools, type Place } from '../run/gate.ts';
import { type InputOf, isRecord, type OwnServer } from '../sdk.ts';
import { supports } from '../supports.ts';
import { callKeyOf, callOf, decided } from './builtin.ts';
import { CANNOT_WAIT, decidedCall, hookedHandler, runAlone } from './hook-tools.ts';
import { Exchange, failed, type Reply } from './result.ts';
import { siblingName, unpermitted } from './sibling.ts';

/** The `native` field of events of tools that run in this process. */
export interface NativeToolCall {
  /** The `_meta` of the request. */
  readonly meta: { readonly [field: string]: unknown };
}

const SERVER = Symbol('@hooks/claude-agent-sdk server');

/** How a server is hooked by itself. */
interface Known {
  readonly original: OwnServer;
  readonly own: Registries;
}

/**
 * Hooks the tools of a server that `createSdkMcpServer` made, for a query that is not hooked: each call has its own
 * session. In a hooked query, its registries are further in than those of the query.
 *
 * @throws HooksError `UNSUPPORTED_EVENT` where a refusing hook is registered on an event that the SDK does not have
 * @example
 * ```ts
 * const server = hookServer(createSdkMcpServer({ name: 'shop', tools }), hooks);
 * ```
 */
export function hookServer<S extends OwnServer>(server: S, hooks: Hooks, options: HookToolOptions = {}): S {
  const { original, own } = knownServer(server);
  const tools = [...registeredTools(original).keys()];
  const registries: Registries = Attachment.of(hooks, options, {
    of: 'hookServer',
    takes: OF_TOOLS,
    supports,
    tools,
  });
  return new HookedServer(original, registries.around(own), undefined).config(server);
}

/** The server without its hooks, and those. */
export function knownServer(server: OwnServer): Known {
  const known: Known | undefined = Reflect.get(server.instance, SERVER);
  return known ?? { original: server, own: Attachment.none };
}

/** What a JSON-RPC message is made of. */
interface RpcMessage extends Reply {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: { readonly [field: string]: unknown };
}

/** A server of this process between Claude Code and the user's server: calls enter core here. */
export class HookedServer implements OwnTools {
  readonly #server: OwnServer;
  /** Registries that hook the server by itself. */
  readonly #own: Registries;
  readonly #gate: Gate | undefined;
  /** The requests to the user's server that have no response. */
  readonly #waiting: Map<string | number | undefined, (reply: Reply) => void> = new Map();
  /** The running calls on whose results hooks decide, by what warns of withheld messages. */
  readonly #held: Set<() => void> = new Set();
  readonly #schemas: Map<string, { readonly [keyword: string]: unknown }> = new Map();
  #minted = 0;
  #inner: Transport | undefined;

  constructor(server: OwnServer, own: Registries, gate: Gate | undefined) {
    this.#server = server;
    this.#own = own;
    this.#gate = gate;
  }

  /** The user's configuration, with this server in place of theirs. */
  config<S extends OwnServer>(server: S): S {
    const known: Known = { original: this.#server, own: this.#own };
    const instance = standIn(this.#server.instance, {
      connect: (transport: Transport) => this.#connect(transport),
      [SERVER]: known,
    });
    return { ...server, instance };
  }

  async #connect(outer: Transport): Promise<void> {
    const inner: Transport = {
      start: async () => {},
      close: () => outer.close(),
      send: async (message) => {
        const { id, method = '', result, error }: RpcMessage = message as RpcMessage;
        this.#learn(result);
        const waits = method === '' ? this.#waiting.get(id) : undefined;
        if (waits !== undefined) return waits(error === undefined ? { result } : { error });
        // What a tool tells while it runs may be part of a result that hooks have not decided on.
        if (TOLD.includes(method) && this.#held.size > 0) for (const warn of this.#held) warn();
        else await outer.send(message);
      },
    };
    this.#inner = inner;
    this.#gate?.own.set(this.#server.name, this);
    outer.onclose = () => {
      // Another server may take its name, without hooks.
      this.#gate?.disconnected(this.#server.name, this);
      inner.onclose?.();
    };
    await this.#server.instance.connect(inner);
    outer.onerror = (error) => inner.onerror?.(error);
    outer.onmessage = (message, extra) => {
      const { id, method, params = {} }: RpcMessage = message as RpcMessage;
      if (method !== 'tools/call' || id === undefined) inner.onmessage?.(message, extra);
      else
        void this.#answer(params)
          .catch((): Reply => ({ result: failed('The hooks failed.') }))
          .then((reply) => outer.send({ jsonrpc: '2.0', id, ...reply } as never));
    };
    await outer.start();
  }

  /** Notes the JSON Schemas of the tools that the server lists. */
  #learn(result: unknown): void {
    const { tools } = Object(result);
    for (const tool of Array.isArray(tools) ? tools : [])
      if (isRecord(tool) && isRecord(tool['inputSchema']))
        this.#schemas.set(String(tool['name']), tool['inputSchema']);
  }

  /** Runs a call through the hooks. */
  async #answer(params: NonNullable<RpcMessage['params']>): Promise<Reply> {
    const { name, arguments: input = {}, _meta } = params;
    const tool = String(name);
    const meta = isRecord(_meta) ? _meta : {};
    const callId = meta['claudecode/toolUseId'];
    const place = this.#gate?.arrived(callId, this.#server.name, tool);
    // Nothing tells by what name hooks know it.
    if (this.#gate !== undefined && place === undefined) return { result: failed(UNANNOUNCED) };
    const registries = this.#registriesOf(tool);
    const { toolName = tool, run = await runAlone(registries), caller = {} } = place ?? {};
    if (run.stop !== undefined) return { result: failed(run.stop.reason) };
    const exchange = new Exchange();
    const execute = (name: string) => exchange.by(this.#request({ ...params, name }, registries));
    const native: NativeToolCall = { meta };
    const call = {
      toolName,
      ...(typeof callId === 'string' && { callId }),
      input,
      ...this.#describe(tool),
      ...(place && this.#principalOf(tool, place)),
      native,
    };
    const rename = this.#finder(toolName, caller, native, execute);
    try {
      // From the beginning to the decision: a tool may go on after it has returned.
      const outcome = await this.#withholding(registries.withheld(toolName, {}), () =>
        run.callTool(call, execute(tool), {
          inner: place === undefined ? [] : this.#innerRegistries(tool).attached(),
          check: this.#checkOf(tool),
          pause: CANNOT_WAIT,
          rename: place === undefined ? () => 'the agent is not hooked' : rename,
        }),
      );
      // In the server's words. The server itself is not asked: it might accept what hooks could not see.
      if (outcome.code === 'INVALID_INPUT' && outcome.by === undefined && !outcome.ran)
        return { result: failed(`${INVALID} ${tool}: ${errorText(outcome.error)}`) };
      return exchange.answer(outcome) ?? { result: failed(failureText(outcome)) };
    } finally {
      if (place === undefined) await run.end({ kind: 'done' });
    }
  }

  /** Calls a tool of the user's server, for a call of these registries. */
  #request(params: { readonly name: string }, asked: Registries): Parameters<Exchange['by']>[0] {
    return (input, { signal, call }) =>
      this.#withholding(asked.withheld(call.toolName, call), () =>
        this.#send({ ...params, arguments: input }, signal),
      );
  }

  /** Withholds what tools tell until some work is done. */
  async #withholding<T>(warn: (() => void) | undefined, work: () => Promise<T>): Promise<T> {
    if (warn) this.#held.add(warn);
    try {
      return await work();
    } finally {
      if (warn) this.#held.delete(warn);
    }
  }

  /** Sends a call to the user's server, as a request of its own. An abort of the run cancels it. */
  async #send(
    params: { readonly name: string; readonly arguments: unknown },
    signal: AbortSignal | undefined,
  ) {
    const id = `hooks-${++this.#minted}`;
    const { promise, resolve } = Promise.withResolvers<Reply>();
    const send = (message: RpcMessage) => this.#inner?.onmessage?.({ jsonrpc: '2.0', ...message } as never);
    const cancel = (): void => {
      const { message = 'The run was aborted.' } = Object(signal?.reason);
      const reason = String(message);
      send({ method: 'notifications/cancelled', params: { requestId: id, reason } });
      // A request that was canceled gets no response.
      resolve({ error: { code: -32000, message: reason } });
    };
    this.#waiting.set(id, resolve);
    signal?.addEventListener('abort', cancel);
    const handler = this.#tool(params.name)?.handler;
    decidedCall.run({ handler }, () => send({ id, method: 'tools/call', params }));
    try {
      return await promise;
    } finally {
      this.#waiting.delete(id);
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** All registries that hook a tool, outermost first. */
  #registriesOf(tool: string): Registries {
    return (this.#gate?.setting.registries ?? Attachment.none).around(this.#innerRegistries(tool));
  }

  /** Those that hook it by itself or with its server. */
  #innerRegistries(tool: string): Registries {
    return this.#own.around(hookedHandler(this.#tool(tool)?.handler)?.own ?? Attachment.none);
  }

  /**
   * Notes where a call comes from. Hooks decide where it runs, unless the server asks for approval of each: then they do
   * before Claude Code asks.
   */
  async announce(place: Place, input: InputOf<'PreToolUse'>, signal: AbortSignal): Promise<void> {
    const { run, conversation } = place;
    const { tool_name: toolName, tool_use_id: callId } = input;
    const tool = this.#nameOf(toolName);
    if (this.#policyOf(tool)?.permission_policy === 'always_ask' && run.stop === undefined) {
      const registries = this.#registriesOf(tool);
      const call = {
        ...callOf(input),
        signal,
        needsApproval: ASKS,
        ...this.#describe(tool),
        ...this.#principalOf(tool, place),
      };
      const rename = this.#finder(toolName, input, call.native, (name) =>
        new Exchange().by(this.#request({ name }, registries)),
      );
      await decided(conversation, run, call, {
        runsIn: 'callTool',
        inner: this.#innerRegistries(tool).attached(),
        check: this.#checkOf(tool),
        approval: approverOf(conversation.setting.options),
        pause: CANNOT_WAIT,
        capabilities: { ask: true, retry: true, route: true, rename },
      });
      // Whatever was decided, it is carried out where the call runs.
      conversation.allowed.set(callKeyOf(input), input.tool_input);
    }
    this.#gate?.announce({ ...place, callId, toolName, server: this.#server.name, caller: input });
  }

  /** A tool, as hooks see it. */
  #describe(tool: string): { readonly tool: ToolDescriptor } {
    const { description, annotations, inputSchema } = this.#tool(tool) ?? {};
    const schema = this.#schemas.get(tool);
    return {
      tool: {
        kind: 'function',
        ...(isRecord(inputSchema) && { ref: inputSchema }),
        inputSchema: schema && (() => schema),
        description,
        annotations,
      },
    };
  }

  /** The principal of a call, where a registry that hooks the tool by itself knows one. */
  #principalOf(
    tool: string,
    { run, conversation: { sessionId, setting } }: Place,
  ): { readonly principal?: Principal } {
    const principal = this.#innerRegistries(tool).principalOfCall(run, {
      options: setting.options,
      sessionId,
    });
    return principal === undefined ? {} : { principal };
  }

  /** Checks an input by the schema that the server keeps. */
  #checkOf(tool: string): InputCheck | undefined {
    const schema = this.#tool(tool)?.inputSchema;
    const parse: unknown = isRecord(schema) ? schema['safeParseAsync'] : undefined;
    if (typeof parse !== 'function') return undefined;
    return async (input) => {
      const { success, error } = (await parse.call(schema, input)) as {
        readonly success: boolean;
        readonly error?: Error;
      };
      return success ? undefined : { message: error?.message ?? 'it does not fit', error };
    };
  }

  /** Finds a tool that a hook selects instead of the one that the model called. */
  #finder(called: string, caller: Caller, native: unknown, execute: (tool: string) => Execute): FindTarget {
    return (given) => {
      const tool = this.#nameOf(given);
      const server = this.#server.name;
      if (this.#tool(tool) === undefined) return `the server ${server} has no tool named ${given}`;
      return {
        name: siblingName(called, server, tool),
        ...this.#describe(tool),
        native,
        registries: this.#registriesOf(tool).attached(),
        unenforced: this.#policyOf(tool)
          ? 'has a permission policy of its own, which Claude Code would not apply'
          : this.#gate && unpermitted(this.#gate, caller, server, tool),
        check: this.#checkOf(tool) ?? 'itself',
        execute: execute(tool),
      };
    };
  }

  /** What the server says about permission for a tool. */
  #policyOf(tool: string): NonNullable<OwnServer['tools']>[number] | undefined {
    return this.#server.tools?.find(({ name }) => name === tool);
  }

  #tool(name: string): RegisteredTool | undefined {
    return registeredTools(this.#server).get(name);
  }

  /** The server's name of a tool, by that or by the model's. */
  #nameOf(toolName: string): string {
    if (this.#tool(toolName) !== undefined) return toolName;
    const names = [...registeredTools(this.#server).keys()];
    return names.find((name) => isNameOf(toolName, this.#server.name, name)) ?? toolName;
  }
}

const UNANNOUNCED = 'The call did not run: Claude Code did not ask the hooks about it.';
const INVALID = 'MCP error -32602: Input validation error: Invalid arguments for tool';

/** What a tool may tell while it runs. */
const TOLD: readonly string[] = ['notifications/progress', 'notifications/message'];
