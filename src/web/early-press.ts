declare global {
  interface Window {
    /** The button that was pressed last while there was no program; null from when there is one. */
    earlyPress?: Element | null;
  }
}

/** Presses again what was pressed before the page could answer. index.html has kept it. */
export function pressAgain() {
  const pressed = window.earlyPress;
  window.earlyPress = null;
  if (pressed instanceof HTMLElement && pressed.isConnected) pressed.click();
}
