/** Requests per page. */
export const REGISTRATION_REQUESTS_PAGE_SIZE = 50;

/** Error if a request has already been approved. */
export const ALREADY_APPROVED_MESSAGE = 'This request has already been approved.';

/** Maximum number of recent approvals shown. */
export const MAX_RECENT_APPROVALS = 5;
