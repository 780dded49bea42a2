import type { InspectionProgress } from './with-inspection-polling.ts';

/** Describes what the server is doing with the audio. */
export const describeInspectionProgress = ({ step, fraction }: NonNullable<InspectionProgress>) =>
  step === 'waiting'
    ? 'The audio will be checked after an earlier file'
    : `Checking the audio: ${Math.floor(fraction * 100)}%`;
