/** Saves a file on the device as a download. Replaces characters in its name that file systems do not allow. */
export function saveFile(content: Blob, name: string) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ').trim();
  link.click();
  // Revokes the URL only after a minute, because some browsers start the download after a delay.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
