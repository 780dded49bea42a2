import type { InspectionProgress } from '#web/uploads/with-inspection-polling.ts';

export type SubmissionState =
  | { step: 'filling'; problem: null | SubmissionProblem }
  /** `mayCancel`: the server has not started to create the recording, so sending can be cancelled. */
  | { step: 'sending'; sent: number; inspection: InspectionProgress; mayCancel: boolean }
  /** The recording is safe on the device, and is sent as soon as possible. */
  | { step: 'waiting'; because: 'offline' | 'server' | 'signed-out' | 'fault' }
  /** `sentence`: the reason in the server's words, and when the recording will be sent. */
  | { step: 'waiting'; because: 'asked-to-wait'; sentence: string }
  | { step: 'done' };

export type SubmissionProblem =
  /** The recording was rejected, or sending failed. */
  | { is: 'refused'; reason: string }
  /** Another tab discarded the recording. This page still has its audio. */
  | { is: 'discarded-elsewhere'; mayHaveArrived: boolean };
