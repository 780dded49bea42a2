import { audioKindOf, LONGEST_PADDING } from '#shared/audio-kind.ts';
import { wrongAudioKind } from '#shared/audio-refusals.ts';
import { refusalOf } from '#web/audio-ui/upload/refused-file.ts';
import { melodyAudioSlot } from '../limits.ts';

const UNREADABLE = 'This file can’t be read. Please choose it again.';

/** Kinds that browsers play but a melody can't have. The server checks raw AAC, which it can distinguish from MP3. */
const OTHER_KINDS = ['ogg', 'webm', 'flac'];

/** Returns why a melody's audio file is refused, if that is certain before it is sent; null otherwise. */
export async function melodyAudioRefusal(file: Blob): Promise<string | null> {
  if (file.size >= melodyAudioSlot.tooLargeFrom) return melodyAudioSlot.tooLargeMessage;
  try {
    const kind = audioKindOf(new Uint8Array(await file.slice(0, LONGEST_PADDING).arrayBuffer()));
    if (kind !== null && OTHER_KINDS.includes(kind)) return wrongAudioKind(melodyAudioSlot.audioKinds);
    return await refusalOf(file);
  } catch {
    // It may have been moved or deleted since it was chosen.
    return UNREADABLE;
  }
}
