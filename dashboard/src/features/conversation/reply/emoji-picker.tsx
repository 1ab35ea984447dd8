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
  const [opened, setOpened] = useState(false)
  return (
    <Popover opened={opened} onChange={setOpened} position="top-end" trapFocus>
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={texts.emoji}
          title={texts.emoji}
          onClick={() => setOpened(!opened)}
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
                setOpened(false)
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
