import { Notice } from '#web/ui/notice.tsx';

/**
 * Warns the teacher that browsers can't seek exactly in this MP3. Shown only if no playback copy will be made.
 */
export const ApproximateSeekingNotice = () => (
  <Notice tone="amber" title="Loops and line timing will be approximate">
    Players can’t jump to an exact place in this MP3, because its bit rate varies. To make loops exact, save
    the audio as M4A or WAV and upload that instead.
  </Notice>
);
