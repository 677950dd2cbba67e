import { secret } from './lib/secret.ts';

/** Next.js calls it when a server starts: one that lacks a secret should not start. */
export function register(): void {
  secret('APPROVAL_SECRET');
  secret('SESSION_SECRET');
}
