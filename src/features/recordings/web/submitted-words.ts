export const SUBMITTED = 'Your recording has been submitted to the teacher!';
export const FAILED = 'Failed to submit recording. Please try again.';
