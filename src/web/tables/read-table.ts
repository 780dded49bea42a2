import { formatFileSize } from '../ui/file-drop-field.tsx';
import { TableError, type Table } from './table.ts';
import { parseTextTable } from './parse-text-table.ts';
import { decodeText } from './decode-text.ts';

/**
 * Reads the table in a spreadsheet's file: CSV, TSV or XLSX, distinguished by its first bytes.
 * @param bytesMax maximum size of the file, in bytes
 * @throws TableError with a message for the user
 */
export async function readTable(file: File, bytesMax: number): Promise<Table> {
  if (file.size > bytesMax)
    throw new TableError(`This file is too large. The limit for a table is ${formatFileSize(bytesMax)}.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const begins = (...magic: number[]) => magic.every((byte, index) => bytes[index] === byte);
  if (begins(0x50, 0x4b)) {
    const { parseXlsx } = await import('./parse-xlsx.ts');
    return parseXlsx(bytes);
  }
  if (begins(0xd0, 0xcf, 0x11, 0xe0)) {
    throw new TableError(
      'This is an old Excel file, or one with a password. Please save it as .xlsx or .csv and choose that.',
    );
  }
  if (begins(0x25, 0x50, 0x44, 0x46))
    throw new TableError('This is a PDF. Please choose the original spreadsheet.');
  return parseTextTable(decodeText(bytes));
}
