import type { InspectionProgress } from './with-inspection-polling.ts';

/** Describes what the server is doing with the audio. */
export const describeInspectionProgress = ({ step, fraction }: NonNullable<InspectionProgress>) =>
  step === 'waiting'
    ? 'Checking the audio: waiting for another file'
    : `Checking the audio: ${Math.floor(fraction * 100)}%`;
