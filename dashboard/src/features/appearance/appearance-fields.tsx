import type { Bot } from '@docent/contract'
import { SegmentedControl, Select, Textarea, TextInput } from '@mantine/core'
import { client, fieldError } from '../../client.ts'
import { AvatarField } from '../../forms/avatar-field.tsx'
import { useTexts } from '../../texts/texts.tsx'
import type { AppearanceDraft, findProblems } from './appearance-draft.ts'

interface Props {
  bot: Bot
  draft: AppearanceDraft
  change: (part: Partial<AppearanceDraft>) => void
  problems: ReturnType<typeof findProblems>
  error: unknown
}

export function TextFields({ bot, draft, change, problems }: Props) {
  const { appearance: words } = useTexts()
  return (
    <>
      <TextInput
        label={words.titleField}
        description={words.titleHint(bot.name)}
        maxLength={60}
        value={draft.title}
        onChange={(event) => change({ title: event.currentTarget.value })}
      />
      <Textarea
        label={words.greeting}
        description={words.greetingHint}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={1000}
        value={draft.greeting}
        onChange={(event) => change({ greeting: event.currentTarget.value })}
      />
      <Textarea
        label={words.questions}
        description={words.questionsHint}
        autosize
        minRows={2}
        maxRows={8}
        value={draft.questions}
        error={problems.questions && words.tooMany}
        onChange={(event) => change({ questions: event.currentTarget.value })}
      />
    </>
  )
}

export function AppearanceFields({ bot, draft, change, problems, error }: Props) {
  const { appearance: words, general } = useTexts()
  const pictures = {
    send: (form: FormData) =>
      client.request('POST /api/manage/v1/bots/{botId}/avatars', { params: { botId: bot.id }, body: form as never }),
    urlOf: (id: string) => `/api/chat/${bot.id}/avatars/${id}`,
  }
  const colourInput = (
    <input
      type="color"
      className="colour-well"
      aria-label={words.pickColour}
      value={problems.colour ? bot.widget.colour : draft.colour}
      onChange={(event) => change({ colour: event.currentTarget.value })}
    />
  )
  return (
    <>
      <TextInput
        label={words.colour}
        description={words.colourHint}
        leftSection={colourInput}
        maxLength={7}
        value={draft.colour}
        error={problems.colour && words.badColour}
        onChange={(event) => change({ colour: event.currentTarget.value.trim() })}
      />
      <div className="pair">
        <Select
          label={words.theme}
          description={words.themeHint}
          inputWrapperOrder={['label', 'input', 'description']}
          data={Object.entries(words.themes).map(([value, label]) => ({ value, label }))}
          value={draft.theme}
          onChange={(value) => value && change({ theme: value as AppearanceDraft['theme'] })}
        />
        <div className="stack tight">
          <span className="field-label">{words.position}</span>
          <SegmentedControl
            fullWidth
            aria-label={words.position}
            value={draft.position}
            onChange={(value) => change({ position: value as AppearanceDraft['position'] })}
            data={(['left', 'right'] as const).map((value) => ({ value, label: words.positions[value] }))}
          />
        </div>
      </div>
      <div className="stack tight">
        <span className="field-label">{words.font}</span>
        <SegmentedControl
          fullWidth
          aria-label={words.font}
          value={draft.font}
          onChange={(value) => change({ font: value as AppearanceDraft['font'] })}
          data={(['system', 'inherit'] as const).map((value) => ({ value, label: words.fonts[value] }))}
        />
      </div>
      <div className="pair">
        <AvatarField
          {...pictures}
          label={words.avatar}
          hint={words.avatarHint}
          value={draft.avatar}
          onChange={(avatar) => change({ avatar })}
        />
        <AvatarField
          {...pictures}
          label={words.teamAvatar}
          hint={words.teamAvatarHint}
          value={draft.teamAvatar}
          onChange={(teamAvatar) => change({ teamAvatar })}
        />
      </div>
      <TextInput
        label={`${words.logo} (${general.optional})`}
        description={words.logoHint}
        inputMode="url"
        placeholder="https://"
        value={draft.logo}
        error={fieldError(error, 'widget.logo_url') ?? null}
        onChange={(event) => change({ logo: event.currentTarget.value })}
      />
      <TextInput
        label={`${words.privacy} (${general.optional})`}
        description={words.privacyHint}
        inputMode="url"
        placeholder="https://"
        value={draft.privacy}
        error={fieldError(error, 'widget.privacy_url') ?? null}
        onChange={(event) => change({ privacy: event.currentTarget.value })}
      />
    </>
  )
}
