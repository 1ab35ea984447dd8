import { Fragment } from 'react'

/**
 * What a stranger wrote, as it is: no Markdown, no HTML. Addresses of web pages can be followed, and are shown whole, so
 * that nobody is led where the text does not say.
 */
export function PlainText({ text }: { text: string }) {
  return (
    <p className="plain-text" dir="auto">
      {text.split(/(https?:\/\/[^\s<>"']+)/i).map((part, index) => {
        const url = webAddress(part)
        return (
          <Fragment key={index}>
            {url ? (
              <a href={url} target="_blank" rel="noopener noreferrer nofollow">
                {part}
              </a>
            ) : (
              part
            )}
          </Fragment>
        )
      })}
    </p>
  )
}

/** Only http and https lead anywhere. */
export function webAddress(text: string): string | null {
  if (!/^https?:\/\//i.test(text)) return null
  try {
    return new URL(text).href
  } catch {
    return null
  }
}

export function WebLink({ url, children }: { url: string; children?: string }) {
  const address = webAddress(url)
  if (!address) return <>{children ?? url}</>
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow">
      {children ?? url}
    </a>
  )
}
