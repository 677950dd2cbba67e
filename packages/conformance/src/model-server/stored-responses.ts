import { BadRequest, list, object, string } from './json.ts';

/** An item in the input or output of the Responses API. */
type Item = unknown;

/**
 * The responses of one server, which later requests may refer to instead of sending them again: a whole conversation by
 * `previous_response_id`, single items by `item_reference`. As in the real API, all are stored unless the request says
 * `store: false`.
 */
export class StoredResponses {
  readonly #conversations = new Map<string, readonly Item[]>();
  readonly #items = new Map<string, Item>();

  /** The whole input of a request: the earlier conversation, then its own items, with references resolved. */
  inputOf(raw: unknown): readonly Item[] {
    const body = object<BodyField>(raw, 'The body');
    if (body.conversation !== undefined && body.conversation !== null) {
      throw new BadRequest('conversation is not supported by this server; previous_response_id is.');
    }
    const input =
      typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : list(body.input, 'input');
    return [...this.#before(body.previous_response_id), ...input.map((item) => this.#resolve(item))];
  }

  keep(body: unknown, response: StoredResponse): void {
    if (object<BodyField>(body, 'The body').store === false) return;
    for (const item of response.output) this.#items.set(item.id, item);
    this.#conversations.set(response.id, [...this.inputOf(body), ...response.output]);
  }

  #before(id: unknown): readonly Item[] {
    if (id === undefined || id === null) return [];
    const items = this.#conversations.get(string(id, 'previous_response_id'));
    if (items) return items;
    throw new BadRequest(`Previous response with id '${id}' not found.`);
  }

  #resolve(item: Item): Item {
    const { type, id } = object<'type' | 'id'>(item, 'An item of input');
    if (type !== 'item_reference') return item;
    const found = this.#items.get(string(id, 'The id of an item_reference'));
    if (found !== undefined) return found;
    throw new BadRequest(`Item with id '${id}' not found.`);
  }
}

/** A response, whose ids later requests may refer to. */
export interface StoredResponse {
  readonly id: string;
  readonly output: readonly { readonly id: string }[];
  readonly [field: string]: unknown;
}

type BodyField = 'input' | 'previous_response_id' | 'conversation' | 'store';
