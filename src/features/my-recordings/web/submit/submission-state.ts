import type { Examination } from '#web/uploads/with-examination-polling.ts';

export type SubmissionState =
  | { step: 'filling'; problem: null | SubmissionProblem }
  /** `mayCancel`: the server has not begun to make a recording of it. */
  | { step: 'sending'; sent: number; examination: Examination; mayCancel: boolean }
  /** The recording is safe on the device, and is sent as soon as possible. */
  | { step: 'waiting'; because: 'offline' | 'server' | 'signed-out' | 'fault' }
  /** `sentence`: the reason in the server's words, and when the recording will be sent. */
  | { step: 'waiting'; because: 'asked-to-wait'; sentence: string }
  | { step: 'done' };

export type SubmissionProblem =
  /** With the server's reason. */
  | { is: 'refused'; reason: string }
  /** Another tab discarded it; the sound is still in this page. */
  | { is: 'discarded-elsewhere'; mayHaveArrived: boolean };
