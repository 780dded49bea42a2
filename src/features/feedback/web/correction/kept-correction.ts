import type { Feedback } from '../../contract.ts';
import { unpacked, type Written } from '../draft/draft.ts';

/** A correction that was begun, and which state of the feedback it changes. */
export type BegunCorrection = { written: Written; basedOn: string };

/** When the feedback was last corrected, as the server wants it back; '' for never. */
export const stateOf = ({ correctedAt }: Pick<Feedback, 'correctedAt'>) => correctedAt ?? '';

export const packedCorrection = ({ written: { text, marks }, basedOn }: BegunCorrection) =>
  JSON.stringify({ text, marks, correctedAt: basedOn });

/** @param otherwise what it is based on where an older version did not say */
export function unpackedCorrection(kept: string, otherwise: string): BegunCorrection | null {
  const draft = unpacked(kept);
  if (!draft) return null;
  return { written: { text: draft.text, marks: draft.marks }, basedOn: baseIn(kept) ?? otherwise };
}

function baseIn(kept: string) {
  try {
    const { correctedAt } = JSON.parse(kept) as { correctedAt?: string };
    return typeof correctedAt === 'string' ? correctedAt : null;
  } catch {
    return null;
  }
}
