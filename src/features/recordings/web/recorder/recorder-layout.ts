/**
 * Layout of a recorder. `large`: on its own page. `small`: on a page with several recorders. `bar`: beside a
 * melody's words; on a phone, a short bar that leaves room for the words. `low`: like `large`, but smaller on a
 * phone, and as short as `bar` on a phone in landscape orientation.
 */
export type RecorderLayout = 'large' | 'small' | 'bar' | 'low';
