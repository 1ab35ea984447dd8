/** What follows the # of a link: never sent to a server, so it stands in no log. */
export function linkToken(): string {
  return location.hash.slice(1)
}
