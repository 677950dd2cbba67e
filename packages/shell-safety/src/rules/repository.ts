import { place } from '../paths/places.ts';

/** The folder of this repository, or what git cannot do without in it. Of one below it nothing is known. */
export function isRepository(target: string, cwd: string): boolean {
  return (
    /\.(?:git|svn|hg|jj)(?:\/|$)/i.test(target) &&
    (cwd === '.' || /^[/~]/.test(target)) &&
    REPOSITORY.test(place(target, '.'))
  );
}

const REPOSITORY =
  /^(?:~\/(?:[^/]+\/){0,8})?\.(?:git(?:\/(?:objects|refs|head|index|config|packed-refs|logs|worktrees)(?:\/.*)?)?|svn|hg|jj)$/;
