/** A secret that all processes of the service share. `.env.development` has those of `next dev`. */
export function secret(name: 'APPROVAL_SECRET' | 'SESSION_SECRET'): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set. Give it 32 random bytes.`);
  return value;
}
