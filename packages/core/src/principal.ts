/**
 * For whom an agent works. Add fields of your own by declaration merging:
 *
 * @example
 * ```ts
 * declare module '@hooks/core' {
 *   interface Principal {
 *     readonly plan?: 'free' | 'paid';
 *   }
 * }
 * ```
 */
export interface Principal {
  readonly id: string;
  readonly roles?: readonly string[];
  readonly tenant?: string;
}
