/**
 * The approvals of this process that were used, by what identifies each, with what it was used for. An approval counts once: the
 * first use stays. Beyond the maximum, the oldest are forgotten.
 */
export class UsedApprovals<Use> {
  readonly #uses: Map<string, Use> = new Map();
  readonly #max: number;

  /** @param max the number of approvals to remember. Default: 10,000 */
  constructor(max = 10_000) {
    this.#max = max;
  }

  /** What the approval was used for. */
  get(id: string): Use | undefined {
    return this.#uses.get(id);
  }

  /** Uses an approval. Returns the earlier use, if there is one, which stays. */
  use(id: string, use: Use): Use | undefined {
    const earlier = this.#uses.get(id);
    if (earlier !== undefined) return earlier;
    this.#uses.set(id, use);
    const [oldest] = this.#uses.keys();
    if (this.#uses.size > this.#max && oldest !== undefined) this.#uses.delete(oldest);
    return undefined;
  }

  /** Another use of the approval may count, because what it was used for did not come about. */
  release(id: string): void {
    this.#uses.delete(id);
  }

  /** Takes over what others were used for, unless they were used here. */
  add(others: UsedApprovals<Use>): void {
    for (const [id, use] of others.#uses) this.use(id, use);
  }
}
