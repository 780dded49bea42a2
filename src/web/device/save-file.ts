/** Saves a file on the device as a download. Replaces characters in its name that file systems do not allow. */
export function saveFile(content: Blob, name: string) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ').trim();
  link.click();
  // Some browsers start the download a moment later.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
