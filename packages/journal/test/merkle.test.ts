import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { consistencyProof, inclusionProof, verifyConsistency, verifyInclusion } from '../src/index.ts';
import { MerkleTree } from '../src/integrity/merkle.ts';
import { leafHash } from '../src/record/line.ts';

/** The leaves of the examples that Certificate Transparency implementations share. */
const LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((hex) => createHash('sha256').update('\0').update(Buffer.from(hex, 'hex')).digest('hex'));

it('a Merkle tree has the roots of RFC 6962', () => {
  const tree = new MerkleTree();
  expect(tree.root()).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  tree.add(LEAVES[0]!);
  expect(tree.root()).toBe('6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d');
  for (const leaf of LEAVES.slice(1)) tree.add(leaf);
  expect(tree.root()).toBe('5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328');
});

it('an inclusion proof holds for its leaf, index and size, and for no other', () => {
  for (let size = 1; size <= 20; size++) {
    const leaves = Array.from({ length: size }, (_, index) => leafHash(`leaf ${index}`));
    const tree = new MerkleTree();
    for (const leaf of leaves) tree.add(leaf);
    for (const [index, leaf] of leaves.entries()) {
      const proof = inclusionProof(leaves, index);
      expect(verifyInclusion(leaf, index, size, proof, tree.root())).toBe(true);
      expect(verifyInclusion(leafHash('other'), index, size, proof, tree.root())).toBe(false);
      for (const other of leaves.keys())
        if (other !== index) expect(verifyInclusion(leaf, other, size, proof, tree.root())).toBe(false);
      if (proof.length > 0)
        expect(verifyInclusion(leaf, index, size, proof.slice(1), tree.root())).toBe(false);
    }
  }
});

it('a consistency proof holds for a tree that grew out of the smaller one, and for no other', () => {
  const treeOf = (leaves: readonly string[]) => {
    const tree = new MerkleTree();
    for (const leaf of leaves) tree.add(leaf);
    return { size: leaves.length, root: tree.root() };
  };
  for (let size = 1; size <= 20; size++) {
    const leaves = Array.from({ length: size }, (_, index) => leafHash(`leaf ${index}`));
    const whole = treeOf(leaves);
    for (let before = 0; before <= size; before++) {
      const smaller = treeOf(leaves.slice(0, before));
      const proof = consistencyProof(leaves, before);
      expect(verifyConsistency(smaller, whole, proof)).toBe(true);
      if (before === 0) continue;
      const other = treeOf(leaves.slice(0, before).with(0, leafHash('other')));
      expect(verifyConsistency(other, whole, proof)).toBe(false);
      expect(verifyConsistency(smaller, { size, root: leafHash('other') }, proof)).toBe(false);
      expect(verifyConsistency(smaller, whole, [...proof, whole.root])).toBe(false);
      for (const at of proof.keys())
        expect(verifyConsistency(smaller, whole, proof.with(at, leafHash('other')))).toBe(false);
      if (before < size) expect(verifyConsistency(whole, smaller, proof)).toBe(false);
    }
  }
});

it('a tree grows on from its size and the roots of its subtrees', () => {
  const [whole, first] = [new MerkleTree(), new MerkleTree()];
  for (let size = 0; size < 13; size++) {
    const grown = new MerkleTree({ size: first.size, roots: first.roots });
    for (let more = size; more < 20; more++) grown.add(leafHash(`${more}`));
    const all = new MerkleTree();
    for (let leaf = 0; leaf < 20; leaf++) all.add(leafHash(`${leaf}`));
    expect(grown.root()).toBe(all.root());
    first.add(leafHash(`${size}`));
    whole.add(leafHash(`${size}`));
    expect(first.root()).toBe(whole.root());
  }
});
