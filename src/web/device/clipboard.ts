/**
 * Copies a text that is on screen. Plain http has no clipboard API: there, what the element holds is selected.
 * @returns false when it has to be copied by hand; it is selected then
 */
export async function copyText(text: string, element: Element | null): Promise<boolean> {
  try {
    // Missing, whatever its type says, on pages that are not secure.
    await (navigator.clipboard as Clipboard | undefined)!.writeText(text);
    return true;
  } catch {
    if (element) getSelection()?.selectAllChildren(element);
    return document.execCommand('copy');
  }
}
