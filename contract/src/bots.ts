// Bots and their pictures.
import type { Static } from 'typebox'
import { LanguageModel, LanguageModelInput } from './language-models.ts'
import { DEFAULT_ANSWER_THRESHOLD, DEFAULT_SUGGEST_THRESHOLD } from './limits.ts'
import { INPUT_ERRORS, MANAGER_ERRORS, ofBot, type RouteSpec } from './route.ts'
import { Currency, HttpUrl, Language, ListQuery, Name, Nullable, OneOf, Page, Timestamp } from './schema.ts'
import { Type } from './type.ts'
import {
  HandoverSettings,
  IdentitySettings,
  LeadForm,
  Translation,
  TranslationsInput,
  VisitorEmail,
  WidgetSettings,
  widgetSettingsInput,
} from './widget-settings.ts'

const TONES = ['formal', 'casual'] as const

const Threshold = Nullable(Type.Number({ minimum: 0, maximum: 1 }))

const botSettings = {
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
  translations: Type.Optional(TranslationsInput),
  tone: Type.Optional(OneOf(TONES)),
  answer_threshold: Type.Optional(Threshold),
  suggest_threshold: Type.Optional(Threshold),
  currency: Type.Optional(Nullable(Currency)),
  source_pages: Type.Optional(Type.Boolean()),
  language_model: Type.Optional(Nullable(LanguageModelInput)),
  ...widgetSettingsInput,
}

const CreateBot = Type.Object({
  ...botSettings,
  workspace_id: Type.Optional(
    Type.String({ description: "Instance owner only; default: the instance's first workspace." }),
  ),
})
const PatchBot = Type.Partial(Type.Object({ ...botSettings, tested: Type.Boolean(), checklist_hidden: Type.Boolean() }))

export const Bot = Type.Object(
  {
    id: Type.String(),
    workspace_id: Type.String(),
    name: Type.String(),
    language: Type.String({ description: 'The language of its content, and the default for visitors.' }),
    site_url: Nullable(Type.String({ description: 'The website of the bot.' })),
    currency: Nullable(
      Type.String({
        description:
          'ISO 4217: of prices for which neither the product nor its feed or sync states one; null: unknown.',
      }),
    ),
    source_pages: Type.Boolean({
      description:
        'Whether content without a URL, such as a file, is cited with a page that shows the cited section. Otherwise with `site_url`, or the page of the chat.',
    }),
    fallback_message: Nullable(Type.String({ description: 'Sent when there is no answer; null: the built-in text.' })),
    translations: Type.Array(Translation),
    tone: OneOf(TONES),
    answer_threshold: Nullable(
      Type.Number({
        description: `At this confidence or above, the bot answers normally; null: ${DEFAULT_ANSWER_THRESHOLD}.`,
      }),
    ),
    suggest_threshold: Nullable(
      Type.Number({
        description: `At this confidence or above, it answers with alternatives; below, it sends the fallback message; null: ${DEFAULT_SUGGEST_THRESHOLD}.`,
      }),
    ),
    language_model: Nullable(LanguageModel),
    widget: WidgetSettings,
    lead_form: Nullable(LeadForm),
    handover: HandoverSettings,
    visitor_email: VisitorEmail,
    identity: IdentitySettings,
    allowed_origins: Type.Array(Type.String(), { description: 'Sites that may embed the widget; empty: all.' }),
    tested: Type.Boolean({ description: 'Whether somebody has tried it out, in the playground or otherwise.' }),
    checklist_hidden: Type.Boolean({ description: 'Whether its checklist was hidden in the dashboard.' }),
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

const BotsQuery = ListQuery(['id', 'name', 'created_at'], { found: 'name, website or id', sort: 'id' })

export const AvatarInput = Type.Object({
  file: Type.String({ format: 'binary', contentMediaType: 'image/*' }),
})

export const Avatar = Type.Object(
  { id: Type.String({ examples: ['avt_5g1n9q3ht75g1n9q3ht75g1n9q'] }) },
  { $id: 'Avatar' },
)

export const botRoutes = {
  'POST /api/manage/v1/bots': {
    summary: 'Create a bot',
    tag: 'Bots',
    caller: 'management',
    role: 'editor',
    body: CreateBot,
    status: 201,
    response: Bot,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'not_found'],
  },
  'GET /api/manage/v1/bots': {
    summary: 'List the bots you can see',
    tag: 'Bots',
    caller: 'management',
    role: 'viewer',
    query: BotsQuery,
    status: 200,
    response: Page(Bot),
    errors: MANAGER_ERRORS,
  },
  'GET /api/manage/v1/bots/{botId}': {
    summary: 'Read a bot and the state of its knowledge',
    tag: 'Bots',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    status: 200,
    response: Bot,
    errors: [...MANAGER_ERRORS, 'bot_not_found'],
  },
  'PATCH /api/manage/v1/bots/{botId}': {
    summary: 'Change a bot',
    tag: 'Bots',
    caller: 'management',
    role: 'editor',
    params: ofBot,
    body: PatchBot,
    status: 200,
    response: Bot,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found'],
  },
  'DELETE /api/manage/v1/bots/{botId}': {
    summary: 'Delete a bot with its knowledge, keys and conversations',
    tag: 'Bots',
    caller: 'management',
    role: 'owner',
    params: ofBot,
    status: 204,
    errors: [...MANAGER_ERRORS, 'bot_not_found'],
  },
} as const satisfies Record<string, RouteSpec>

export const avatarRoutes = {
  'POST /api/manage/v1/bots/{botId}/avatars': {
    summary: 'Upload an avatar of the bot or its team',
    description:
      'PNG, JPEG or WebP, at most 200 kB and 1024 pixels wide and high. Then set its id as `widget.avatar` or `widget.team_avatar`.',
    tag: 'Bots',
    caller: 'management',
    role: 'editor',
    params: ofBot,
    body: AvatarInput,
    multipart: true,
    bodyLimitBytes: 1024 * 1024,
    status: 201,
    response: Avatar,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found'],
    audit: 'bot.changed',
  },
} as const satisfies Record<string, RouteSpec>
