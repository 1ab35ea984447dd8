import { ActionIcon, Modal, Switch, Tooltip } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTexts } from '../../texts/texts.tsx'
import { Icon } from '../../ui/icon.tsx'
import { replyHelp as replyTexts } from '../conversation/conversation-texts.ts'

const STORAGE_KEY = 'docent-shortcuts'
const ACTING = ['j', 'k', 'enter', 'r', 'a', 'e', 's', 't', 'o', 'b', 'x', '/'] as const
export type ShortcutKey = (typeof ACTING)[number]

/** Single-key shortcuts can be turned off, because speech input or a tremor can trigger them by accident. */
export function Shortcuts({ onKey }: { onKey: (key: ShortcutKey) => void }) {
  const { inbox: texts, team } = useTexts()
  const [isOpen, setOpen] = useState(false)
  const [on, setOn] = useState(areShortcutsOn)
  const act = useRef(onKey)
  act.current = onKey
  useEffect(() => {
    if (!on) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
      if (isTyping(event.target) || document.querySelector('[role="dialog"], [role="menu"]')) return
      if (event.key === '?') setOpen(true)
      else {
        const key = ACTING.find((each) => each === event.key.toLowerCase())
        // Enter on a link or button activates that.
        const isPressed = key === 'enter' && event.target instanceof Element && event.target.closest('a, button')
        if (!key || isPressed) return
        act.current(key)
      }
      event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [on])
  const choose = (choice: boolean) => {
    localStorage.setItem(STORAGE_KEY, choice ? 'on' : 'off')
    setOn(choice)
  }
  return (
    <>
      <Tooltip label={texts.shortcuts}>
        <ActionIcon
          className="wide-only"
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={texts.shortcuts}
          onClick={() => setOpen(true)}
        >
          <Icon name="keyboard" />
        </ActionIcon>
      </Tooltip>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={texts.shortcuts}>
        <div className="stack">
          <dl className="shortcuts">
            {([...ACTING, 'escape', '?'] as const).map((key) => (
              <div key={key}>
                <dt>
                  <kbd>{key === 'escape' ? 'Esc' : key === 'enter' ? 'Enter' : key}</kbd>
                </dt>
                <dd>{team.keys[key]}</dd>
              </div>
            ))}
            <div>
              <dt>
                <kbd>1</kbd>–<kbd>5</kbd>
              </dt>
              <dd>{replyTexts.key}</dd>
            </div>
          </dl>
          <Switch label={texts.shortcutsOn} checked={on} onChange={(event) => choose(event.currentTarget.checked)} />
        </div>
      </Modal>
    </>
  )
}

export function areShortcutsOn(): boolean {
  return localStorage.getItem(STORAGE_KEY) !== 'off'
}

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.matches('input:not([type=checkbox]), textarea, select') || target.isContentEditable
}
