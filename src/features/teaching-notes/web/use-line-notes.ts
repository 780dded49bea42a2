import { useQuery } from '@tanstack/react-query';
import { createElement, useEffect, useMemo } from 'react';
import { createLazyComponent, useLazyComponent } from '#web/navigation/lazy-component.ts';
import { createApiQuery } from '#web/api/query-client.ts';
import type { SungLine } from '#features/lyrics/parse.ts';
import type { LineNotesRenderer } from '#features/lyrics/web/sung-lines.tsx';
import { useRefetchOnReconnect } from '#web/api/use-refetch-on-reconnect.ts';
import type { TeachingNote } from '../contract.ts';
import {
  createNoteVoicePlayer,
  type InterruptiblePlayback,
  type NoteVoicePlayer,
} from './note-voice-player.ts';
import { type NotesByLine, groupNotesByLine } from './notes-by-line.ts';

/** Notes of a melody, shown with its words. */
export type LineNotesView = LineNotesRenderer & { notesByLine: NotesByLine };

const LineNotesPart = createLazyComponent(() => import('./line-notes.tsx'));

const NONE: readonly TeachingNote[] = [];

/**
 * Returns a melody's teaching notes; null if there are none, or until the notes and the code that shows them
 * have loaded. They are fetched after the words. Errors are hidden, because they don't concern the singer.
 * @param melody the playback that voice notes interrupt; must be the same object on every render
 */
export function useLineNotes(
  melodyId: number,
  lines: readonly SungLine[],
  melody: InterruptiblePlayback | null,
): LineNotesView | null {
  const found = useQuery({ ...createTeachingNotesQuery(melodyId), enabled: lines.length > 0 });
  useRefetchOnReconnect(found);
  // Ignores cached notes after a 404, so that they are no longer shown when the level has been revoked.
  const notes = (found.error?.status !== 404 && found.data) || NONE;
  const { Part } = useLazyComponent(LineNotesPart, notes.length > 0);
  const voices = useNoteVoicePlayer(melody);
  const notesByLine = useMemo(() => groupNotesByLine(lines, notes), [lines, notes]);

  useEffect(() => {
    const { name } = voices.get();
    const sounds = notes.flatMap(({ voice, studentPassage }) => [voice?.audioUrl, studentPassage?.audioUrl]);
    if (name !== null && !sounds.includes(name)) voices.stop();
  }, [voices, notes]);

  return useMemo(() => {
    if (!Part || notesByLine.size === 0) return null;
    return {
      notesByLine,
      hasNotes: (line) => notesByLine.has(line),
      render: (line, shown) => createElement(Part, { notes: notesByLine.get(line) ?? [], voices, ...shown }),
    };
  }, [Part, notesByLine, voices]);
}

export const getTeachingNotesUrl = (melodyId: number) => `/api/melodies/${melodyId}/teaching-notes` as const;

export const createTeachingNotesQuery = (melodyId: number) =>
  createApiQuery('GET /api/melodies/{id}/teaching-notes', { params: { id: melodyId } });

/** Returns a player for voice notes, which stops when the component unmounts. */
export function useNoteVoicePlayer(melody: InterruptiblePlayback | null): NoteVoicePlayer {
  const voices = useMemo(() => createNoteVoicePlayer(melody), [melody]);
  useEffect(() => () => voices.end(), [voices]);
  return voices;
}
