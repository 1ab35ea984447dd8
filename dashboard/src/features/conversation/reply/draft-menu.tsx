import type { Conversation, DraftInput } from '@docent/contract'
import { ActionIcon, Menu } from '@mantine/core'
import { languageName } from '../../../text/format.ts'
import { Icon } from '../../../ui/icon.tsx'
import { replyHelp as texts } from '../conversation-texts.ts'
import { type ConversationPlace, useModelDraft } from './use-model-draft.ts'

const STYLES: NonNullable<DraftInput['style']>[] = ['friendlier', 'formal', 'shorter', 'correct']

interface Props {
  place: ConversationPlace
  conversation: Conversation
  /** What the composer has. */
  text: string
  onText: (text: string) => void
  onSummary: () => void
}

/** What the bot's language model can do for the reply. The result goes into the composer, never to the visitor. */
export function DraftMenu({ place, conversation, text, onText, onSummary }: Props) {
  const { isPending, write } = useModelDraft(place)
  const { language } = conversation
  const hasText = text.trim() !== ''
  return (
    <Menu position="top-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={isPending ? texts.writing : texts.model}
          title={texts.model}
          loading={isPending}
        >
          <Icon name="model" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<Icon name="pencil" size={16} />}
          onClick={() => write({ task: 'reply', ...(hasText ? { text } : {}) }, onText)}
        >
          {hasText ? texts.goOn : texts.draft}
        </Menu.Item>
        {hasText &&
          STYLES.map((style) => (
            <Menu.Item key={style} onClick={() => write({ task: 'rewrite', style, text }, onText)}>
              {texts.styles[style]}
            </Menu.Item>
          ))}
        {hasText && language && (
          <Menu.Item onClick={() => write({ task: 'translate', language, text }, onText)}>
            {texts.translateReply(languageName(language))}
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="text" size={16} />} onClick={onSummary}>
          {texts.summarise}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
