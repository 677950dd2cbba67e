/** A secret that all processes of the service share. `.env.development` has those of `next dev`. */
export function secret(name: 'APPROVAL_SECRET' | 'SESSION_SECRET'): string {
  const { [name]: value = '' } = process.env;
  // A shorter one can be guessed, and with it every signature made.
  if (value.length < 32)
    throw new Error(`${name} is not set, or too short: it needs 32 bytes.`);
  return value;
}
