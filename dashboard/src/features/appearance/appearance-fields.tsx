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
  const { appearance: texts } = useTexts()
  return (
    <>
      <TextInput
        label={texts.titleField}
        description={texts.titleHint(bot.name)}
        maxLength={60}
        value={draft.title}
        onChange={(event) => change({ title: event.currentTarget.value })}
      />
      <Textarea
        label={texts.greeting}
        description={texts.greetingHint}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={1000}
        value={draft.greeting}
        onChange={(event) => change({ greeting: event.currentTarget.value })}
      />
      <Textarea
        label={texts.questions}
        description={texts.questionsHint}
        autosize
        minRows={2}
        maxRows={8}
        value={draft.questions}
        error={problems.questions && texts.tooMany}
        onChange={(event) => change({ questions: event.currentTarget.value })}
      />
    </>
  )
}

export function AppearanceFields({ bot, draft, change, problems, error }: Props) {
  const { appearance: texts, general } = useTexts()
  const pictures = {
    send: (form: FormData) =>
      client.request('POST /api/manage/v1/bots/{botId}/avatars', { params: { botId: bot.id }, body: form as never }),
    urlOf: (id: string) => `/api/chat/${bot.id}/avatars/${id}`,
  }
  const colourInput = (
    <input
      type="color"
      className="colour-well"
      aria-label={texts.pickColour}
      value={problems.colour ? bot.widget.colour : draft.colour}
      onChange={(event) => change({ colour: event.currentTarget.value })}
    />
  )
  return (
    <>
      <TextInput
        label={texts.colour}
        description={texts.colourHint}
        leftSection={colourInput}
        maxLength={7}
        value={draft.colour}
        error={problems.colour && texts.badColour}
        onChange={(event) => change({ colour: event.currentTarget.value.trim() })}
      />
      <div className="pair">
        <Select
          label={texts.theme}
          description={texts.themeHint}
          inputWrapperOrder={['label', 'input', 'description']}
          data={Object.entries(texts.themes).map(([value, label]) => ({ value, label }))}
          value={draft.theme}
          onChange={(value) => value && change({ theme: value as AppearanceDraft['theme'] })}
        />
        <div className="stack tight">
          <span className="field-label">{texts.position}</span>
          <SegmentedControl
            fullWidth
            aria-label={texts.position}
            value={draft.position}
            onChange={(value) => change({ position: value as AppearanceDraft['position'] })}
            data={(['left', 'right'] as const).map((value) => ({ value, label: texts.positions[value] }))}
          />
        </div>
      </div>
      <div className="stack tight">
        <span className="field-label">{texts.font}</span>
        <SegmentedControl
          fullWidth
          aria-label={texts.font}
          value={draft.font}
          onChange={(value) => change({ font: value as AppearanceDraft['font'] })}
          data={(['system', 'inherit'] as const).map((value) => ({ value, label: texts.fonts[value] }))}
        />
      </div>
      <div className="pair">
        <AvatarField
          {...pictures}
          label={texts.avatar}
          hint={texts.avatarHint}
          value={draft.avatar}
          onChange={(avatar) => change({ avatar })}
        />
        <AvatarField
          {...pictures}
          label={texts.teamAvatar}
          hint={texts.teamAvatarHint}
          value={draft.teamAvatar}
          onChange={(teamAvatar) => change({ teamAvatar })}
        />
      </div>
      <TextInput
        label={`${texts.logo} (${general.optional})`}
        description={texts.logoHint}
        inputMode="url"
        placeholder="https://"
        value={draft.logo}
        error={fieldError(error, 'widget.logo_url') ?? null}
        onChange={(event) => change({ logo: event.currentTarget.value })}
      />
      <TextInput
        label={`${texts.privacy} (${general.optional})`}
        description={texts.privacyHint}
        inputMode="url"
        placeholder="https://"
        value={draft.privacy}
        error={fieldError(error, 'widget.privacy_url') ?? null}
        onChange={(event) => change({ privacy: event.currentTarget.value })}
      />
    </>
  )
}
