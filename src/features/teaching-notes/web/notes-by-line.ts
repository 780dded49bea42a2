import type { SungLine } from '#features/lyrics/parse.ts';
import type { TeachingNote } from '../contract.ts';

/** A melody's notes by index of the sung line, in order. */
export type NotesByLine = ReadonlyMap<number, readonly TeachingNote[]>;

/**
 * Returns the index of the sung line of a note; null if the text has no sung lines. If the note's line is not
 * the start of a sung line, returns the nearest sung line above it, or the first sung line if there is none
 * above.
 */
export function findSungLineIndex(lines: readonly SungLine[], typed: number): number | null {
  const above = lines.findLast(({ parts }) => parts[0]!.line <= typed);
  return (above ?? lines[0])?.index ?? null;
}

/** Returns the number that identifies a sung line in the API: the index of its first line in the text. */
export const getTextLineIndex = (lines: readonly SungLine[], index: number): number =>
  lines[index]?.parts[0]?.line ?? 0;

export function groupNotesByLine(lines: readonly SungLine[], notes: readonly TeachingNote[]): NotesByLine {
  const found = new Map<number, TeachingNote[]>();
  for (const note of notes) {
    const index = findSungLineIndex(lines, note.line);
    if (index !== null) found.set(index, [...(found.get(index) ?? []), note]);
  }
  return found;
}
