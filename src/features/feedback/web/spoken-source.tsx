import { AudioSource } from '../../../platform/web/audio-ui/audio-source.tsx';
import { feedbackAudioSlot } from '../limits.ts';
import type { SoundName } from './given-answer.tsx';
import type { useAudioReply } from './use-audio-reply.ts';

/** What the key for recording presses. */
export const recordLabel = (soundName: SoundName) => `Record ${soundName.toLowerCase()}`;

type SpokenSourceProps = { spoken: ReturnType<typeof useAudioReply>; soundName: SoundName };

/** Where the spoken part of an answer is recorded, chosen and heard before it is sent. */
export const SpokenSource = ({ spoken, soundName }: SpokenSourceProps) => (
  <AudioSource
    compact
    label={soundName}
    recordLabel={recordLabel(soundName)}
    slot={feedbackAudioSlot}
    value={spoken.audio}
    onChange={spoken.choose}
    onActivityChange={spoken.noteActivity}
    keepRecording={spoken.keepRecording}
  />
);
