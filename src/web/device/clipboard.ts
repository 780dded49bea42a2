/**
 * Copies a text that is on screen. If there is no clipboard API, for example over plain http, selects the
 * element's content and tries the older copy command.
 * @returns false if the user has to copy the selection by hand
 */
export async function copyText(text: string, element: Element | null): Promise<boolean> {
  try {
    // Throws on an insecure page, which has no clipboard despite the type. The code below then copies.
    await (navigator.clipboard as Clipboard | undefined)!.writeText(text);
    return true;
  } catch {
    if (element) getSelection()?.selectAllChildren(element);
    return document.execCommand('copy');
  }
}
