import { useSyncExternalStore } from 'react'

/** The token after the # of a link, which browsers never send, so that it appears in no log. */
function readToken(): string {
  return location.hash.slice(1)
}

/** Follows changes, because pasting another link changes only the part after the #. */
export function useLinkToken(): string {
  return useSyncExternalStore(listen, readToken)
}

function listen(onChange: () => void) {
  addEventListener('hashchange', onChange)
  return () => removeEventListener('hashchange', onChange)
}
