import { saveDraft, loadDraft } from '../../../../platform/web/draft-storage.ts';
import type { LineTiming, MelodyDetail } from '../../contract.ts';

/** Times that are not saved yet, with the text that they belong to. */
export type TimingDraft = { text: string; timings: LineTiming[] };

/** Kept on this device for this person; null when there is none, or when the melody's text is another by now. */
export function keptDraft(userId: string, { id, melodyText }: MelodyDetail): TimingDraft | null {
  try {
    const draft = JSON.parse(loadDraft(userId, nameOf(id))) as TimingDraft;
    const isOfText = draft.text === melodyText || !melodyText?.trim();
    return isOfText && Array.isArray(draft.timings) ? draft : null;
  } catch {
    return null;
  }
}

export const keepDraft = (userId: string, id: number, draft: TimingDraft | null) =>
  saveDraft(userId, nameOf(id), draft ? JSON.stringify(draft) : '');

const nameOf = (id: number) => `timing of melody ${id}`;
