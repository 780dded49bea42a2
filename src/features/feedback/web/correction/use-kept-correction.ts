import { useState } from 'react';
import { saveDraft, loadDraft } from '../../../../platform/web/draft-storage.ts';
import { useUser } from '../../../../platform/web/session.ts';
import type { Feedback } from '../../contract.ts';
import { areSameMarks, inOrder } from '../../marks.ts';
import type { Written } from '../draft/draft.ts';
import { ownWords } from '../given-answer.tsx';
import { packedCorrection, stateOf, unpackedCorrection, type BegunCorrection } from './kept-correction.ts';

/** Whether a correction was begun on this device and neither saved nor given up. */
export const hasKeptCorrection = (userId: string, feedbackId: number) =>
  loadDraft(userId, placeOf(feedbackId)) !== '';

const placeOf = (feedbackId: number) => `correct ${feedbackId}`;

/** What is changed of feedback that was given; the device keeps it until it is saved or given up. */
export function useKeptCorrection(feedback: Feedback) {
  const userId = useUser().id;
  const place = placeOf(feedback.id);
  const given: Written = { text: ownWords(feedback) ?? '', marks: feedback.marks };
  const present = stateOf(feedback);
  const [{ written, basedOn }, setBegun] = useState<BegunCorrection>(
    () => unpackedCorrection(loadDraft(userId, place), present) ?? { written: given, basedOn: present },
  );
  const isOther = ({ text, marks }: Written) =>
    text.trim() !== given.text.trim() || !areSameMarks(inOrder(marks), inOrder(given.marks));
  const begin = (next: BegunCorrection) => {
    setBegun(next);
    saveDraft(userId, place, isOther(next.written) ? packedCorrection(next) : '');
  };
  return {
    written,
    /** The state of the feedback that is changed here. */
    basedOn,
    /** Somebody has corrected it since. */
    isOvertaken: basedOn !== present,
    isRewritten: isOther(written),
    change: (part: Partial<Written>) => begin({ written: { ...written, ...part }, basedOn }),
    /** What is written here is to replace what somebody else has corrected. */
    keepMine: () => begin({ written, basedOn: present }),
    takeNewer: () => begin({ written: given, basedOn: present }),
    forget: () => saveDraft(userId, place, ''),
  };
}
