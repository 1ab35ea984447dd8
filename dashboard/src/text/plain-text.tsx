import { Fragment } from 'react'

/**
 * Text from visitors, without Markdown or HTML. URLs become links that show their whole address, so that no link can
 * disguise its target.
 */
export function PlainText({ text }: { text: string }) {
  return (
    <p className="plain-text" dir="auto">
      {text.split(/(https?:\/\/[^\s<>"']+)/i).map((part, index) => {
        const url = safeWebUrl(part)
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

/** The URL if it is http or https, otherwise null. */
export function safeWebUrl(text: string): string | null {
  if (!/^https?:\/\//i.test(text)) return null
  try {
    return new URL(text).href
  } catch {
    return null
  }
}

export function WebLink({ url, children }: { url: string; children?: string }) {
  const address = safeWebUrl(url)
  if (!address) return <>{children ?? url}</>
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow">
      {children ?? url}
    </a>
  )
}
