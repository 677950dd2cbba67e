/**
 * The calls of a run that hooks are being asked about. One that is to wait for a person waits first until there are none,
 * since a hook may end the run. The run itself waits for them in any case before it pauses.
 */
export class Deciding {
  #calls = 0;
  readonly #waiting: (() => void)[] = [];

  /**
   * Hooks are asked about a call.
   *
   * @returns to be called, once or more often, when they were: the tool is called, a person is to be asked, or the call is over
   */
  begin(): () => void {
    let decided = false;
    this.#calls++;
    return () => {
      if (decided) return;
      decided = true;
      this.#calls--;
      if (this.#calls === 0) for (const goOn of this.#waiting.splice(0)) goOn();
    };
  }

  /** Resolves when there are none; who asked first goes on first. */
  none(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#calls === 0) resolve();
      else this.#waiting.push(resolve);
    });
  }
}
