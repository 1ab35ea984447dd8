/** The token of an `Authorization: Bearer …` header; the scheme's case does not matter. */
export function bearerToken(authorization: string | undefined): string | null {
  const match = /^bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')
  return match?.[1] ?? null
}
