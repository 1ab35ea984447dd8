/** The message tells the user what is wrong with the file. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}
