import type { Level } from '../contract.ts';
import { OPEN_LEVEL } from '../limits.ts';

/** What was ticked for a new user; null until somebody has touched the boxes. */
export type ChosenLevels = readonly number[] | null;

/**
 * The levels to give: 'Open to All' beforehand. Asked anew at each drawing, since the levels may come later than the
 * form: a new installation makes them on its first page. What has gone meanwhile is given to nobody.
 */
export function givenLevels(chosen: ChosenLevels, levels: readonly Level[]): number[] {
  const isGiven = ({ id, name }: Level) => (chosen === null ? name === OPEN_LEVEL : chosen.includes(id));
  return levels.filter(isGiven).map(({ id }) => id);
}
