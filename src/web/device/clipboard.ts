/**
 * Copies a text that is on screen. Over plain http there is no clipboard API: then the element's content is selected.
 * @returns false if the user has to copy the selection by hand
 */
export async function copyText(text: string, element: Element | null): Promise<boolean> {
  try {
    // Missing on insecure pages, despite its type.
    await (navigator.clipboard as Clipboard | undefined)!.writeText(text);
    return true;
  } catch {
    if (element) getSelection()?.selectAllChildren(element);
    return document.execCommand('copy');
  }
}
