/**
 * How much space a recorder takes. `large`: on a page of its own. `small`: on a page with several. `bar`: beside the
 * text of a melody, low and out of its way on a phone. `low`: like `large`, but smaller on a phone, and as low as
 * `bar` on one held across.
 */
export type StageLayout = 'large' | 'small' | 'bar' | 'low';
