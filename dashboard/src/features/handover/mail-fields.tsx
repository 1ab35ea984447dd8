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
  const { handover: texts, notifications } = useTexts()
  const { smtp } = useSession()
  return (
    <>
      {!smtp && <Notice tone="warn">{notifications.noSmtp}</Notice>}
      <Switch
        label={texts.mailReplies}
        description={texts.mailRepliesHint}
        checked={draft.mailsReplies}
        onChange={(event) => change({ mailsReplies: event.currentTarget.checked })}
      />
      <Switch
        label={texts.mailTranscripts}
        checked={draft.mailsTranscripts}
        onChange={(event) => change({ mailsTranscripts: event.currentTarget.checked })}
      />
      <TextInput
        type="email"
        label={texts.replyTo}
        description={texts.replyToHint}
        maxLength={254}
        value={draft.replyTo}
        onChange={(event) => change({ replyTo: event.currentTarget.value })}
      />
    </>
  )
}
