import { useWidgetAddress } from '../../session.ts'
import { Code } from '../../ui/code.tsx'

/** The script tag that adds a bot to a page. */
export function Snippet({ botId }: { botId: string }) {
  return <Code text={`<script src="${useWidgetAddress()}/widget.js" data-bot="${botId}" async></script>`} />
}
