import { createContext } from 'react';
import type { Level } from '#features/people/levels/contract.ts';

/** Ids of the levels whose melodies must not be stored on devices. */
export const OnlineOnlyLevelsContext = createContext<ReadonlySet<number>>(new Set());

export const getOnlineOnlyLevelIds = (levels: readonly Level[]) =>
  new Set(levels.filter(({ neverKept }) => neverKept).map(({ id }) => id));
