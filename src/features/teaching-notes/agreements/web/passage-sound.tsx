import { MarkedRecording } from '#features/feedback/web/marks/marked-recording.tsx';
import type { OwnAgreement } from '../contract.ts';

/** The passage in the student's own recording: pressed, it alone is played. */
export const PassageSound = ({ agreement }: { agreement: OwnAgreement }) => {
  const { id, start, end, recording } = agreement;
  return (
    <MarkedRecording
      recording={{ ...recording, id, melodyId: null }}
      marks={[{ start, end, text: 'This passage' }]}
      title={`Your recording of ${recording.title}`}
    />
  );
};
