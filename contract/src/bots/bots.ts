import { type Static, Type } from 'typebox'
import { HttpUrl, Language, ListQuery, Name, Nullable, OneOf, Timestamp } from '../schema.ts'
import { LanguageModel, LanguageModelInput } from './language-model.ts'
import { HandoverSettings, LeadForm, VisitorEmail, WidgetSettings, widgetSettingsInput } from './widget-settings.ts'

const tones = ['formal', 'casual'] as const

const Threshold = Nullable(Type.Number({ minimum: 0, maximum: 1 }))

const settings = {
  name: Name,
  language: Type.Optional(Language),
  site_url: Type.Optional(Nullable(HttpUrl)),
  fallback_message: Type.Optional(
    Nullable(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description: 'Sent when there is no answer; null: the built-in text.',
      }),
    ),
  ),
  tone: Type.Optional(OneOf(tones)),
  answer_threshold: Type.Optional(Threshold),
  suggest_threshold: Type.Optional(Threshold),
  source_pages: Type.Optional(Type.Boolean()),
  language_model: Type.Optional(Nullable(LanguageModelInput)),
  ...widgetSettingsInput,
}

export const CreateBot = Type.Object({
  ...settings,
  workspace_id: Type.Optional(
    Type.String({ description: "Instance owner only; default: the instance's first workspace." }),
  ),
})
export const PatchBot = Type.Partial(Type.Object(settings))

export const Bot = Type.Object(
  {
    id: Type.String(),
    workspace_id: Type.String(),
    name: Type.String(),
    language: Type.String({ description: 'The language of its content, and the default for visitors.' }),
    site_url: Nullable(Type.String({ description: 'The website of the bot.' })),
    source_pages: Type.Boolean({
      description:
        'Whether content without a URL, such as a file, is cited with a page that shows the cited section. Otherwise with `site_url`, or the page of the chat.',
    }),
    fallback_message: Nullable(Type.String({ description: 'Sent when there is no answer; null: the built-in text.' })),
    tone: OneOf(tones),
    answer_threshold: Nullable(
      Type.Number({ description: 'At this confidence or above, the bot answers normally; null: 0.5.' }),
    ),
    suggest_threshold: Nullable(
      Type.Number({
        description:
          'At this confidence or above, it answers with alternatives; below, it sends the fallback message; null: 0.2.',
      }),
    ),
    language_model: Nullable(LanguageModel),
    widget: WidgetSettings,
    lead_form: Nullable(LeadForm),
    handover: HandoverSettings,
    visitor_email: VisitorEmail,
    allowed_origins: Type.Array(Type.String(), { description: 'Sites that may embed the widget; empty: all.' }),
    widget_seen: Nullable(
      Type.Object({ origin: Type.String(), at: Timestamp }, { description: 'The page that last loaded the widget.' }),
    ),
    retention_days: Type.Integer({
      description: 'Conversations without a message for this long are deleted; 0: never.',
    }),
    created_at: Timestamp,
    knowledge: Type.Object({
      documents: Type.Integer(),
      passages: Type.Integer({ description: 'Sections of about 120 words that search finds.' }),
      products: Type.Integer(),
      embedded_passages: Type.Integer({ description: 'Passages that can also be found by meaning.' }),
      status: OneOf(['ready', 'indexing'], { description: 'Questions are answered in both states.' }),
    }),
  },
  { $id: 'Bot' },
)
export type Bot = Static<typeof Bot>

export const BotsQuery = ListQuery(['id', 'name', 'created_at'], { found: 'name, website or id', sort: 'id' })

export const AvatarInput = Type.Object({
  file: Type.String({ format: 'binary', contentMediaType: 'image/*' }),
})

export const Avatar = Type.Object(
  { id: Type.String({ examples: ['avt_5g1n9q3ht75g1n9q3ht75g1n9q'] }) },
  { $id: 'Avatar' },
)
