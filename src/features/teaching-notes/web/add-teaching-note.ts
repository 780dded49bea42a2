import { callApi } from '#web/api/call.ts';
import type { TeachingNote } from '../contract.ts';
import type { NoteToSend } from './note-draft.ts';

type NewNote = NoteToSend & {
  clientId: string;
  voiceOf?: { recordingId: number; voice: string } | undefined;
};

/**
 * Adds a note. If an earlier call added the note but its response was lost, updates that note to the current
 * input.
 */
export async function addTeachingNote(melodyId: number, body: NewNote): Promise<TeachingNote> {
  const { line, lineWords, text, voiceOf } = body;
  const add = () => callApi('POST /api/melodies/{id}/teaching-notes', { params: { id: melodyId }, body });
  const note = await add();
  const params = { id: note.id };
  if (voiceOf && !note.voice) {
    await callApi('DELETE /api/teaching-notes/{id}', { params });
    return add();
  }
  const removeVoice = !voiceOf && note.voice !== null;
  if (note.line === line && note.text === text && !removeVoice) return note;
  return callApi('PUT /api/teaching-notes/{id}', { params, body: { line, lineWords, text, removeVoice } });
}
