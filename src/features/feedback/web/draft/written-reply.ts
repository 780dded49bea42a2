import type { Mark } from '#features/feedback/contract.ts';
import { areMarkListsEqual } from '#features/feedback/marks.ts';

/** The written part of a reply: its text and its marks. */
export type WrittenReply = { text: string; marks: readonly Mark[] };

export const EMPTY_REPLY: WrittenReply = { text: '', marks: [] };

export const isEmptyReply = ({ text, marks }: WrittenReply) => text.trim() === '' && marks.length === 0;

export const areRepliesEqual = (a: WrittenReply, b: WrittenReply) =>
  a.text === b.text && areMarkListsEqual(a.marks, b.marks);
