/** Database and media do not belong together. The message tells the operator what to do; nothing was changed. */
export class WrongPair extends Error {
  override name = 'WrongPair';
}
