import type { Mark } from '#features/feedback/contract.ts';
import { placeOf } from '#features/feedback/marks.ts';

/** Why an answer cannot be sent from here: the voices of these marks are on another device. */
export const elsewhereSentence = (marks: readonly Mark[]) =>
  `What you said at ${marks.map(placeOf).join(', ')} is on another device. Send it from there, or remove the mark here.`;
