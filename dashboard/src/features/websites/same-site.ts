/** Whether both URLs lead to one host, with or without "www." */
export function isSameSite(a: string, b: string): boolean {
  const [first, second] = [a, b].map((url) => URL.parse(url)?.host.replace(/^www\./, ''))
  return first !== undefined && first !== '' && first === second
}
