import type { Kept } from '../../../../platform/web/drafts/draft-storage.ts';
import type { Feedback } from '../../contract.ts';
import { unpacked, type Written } from '../draft/draft.ts';

/** A correction that was begun, and which state of the feedback it changes. */
export type BegunCorrection = { written: Written; basedOn: string };

/** When the feedback was last corrected, as the server wants it back; '' for never. */
export const stateOf = ({ correctedAt }: Pick<Feedback, 'correctedAt'>) => correctedAt ?? '';

export const packedCorrection = ({ written: { text, marks }, basedOn }: BegunCorrection) => ({
  text,
  marks,
  correctedAt: basedOn,
});

/** @param otherwise what it is based on where an older version did not say */
export function unpackedCorrection(kept: Kept | null, otherwise: string): BegunCorrection | null {
  const draft = unpacked(kept);
  if (!draft) return null;
  return { written: { text: draft.text, marks: draft.marks }, basedOn: baseIn(kept) ?? otherwise };
}

const baseIn = (kept: Kept | null) =>
  typeof kept === 'object' ? (kept as { correctedAt?: string } | null)?.correctedAt : undefined;
