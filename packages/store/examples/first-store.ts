import { memoryStore } from '@hooks/store';

const store = memoryStore(); // or one of the others below

// A limit: two calls a minute for this user, and ten for the team.
const call = () =>
  store.count(
    { key: 'calls/ada', amount: 1, limit: 2, windowMs: 60_000 },
    { key: 'calls/team', amount: 1, limit: 10, windowMs: 60_000 },
  );
await call();
await call();
const third = await call();
console.log(third.counted, third.totals); // false [ 2, 2 ]

// A request that exactly one person answers.
const pending = await store.set('requests/17', 'pending', { ttlMs: 300_000 });
const answers = await Promise.all(
  ['allow', 'deny'].map((answer) =>
    store.set('requests/17', answer, { expected: pending ?? null }),
  ),
);
console.log(answers.filter(Boolean).length); // 1

// A log that several processes append to, each where it expects to be.
await store.append('session/1', [{ event: 'start' }], { expected: 0 });
const late = await store.append('session/1', ['late'], { expected: 0 });
console.log(late); // { appended: false, length: 1 }
