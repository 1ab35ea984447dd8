import { useWidgetAddress } from '../../session.ts'
import { Code } from '../../ui/code.tsx'

/** The line that puts a bot on a page. */
export function Snippet({ botId }: { botId: string }) {
  return <Code text={`<script src="${useWidgetAddress()}/widget.js" data-bot="${botId}" async></script>`} />
}
