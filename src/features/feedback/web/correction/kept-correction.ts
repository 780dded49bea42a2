import type { Feedback } from '#features/feedback/contract.ts';
import type { Written } from '../draft/draft.ts';

/** A correction in progress, and the state of the feedback that it changes. */
export type BegunCorrection = { written: Written; basedOn: string };

/** When the feedback was last corrected, in the form of `basedOn`; '' for never. */
export const stateOf = ({ correctedAt }: Pick<Feedback, 'correctedAt'>) => correctedAt ?? '';

export const packedCorrection = ({ written: { text, marks }, basedOn }: BegunCorrection) => ({
  text,
  marks,
  correctedAt: basedOn,
});

/** The correction that was stored. */
export function unpackedCorrection(kept: object): BegunCorrection {
  const { text, marks, correctedAt } = kept as ReturnType<typeof packedCorrection>;
  return { written: { text, marks }, basedOn: correctedAt };
}
