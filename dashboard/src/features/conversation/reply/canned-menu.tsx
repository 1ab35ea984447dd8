import { useTexts } from '../../../texts/texts.tsx'
import type { useCannedMenu } from './use-canned-menu.ts'

export const CANNED_ID = 'canned-replies'
export const cannedOptionId = (index: number) => `${CANNED_ID}-${index}`

/** Shown above the composer, which keeps the focus. */
export function CannedMenu({ menu }: { menu: ReturnType<typeof useCannedMenu> }) {
  const { team: texts } = useTexts()
  if (!menu.isOpen) return null
  if (menu.matches.length === 0) return <p className="canned small quiet">{texts.cannedNone}</p>
  return (
    <div id={CANNED_ID} className="canned" role="listbox" aria-label={texts.cannedReplies}>
      {menu.matches.map((reply, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the composer handles the keys
        <div
          key={reply.id}
          id={cannedOptionId(index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === menu.activeIndex}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => menu.pick(reply)}
        >
          <strong>/{reply.shortcut}</strong>
          <span className="quiet">{reply.text}</span>
        </div>
      ))}
    </div>
  )
}
