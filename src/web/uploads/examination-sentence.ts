import type { Examination } from './while-examined.ts';

/** Describes what the server is doing with the sound. */
export const examinationSentence = ({ step, fraction }: NonNullable<Examination>) =>
  step === 'waiting'
    ? 'Checking the audio: waiting for another file'
    : `Checking the audio: ${Math.floor(fraction * 100)}%`;
