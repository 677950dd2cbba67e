import { cookies } from 'next/headers';
import { signed, userOf } from '../lib/user.ts';
import { Chat } from './chat.tsx';

/** Signs in whoever presses a button. Put your own sign-in here. */
async function signIn(form: FormData): Promise<void> {
  'use server';
  const jar = await cookies();
  const token = await signed(String(form.get('user')));
  jar.set('user', token, { httpOnly: true, sameSite: 'lax' });
}

export default async function Page() {
  const user = await userOf(await cookies());
  return (
    <main>
      <form action={signIn}>
        <p>{user ? `You are ${user.id}.` : 'Who are you?'}</p>
        <button type="submit" name="user" value="ann">
          I am ann
        </button>
        <button type="submit" name="user" value="bob">
          I am bob
        </button>
      </form>
      {user && <Chat key={user.id} />}
    </main>
  );
}
