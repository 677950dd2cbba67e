import { hash as digest } from 'node:crypto';

/*
 * The Merkle tree of RFC 6962: a leaf is hashed after a zero byte, a node after a one byte. Leaves are given as their hashes.
 */

/** The root of a growing tree, in memory that grows with the logarithm of its size. */
export class MerkleTree {
  /** Roots of complete subtrees, the largest first. */
  readonly #roots: Buffer[];
  #size: number;

  /** @param grown the size of a tree that has grown elsewhere, and its {@link roots} */
  constructor(grown: { readonly size: number; readonly roots: readonly string[] } = { size: 0, roots: [] }) {
    this.#size = grown.size;
    this.#roots = grown.roots.map((root) => Buffer.from(root, 'hex'));
  }

  /** The roots of its complete subtrees, the largest first, in hexadecimal: what is needed to let it grow on. */
  get roots(): readonly string[] {
    return this.#roots.map((root) => root.toString('hex'));
  }

  get size(): number {
    return this.#size;
  }

  /** @param leaf the leaf's hash, in hexadecimal */
  add(leaf: string): void {
    let root: Buffer = Buffer.from(leaf, 'hex');
    // Each 1 at the end of the size is a subtree as large as the one that has just become complete.
    for (let size = this.#size; size % 2 === 1; size = (size - 1) / 2)
      root = nodeHash(this.#roots.pop() as Buffer, root);
    this.#roots.push(root);
    this.#size++;
  }

  /** The tree hash, in hexadecimal. */
  root(): string {
    const hash = this.#roots.reduceRight<Buffer | undefined>(
      (right, left) => (right === undefined ? left : nodeHash(left, right)),
      undefined,
    );
    return hash?.toString('hex') ?? digest('sha256', '', 'hex');
  }
}

/**
 * The hashes that prove a leaf to be in the tree (RFC 6962, 2.1.1), from the leaf upwards.
 *
 * @param leaves the hashes of all leaves, in hexadecimal
 */
export function inclusionProof(leaves: readonly string[], index: number): readonly string[] {
  if (leaves.length <= 1) return [];
  const split = largestPowerBelow(leaves.length);
  return index < split
    ? [...inclusionProof(leaves.slice(0, split), index), rootOf(leaves.slice(split))]
    : [...inclusionProof(leaves.slice(split), index - split), rootOf(leaves.slice(0, split))];
}

/** Whether a proof shows that a leaf stands at this index of the tree of that size and root. */
export function verifyInclusion(
  leaf: string,
  index: number,
  size: number,
  proof: readonly string[],
  root: string,
): boolean {
  if (index >= size) return false;
  let hash: Buffer = Buffer.from(leaf, 'hex');
  let [node, last] = [index, size - 1];
  for (const step of proof) {
    if (last === 0) return false;
    const other = Buffer.from(step, 'hex');
    if (node % 2 === 1 || node === last) {
      hash = nodeHash(other, hash);
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)];
    } else hash = nodeHash(hash, other);
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  return last === 0 && hash.toString('hex') === root;
}

/**
 * The hashes that prove that a tree has grown out of a smaller one (RFC 6962, 2.1.2): its first leaves are those that the smaller one
 * had.
 *
 * @param leaves the hashes of all leaves of the larger tree, in hexadecimal
 * @param size the size of the smaller one
 */
export function consistencyProof(leaves: readonly string[], size: number): readonly string[] {
  return size <= 0 || size >= leaves.length ? [] : subproof(leaves, size, true);
}

function subproof(leaves: readonly string[], size: number, isWhole: boolean): readonly string[] {
  if (size === leaves.length) return isWhole ? [] : [rootOf(leaves)];
  const split = largestPowerBelow(leaves.length);
  return size <= split
    ? [...subproof(leaves.slice(0, split), size, isWhole), rootOf(leaves.slice(split))]
    : [...subproof(leaves.slice(split), size - split, false), rootOf(leaves.slice(0, split))];
}

/** A checkpoint's tree. */
export interface TreeHead {
  readonly size: number;
  readonly root: string;
}

/** Whether a proof shows that the larger of two checkpoints of one writer holds all that the smaller one does (RFC 9162, 2.1.4.2). */
export function verifyConsistency(smaller: TreeHead, larger: TreeHead, proof: readonly string[]): boolean {
  if (smaller.size > larger.size) return false;
  if (smaller.size === larger.size) return proof.length === 0 && smaller.root === larger.root;
  if (smaller.size === 0) return proof.length === 0;
  const isPower = Number.isInteger(Math.log2(smaller.size));
  const [first, ...rest] = (isPower ? [smaller.root, ...proof] : proof).map((hash) =>
    Buffer.from(hash, 'hex'),
  );
  if (first === undefined) return false;
  let [node, last] = [smaller.size - 1, larger.size - 1];
  while (node % 2 === 1) [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  let old: Buffer = first;
  let grown: Buffer = first;
  for (const other of rest) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      old = nodeHash(other, old);
      grown = nodeHash(other, grown);
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)];
    } else grown = nodeHash(grown, other);
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  return last === 0 && old.toString('hex') === smaller.root && grown.toString('hex') === larger.root;
}

function rootOf(leaves: readonly string[]): string {
  const tree = new MerkleTree();
  for (const leaf of leaves) tree.add(leaf);
  return tree.root();
}

function largestPowerBelow(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}

/** A one byte, and two hashes. */
const node = Buffer.alloc(65, 1);

function nodeHash(left: Buffer, right: Buffer): Buffer {
  left.copy(node, 1);
  right.copy(node, 33);
  return digest('sha256', node, 'buffer');
}
