import { useSyncExternalStore } from 'react'

/** What follows the # of a link: never sent to a server, so it stands in no log. */
function linkToken(): string {
  return location.hash.slice(1)
}

/** Also of a link that is pasted into the open page, which only changes what follows the #. */
export function useLinkToken(): string {
  return useSyncExternalStore(listen, linkToken)
}

function listen(onChange: () => void) {
  addEventListener('hashchange', onChange)
  return () => removeEventListener('hashchange', onChange)
}
