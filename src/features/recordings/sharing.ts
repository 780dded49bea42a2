// Sound that another app shares with the installed one (W3C, Web Share Target): the system posts it as a form.

export const SHARE_PATH = '/submit';
export const SHARE_FIELD = 'sound';

/** The submit page, when sound has been shared with it. */
export const SHARED = `${SHARE_PATH}?shared`;
