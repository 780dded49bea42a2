import type { Examination } from './while-examined.ts';

/** What the server does with the sound, in words. */
export const examinationSentence = ({ step, fraction }: NonNullable<Examination>) =>
  step === 'waiting'
    ? 'Checking the sound: waiting for another file'
    : `Checking the sound: ${Math.floor(fraction * 100)} %`;
