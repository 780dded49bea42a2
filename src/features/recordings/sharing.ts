// Sound that another app shares with the installed app (W3C, Web Share Target). The system posts it as a form.

export const SHARE_PATH = '/submit';
export const SHARE_FIELD = 'sound';

/** The query parameter with which the submit page opens after a share; its value is a {@link ShareOutcome}. */
export const SHARED_PARAMETER = 'shared';

/**
 * 'kept': the sound is stored for the page, unless sharing it failed. 'outside': like 'kept', but another website has
 * posted it. 'signed-out': nobody was signed in, so it was not stored.
 */
export type ShareOutcome = 'kept' | 'outside' | 'too-large' | 'signed-out';

export const getSharedPath = (outcome: ShareOutcome) => `${SHARE_PATH}?${SHARED_PARAMETER}=${outcome}`;
