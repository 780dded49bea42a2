import { AudioInput } from '#features/recordings/web/audio-input.tsx';
import { feedbackAudioSlot } from '../limits.ts';
import type { SpokenFeedbackLabel } from './given-feedback.tsx';
import type { useAudioReply } from './use-audio-reply.ts';

/** Returns the label of the record button, which the record shortcut presses. */
export const getRecordButtonLabel = (soundName: SpokenFeedbackLabel) => `Record ${soundName.toLowerCase()}`;

type SpokenFeedbackInputProps = { spoken: ReturnType<typeof useAudioReply>; soundName: SpokenFeedbackLabel };

/** Lets the teacher record or choose the spoken part of a reply, and play it before sending. */
export const SpokenFeedbackInput = ({ spoken, soundName }: SpokenFeedbackInputProps) => (
  <AudioInput
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
