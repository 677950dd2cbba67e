import { useChat } from '@ai-sdk/react';
import { lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai';
import { createRoot } from 'react-dom/client';
import type { ChatMessage } from '../src/tools.ts';

type Part = ChatMessage['parts'][number];

function Chat() {
  const { messages, sendMessage, addToolApprovalResponse, error } =
    useChat<ChatMessage>({
      // The next request carries the person's answer.
      sendAutomaticallyWhen:
        lastAssistantMessageIsCompleteWithApprovalResponses,
    });
  const show = (part: Part) => {
    if (part.type === 'text') return part.text;
    if (part.type !== 'tool-readFile' && part.type !== 'tool-deleteFile')
      return null;
    if (part.state === 'output-denied') return <em>Not allowed.</em>;
    // What a hook refuses ends as an error.
    if (part.state === 'output-error') return <em>{part.errorText}</em>;
    if (part.state !== 'approval-requested') return null;
    const { id, requestReason } = part.approval;
    return (
      <fieldset>
        <legend>{requestReason ?? 'May it go on?'}</legend>
        <button
          type="button"
          onClick={() => addToolApprovalResponse({ id, approved: true })}
        >
          Yes
        </button>
        <button
          type="button"
          onClick={() =>
            addToolApprovalResponse({
              id,
              approved: false,
              reason: 'I need it.',
            })
          }
        >
          No
        </button>
      </fieldset>
    );
  };
  return (
    <main>
      {messages.map(({ id, role, parts }) => (
        <article key={id} data-role={role}>
          {parts.map((part, nth) => (
            <div key={nth}>{show(part)}</div>
          ))}
        </article>
      ))}
      {error && <p role="alert">{error.message}</p>}
      <form
        action={(data) => void sendMessage({ text: String(data.get('text')) })}
      >
        <input name="text" placeholder="Delete notes.txt" autoComplete="off" />
        <button type="submit">Send</button>
      </form>
    </main>
  );
}

createRoot(document.getElementById('root') ?? document.body).render(<Chat />);
