/**
 * The user on whose behalf an agent works. Add your own fields by declaration merging:
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
