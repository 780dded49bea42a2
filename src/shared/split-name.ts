/**
 * Splits a full name: the last word is the last name, 'Khandro Pema Lhamo' is 'Khandro Pema' and 'Lhamo'. Many Tibetans
 * have a single name, which is then the first name.
 */
export function splitName(fullName: string): { firstName: string; lastName: string | null } {
  const words = fullName.split(/\s+/).filter(Boolean);
  const lastName = words.length > 1 ? words.pop()! : null;
  return { firstName: words.join(' '), lastName };
}
