import type { Mark } from '#features/feedback/contract.ts';
import { areSameMarks } from '#features/feedback/marks.ts';

/** The written part of a reply. */
export type Written = { text: string; marks: readonly Mark[] };

export const NOTHING: Written = { text: '', marks: [] };

export const isNothing = ({ text, marks }: Written) => text.trim() === '' && marks.length === 0;

export const areSameWords = (a: Written, b: Written) => a.text === b.text && areSameMarks(a.marks, b.marks);
