import { detectAudioKind, MAX_PADDING_BYTES } from '#shared/audio-kind.ts';
import { getWrongAudioKindMessage } from '#shared/audio-rejections.ts';
import { explainRejection } from '#web/audio-ui/upload/explain-rejection.ts';
import { melodyAudioSlot } from '../limits.ts';

const UNREADABLE = 'This file can’t be read. Please choose it again.';

/** Kinds that browsers play but a melody can't have. The server checks raw AAC, which it can distinguish from MP3. */
const UNSUPPORTED_KINDS = ['ogg', 'webm', 'flac'];

/** Returns why a melody's audio file is refused, if that is certain before it is sent; null otherwise. */
export async function findMelodyAudioProblem(file: Blob): Promise<string | null> {
  if (file.size >= melodyAudioSlot.tooLargeFrom) return melodyAudioSlot.tooLargeMessage;
  try {
    const kind = detectAudioKind(new Uint8Array(await file.slice(0, MAX_PADDING_BYTES).arrayBuffer()));
    if (kind !== null && UNSUPPORTED_KINDS.includes(kind))
      return getWrongAudioKindMessage(melodyAudioSlot.audioKinds);
    return await explainRejection(file);
  } catch {
    // It may have been moved or deleted since it was chosen.
    return UNREADABLE;
  }
}
