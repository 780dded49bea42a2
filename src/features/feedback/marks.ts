import type { Mark } from './contract.ts';

/** Formats seconds as 0:42 or 12:05. */
const clock = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/** Formats the position of a mark: '0:42', or '0:42–0:50' for a stretch that ends in another second. */
export const placeOf = ({ start, end }: Pick<Mark, 'start' | 'end'>) =>
  end === null || clock(end) === clock(start) ? clock(start) : `${clock(start)}–${clock(end)}`;

/** Whether a mark has words or a voice. A mark with neither is not sent. */
const saysAnything = ({ text, voice }: Pick<Mark, 'text' | 'voice'>) =>
  text.trim() !== '' || voice !== undefined;

/** Whether there is any text, or a mark with words or a voice. */
export const saysSomething = ({ text, marks }: { text: string; marks: readonly Mark[] }) =>
  text.trim() !== '' || marks.some(saysAnything);

/** Returns the written feedback for when the teacher typed none; empty if no mark has words or a voice. */
export const writtenFrom = (marks: readonly Mark[]) => (marks.some(saysAnything) ? listOf(marks) : '');

/** Formats marks as '0:42 – softer here', one line per mark. */
export const listOf = (marks: readonly Mark[]) =>
  marks
    .map((mark) => [placeOf(mark), mark.text || (mark.voice && SPOKEN)].filter(Boolean).join(' – '))
    .join('\n');

/** Replaces the words of a mark that has only a voice. */
const SPOKEN = 'spoken';

/** Returns the marks to send: sorted, and without those that have neither words nor a voice. */
export const toSend = (marks: readonly Mark[]): Mark[] => inOrder(marks).filter(saysAnything);

/** Sorts marks by time and trims their words. */
export const inOrder = (marks: readonly Mark[]): Mark[] =>
  marks
    .map((mark) => ({ ...mark, text: mark.text.trim() }))
    .sort((a, b) => a.start - b.start || (a.end ?? a.start) - (b.end ?? b.start));

/** Whether both lists have equal marks in the same order. */
export const areSameMarks = (a: readonly Mark[], b: readonly Mark[]) =>
  a.length === b.length && a.every((mark, index) => isSame(mark, b[index]!));

/** Merges two lists of marks, sorted by time, without duplicates. */
export const joined = (marks: readonly Mark[], others: readonly Mark[]): Mark[] =>
  inOrder([...marks, ...others.filter((other) => !marks.some((mark) => isOfSame(other, mark)))]);

/** Whether a draft contains all of the marks that were sent. */
export const hasMarks = (draft: readonly Mark[], sent: readonly Mark[]) => {
  const marks = inOrder(draft);
  return sent.every((mark) => marks.some((each) => isOfSame(each, mark)));
};

/** Whether a draft's mark equals one that was sent. The draft's may lack `melodyAt`, which can be added on sending. */
const isOfSame = (draft: Mark, sent: Mark) =>
  isSame(draft.melodyAt === undefined ? { ...draft, melodyAt: sent.melodyAt } : draft, sent);

const isSame = (a: Mark, b: Mark) =>
  a.start === b.start &&
  a.end === b.end &&
  a.text === b.text &&
  a.melodyAt === b.melodyAt &&
  a.voice === b.voice;
