import type { Principal } from '@hooks/core';
import { jwtVerify, SignJWT } from 'jose';
import { secret } from './secret.ts';

/** What `cookies()` and a `NextRequest` have in common. */
interface Cookies {
  get(name: string): { readonly value: string } | undefined;
}

// Put your own users here.
const users = new Map<string | undefined, Principal>([
  ['ann', { id: 'ann' }],
  ['bob', { id: 'bob' }],
]);

const key = () => new TextEncoder().encode(secret('SESSION_SECRET'));

/** The value of the cookie `user`. Put your own sign-in here. */
export const signed = (id: string): Promise<string> =>
  new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(id)
    .setExpirationTime('8h')
    .sign(key());

/** Who is signed in, by the cookie that this server has signed. */
export async function userOf(cookies: Cookies): Promise<Principal | undefined> {
  const token = cookies.get('user')?.value ?? '';
  const verified = await jwtVerify(token, key()).catch(() => undefined);
  return users.get(verified?.payload.sub);
}
