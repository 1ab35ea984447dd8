// The modules whose verbs routes call. A function that mounts routes names those that it needs.
import type { Access } from '../access/open-access.ts'
import type { Actions } from '../actions/open-actions.ts'
import type { Catalogue } from '../catalogue/open-catalogue.ts'
import type { Conversations } from '../conversations/open-conversations.ts'
import type { LanguageModels } from '../conversations/open-language-models.ts'
import type { Insights } from '../insights/open-insights.ts'
import type { Privacy } from '../privacy/open-privacy.ts'
import type { Search } from '../search/open-search.ts'
import type { Sources } from '../sources/open-sources.ts'
import type { Webhooks } from '../webhooks/open-webhooks.ts'
import type { SystemDeps } from './system.ts'

export interface Modules {
  access: Access
  webhooks: Webhooks
  search: Search
  sources: Sources
  catalogue: Catalogue
  languageModels: LanguageModels
  conversations: Conversations
  actions: Actions
  insights: Insights
  privacy: Privacy
  system: SystemDeps
}
