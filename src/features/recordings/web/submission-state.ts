export type SubmissionState =
  | { step: 'filling'; problem: null | SubmissionProblem }
  /** `mayCancel`: the server is not making a recording of it yet. */
  | { step: 'sending'; sent: number; mayCancel: boolean }
  /** It is safe on the device, and goes as soon as it can. */
  | { step: 'waiting'; because: 'offline' | 'server' | 'signed-out' | 'fault' }
  /** In the server's words, and when it goes. */
  | { step: 'waiting'; because: 'asked-to-wait'; sentence: string }
  | { step: 'done' };

export type SubmissionProblem =
  /** With the server's reason. */
  | { is: 'refused'; reason: string }
  /** Another tab discarded it; the sound is in this page still. */
  | { is: 'discarded-elsewhere'; mayHaveArrived: boolean };
