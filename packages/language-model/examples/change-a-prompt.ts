import { changedPrompt, messagesOf } from '@hooks/language-model';

const prompt = [
  {
    role: 'user' as const,
    content: [
      { type: 'text', text: 'My key is sk-123. What is this?' },
      { type: 'file', mediaType: 'image/png', data: '(an image)' },
    ],
  },
];

const messages = messagesOf(prompt).map((message) => ({
  ...message,
  text: message.text.replace('sk-123', '[key]'),
}));

console.log(JSON.stringify(changedPrompt(prompt, { messages })[0]?.content));
// [{"type":"text","text":"My key is [key]. What is this?"},{"type":"file","mediaType":"image/png","data":"(an image)"}]
