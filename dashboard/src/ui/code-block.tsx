import { CopyButton } from './copy-button.tsx'

export function CodeBlock({ text, label }: { text: string; label?: string }) {
  return (
    <div className="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
      <pre tabIndex={0}>{text}</pre>
      <div className="code-copy">
        <CopyButton text={text} {...(label ? { label } : {})} />
      </div>
    </div>
  )
}
