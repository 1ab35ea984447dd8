import { Copy } from './copy.tsx'

export function Code({ text, label }: { text: string; label?: string }) {
  return (
    <div className="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
      <pre tabIndex={0}>{text}</pre>
      <div className="code-copy">
        <Copy text={text} {...(label ? { label } : {})} />
      </div>
    </div>
  )
}
