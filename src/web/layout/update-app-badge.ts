/** Shows a number on the installed app's icon; 0 removes it. */
export async function updateAppBadge(count: number): Promise<void> {
  try {
    await (navigator as Partial<Navigator>).setAppBadge?.(count);
  } catch {
    // Some browsers show no badge without permission for notifications.
  }
}
