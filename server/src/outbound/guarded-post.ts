// Sends a body to a user-given address: no redirects, a limit on the time for all of it, and no more of the answer read
// than is kept.
import { type Agent, request } from 'undici'
import { parseUrl } from './check-url.ts'

export interface PostAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** The beginning of the answer's body. */
  excerpt: string
}

export interface PostLimits {
  timeoutMs: number
  keptBytes: number
}

export type Post = (
  url: string,
  headers: Record<string, string>,
  body: string,
  limits: PostLimits,
) => Promise<PostAnswer>

export function guardedPost(agent: Agent): Post {
  return async (url, headers, body, { timeoutMs, keptBytes }) => {
    const target = parseUrl(url)
    const ending = new AbortController()
    const timer = setTimeout(() => ending.abort(new PostTimeout()), timeoutMs)
    try {
      const answer = await request(target, { method: 'POST', headers, body, dispatcher: agent, signal: ending.signal })
      return { status: answer.statusCode, headers: answer.headers, excerpt: await readExcerpt(answer.body, keptBytes) }
    } finally {
      clearTimeout(timer)
    }
  }
}

export class PostTimeout extends Error {
  override readonly name = 'PostTimeout'
}

async function readExcerpt(body: AsyncIterable<Buffer>, keptBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    // Leaving the loop ends the connection.
    if (length >= keptBytes) break
  }
  return Buffer.concat(chunks).subarray(0, keptBytes).toString('utf8')
}
