import { AudioSource } from '#features/recordings/web/audio-source.tsx';
import { feedbackAudioSlot } from '../limits.ts';
import type { SoundName } from './given-feedback.tsx';
import type { useAudioReply } from './use-audio-reply.ts';

/** Label of the button that the record shortcut presses. */
export const getRecordLabel = (soundName: SoundName) => `Record ${soundName.toLowerCase()}`;

type SpokenSourceProps = { spoken: ReturnType<typeof useAudioReply>; soundName: SoundName };

/** Lets the teacher record or choose the spoken part of a reply, and play it before sending. */
export const SpokenSource = ({ spoken, soundName }: SpokenSourceProps) => (
  <AudioSource
    compact
    label={soundName}
    recordLabel={getRecordLabel(soundName)}
    slot={feedbackAudioSlot}
    value={spoken.audio}
    onChange={spoken.choose}
    onActivityChange={spoken.noteActivity}
    storeRecording={spoken.keepRecording}
  />
);
