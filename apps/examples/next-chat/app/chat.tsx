'use client';

import { useChat } from '@ai-sdk/react';
import { lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai';
import type { ChatMessage } from '../lib/agent.ts';

type Part = ChatMessage['parts'][number];

export function Chat() {
  const { messages, sendMessage, addToolApprovalResponse, error } =
    useChat<ChatMessage>({
      // The next request carries the person's answer.
      sendAutomaticallyWhen:
        lastAssistantMessageIsCompleteWithApprovalResponses,
    });
  const show = (part: Part) => {
    if (part.type === 'text') return part.text;
    if (part.type !== 'tool-cancelOrder') return null;
    if (part.state === 'output-error') return <em>{part.errorText}</em>;
    if (part.state === 'output-denied') return <em>Rejected.</em>;
    if (part.state !== 'approval-requested') return null;
    const { id, requestReason } = part.approval;
    const answer = (approved: boolean) => () =>
      addToolApprovalResponse({ id, approved });
    return (
      <fieldset>
        <legend>{requestReason}</legend>
        <button type="button" onClick={answer(true)}>
          Approve
        </button>
        <button type="button" onClick={answer(false)}>
          Reject
        </button>
      </fieldset>
    );
  };
  return (
    <>
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
        <input
          name="text"
          aria-label="Message"
          placeholder="Cancel order 7"
          autoComplete="off"
        />
        <button type="submit">Send</button>
      </form>
    </>
  );
}
