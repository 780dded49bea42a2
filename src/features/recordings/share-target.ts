// Audio that another app shares with this installed app (W3C Web Share Target). The system posts the audio as a
// form.

export const SHARE_TARGET_PATH = '/submit';
export const SHARE_TARGET_FIELD = 'sound';

/** Query parameter of the submit page after a share. Its value is a {@link ShareOutcome}. */
export const SHARE_OUTCOME_PARAMETER = 'shared';

/**
 * 'kept': the page looks for the audio in the device's storage. It finds none if the share contained none, if
 * storing it failed, or if no service worker received the share. 'outside': like 'kept', but another website
 * posted the form. 'too-large', 'signed-out': the audio was not stored, because it is too large or nobody was
 * signed in.
 */
export type ShareOutcome = 'kept' | 'outside' | 'too-large' | 'signed-out';

export const getShareOutcomePath = (outcome: ShareOutcome) =>
  `${SHARE_TARGET_PATH}?${SHARE_OUTCOME_PARAMETER}=${outcome}`;
