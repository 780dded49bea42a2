import { AudioSource } from '#features/recordings/web/audio-source.tsx';
import { feedbackAudioSlot } from '../limits.ts';
import type { SpokenPartName } from './given-feedback.tsx';
import type { useAudioReply } from './use-audio-reply.ts';

/** Label of the button that the record shortcut presses. */
export const getRecordButtonLabel = (soundName: SpokenPartName) => `Record ${soundName.toLowerCase()}`;

type SpokenSourceProps = { spoken: ReturnType<typeof useAudioReply>; soundName: SpokenPartName };

/** Lets the teacher record or choose the spoken part of a reply, and play it before sending. */
export const SpokenFeedbackSource = ({ spoken, soundName }: SpokenSourceProps) => (
  <AudioSource
    compact
    label={soundName}
    recordLabel={getRecordButtonLabel(soundName)}
    slot={feedbackAudioSlot}
    value={spoken.audio}
    onChange={spoken.choose}
    onActivityChange={spoken.handleActivityChange}
    storeRecording={spoken.storeRecording}
  />
);
