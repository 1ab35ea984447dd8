/** Its message tells whoever uploaded the file what is wrong with it. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}
