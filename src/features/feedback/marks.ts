import type { Mark } from './contract.ts';

/** Seconds as a person reads them: 0:42, 12:05. */
const clock = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/** Where a mark stands: '0:42', or '0:42–0:50' over a stretch that ends in another second. */
export const placeOf = ({ start, end }: Pick<Mark, 'start' | 'end'>) =>
  end === null || clock(end) === clock(start) ? clock(start) : `${clock(start)}–${clock(end)}`;

const hasWords = ({ text }: Pick<Mark, 'text'>) => text.trim() !== '';

/** Whether something is said in writing: a moment without words is no answer, though it goes along with one. */
export const saysSomething = ({ text, marks }: { text: string; marks: readonly Mark[] }) =>
  hasWords({ text }) || marks.some(hasWords);

/** The written feedback that marks make when nothing else is written; empty when none of them has words. */
export const writtenFrom = (marks: readonly Mark[]) => (marks.some(hasWords) ? listOf(marks) : '');

/** '0:42 – softer here', a line for each mark. */
export const listOf = (marks: readonly Mark[]) =>
  marks.map((mark) => (mark.text === '' ? placeOf(mark) : `${placeOf(mark)} – ${mark.text}`)).join('\n');

/** In the order of the recording, their words trimmed. */
export const inOrder = (marks: readonly Mark[]): Mark[] =>
  marks
    .map((mark) => ({ ...mark, text: mark.text.trim() }))
    .sort((a, b) => a.start - b.start || (a.end ?? a.start) - (b.end ?? b.start));

/** Whether both say the same of the same places, in the same order. */
export const areSameMarks = (a: readonly Mark[], b: readonly Mark[]) =>
  a.length === b.length && a.every((mark, index) => isSame(mark, b[index]!));

const isSame = (a: Mark, b: Mark) =>
  a.start === b.start && a.end === b.end && a.text === b.text && a.melodyAt === b.melodyAt;
