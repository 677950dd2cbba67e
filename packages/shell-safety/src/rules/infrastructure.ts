import { destroysData, showsStore } from '../dangers.ts';
import type { Finding } from '../effect.ts';

const DROPS =
  /\b(?:drop\s+(?:table|database|schema|keyspace|tablespace|user|role|owned|extension|sequence|type|domain|server|publication|cluster|column\s|measurement|series)|truncate\s+(?:table\s+)?["`\w]|alter\s+table\s+\S{1,80}\s+drop\s+(?:column|partition)\b|flushall|flushdb|flush_all|dropDatabase\s*\(|(?:deleteMany|remove)\s*\(\s*(?:\{\s*\}\s*)?\)|reset\s+master|purge\s+(?:binary|master)\s+logs|dropUser\s*\(|shutdown:\s*1|alter\s+table\s+\S{1,80}\s+delete\s+where\s+1|db\._drop\w{0,20}\()|\.drop(?:Collection|Indexes)?\s*\(/i;
const DELETES_ROWS =
  /\bdelete\s+from\s+["`\w.[\]]{1,80}\s*(?:;|$|["'])|\bdelete\s+from\s+\S{1,80}\s+where\s+(?:1\s*=\s*1\b|true\b|1\s*(?:;|$|["']))|\bupdate\s+["`\w.[\]]{1,80}\s+set\s(?![^;]{0,400}\bwhere\b)|\bupdateMany\s*\(\s*\{\s*\}\s*,/im;
/** Databases, tables and schemas that are there to be thrown away, and words with which a name says that they are not. */
const FOR_TESTS =
  /(?:^|[\s"'`._-])(?:tests?|testing|tmp|temp|temporary|scratch|e2e|ci|dev|local|demo)(?:$|[\s"'`;._-])|_(?:test|tmp)\b|\btest_/i;

const IN_USE = /(?:^|[\s"'`._-])(?:prod(?:uction)?|live|staging|backup)(?:$|[\s"'`;._-])/i;

/** Nothing of it stays: a transaction that is rolled back, a plan, a database in memory. */
const UNDONE =
  /\brollback\b[\s;"']{0,8}$|^\s{0,8}explain\s(?!\(?analy)|(?:^|\n|\/):memory:|(?:^|\n)\/tmp\//im;

/** Where databases keep the passwords of their users. */
const PASSWORDS =
  /\b(?:from\s+(?:mysql\.user|pg_shadow|pg_authid)|authentication_string|rolpassword|showCredentials|system\.users)\b|\bselect\s[^;]{0,200}\b(?:password|passwd|password_?(?:hash|digest)|api_?keys?|(?:access|refresh|auth|session)_?token|secret(?:_key)?|private_key)\b[^;]{0,200}\sfrom\s/i;

/** Without comments, and without texts in quotes unless they are run. */
function withoutWords(text: string): string {
  const plain = text.replace(/\/\*[^*]{0,400}\*\//g, ' ');
  return /\b(?:execute|exec|prepare|eval|do)\b/i.test(plain) || !/\bselect\b/i.test(plain)
    ? plain
    : plain.replace(/'[^'\n]{0,400}'/g, "''");
}

export function checkStatements(written: string): Finding | undefined {
  const text = withoutWords(written);
  if (PASSWORDS.test(text)) return showsStore;
  if (UNDONE.test(text)) return undefined;
  if (!DROPS.test(text) && !DELETES_ROWS.test(text)) return undefined;
  return FOR_TESTS.test(text) && !IN_USE.test(text) ? undefined : destroysData;
}
