import { fileSize } from '../ui/file-drop.tsx';
import { NoTable, type Table } from './table.ts';
import { tableOfText } from './table-of-text.ts';
import { textOfBytes } from './text-of-bytes.ts';

/**
 * Reads the table in a spreadsheet's file: CSV, TSV or XLSX, detected by its first bytes.
 * @param bytesMax larger files are refused
 * @throws NoTable with a sentence
 */
export async function readTable(file: File, bytesMax: number): Promise<Table> {
  if (file.size > bytesMax)
    throw new NoTable(`This file is too large. The limit for a table is ${fileSize(bytesMax)}.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const begins = (...magic: number[]) => magic.every((byte, index) => bytes[index] === byte);
  if (begins(0x50, 0x4b)) {
    const { tableOfXlsx } = await import('./table-of-xlsx.ts');
    return tableOfXlsx(bytes);
  }
  if (begins(0xd0, 0xcf, 0x11, 0xe0)) {
    throw new NoTable(
      'This is an old Excel file, or one with a password. Please save it as .xlsx or .csv and choose that.',
    );
  }
  if (begins(0x25, 0x50, 0x44, 0x46))
    throw new NoTable('This is a PDF. Please choose the original spreadsheet.');
  return tableOfText(textOfBytes(bytes));
}
