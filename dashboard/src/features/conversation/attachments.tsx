// Files sent by visitors and agents. The server checks their type and serves them safely.
import type { Attachment } from '@docent/contract'
import { ActionIcon } from '@mantine/core'
import { useRef, useState } from 'react'
import { reloadQueries } from '../../api.ts'
import { client } from '../../client.ts'
import { toast } from '../../forms/toast.tsx'
import { useSession } from '../../session.ts'
import { explainError } from '../../text/explain-error.ts'
import { formatLimit, formatSize } from '../../text/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Icon } from '../../ui/icon.tsx'

const KINDS = '.png,.jpg,.jpeg,.gif,.webp,.pdf,.txt'

interface Place {
  botId: string
  conversationId: string
}

export function Attachments({ place, attachments }: { place: Place; attachments: Attachment[] }) {
  const path = `/api/manage/v1/bots/${place.botId}/conversations/${place.conversationId}/attachments`
  return attachments.map(({ id, name, type, size_bytes }) => (
    <a key={id} className="attachment" href={`${path}/${id}`} target="_blank" rel="noreferrer">
      {type.startsWith('image/') ? (
        <img src={`${path}/${id}`} alt={name} loading="lazy" />
      ) : (
        <>
          <Icon name="file" size={18} />
          <span dir="auto">{name}</span>
          <span className="small quiet">{formatSize(size_bytes)}</span>
        </>
      )}
    </a>
  ))
}

export function AttachButton({ place, onSent }: { place: Place; onSent: () => void }) {
  const texts = useTexts()
  const input = useRef<HTMLInputElement>(null)
  const [isPending, setPending] = useState(false)
  const { attachment_max_bytes } = useSession()
  const send = async (file: File) => {
    // Told before the upload, which may take minutes.
    if (file.size > attachment_max_bytes)
      return toast(`${file.name}: ${texts.files.tooLarge(formatLimit(attachment_max_bytes))}`, 'bad')
    const form = new FormData()
    form.append('file', file)
    setPending(true)
    try {
      await client.request('POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/attachments', {
        params: place,
        body: form as never,
      })
      onSent()
      await reloadQueries()
    } catch (error) {
      toast(explainError(error, texts), 'bad')
    } finally {
      setPending(false)
    }
  }
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        loading={isPending}
        aria-label={texts.team.attach}
        title={texts.team.attach}
        onClick={() => input.current?.click()}
      >
        <Icon name="clip" />
      </ActionIcon>
      <input
        ref={input}
        type="file"
        hidden
        accept={KINDS}
        aria-label={texts.team.attach}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          currentTarget.value = ''
          if (file) void send(file)
        }}
      />
    </>
  )
}
