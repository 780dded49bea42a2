/** Returns the date in the device's time zone, in ISO format: 2026-11-20. */
export const formatIsoDate = (now: Date) =>
  [now.getFullYear(), now.getMonth() + 1, now.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
