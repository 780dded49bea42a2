import { detectAudioKind, MAX_MP3_PADDING_BYTES } from '#shared/audio-kind.ts';
import { getUnsupportedAudioKindMessage } from '#shared/audio-rejections.ts';
import { findAudioFileProblem } from '#web/audio-ui/upload/find-audio-file-problem.ts';
import { melodyAudioSlot } from '../limits.ts';

const UNREADABLE = 'This file can’t be read. Please choose it again.';

/**
 * Kinds of audio that browsers play but the library doesn't accept. Raw AAC is not checked here, because only
 * the server can distinguish it from MP3.
 */
const UNSUPPORTED_KINDS = ['ogg', 'webm', 'flac'];

/**
 * Returns why the server would reject a melody's audio file, if that is certain before the file is sent;
 * otherwise null.
 */
export async function findMelodyAudioProblem(file: Blob): Promise<string | null> {
  if (file.size >= melodyAudioSlot.tooLargeFrom) return melodyAudioSlot.tooLargeMessage;
  try {
    const kind = detectAudioKind(new Uint8Array(await file.slice(0, MAX_MP3_PADDING_BYTES).arrayBuffer()));
    if (kind !== null && UNSUPPORTED_KINDS.includes(kind))
      return getUnsupportedAudioKindMessage(melodyAudioSlot.audioKinds);
    return await findAudioFileProblem(file);
  } catch {
    // The file may have been moved or deleted since it was chosen.
    return UNREADABLE;
  }
}
