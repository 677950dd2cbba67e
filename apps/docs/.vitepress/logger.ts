import type { UserConfig } from 'vitepress';

type Logger = NonNullable<NonNullable<UserConfig['vite']>['customLogger']>;

/** A warning fails the build. */
export const strictLogger: Logger = {
  hasWarned: false,
  info: (message) => console.log(message),
  warn: fail,
  warnOnce: fail,
  error: (message) => console.error(message),
  clearScreen: () => {},
  hasErrorLogged: () => false,
};

function fail(message: string): never {
  throw new Error(message);
}
