import { useWidgetBaseUrl } from '../../session.ts'
import { CodeBlock } from '../../ui/code-block.tsx'

/** The script tag that adds a bot to a page. */
export function Snippet({ botId }: { botId: string }) {
  return <CodeBlock text={`<script src="${useWidgetBaseUrl()}/widget.js" data-bot="${botId}" async></script>`} />
}
