/**
 * How much room a recorder takes: `large` on a page of its own; `small` on a page with many; `bar` beside words that
 * are sung, low and out of their way on a phone; `low` as `large`, but as low as `bar` on a phone, while it records.
 */
export type StageLook = 'large' | 'small' | 'bar' | 'low';
