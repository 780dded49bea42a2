/**
 * Returns one line for each layout fault in the current viewport: content wider than the page, text that is cut
 * off or leaves its control, texts that overlap, and controls smaller than 44 px. Runs in the page.
 */
export function findLayoutFaults(): string[] {
  const MIN_TARGET = 44;
  // Tolerance in pixels, because glyph boxes are taller than the glyphs, and positions are rounded.
  const TOLERANCE = 2;
  const CONTROLS =
    'button, a[href], select, textarea, input:not([type=hidden]), summary, [role=button], [role=tab]';
  const faults = new Set<string>();

  const isShown = (element: Element) =>
    element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) &&
    !isForScreenReadersOnly(element);
  const isForScreenReadersOnly = (element: Element) =>
    element.closest('.sr-only, [inert], dialog:not([open])') !== null || isClippedAway(element);
  const isClippedAway = (element: Element) => {
    for (let each: Element | null = element; each; each = each.parentElement) {
      const { clipPath, position, width } = getComputedStyle(each);
      if (position === 'absolute' && (clipPath === 'inset(50%)' || width === '1px')) return true;
    }
    return false;
  };
  const nameOf = (element: Element) =>
    `<${element.localName}> “${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}”`;

  const root = document.querySelector('.full-screen') ?? document.documentElement;
  if (root.scrollWidth > root.clientWidth)
    faults.add(`the page is ${root.scrollWidth} px wide in ${root.clientWidth}`);

  // Returns the dialog, fixed bar or other layer that contains an element; null for the page itself. A layer
  // covers the page on purpose, so only texts of the same layer are compared.
  const layerOf = (element: Element) => {
    for (let each: Element | null = element; each; each = each.parentElement) {
      const { position, zIndex } = getComputedStyle(each);
      if (
        position === 'fixed' ||
        position === 'sticky' ||
        each.localName === 'dialog' ||
        (position === 'absolute' && zIndex !== 'auto')
      )
        return each;
    }
    return null;
  };
  const openDialog = [...document.querySelectorAll('dialog[open], [role=dialog], [role=alertdialog]')]
    .filter(isShown)
    .at(-1);

  type Box = { left: number; right: number; top: number; bottom: number };
  type Word = { text: string; element: Element; layer: Element | null; box: DOMRect; seen: Box };
  const words: Word[] = [];
  const walker = document.createTreeWalker(openDialog ?? document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = node.textContent?.trim() ?? '';
    if (
      !element ||
      text === '' ||
      element.closest('script, style, noscript, option, svg, textarea') ||
      !isShown(element)
    )
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const layer = layerOf(element);
    for (const box of range.getClientRects())
      if (box.width > 1 && box.height > 1)
        words.push({ text: text.slice(0, 40), element, layer, box, seen: seenPartOf(box, element) });
  }

  for (const { text, element, box } of words) {
    for (
      let around: Element | null = element;
      around && around !== document.body;
      around = around.parentElement
    ) {
      const style = getComputedStyle(around);
      // Skips clamped text (and below, text that scrolls), because it is cut off on purpose.
      if (style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none') break;
      const limits = around.getBoundingClientRect();
      const isCutSideways = box.left < limits.left - TOLERANCE || box.right > limits.right + TOLERANCE;
      if (/auto|scroll/.test(style.overflowX + style.overflowY)) break;
      if (/hidden|clip/.test(style.overflowX) && isCutSideways)
        faults.add(`“${text}” is cut off by ${nameOf(around)}`);
      const middle = (box.top + box.bottom) / 2;
      if (around.matches(CONTROLS)) {
        if (isCutSideways || middle < limits.top || middle > limits.bottom)
          faults.add(`“${text}” leaves ${nameOf(around)}`);
      }
    }
  }

  for (const [index, one] of words.entries())
    for (const other of words.slice(index + 1)) {
      if (
        one.layer !== other.layer ||
        one.element.contains(other.element) ||
        other.element.contains(one.element)
      )
        continue;
      const width = Math.min(one.seen.right, other.seen.right) - Math.max(one.seen.left, other.seen.left);
      // Glyph boxes are taller than the line height, so the boxes of adjacent lines overlap a little. The
      // check below tolerates a third of a box.
      const height = Math.min(one.seen.bottom, other.seen.bottom) - Math.max(one.seen.top, other.seen.top);
      if (width > TOLERANCE && height > Math.min(one.box.height, other.box.height) / 3)
        faults.add(`“${one.text}” overlaps “${other.text}”`);
    }
  /** Returns the part of a box that neither the element nor its ancestors clip. */
  function seenPartOf({ left, right, top, bottom }: DOMRect, element: Element): Box {
    const seen = { left, right, top, bottom };
    for (
      let around: Element | null = element;
      around && around !== document.body;
      around = around.parentElement
    ) {
      const { overflowX, overflowY } = getComputedStyle(around);
      const limits = around.getBoundingClientRect();
      if (overflowX !== 'visible') {
        seen.left = Math.max(seen.left, limits.left);
        seen.right = Math.min(seen.right, limits.right);
      }
      if (overflowY !== 'visible') {
        seen.top = Math.max(seen.top, limits.top);
        seen.bottom = Math.min(seen.bottom, limits.bottom);
      }
    }
    return seen;
  }

  for (const control of (openDialog ?? document).querySelectorAll<HTMLElement>(CONTROLS)) {
    if (!isShown(control) || isWithinText(control) || isDisabledOrHidden(control)) continue;
    const { width, height } = targetOf(control);
    if (width < MIN_TARGET - 0.5 || height < MIN_TARGET - 0.5)
      faults.add(`${nameOf(control)} is ${Math.round(width)} × ${Math.round(height)} px`);
  }
  function isDisabledOrHidden(control: HTMLElement) {
    return (
      (control.tabIndex < 0 && control.matches('input[type=file], [aria-hidden=true]')) ||
      control.closest('[aria-hidden=true]') !== null
    );
  }
  /**
   * Returns whether a control is a link in a sentence. Such links have no minimum size (WCAG 2.2, success
   * criterion 2.5.8).
   */
  function isWithinText(control: HTMLElement) {
    if (getComputedStyle(control).display !== 'inline') return false;
    const own = control.textContent?.trim() ?? '';
    const around = control.parentElement?.textContent?.trim() ?? '';
    return own !== '' && around.length > own.length;
  }
  /** Returns the size of the pressable area: the control, its label, and pseudo-elements that enlarge it. */
  function targetOf(control: HTMLElement) {
    const boxes = [control.getBoundingClientRect()];
    const label =
      control.closest('label') ??
      ('labels' in control ? (control.labels as NodeListOf<HTMLElement> | null)?.[0] : undefined);
    if (label && control.matches('[type=checkbox], [type=radio], [type=file]'))
      boxes.push(label.getBoundingClientRect());
    let width = Math.max(...boxes.map((box) => box.width));
    let height = Math.max(...boxes.map((box) => box.height));
    for (const pseudo of ['::before', '::after']) {
      const style = getComputedStyle(control, pseudo);
      if (style.content === 'none' || style.position !== 'absolute') continue;
      width = Math.max(width, parseFloat(style.width) || 0);
      height = Math.max(height, parseFloat(style.height) || 0);
    }
    return { width, height };
  }
  return [...faults];
}
