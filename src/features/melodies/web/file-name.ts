/** Returns the file name without its folders. */
export const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

export const withoutEnding = (name: string) => name.replace(/\.[^.]+$/, '');

/** Derives a title from a file name: 'Seven Line Prayer'. */
export const titleOf = (path: string) =>
  withoutEnding(nameOf(path))
    .normalize('NFC')
    .replaceAll('_', ' ')
    .replace(/^\s*\d{1,3}\s*[-–—.)]?\s+(?=\S)/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
