/** What may be downloaded before a visitor can chat, gzipped; the check and the tests hold us to it. */
export const MOST_BYTES = 15_000
export const MOST_LANGUAGE_BYTES = 750
