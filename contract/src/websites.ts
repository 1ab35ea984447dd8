// From a website to a bot that can be shown: what the site says about itself, and questions that its content answers.
import type { Static } from 'typebox'
import { Source } from './chat.ts'
import { INPUT_ERRORS, MANAGER_ERRORS, ofBot, type RouteSpec } from './route.ts'
import { HttpUrl, Nullable } from './schema.ts'
import { Type } from './type.ts'

const PreviewWebsite = Type.Object({ url: HttpUrl })

export const Website = Type.Object(
  {
    url: Type.String({ description: 'Where it was found, after redirects.' }),
    name: Type.String({ description: 'As the site calls itself, otherwise its host.' }),
    language: Nullable(Type.String({ description: 'The language of the page.', examples: ['en'] })),
    colour: Nullable(Type.String({ description: 'The main colour.', examples: ['#2f6f4f'] })),
    logo_url: Nullable(Type.String({ description: 'A picture that could be loaded.' })),
  },
  { $id: 'Website', description: 'What a website says about itself.' },
)
export type Website = Static<typeof Website>

export const ProposedQuestions = Type.Object(
  {
    questions: Type.Array(
      Type.Object({
        question: Type.String(),
        response: Type.String(),
        sources: Type.Array(Source),
        confidence: Type.Number({ minimum: 0, maximum: 1 }),
      }),
    ),
  },
  { $id: 'ProposedQuestions', description: 'Questions with the answers that the bot gave to them.' },
)
export type ProposedQuestions = Static<typeof ProposedQuestions>

export const websiteRoutes = {
  'POST /api/manage/v1/website-preview': {
    summary: "Read a website's name, logo, colour and language",
    description: 'Reads one page and stores nothing. A URL that cannot be read is an invalid `url`.',
    tag: 'Knowledge',
    caller: 'management',
    role: 'editor',
    body: PreviewWebsite,
    status: 200,
    response: Website,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'rate_limited'],
  },
  'POST /api/manage/v1/bots/{botId}/suggested-questions/propose': {
    summary: 'Propose questions that the content answers',
    description:
      'Up to six, from the headings and titles of the content. Each was asked, without the bot’s language model, and is proposed only if the bot answered it from that page. Nothing is stored.',
    tag: 'Knowledge',
    caller: 'management',
    role: 'editor',
    params: ofBot,
    status: 200,
    response: ProposedQuestions,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'rate_limited'],
  },
} as const satisfies Record<string, RouteSpec>
