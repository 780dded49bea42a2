/**
 * Width and height in pixels of the screens that every page must fit: phones, a phone in landscape
 * orientation, a tablet and a desktop.
 */
export const VIEWPORT_SIZES = [
  [390, 844],
  [375, 553],
  [320, 568],
  [844, 390],
  [820, 1180],
  [1440, 900],
] as const;
