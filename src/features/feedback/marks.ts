import type { Mark } from './contract.ts';

/** Formats seconds as 0:42 or 12:05. */
const formatClock = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/** Formats the position of a mark: '0:42', or '0:42–0:50' for a passage whose end is in a later second. */
export const formatMarkTime = ({ start, end }: Pick<Mark, 'start' | 'end'>) =>
  end === null || formatClock(end) === formatClock(start)
    ? formatClock(start)
    : `${formatClock(start)}–${formatClock(end)}`;

/** Returns whether a mark has words or a voice comment. A mark with neither is not sent. */
const hasWordsOrVoice = ({ text, voice }: Pick<Mark, 'text' | 'voice'>) =>
  text.trim() !== '' || voice !== undefined;

/** Returns whether a reply has text, or a mark with words or a voice comment. */
export const hasTextOrSendableMark = ({ text, marks }: { text: string; marks: readonly Mark[] }) =>
  text.trim() !== '' || marks.some(hasWordsOrVoice);

/**
 * Builds written feedback from the marks, for a reply without typed text. Returns an empty string if no mark
 * has words or a voice comment.
 */
export const composeWrittenFeedback = (marks: readonly Mark[]) =>
  marks.some(hasWordsOrVoice) ? formatMarks(marks) : '';

/** Formats marks as '0:42 – softer here', one line per mark. */
export const formatMarks = (marks: readonly Mark[]) =>
  marks
    .map((mark) =>
      [formatMarkTime(mark), mark.text || (mark.voice && SPOKEN_LABEL)].filter(Boolean).join(' – '),
    )
    .join('\n');

/** Text shown for a mark that has a voice comment but no words. */
const SPOKEN_LABEL = 'spoken';

/** Returns the marks to send: sorted, and without those that have neither words nor a voice comment. */
export const getSendableMarks = (marks: readonly Mark[]): Mark[] =>
  normalizeMarks(marks).filter(hasWordsOrVoice);

/** Sorts marks by time and trims their words. */
export const normalizeMarks = (marks: readonly Mark[]): Mark[] =>
  marks
    .map((mark) => ({ ...mark, text: mark.text.trim() }))
    .sort((a, b) => a.start - b.start || (a.end ?? a.start) - (b.end ?? b.start));

/** Returns whether both lists have equal marks in the same order. */
export const areMarkListsEqual = (a: readonly Mark[], b: readonly Mark[]) =>
  a.length === b.length && a.every((mark, index) => areMarksEqual(mark, b[index]!));

/** Merges two lists of marks and sorts the result by time. Omits duplicates. */
export const mergeMarks = (marks: readonly Mark[], others: readonly Mark[]): Mark[] =>
  normalizeMarks([...marks, ...others.filter((other) => !marks.some((mark) => equalsSentMark(other, mark)))]);

/** Returns whether a draft contains all of the marks that were sent. */
export const containsAllMarks = (draft: readonly Mark[], sent: readonly Mark[]) => {
  const marks = normalizeMarks(draft);
  return sent.every((mark) => marks.some((each) => equalsSentMark(each, mark)));
};

/**
 * Returns whether a mark in a draft equals a sent mark. A mark in a draft may lack `melodyAt`, which is added
 * when marks are sent. So a missing `melodyAt` counts as equal.
 */
const equalsSentMark = (draft: Mark, sent: Mark) =>
  areMarksEqual(draft.melodyAt === undefined ? { ...draft, melodyAt: sent.melodyAt } : draft, sent);

const areMarksEqual = (a: Mark, b: Mark) =>
  a.start === b.start &&
  a.end === b.end &&
  a.text === b.text &&
  a.melodyAt === b.melodyAt &&
  a.voice === b.voice;
