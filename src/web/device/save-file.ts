/** Saves a file on the device as a download. Removes characters that file systems refuse from its name. */
export function saveFile(content: Blob, name: string) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ').trim();
  link.click();
  // Some browsers start the download a moment later.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
