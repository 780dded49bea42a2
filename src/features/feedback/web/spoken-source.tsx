import { AudioSource } from '#features/recordings/web/audio-source.tsx';
import { feedbackAudioSlot } from '../limits.ts';
import type { useAudioReply } from './use-audio-reply.ts';

/** Label of the button behind the record shortcut. */
export const RECORD_LABEL = 'Record audio feedback';

type SpokenSourceProps = { spoken: ReturnType<typeof useAudioReply> };

/** Records, chooses and plays the spoken part of a reply before it is sent. */
export const SpokenSource = ({ spoken }: SpokenSourceProps) => (
  <AudioSource
    compact
    label="Audio feedback"
    recordLabel={RECORD_LABEL}
    slot={feedbackAudioSlot}
    value={spoken.audio}
    onChange={spoken.choose}
    onActivityChange={spoken.noteActivity}
    keepRecording={spoken.keepRecording}
  />
);
