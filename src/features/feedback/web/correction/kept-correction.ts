import type { Kept } from '#web/drafts/draft-storage.ts';
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

/** @param otherwise the base where an older version stored none; the oldest stored only the text */
export function unpackedCorrection(kept: Kept | null, otherwise: string): BegunCorrection | null {
  if (kept === null) return null;
  const begun: Partial<ReturnType<typeof packedCorrection>> =
    typeof kept === 'string' ? { text: kept } : kept;
  const { text = '', marks = [], correctedAt = otherwise } = begun;
  return { written: { text, marks }, basedOn: correctedAt };
}
