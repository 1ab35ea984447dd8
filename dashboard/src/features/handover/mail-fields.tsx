import { Switch, TextInput } from '@mantine/core'
import { useSession } from '../../session.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { HandoverDraft } from './handover-draft.ts'

interface Props {
  draft: HandoverDraft
  change: (part: Partial<HandoverDraft>) => void
}

export function MailFields({ draft, change }: Props) {
  const { handover: words, notifications } = useTexts()
  const { smtp } = useSession()
  return (
    <>
      {!smtp && <Notice tone="warn">{notifications.noSmtp}</Notice>}
      <Switch
        label={words.mailReplies}
        description={words.mailRepliesHint}
        checked={draft.mailsReplies}
        onChange={(event) => change({ mailsReplies: event.currentTarget.checked })}
      />
      <Switch
        label={words.mailTranscripts}
        checked={draft.mailsTranscripts}
        onChange={(event) => change({ mailsTranscripts: event.currentTarget.checked })}
      />
      <TextInput
        type="email"
        label={words.replyTo}
        description={words.replyToHint}
        maxLength={254}
        value={draft.replyTo}
        onChange={(event) => change({ replyTo: event.currentTarget.value })}
      />
    </>
  )
}
