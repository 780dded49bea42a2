import { Notice } from '#web/ui/notice.tsx';

/** Tells the teacher that browsers seek imprecisely in this MP3, and that no playback copy could be made. */
export const SeekingNote = () => (
  <Notice tone="amber" title="Loops and line timing will be approximate">
    This MP3 has a variable bit rate, so players can’t jump to an exact place in it. M4A, WAV and MP3 files
    with a constant bit rate are exact.
  </Notice>
);
