const UNITS: Record<string, number> = {
  '': 1,
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KIB: 2 ** 10,
  MIB: 2 ** 20,
  GIB: 2 ** 30,
  TIB: 2 ** 40,
};

/**
 * Parses a size such as '500MB', '1.5 GiB' or '750000000' to bytes. MB is 1,000,000 bytes, MiB is 1,048,576.
 * Returns null if the text is not a size, or if the number of bytes is too large for an exact integer.
 */
export function parseByteSize(text: string): number | null {
  const [, figure, unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(text) ?? [];
  const factor = UNITS[unit.toUpperCase()];
  if (figure === undefined || factor === undefined) return null;
  const bytes = Math.round(Number(figure) * factor);
  return Number.isSafeInteger(bytes) ? bytes : null;
}

/** Formats a size for a sentence, with at most one decimal: '500 MB', '1.5 GB'. */
export function formatByteSize(bytes: number): string {
  const [unit, factor] =
    bytes >= 1e12 ? ['TB', 1e12] : bytes >= 1e9 ? ['GB', 1e9] : bytes >= 1e6 ? ['MB', 1e6] : ['KB', 1e3];
  return `${Math.round((bytes / factor) * 10) / 10} ${unit}`;
}
