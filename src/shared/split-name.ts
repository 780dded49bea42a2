/**
 * Splits a full name at its last word: 'Khandro Pema Lhamo' becomes 'Khandro Pema' and 'Lhamo'. Many Tibetans have a
 * single name, which becomes the first name.
 */
export function splitName(fullName: string): { firstName: string; lastName: string | null } {
  const words = fullName.split(/\s+/).filter(Boolean);
  const lastName = words.length > 1 ? words.pop()! : null;
  return { firstName: words.join(' '), lastName };
}
