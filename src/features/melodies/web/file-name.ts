/** Without its folders. */
export const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

export const withoutEnding = (name: string) => name.replace(/\.[^.]+$/, '');

/** The title that a file's name is: 'Seven Line Prayer'. */
export const titleOf = (path: string) =>
  withoutEnding(nameOf(path))
    .normalize('NFC')
    .replaceAll('_', ' ')
    .replace(/^\s*\d{1,3}\s*[-–—.)]?\s+(?=\S)/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
