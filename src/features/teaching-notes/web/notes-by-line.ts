import type { SungLine } from '#features/lyrics/parse.ts';
import type { TeachingNote } from '../contract.ts';

/** The notes of a melody by the index of the sung line that they are at, in their order. */
export type NotesByLine = ReadonlyMap<number, readonly TeachingNote[]>;

/** A note whose line is no sung one any more counts to the line above it, or to the first. */
export function sungLineOf(lines: readonly SungLine[], typed: number): number | null {
  const above = lines.findLast(({ parts }) => parts[0]!.line <= typed);
  return (above ?? lines[0])?.index ?? null;
}

/** The number by which a sung line is known to the server. */
export const typedLineOf = (lines: readonly SungLine[], index: number): number =>
  lines[index]?.parts[0]?.line ?? 0;

export function notesByLine(lines: readonly SungLine[], notes: readonly TeachingNote[]): NotesByLine {
  const found = new Map<number, TeachingNote[]>();
  for (const note of notes) {
    const index = sungLineOf(lines, note.line);
    if (index !== null) found.set(index, [...(found.get(index) ?? []), note]);
  }
  return found;
}
