import type { Connection, Route } from './connection.ts';
import {
  errorResponse,
  type Id,
  INVALID_REQUEST,
  isFields,
  METHOD_NOT_FOUND,
  type Message,
} from './message/message.ts';
import { callThroughHooks } from './tools/call.ts';
import { doorOf, isDisguisedMethod, isTaskMethod, NO_TASKS } from './tools/doors.ts';
import { listThroughHooks } from './tools/list.ts';

/** Passes a message of the client to the hooks if they decide about it, otherwise to the server unchanged. */
export function fromClient(connection: Connection, message: Message, route: Route): void {
  const { method, id } = message.json;
  if (method === undefined) connection.respond(message, route);
  else if (id === undefined || id === null) notification(connection, message, method, route);
  else request(connection, message, { method, id }, route);
}

function notification(connection: Connection, message: Message, method: string, route: Route): void {
  // Without an id there is no response for hooks to check, and a lenient server might run the call.
  if (doorOf(method) === undefined && !isDisguisedMethod(method) && !isTaskMethod(method))
    connection.notify(message, route);
  else connection.settings.warn(`dropped a ${method} without an id from the client`);
}

function request(
  connection: Connection,
  message: Message,
  { method, id }: { readonly method: string; readonly id: Id },
  route: Route,
): void {
  const refuse = (code: number, text: string): void => route.toClient(errorResponse(id, code, text));
  const door = doorOf(method);
  if (connection.has(id)) refuse(INVALID_REQUEST, 'A request with this id is already pending.');
  else if (method.startsWith('notifications/')) refuse(INVALID_REQUEST, 'A notification has no id.');
  else if (isDisguisedMethod(method)) refuse(METHOD_NOT_FOUND, 'This method is spelled differently.');
  else if (door !== undefined) connection.run(callThroughHooks(connection, { door, id, message, route }));
  else if (isTaskMethod(method)) refuse(METHOD_NOT_FOUND, NO_TASKS);
  else if (method === 'tools/list')
    connection.forward(message, id, route, (reply) =>
      connection.run(
        listThroughHooks(connection, message.json, reply, route).catch((error) =>
          connection.drop(reply.message, reply.route, error),
        ),
      ),
    );
  else if (method === 'initialize') {
    connection.client = message.json.params ?? {};
    connection.forward(message, id, route, (reply) =>
      connection.pass(withoutTasks(reply.message), method, reply.route),
    );
  } else connection.forward(message, id, route);
}

/** Removes tasks from the server's capabilities. */
function withoutTasks(message: Message): Message {
  const { result } = message.json;
  const capabilities = result?.['capabilities'];
  if (!isFields(capabilities) || capabilities['tasks'] === undefined) return message;
  const { tasks: _, ...offered } = capabilities;
  return {
    ...message,
    raw: undefined,
    json: { ...message.json, result: { ...result, capabilities: offered } },
  };
}
