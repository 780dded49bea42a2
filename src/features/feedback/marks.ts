import type { Mark } from './contract.ts';

/** Seconds for display: 0:42, 12:05. */
const clock = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/** Position of a mark: '0:42', or '0:42–0:50' for a stretch that ends in another second. */
export const placeOf = ({ start, end }: Pick<Mark, 'start' | 'end'>) =>
  end === null || clock(end) === clock(start) ? clock(start) : `${clock(start)}–${clock(end)}`;

/** A mark has words, a voice or both; without either it says nothing, and is not sent. */
const saysAnything = ({ text, voice }: Pick<Mark, 'text' | 'voice'>) =>
  text.trim() !== '' || voice !== undefined;

/** Whether anything is said by the text or the marks. */
export const saysSomething = ({ text, marks }: { text: string; marks: readonly Mark[] }) =>
  text.trim() !== '' || marks.some(saysAnything);

/** Written feedback made of the marks when nothing else is written; empty when no mark says anything. */
export const writtenFrom = (marks: readonly Mark[]) => (marks.some(saysAnything) ? listOf(marks) : '');

/** '0:42 – softer here', one row per mark. */
export const listOf = (marks: readonly Mark[]) =>
  marks
    .map((mark) => [placeOf(mark), mark.text || (mark.voice && SPOKEN)].filter(Boolean).join(' – '))
    .join('\n');

/** Stands for the words of a mark that has a voice alone. */
const SPOKEN = 'spoken';

/** The marks as they are sent: sorted, and without those that say nothing. */
export const toSend = (marks: readonly Mark[]): Mark[] => inOrder(marks).filter(saysAnything);

/** Sorted by time, their words trimmed. */
export const inOrder = (marks: readonly Mark[]): Mark[] =>
  marks
    .map((mark) => ({ ...mark, text: mark.text.trim() }))
    .sort((a, b) => a.start - b.start || (a.end ?? a.start) - (b.end ?? b.start));

/** Whether both say the same at the same places, in the same order. */
export const areSameMarks = (a: readonly Mark[], b: readonly Mark[]) =>
  a.length === b.length && a.every((mark, index) => isSame(mark, b[index]!));

/** The marks of both, sorted by time; those that are the same are there once. */
export const joined = (marks: readonly Mark[], others: readonly Mark[]): Mark[] =>
  inOrder([...marks, ...others.filter((other) => !marks.some((mark) => isOfSame(other, mark)))]);

/** Whether all of the marks that were sent are among these of a draft. */
export const hasMarks = (draft: readonly Mark[], sent: readonly Mark[]) => {
  const marks = inOrder(draft);
  return sent.every((mark) => marks.some((each) => isOfSame(each, mark)));
};

/** Whether a draft's mark is the one that was sent, which may have got its line only then. */
const isOfSame = (draft: Mark, sent: Mark) =>
  isSame(draft.melodyAt === undefined ? { ...draft, melodyAt: sent.melodyAt } : draft, sent);

const isSame = (a: Mark, b: Mark) =>
  a.start === b.start &&
  a.end === b.end &&
  a.text === b.text &&
  a.melodyAt === b.melodyAt &&
  a.voice === b.voice;
