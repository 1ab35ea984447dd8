// What every screen may need, in one file, so that it loads at once. Other texts load with their screens.
export * from '../en/bots.ts'
export * from '../en/general.ts'
export * from '../en/inbox.ts'
export * from '../en/integrations.ts'
export * from '../en/knowledge.ts'
export * from '../en/settings.ts'
export * from '../en/workspace.ts'
