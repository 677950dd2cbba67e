import { hash as digest } from 'node:crypto';

/*
 * The Merkle tree of RFC 6962: a leaf is hashed after a zero byte, a node after a one byte. Leaves are given as their hashes.
 */

/** The root of a growing tree, in memory that grows with the logarithm of its size. */
export class MerkleTree {
  /** Roots of complete subtrees, the largest first. */
  readonly #roots: Buffer[] = [];
  #size = 0;

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
