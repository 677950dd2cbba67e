import { sealMessage } from '../dispatch/seal.ts';
import type { ModelMessage } from '../event/catalogue/model.ts';

/** What a message says, and who says it. */
type Said = Omit<ModelMessage, 'text' | 'native'>;

/**
 * The messages of a framework as hooks see them. One whose content is a text is read and sealed once, however often the
 * history that it stands in is sent to a model. It is compared each time, because programs may change it in place. One that
 * makes calls is read each time.
 */
export class SeenMessages<Native extends object> {
  readonly #seen: WeakMap<Native, { readonly content: string; readonly message: ModelMessage }> =
    new WeakMap();

  /**
   * @param content the whole content of the message, if it is a text
   * @param read reads the text of the message
   */
  of(native: Native, said: Said, content: unknown, read: () => string): ModelMessage {
    const known = this.#seen.get(native);
    if (known !== undefined && known.content === content && isSame(known.message, said)) return known.message;
    const message: ModelMessage = { ...said, text: read(), native };
    if (typeof content !== 'string' || said.calls !== undefined) return message;
    const sealed = sealMessage(message);
    this.#seen.set(native, { content, message: sealed });
    return sealed;
  }
}

function isSame(message: ModelMessage, { role, toolName, callId, calls }: Said): boolean {
  return (
    calls === undefined && message.role === role && message.toolName === toolName && message.callId === callId
  );
}
