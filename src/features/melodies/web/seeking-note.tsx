import { Notice } from '#web/ui/notice.tsx';

/** Tells the teacher that browsers seek imprecisely in this MP3, and that no playback copy could be made. */
export const SeekingNote = () => (
  <Notice tone="amber" title="Loops and the timing of lines will be approximate">
    This MP3 has a varying bit rate, in which browsers find a place only roughly. An M4A, a WAV or an MP3 of
    constant bit rate is exact.
  </Notice>
);
