import { useState } from 'react';
import { keepText, keptText } from '../../../platform/web/kept-text.ts';
import { useUser } from '../../../platform/web/session.ts';
import type { Feedback } from '../contract.ts';
import { areSameMarks, inOrder } from '../marks.ts';
import { packed, unpacked, type Written } from './draft.ts';
import { ownWords } from './given-answer.tsx';

/** Whether a correction was begun on this device and neither saved nor given up. */
export const hasKeptCorrection = (userId: string, feedbackId: number) =>
  keptText(userId, placeOf(feedbackId)) !== '';

const placeOf = (feedbackId: number) => `correct ${feedbackId}`;

/** What is changed of feedback that was given; the device keeps it until it is saved or given up. */
export function useKeptCorrection(feedback: Feedback) {
  const userId = useUser().id;
  const place = placeOf(feedback.id);
  const given: Written = { text: ownWords(feedback) ?? '', marks: feedback.marks };
  const [written, setWritten] = useState<Written>(() => unpacked(keptText(userId, place)) ?? given);
  const isOther = ({ text, marks }: Written) =>
    text.trim() !== given.text.trim() || !areSameMarks(inOrder(marks), inOrder(given.marks));
  return {
    written,
    isRewritten: isOther(written),
    change(part: Partial<Written>) {
      const next = { ...written, ...part };
      setWritten(next);
      keepText(userId, place, isOther(next) ? packed({ ...next, isOnServer: false, basedOn: [] }) : '');
    },
    forget: () => keepText(userId, place, ''),
  };
}
