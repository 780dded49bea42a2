import type { Examination } from './while-examined.ts';

/** Says in words what the server is doing with the sound. */
export const examinationSentence = ({ step, fraction }: NonNullable<Examination>) =>
  step === 'waiting'
    ? 'Checking the sound: waiting for another file'
    : `Checking the sound: ${Math.floor(fraction * 100)} %`;
