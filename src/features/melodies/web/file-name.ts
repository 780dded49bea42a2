/** Returns the file name without its folders. */
export const getFileName = (path: string) => path.slice(path.lastIndexOf('/') + 1);

export const removeExtension = (name: string) => name.replace(/\.[^.]+$/, '');

/** Derives a title from a path: 'a/03 - Seven_Line Prayer.mp3' becomes 'Seven Line Prayer'. */
export const getTitleFromPath = (path: string) =>
  removeExtension(getFileName(path))
    .normalize('NFC')
    .replaceAll('_', ' ')
    .replace(/^\s*\d{1,3}\s*[-–—.)]?\s+(?=\S)/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
