import type { Level } from '../contract.ts';
import { OPEN_LEVEL_NAME } from '../limits.ts';

/** Levels ticked for a new user; null until the teacher changes a checkbox. */
export type ChosenLevels = readonly number[] | null;

/**
 * Returns the ids of the levels to grant, by default that of 'Open to All'. Omits levels that have been
 * deleted. Call it on each render, because the levels may load later than the form: a new installation
 * creates them when its first page opens.
 */
export function resolveChosenLevels(chosen: ChosenLevels, levels: readonly Level[]): number[] {
  const isGiven = ({ id, name }: Level) => (chosen === null ? name === OPEN_LEVEL_NAME : chosen.includes(id));
  return levels.filter(isGiven).map(({ id }) => id);
}
