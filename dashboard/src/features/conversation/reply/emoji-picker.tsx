import { ActionIcon, Popover } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../../texts/texts.tsx'
import { Icon } from '../../../ui/icon.tsx'

const emojis =
  '🙂 😀 😄 😉 😊 😍 🤗 🤔 😅 😂 😕 😟 😢 😮 🙏 👍 👎 👋 👏 💪 ✅ ❌ ❗ ❓ ❤️ 🎉 🎁 ⭐ 🔥 💡 📦 🚚 🛒 💳 📞 📧 📅 ⏰ 🔧 🔒'.split(
    ' ',
  )

export function EmojiPicker({ onPick }: { onPick: (emoji: string) => void }) {
  const { team: texts } = useTexts()
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover opened={isOpen} onChange={setOpen} position="top-end" trapFocus>
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={texts.emoji}
          title={texts.emoji}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="smile" />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={texts.emoji}>
        <div className="emojis">
          {emojis.map((emoji) => (
            <button
              key={emoji}
              type="button"
              onClick={() => {
                setOpen(false)
                onPick(emoji)
              }}
            >
              {emoji}
            </button>
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
