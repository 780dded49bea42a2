import type { Examination } from './with-examination-polling.ts';

/** Describes what the server is doing with the audio. */
export const describeExamination = ({ step, fraction }: NonNullable<Examination>) =>
  step === 'waiting'
    ? 'Checking the audio: waiting for another file'
    : `Checking the audio: ${Math.floor(fraction * 100)}%`;
