import { createContext } from 'react';
import type { Level } from '#features/people/levels/contract.ts';

/** The levels of which nothing is kept on devices. */
export const NeverKept = createContext<ReadonlySet<number>>(new Set());

export const neverKeptOf = (levels: readonly Level[]) =>
  new Set(levels.filter(({ neverKept }) => neverKept).map(({ id }) => id));
