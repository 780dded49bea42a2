type Named = { name: string };

export type FileRowPair<F, R> = { file: F; row: R } | { file: F; row: null } | { file: null; row: R };

/**
 * Merges two listings that are sorted by name, with only one item of each in memory. Pairs an item that has no
 * counterpart with null.
 * @throws Error if a listing is not sorted, because then everything would seem to be missing
 */
export async function* mergeByName<F extends Named, R extends Named>(
  files: AsyncIterable<F>,
  rows: AsyncIterable<R>,
): AsyncGenerator<FileRowPair<F, R>> {
  const nextFile = yieldSorted(files);
  const nextRow = yieldSorted(rows);
  try {
    let [file, row] = await Promise.all([nextFile.next(), nextRow.next()]);
    while (!file.done || !row.done) {
      if (!file.done && !row.done && file.value.name === row.value.name) {
        yield { file: file.value, row: row.value };
        [file, row] = await Promise.all([nextFile.next(), nextRow.next()]);
      } else if (row.done || (!file.done && file.value.name < row.value.name)) {
        yield { file: file.value as F, row: null };
        file = await nextFile.next();
      } else {
        yield { file: null, row: row.value };
        row = await nextRow.next();
      }
    }
  } finally {
    await Promise.all([nextFile.return(undefined), nextRow.return(undefined)]);
  }
}

async function* yieldSorted<T extends Named>(items: AsyncIterable<T>): AsyncGenerator<T, undefined> {
  let last = '';
  for await (const item of items) {
    if (item.name <= last)
      throw new Error(`${item.name} is listed after ${last}, which is not the order of names`);
    last = item.name;
    yield item;
  }
}
