import { Button } from '@mantine/core'
import { useApiMutation } from '../../api.ts'
import { Icon } from '../../ui/icon.tsx'
import { testTexts as texts } from './studio-texts.ts'

interface Props {
  botId: string
  question: string
  sources: { url: string }[]
  /** As small as the text around it. */
  isLink?: boolean
}

/** Saves a question that was asked as a test question, with the page it was answered from: one click. */
export function AddTestQuestion({ botId, question, sources, isLink }: Props) {
  const add = useApiMutation('POST /api/manage/v1/bots/{botId}/test-questions', { done: texts.added })
  const save = () => {
    const expected_source = sources[0]?.url.replace(/#.*$/, '') ?? null
    add.mutate({ params: { botId }, body: { question: question.trim().slice(0, 500), expected_source } })
  }
  const isDone = add.isSuccess
  if (isLink)
    return (
      <button type="button" className="message-fix" disabled={add.isPending || isDone} onClick={save}>
        <Icon name="check" size={14} />
        {isDone ? texts.added : texts.add}
      </button>
    )
  return (
    <Button
      variant="default"
      leftSection={<Icon name="check" size={16} />}
      loading={add.isPending}
      disabled={isDone}
      onClick={save}
    >
      {texts.add}
    </Button>
  )
}
