import type { Level } from '../contract.ts';
import { OPEN_LEVEL_NAME } from '../limits.ts';

/** Levels ticked for a new user; null until a box is touched. */
export type ChosenLevels = readonly number[] | null;

/**
 * Returns the levels to give, 'Open to All' by default. Computed on each render, since the levels may load
 * later than the form: a new installation creates them on its first page. Omits levels that have been
 * deleted.
 */
export function resolveChosenLevels(chosen: ChosenLevels, levels: readonly Level[]): number[] {
  const isGiven = ({ id, name }: Level) => (chosen === null ? name === OPEN_LEVEL_NAME : chosen.includes(id));
  return levels.filter(isGiven).map(({ id }) => id);
}
