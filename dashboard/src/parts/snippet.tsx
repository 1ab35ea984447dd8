import { Code } from './code.tsx'

/** The line that puts a bot on a page. */
export function Snippet({ botId }: { botId: string }) {
  return <Code text={`<script src="${location.origin}/widget.js" data-bot="${botId}" async></script>`} />
}
